"""The native engine, built from ``crates/python``."""

from typing import Any

def opcodes() -> list[str]:
    """Names of the engine's opcodes by number, to be compared with ``program.Op``."""

def cores() -> int:
    """How many workers can run at the same time: what the process may use of the machine."""

def explore(
    program: bytes,
    plan: bytes,
    *,
    unroll: int | None = None,
    schedule_seed: int | None = None,
    time_limit: float | None = None,
    collect: bool = False,
    deadlocks: bool = True,
    audit: bool = False,
    reads_from: bool = False,
    verbose: bool = False,
    event_limit: int = 200_000,
    step_limit: int = 200_000_000,
    workers: int = 1,
    eager: bool = False,
) -> dict[str, Any]:
    """Explores a program (``Program.encode()``) under a plan (``Plan.encode()``).

    With ``deadlocks`` an execution in which all threads wait for mutexes or each other is a violation; else
    it is counted as blocked, and the exploration goes on. ``audit`` compares each choice with what the axioms
    mean (their matrix programs) and breaks off with ``EngineBug`` where they differ: slow. With
    ``reads_from`` graphs that differ only in co count as one.

    So many ``workers`` share the exploration once it has taken some milliseconds, or with ``eager`` from the
    start and at every occasion. Nothing in the result but ``seconds`` and ``parts`` depends on either.

    Returns a dict with these keys:

    status: "finished" | "violation" | "refused" | "interrupted"
    complete, blocked: int       executions
    seconds: float               exploration only
    events, revisits: int        totals of events added and backward revisits performed
    parts: int                   in how many parts workers explored it
    forbidden: list[int]         choices that each axiom of the plan forbade, in the plan's order
    warnings: list[(rule, [stack, stack])]  error rules of the plan that only warn and were broken, each once:
                                 the rule's number, and where the two accesses were made
    cuts: list[(loop id, function, pc)]   loops cut by the bound, each once
    finding: None | dict         for status "violation" and "refused":
        kind: str                a violation kind; "rule": an error rule of the plan was broken; or for
                                 "refused": unknown-function, unsupported, mixed-size, endless-loop
        rule: int | None         kind "rule": which (into Plan.errors)
        loop: int | None         endless-loop: which (into Program.loops)
        message: str
        address: int | None      the memory that it is about (unallocated, invalid-free, rule)
        thread: int
        function: int, pc: int   the instruction
        stack: list[(function, pc)]   innermost first
        other: None | (thread, index)  a second event involved (the free, the racing access)
    graph: None | dict           the graph of the finding (may have no events)
    graphs: list[dict]           with collect: every complete graph
    output: list[(thread, values)] with verbose: what was printed, in order: values is the list of PRINT's
                                 operands (address of the format, arguments); formatting is Python's job
    objects: list[(address, size, function, pc)]  what main allocated before the first thread started
    prologue: list[(address, size, value, function, pc)]  who wrote initial memory last, by address

    A graph is a dict:
    threads: list[dict]  by ThreadId, up to the last that there is: parent: int | None,
                         created_by: event index in the parent | None,
                         status: "done" | "blocked" | "cut" | "waiting" | "running" | "failed" | "absent",
                         events: list[dict] in program order:
        kind: "R" | "W" | "F" | "ALLOC" | "FREE" | "CREATE" | "JOIN"
        mode: int, function: int, pc: int, stamp: int (position in insertion order)
        address, size, value: int (R, W);  ALLOC: address, size;  FREE: address
        exclusive: bool (R, W)
        rf: (thread, index) | None     R: None is initial memory
        other: int    CREATE, JOIN: the other thread
    co: list[(address, size, list[(thread, index)])]   locations by address, each with its
                         writes, oldest first, the initial one aside
    """

class EngineBug(Exception):  # noqa: N818 (a bug, named as one)
    """An invariant of the engine broke: a bug of ours."""
