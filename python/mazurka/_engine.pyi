"""The native engine, built from ``crates/python``."""

from collections.abc import Sequence
from typing import Any, TypeAlias

def instructions() -> list[tuple[str, list[str], int | None, bool]]:
    """The table of opcodes that the engine was built from, by number.

    Each row has the name, what the fields a, b and c are (``program.instructions.Field``), how many results
    (None: ``x`` says), and whether control may pass to the next instruction.
    """

def violation_kinds() -> list[str]:
    """The words of the kinds of violations; ``rule`` stands for the error rules of a model."""

def refusal_reasons() -> list[str]:
    """The words of the reasons for refusals."""

def vocabularies() -> list[tuple[str, list[str]]]:
    """The vocabularies of Plans: the names of their members, by number."""

def first_views() -> list[int]:
    """Where the numbers of a Plan's views begin, and those of the views' pairs of one location."""

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
    memory_limit: int | None = None,
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
    cuts: list[(loop id, function, pc)]   loops cut by the bound, each once; without a loop, a function that
                                 calls itself
    out_of_memory: bool          memory stopped it
    system_refused: bool         if so: the system had no more, below the limit
    grew: None | dict            if so: a finding that says what had grown most
    finding: None | dict         for status "violation" and "refused":
        kind: str                a violation kind; "rule": an error rule of the plan was broken; or for
                                 "refused": unknown-function, unsupported, mixed-size, endless-loop
        rule: int | None         kind "rule": which (into Plan.errors)
        loop: int | None         endless-loop: which (into Program.loops)
        recursion: int | None    endless-loop: the function that calls itself, if it is not a loop
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

# Automata for the prover --------------------------------------------------------------------------------

Label: TypeAlias = tuple[str, bool]  # a relation, and whether it is walked backwards
Edge: TypeAlias = tuple[int, Label, int, Guard, Guard]  # source, label, target; what the two events can be

class OutOfMemory(Exception):  # noqa: N818 (the caller's limit, not an error)
    """A proof takes more memory than was given."""

class OutOfTime(Exception):  # noqa: N818 (the caller's limit, not an error)
    """The time that was given to a proof is used up."""

class Guard:
    """A set of events. An event is an assignment of truth values to the kernel's variables."""

    def __and__(self, other: Guard, /) -> Guard: ...
    def __or__(self, other: Guard, /) -> Guard: ...
    def __invert__(self) -> Guard: ...
    def __bool__(self) -> bool: ...
    def __lt__(self, other: Guard, /) -> bool: ...
    def example(self) -> list[bool]:
        """One event of a set that has one: false is preferred, for earlier variables first."""

class Nfa:
    """An automaton: state 0 is its start, 1 its end; the empty word relates the ``nullable`` events."""

    @property
    def states(self) -> int: ...
    @property
    def nullable(self) -> Guard: ...
    @property
    def edges(self) -> list[Edge]: ...
    @property
    def has_edges(self) -> bool: ...
    def with_nullable(self, nullable: Guard) -> Nfa: ...

class Saturated:
    """An automaton with what is known put within it; steps may lead to its start and from its end."""

    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> list[Edge]: ...
    def whole(self, name: Label) -> list[Edge]:
        """The steps that all pairs of a relation can take."""

class Words:
    """Words that a larger side lacks, shortest first: labels, and what each event can be (any will do)."""

    @property
    def size(self) -> int:
        """How many places the search has looked at so far."""

    def __iter__(self) -> Words: ...
    def __next__(self) -> tuple[list[Label], list[Guard]]: ...

class Kernel:
    """The owner of the guards and automata of one question (crates/automata).

    Everything that takes long raises OutOfTime when the time limit is reached, counted from here on, and
    OutOfMemory when the process takes more than ``memory_limit`` bytes.
    """

    def __new__(
        cls, variables: int, time_limit: float | None = None, memory_limit: int | None = None
    ) -> Kernel: ...
    def look(self) -> None:
        """Raises OutOfTime or OutOfMemory if there is no more."""

    def variable(self, number: int) -> Guard: ...
    def all(self) -> Guard: ...
    def none(self) -> Guard: ...
    def define(self, everything: Guard, names: list[Label], relations: list[tuple[Any, ...]]) -> None:
        """Says what is known of each relation; none is a letter then, nor are there words within it.

        A relation is: its inverse; the relations within it; the letters that it is the union of; for an
        external half the internal one and the whole, else None; its part that keeps the location, or None;
        what its two ends can be.
        """

    def set_words(self, words: Sequence[tuple[Label, Sequence[tuple[int, Label, int]]]]) -> None:
        """Says which words are within relations, as automata of steps: 0 is the start, 1 the end."""

    def set_letters(self, names: Sequence[Label]) -> None: ...
    def add_letters(self, nfa: Nfa) -> None:
        """Makes letters of the parts of an automaton's relations."""

    def letters(self) -> list[Label]: ...
    def has_letters(self, name: Label) -> bool:
        """Whether some letter's relation is within one."""

    def nfa(self, states: int, edges: Sequence[Edge], nullable: Guard) -> Nfa: ...
    def unite(self, parts: Sequence[Nfa]) -> Nfa: ...
    def concatenate(self, left: Nfa, right: Nfa) -> Nfa: ...
    def repeat(self, body: Nfa) -> Nfa:
        """One or more words, one after the other."""

    def reverse(self, nfa: Nfa) -> Nfa: ...
    def rotate(self, nfa: Nfa) -> Nfa: ...
    def reduced(self, nfa: Nfa) -> Nfa: ...
    def saturate(self, nfa: Nfa, rules: Sequence[tuple[Nfa, Nfa]]) -> Saturated:
        """An automaton with what is known and what rules (smaller <= larger) put within it."""

    def saturate_once(self, right: Saturated, rules: Sequence[tuple[Nfa, Nfa]]) -> Saturated: ...
    def words_round(
        self, right: Saturated, steps: Sequence[Edge], before: Guard, after: Guard, one_location: bool
    ) -> list[Nfa]:
        """For each step of forbidden cycles the words that lead from its end round to its beginning."""

    def words(self, left: Nfa, right: Saturated, events: Guard) -> Words: ...
    def cyclic_words(self, left: Nfa, forbidden: Saturated, events: Guard) -> Words: ...
