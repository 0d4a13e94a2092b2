"""The native engine, built from ``crates/python``."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, final

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
    """The vocabularies of Plans and of graphs: the names of their members, by number."""

def first_views() -> list[int]:
    """Where the numbers of a Plan's views begin, and those of the views' pairs of one location."""

def cores() -> int:
    """How many workers can run at the same time: what the process may use of the machine."""

def explore(
    program: bytes,
    plan: bytes,
    *,
    unroll: int | None = None,
    loop_bounds: Sequence[tuple[int, int]] = (),
    call_bounds: Sequence[tuple[int, int]] = (),
    schedule_seed: int | None = None,
    time_limit: float | None = None,
    collect: bool = False,
    dependencies: bool = False,
    liveness: bool = True,
    audit: bool = False,
    reads_from: bool = False,
    verbose: bool = False,
    event_limit: int = 200_000,
    step_limit: int = 200_000_000,
    load_annotations: bool = True,
    confirmations: bool = True,
    helping: bool = False,
    postpones: bool = True,
    symmetry: bool = False,
    memory_limit: int | None = None,
    workers: int = 1,
    zero_net_effect: bool = True,
    causal: bool = False,
    eager: bool = False,
    mixed_sizes: bool = False,
    leaves_sizes: bool = False,
    leaks: Literal["ignored", "noted", "forbidden", "all-forbidden"] = "ignored",
    foreseen: Sequence[tuple[int, int, int]] = (),
    flags: bytes | None = None,
    flags_are_findings: bool = False,
    max_executions: int | None = None,
    progress: Progress | None = None,
    sampling: tuple[int, int, float] | None = None,
    route: tuple[Any, ...] | None = None,
) -> Explored:
    """Explores a program (``Program.encode()``) under a plan (``Plan.encode()``).

    With ``liveness`` an execution in which threads wait for ever is a violation; else it is counted as
    blocked, and the exploration goes on. With ``load_annotations``
    executions are left out in which a thread stopped right after a read that could have seen a later write,
    with ``confirmations`` those in which a confirming compare-exchange sees another write than the load
    before it, and with ``helping``, which not every program and model allows (``soundness.helping``), those
    in which a helping compare-exchange does what the helped one can do itself. With ``postpones``, operations
    that would make their threads wait are not added to the graph as long as others can go on; only the time
    depends on it.
    ``audit`` compares each choice with what the axioms mean (their matrix programs) and breaks off with
    ``EngineBug`` where they differ: slow. With
    ``reads_from`` graphs that differ only in co count as one.

    ``zero_net_effect`` stops a thread after a round of a loop that took back what it wrote, if ``causal``: a
    read that depends on an event, by po and rf, reads no write that one before that event has overwritten.

    ``flags`` is a Plan of which only the axioms count that say that a relation is empty: complete executions
    that break one are counted as flagged. With ``flags_are_findings`` the first of these is a violation,
    whose ``rule`` is the number of the axiom.

    ``foreseen`` has the function, the instruction and the value of every load of a program without other
    reads: only executions are explored in which they have these values. The plan's causal order must be
    smaller than po.

    With ``symmetry`` one execution is explored for all that differ only in which of several exchangeable
    threads did what; not with ``reads_from``, ``collect`` or ``verbose``.

    With ``dependencies`` events of graphs say which reads they depend on, even if the plan does not need it.
    Only the time depends on it.

    With ``mixed_sizes`` accesses of several sizes to the same bytes are explored, byte by byte, under a plan
    for them (``kat.planning.planner``). Otherwise they are refused: with ``leaves_sizes`` at once, because
    the caller explores again, and else after a look for violations beside them.

    After ``max_executions`` it stops; one worker explores these. ``progress`` can be asked meanwhile, by
    another thread, how far it has come.

    With ``sampling`` nothing is explored: ``estimate`` says how much there is. It has a seed, the largest
    number of samples, and the precision (standard error by mean) at which they are enough; counts are those
    of the samples, and a finding is one that a sample came across.

    ``route`` leads to one execution, the only one to be explored: with the program, the plan and the options
    that it was found with. What is printed is then what this execution prints.

    So many ``workers`` share the exploration once it has taken some milliseconds, or with ``eager`` from the
    start and at every occasion. Nothing in the result but ``seconds`` and ``parts`` depends on either.
    """

# What leads to one execution, as in ``checking.outcome.Route``.
RawRoute: TypeAlias = tuple[
    int, list[int], list[tuple[int, int]], int | None, int, list[int], list[int], list[int]
]
Place: TypeAlias = tuple[int, int]  # a function and a pc in it
Reference: TypeAlias = tuple[int, int]  # an event: its thread, and its position in program order

@final
class Explored:
    """What an exploration found."""

    status: Literal["finished", "violation", "refused", "interrupted"]
    complete: int  # executions
    blocked: int
    explored_complete: int  # those that were explored; they stand for all
    explored_blocked: int
    flagged: int
    seconds: float  # exploration only
    events: int  # added in all
    revisits: int  # backward ones that were made
    parts: int  # in how many of them workers explored it
    fraction: float  # which part of the choices was explored; 1.0 if all
    forbidden: list[int]  # how many choices each axiom of the plan forbade, in the plan's order
    # Error rules of the plan that only warn and were broken, each once: its number, and the two stacks.
    warnings: list[tuple[int, list[list[Place]]]]
    leaks: list[tuple[int, list[Place]]]  # memory that was lost: who allocated it first, and by which calls
    spared: bool  # memory counts as kept, because a thread that has not returned may have a pointer to it
    # What the bound cut, each once: loop, function, pc. Without a loop, a function that calls itself.
    cuts: list[tuple[int | None, int, int]]
    # Loops of which rounds that take back what they wrote were explored, because another thread saw that.
    observed: list[int]
    contended: list[int]  # loops of which attempts that failed were explored: their counters have other users
    stops_attempts: bool  # threads stop at other attempts that failed
    out_of_memory: bool  # memory stopped it
    system_refused: bool  # if so: the system had no more, below the limit
    grew: RawFinding | None  # if so: what had grown most
    finding: RawFinding | None  # of a violation or a refusal
    graph: RawGraph | None  # that of the finding; it may have no events
    graphs: tuple[RawGraph, ...]  # with ``collect``: every complete one
    # With ``verbose``, what was printed, in order: the thread, and PRINT's operands (the format comes first).
    route: RawRoute | None  # to the finding
    output: list[tuple[int, list[int]]]
    objects: list[tuple[int, int, int, int]]  # what the prologue allocated: address, size, function, pc
    prologue: list[tuple[int, int, int, int]]  # who wrote initial memory last: address, size, function, pc
    estimate: RawEstimate | None  # with ``sampling``

@final
class RawEstimate:
    """How much there is to explore: the mean of each number, and where it probably lies."""

    executions: tuple[float, float, float]  # complete and blocked; mean, low, high
    explored: tuple[float, float, float]  # those that are explored; they stand for all
    exact: bool  # nothing was left to chance
    samples: int

@final
class Progress:
    """How far an exploration has come that was given this."""

    def __new__(cls) -> Progress: ...
    def look(self) -> tuple[float, int, int, int, int]:
        """What is explored: the fraction, complete and blocked executions, events, and how often it began."""

    def stop(self) -> None:
        """Ends the exploration soon, as if its time were up."""

@final
class RawFinding:
    """What is wrong, and where."""

    kind: str  # a violation kind, "rule" for an error rule of the plan, or the reason for a refusal
    message: str
    thread: int
    function: int
    pc: int
    stack: list[Place]  # innermost first
    loop: int | None  # an endless loop: which of ``Program.loops``
    recursion: int | None  # an endless recursion: the function that calls itself
    rule: int | None  # which of ``Plan.errors``
    address: int | None  # the memory that it is about
    object: tuple[int, int] | None  # the private object that the address was computed from: start, size
    event: Reference | None  # the event that it is about, if that may not be the last one at its instruction
    other: Reference | None  # a second event involved: the free, the racing access
    waits: list[RawWait]  # if threads wait for ever: what for

@final
class RawWait:
    """A thread that waits for ever: for a thread, for an object, or else in a loop."""

    thread: int
    stack: list[Place]  # innermost first
    joins: int | None  # the thread whose end it waits for
    object: Reference | None  # its read of the object that it waits for
    # What it reads in each round of a loop: address, size, value, write (None: initial memory), and where.
    sees: list[tuple[int, int, int, Reference | None, Place]]

@final
class RawGraph:
    """An execution graph."""

    threads: tuple[RawThread, ...]  # by ThreadId, up to the last that there is
    # Locations by address, each with its writes, oldest first, without the initial one.
    co: list[tuple[int, int, list[Reference]]]

@final
class RawThread:
    """A thread of a graph."""

    parent: int | None
    created_by: int | None  # the position of the CREATE among the parent's events
    status: Literal["done", "blocked", "spinning", "cut", "waiting", "running", "failed", "absent"]
    spins_in: int | None  # if it is spinning: which of ``Program.loops``
    events: tuple[RawEvent, ...]  # in program order

@final
class RawEvent:
    """An event of a graph. Numbers that its kind does not use are 0."""

    kind: Literal["R", "W", "F", "ALLOC", "FREE", "CREATE", "JOIN"]
    mode: int
    stack: list[tuple[int, int]]  # its instruction and the calls that led there, innermost first
    stamp: int  # its position in insertion order
    address: int  # R, W, ALLOC, FREE
    size: int  # R, W, ALLOC
    value: int  # R, W
    exclusive: bool  # R, W: half of a read-modify-write
    rf: Reference | None  # R: its write; None is initial memory
    section: bool  # R, W: of an atomic section
    # R of mixed sizes, and accesses of a section: address, size, write (of a read) and value of each part
    parts: list[tuple[int, int, Reference | None, int]]
    other: int | None  # CREATE, JOIN: the other thread
    # If dependencies are tracked: the reads of its thread, by position, that its address, what it writes, and
    # that it is reached depend on.
    depends: list[list[int]] | None

class EngineBug(Exception):  # noqa: N818 (a bug, named as one)
    """An invariant of the engine broke: a bug in Mazurka."""

# Automata for the planner and the prover -------------------------------------------------------------------

Label: TypeAlias = tuple[str, bool]  # a relation, and whether it is walked backwards

class OutOfMemory(Exception):  # noqa: N818 (the caller's limit, not an error)
    """A proof exceeded its memory limit."""

class OutOfTime(Exception):  # noqa: N818 (the caller's limit, not an error)
    """A proof exceeded its time limit."""

class Guard:
    """A set of events. An event is an assignment of truth values to the kernel's variables."""

    def __and__(self, other: Guard, /) -> Guard: ...
    def __or__(self, other: Guard, /) -> Guard: ...
    def __invert__(self) -> Guard: ...
    def __bool__(self) -> bool: ...
    def __lt__(self, other: Guard, /) -> bool: ...
    def example(self) -> list[bool]:
        """One event of a set that has one: false is preferred, for earlier variables first."""

