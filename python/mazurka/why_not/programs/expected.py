"""Whether some execution of a program ends as its user expects; and if none does, what forbids it.

The engine decides: the condition is evaluated at the end of each complete execution. Why none ends so is
found out by the reference, as for litmus tests (``candidates``).

I1: no execution is left out that could end so. Symmetry is switched off, because it takes threads for each
other that the condition tells apart; and coherence must be explored, because it says which write is the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mazurka.errors import ErrorCode, InternalError, UsageError
from mazurka.kat.language.load import named_model
from mazurka.reference.machine import Machine
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.reference.running.memory import Memory, global_memory
from mazurka.reference.unordered import may_be_unordered
from mazurka.report.as_json import graph_as_json
from mazurka.report.violation import execution_lines
from mazurka.why_not.candidates import IMPOSSIBLE, Candidate, closest
from mazurka.why_not.programs.coherent import is_coherent
from mazurka.why_not.programs.source_telling import SourceTeller
from mazurka.why_not.programs.variables import OPTION, Condition, Variable, read_condition

if TYPE_CHECKING:
    from mazurka.checking.execution import Graph
    from mazurka.checking.outcome import Outcome
    from mazurka.kat.meaning import terms
    from mazurka.reference.graph import Graph as ReferenceGraph

MOST_EXECUTIONS = 10_000  # all of them are kept
MOST_GRAPHS = 10_000  # partial ones, in which a reason is looked for: up to about half a minute
MORE_EVENTS = 4  # than an explored execution has
UNDECIDED = 3  # as exit status
FAILED = 1


class Checking(Protocol):
    """Checks the program, with some options of ``mazurka.check`` changed."""

    def __call__(self, **changed: Any) -> Outcome: ...


class Answer(NamedTuple):
    """What is known about the expected outcome."""

    condition: str
    verdict: str  # allowed forbidden undecided
    reason: str  # a line
    graph: Graph | None = None  # an execution that ends so
    axioms: tuple[str, ...] = ()  # those that the closest execution breaks
    cycle: tuple[Mapping[str, Any], ...] = ()  # what the first of these excludes
    details: tuple[str, ...] = ()  # the same as lines

    def status(self, outcome: Outcome, usual: int) -> int:
        """The exit status of a check that would end with the ``usual`` one."""
        if outcome.violation is not None or self.verdict == "allowed":
            return usual
        return FAILED if self.verdict == "forbidden" else UNDECIDED

    @property
    def complaint(self) -> str:
        """What is wrong, for lists of tests; empty if nothing is."""
        return "" if self.verdict == "allowed" else f"expected outcome {self.condition}: {self.reason}"

    def lines(self, outcome: Outcome, *, width: int, colour: bool, calls: bool) -> Iterator[str]:
        """The answer for people."""
        yield f"  expected outcome: {self.condition}"
        yield f"  {self.reason}"
        yield from self.details
        if self.graph is not None:
            yield ""
            yield from execution_lines(outcome, self.graph, width=width, colour=colour, calls=calls)

    def as_json(self, outcome: Outcome) -> dict[str, Any]:
        """The answer for programs."""
        return {
            "condition": self.condition,
            "verdict": self.verdict,
            "reason": self.reason,
            "axioms": list(self.axioms),
            "cycle": list(self.cycle),
            "graph": None if self.graph is None else graph_as_json(outcome.program, self.graph),
        }


class Question:
    """An outcome that is expected of a program. What cannot be asked is refused before the exploration."""

    def __init__(self, text: str, options: Mapping[str, Any], check: Checking) -> None:
        """``options`` are those of ``mazurka.check``."""
        self.check = check
        self.text = text
        self.time_limit: float | None = options["time_limit"]
        for name, option, cure in _REFUSED:
            if options[name] not in (None, "co"):
                message = f"{OPTION} cannot be used with {option}"
                raise UsageError(ErrorCode.USAGE, message, hint=cure)
        self._read(check(max_executions=1, workers=1, smallest=False))

    def _read(self, outcome: Outcome) -> Condition | None:
        """The condition; None if the time limit passed before the program was compiled."""
        return None if outcome.compiled is None else read_condition(self.text, outcome.program)

    def _left(self, outcome: Outcome) -> float | None:
        """What the check left of the time limit."""
        if self.time_limit is None:
            return None
        return max(self.time_limit - outcome.seconds_frontend - outcome.seconds_explore, 1e-3)

    def answer(self, outcome: Outcome) -> Answer:
        """What is known after the program was checked as usual."""
        condition = self._read(outcome)
        text = self.text if condition is None else condition.text
        if outcome.violation is not None:
            return Answer(text, "undecided", "not decided: the exploration ended with the violation")
        if condition is None:
            return Answer(text, "undecided", "not decided: the time limit passed")
        if outcome.complete > MOST_EXECUTIONS:
            raise _too_large(outcome, text)
        collected = self.check(collect=True, symmetry=False, time_limit=self._left(outcome))
        ends = _Ends(collected, condition)
        found = [graph for graph in collected.graphs if ends.so(_last_bytes(graph))]
        if found:
            number, every = len(found), len(collected.graphs)
            reason = f"allowed: complete executions that end so: {number} of {every}, for example this one"
            return Answer(text, "allowed", reason, min(found, key=_size))
        if collected.verdict != "verified":
            why = {"bounded": "a bound cut the exploration", "interrupted": "the exploration did not finish"}
            known = why.get(collected.verdict, "the exploration ended early")
            return Answer(text, "undecided", f"not decided: none of the executions ends so, but {known}")
        return _forbidden(collected, condition, ends)


_REFUSED = (
    ("property_file", "--property", "leave out one of them: a property has an answer of its own"),
    ("equivalence", "--equivalence rf", "use --equivalence co, which explores which write is the last one"),
)


def _too_large(outcome: Outcome, condition: str) -> UsageError:
    message = (
        f"the outcome is looked for among at most {MOST_EXECUTIONS} complete executions, and the program has "
        f"{outcome.complete}; the verdict was '{outcome.verdict}'"
    )
    hint = (
        f"check fewer threads or fewer rounds of loops; or leave out {OPTION} and write at the end of main: "
        f"assert(!({condition})). If that fails, the outcome is allowed"
    )
    return UsageError(ErrorCode.TOO_LARGE, message, hint=hint)


def _size(graph: Graph) -> int:
    return sum(len(thread.events) for thread in graph.threads)


class _Ends:
    """Whether executions end as a condition says."""

    def __init__(self, outcome: Outcome, condition: Condition) -> None:
        self.condition = condition
        self.initial = _initial(outcome, condition)

    def so(self, last: Mapping[int, int]) -> bool:
        """Given the bytes that were written last, by address."""

        def value(variable: Variable) -> int:
            first = self.initial.read(variable.address, variable.size).to_bytes(variable.size, "little")
            found = (last.get(variable.address + at, byte) for at, byte in enumerate(first))
            return int.from_bytes(found, "little")

        return self.condition.holds(value)


def _initial(outcome: Outcome, condition: Condition) -> Memory:
    """Memory when the first thread starts. What main wrote until then has to be found out."""
    for variable in condition.variables.values():
        start, end = variable.address, variable.address + variable.size
        if any(write.address < end and start < write.address + write.size for write in outcome.prologue):
            try:
                return Machine(outcome.program).initial
            except ReferenceUnsupported as error:
                message = (
                    f"what main writes to '{variable.name}' before it starts a thread is not known: {error}"
                )
                hint = "initialise the variable where it is declared"
                raise UsageError(ErrorCode.UNSUPPORTED, message, hint=hint) from error
    return global_memory(outcome.program)


def _last_bytes(graph: Graph) -> dict[int, int]:
    """The bytes that were written last, by address."""
    found: dict[int, int] = {}
    for chain in graph.co:
        for access in graph[chain.writes[-1]].accesses if chain.writes else ():
            cell = range(max(chain.address, access.address), min(chain.address + chain.size, access.end))
            found |= {at: access.value >> 8 * (at - access.address) & 0xFF for at in cell}
    return found


class _Search:
    """Looks for the execution that ends so and is closest to being allowed, among those of about the size
    that explored ones have: a loop may make others longer for ever."""

    def __init__(self, outcome: Outcome, model: terms.Model, ends: _Ends) -> None:
        self.program, self.model, self.ends = outcome.program, model, ends
        self.most_events = max(map(_size, outcome.graphs), default=0) + MORE_EVENTS
        self.was_cut = False

    def found(self) -> Candidate | None:
        """That execution; None if there is none of any size."""
        found = self._closest(lambda graph: self._fits(graph) and is_coherent(graph))
        found = found or self._closest(self._fits)
        if found is None and self.was_cut:
            raise ReferenceUnsupported(f"executions of more than {self.most_events} events")
        return found

    def _closest(self, keeps: Callable[[ReferenceGraph], bool]) -> Candidate | None:
        return closest(self.program, self.model, self.ends.so, keeps, most_graphs=MOST_GRAPHS)

    def _fits(self, graph: ReferenceGraph) -> bool:
        fits = len(graph.order) <= self.most_events
        self.was_cut |= not fits
        return fits


def _forbidden(outcome: Outcome, condition: Condition, ends: _Ends) -> Answer:
    """Why no execution ends so."""
    model = named_model(outcome.model_file or outcome.model)
    none = "no complete execution ends so"
    try:
        found = _Search(outcome, model, ends).found()
    except ReferenceUnsupported as error:
        reason = f"{none}, and why cannot be shown: the search for a reason does not cover {error}"
        return Answer(condition.text, "forbidden", reason)
    if found is None:
        return Answer(condition.text, "forbidden", f"{none}: {IMPOSSIBLE}")
    if not found.broken and not may_be_unordered(model):
        raise InternalError("an execution ends as expected and breaks no axiom, but was not explored")
    teller = SourceTeller(outcome.program, found)
    axioms = tuple(axiom.name for axiom in found.broken)
    cycle = tuple(teller.steps(found.cycle(model)))
    details = tuple(teller.forbidden(found, model))
    return Answer(
        condition.text,
        "forbidden",
        f"{none}: forbidden by {found.reason()}",
        axioms=axioms,
        cycle=cycle,
        details=details,
    )