Edge: TypeAlias = tuple[int, Label, int, Guard, Guard]  # source, label, target; what the two events can be

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

class Language:
    """The words of an automaton, ready for many questions."""

    def lacks(
        self, left: Nfa, events: Guard, most_places: int
    ) -> tuple[tuple[list[Label], list[Guard]] | None, int, bool]:
        """A shortest word of another automaton that is lacking here, between some events, if it is found.

        Also how many places were looked at, and whether these were all that there are.
        """

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
    def set_time_limit(self, seconds: float | None) -> None:
        """Sets the time limit, counted from now; None removes it."""

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
    def close(self, nfa: Nfa) -> Saturated:
        """An automaton with what is known put within it, without the work of making it small."""

    def saturate(self, nfa: Nfa, rules: Sequence[tuple[Nfa, Nfa]]) -> Saturated:
        """An automaton with what is known and what rules (smaller <= larger) put within it."""

    def saturate_once(self, right: Saturated, rules: Sequence[tuple[Nfa, Nfa]]) -> Saturated: ...
    def words_round(
        self, right: Saturated, steps: Sequence[Edge], before: Guard, after: Guard, one_location: bool
    ) -> list[Nfa]:
        """For each step of forbidden cycles the words that lead from its end round to its beginning."""

    def language(self, right: Saturated) -> Language: ...
    def words(self, left: Nfa, right: Saturated, events: Guard) -> Words: ...
    def cyclic_words(self, left: Nfa, forbidden: Saturated, events: Guard) -> Words: ...
