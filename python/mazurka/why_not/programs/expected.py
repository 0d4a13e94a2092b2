"""Whether some execution of a program ends as its user expects; and if none does, what forbids it.

The engine decides: the condition is evaluated at the end of each complete execution. The reference finds out
why none ends this way, as for litmus tests (``candidates``).

I1: no execution is left out that could end so. Symmetry is switched off, because it takes threads for each
other that the condition tells apart; and coherence must be explored, because it says which write is the last.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mazurka import deadline
from mazurka.errors import ErrorCode, InternalError, OutOfTime, UsageError
from mazurka.kat.language.load import named_model
from mazurka.reference.machine import Machine
from mazurka.reference.running.labels import ReferenceUnsupported
from mazurka.reference.running.memory import Memory, global_memory
from mazurka.reference.unordered import may_be_unordered
from mazurka.report.as_json import graph_as_json
from mazurka.report.violation import execution_lines
from mazurka.why_not.candidates import IMPOSSIBLE, Candidate
from mazurka.why_not.paths import Step
from mazurka.why_not.programs.search import closest_of, size_of
from mazurka.why_not.programs.source_telling import SourceTeller
from mazurka.why_not.programs.variables import OPTION, Condition, Variable, read_condition

if TYPE_CHECKING:
    from mazurka.checking.execution import Graph
    from mazurka.checking.outcome import Outcome

MOST_EXECUTIONS = 10_000  # all of them are kept
UNDECIDED = 3  # as exit status
FAILED = 1


class Checking(Protocol):
    """Checks the program, with some options of ``mazurka.check`` changed."""

    def __call__(self, **changed: Any) -> Outcome: ...


class Forbidden(NamedTuple):
    """An execution that ends this way, and that the model does not allow."""

    teller: SourceTeller
    candidate: Candidate
    cycle: Sequence[Step]  # what the first axiom excludes


class Answer(NamedTuple):
    """What is known about the expected outcome."""

    condition: str
    verdict: str  # allowed forbidden undecided
    reason: str  # a line
    graph: Graph | None = None  # an execution that ends this way
    axioms: tuple[str, ...] = ()  # those that the closest execution breaks
    cycle: tuple[Mapping[str, Any], ...] = ()  # what the first of these excludes
    limit: str = ""  # why the search for a reason ended early
    details: tuple[str, ...] = ()  # the cycle and its execution as lines
    why: Forbidden | None = None  # the same to be drawn

    def status(self, outcome: Outcome, usual: int) -> int:
        """The exit status of a check that would end with the ``usual`` one."""
        if outcome.violation is not None or self.verdict == "allowed":
            return usual
        return FAILED if self.verdict == "forbidden" else UNDECIDED

    @property
    def complaint(self) -> str:
        """What is wrong, for lists of tests; empty if nothing is."""
        return "" if self.verdict == "allowed" else f"expected outcome {self.condition}: {self.reason}"

    def report(self, outcome: Outcome, *, width: int = 100, colour: bool = False, calls: bool = False) -> str:
        """The answer for people: lines that follow the report of the check."""
        lines = self._lines(outcome, width=width, colour=colour, calls=calls)
        return "".join(f"{line}\n" for line in lines)

    def _lines(self, outcome: Outcome, *, width: int, colour: bool, calls: bool) -> Iterator[str]:
        yield f"  expected outcome: {self.condition}"
        yield f"  {self.reason}{':' if self.details else ''}"
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
            "limit": self.limit or None,
            "graph": None if self.graph is None else graph_as_json(outcome.program, self.graph),
        }


class Question:
    """An outcome that is expected of a program. What cannot be asked is refused before the exploration."""

    def __init__(self, text: str, options: Mapping[str, Any], check: Checking) -> None:
        """``options`` are those of ``mazurka.check``."""
        self.check = check
        self.text = text
        seconds: float | None = options["time_limit"]
        self.deadline = None if seconds is None else time.monotonic() + seconds
        for name, option, cure in _REFUSED:
            if options[name] not in (None, "co"):
                message = f"{OPTION} cannot be used with {option}"
                raise UsageError(ErrorCode.USAGE, message, hint=cure)
        self._read(check(max_executions=1, workers=1, smallest=False))

    def _read(self, outcome: Outcome) -> Condition | None:
        """The condition; None if the time limit passed before the program was compiled."""
        return None if outcome.compiled is None else read_condition(self.text, outcome.program)

    def _left(self) -> float | None:
        """What is left of the time limit."""
        return None if self.deadline is None else max(self.deadline - time.monotonic(), 1e-3)

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
        collected = self.check(collect=True, symmetry=False, time_limit=self._left())
        expected = _Ends(collected, condition)
        found = [graph for graph in collected.graphs if expected.so(_last_bytes(graph))]
        if found:
            number, every = len(found), len(collected.graphs)
            ends = "ends" if number == 1 else "end"
            reason = f"allowed: {number} of {every} complete executions {ends} this way, for example this one"
            return Answer(text, "allowed", reason, min(found, key=size_of))
        if collected.verdict != "verified":
            why = {"bounded": "a bound cut the exploration", "interrupted": "the exploration did not finish"}
            known = why.get(collected.verdict, "the exploration ended early")
            return Answer(
                text, "undecided", f"not decided: none of the executions found ends this way, but {known}"
            )
        return _forbidden(collected, condition, expected, self._left())


_REFUSED = (
    ("property_file", "--property", "leave out one of them: a property has its own answer"),
    ("equivalence", "--equivalence rf", "use --equivalence co, which explores which write is the last one"),
)


def _too_large(outcome: Outcome, condition: str) -> UsageError:
    at_least = "at least " if outcome.verdict == "interrupted" else ""
    message = (
        f"an outcome is looked for in at most {MOST_EXECUTIONS} complete executions, but the program has "
        f"{at_least}{outcome.complete}; the verdict was '{outcome.verdict}'"
    )
    hint = (
        f"check fewer threads or fewer rounds of loops; or leave out {OPTION} and write at the end of main: "
        f"assert(!({condition})). If that fails, the outcome is allowed"
    )
    return UsageError(ErrorCode.TOO_LARGE, message, hint=hint)


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
                written = f"what main writes to '{variable.name}' before it starts a thread"
                message = f"it is not known {written}: {error}"
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


def _forbidden(outcome: Outcome, condition: Condition, ends: _Ends, seconds: float | None) -> Answer:
    """Why no execution ends this way, as far as the time that is left allows."""
    model = named_model(outcome.model_file or outcome.model)
    none = "no complete execution ends this way"
    try:
        with deadline.within(seconds, "the time limit passed"):
            found = closest_of(outcome.program, model, outcome.graphs, ends.so)
    except ReferenceUnsupported as error:
        reason = f"{none}, but the reason cannot be shown: the search for it does not cover {error}"
        return Answer(condition.text, "forbidden", reason)
    except OutOfTime as late:
        return Answer(condition.text, "forbidden", f"{none}, but the reason was not found: {late}")
    if found is None:
        return Answer(condition.text, "forbidden", f"{none}: {IMPOSSIBLE}")
    if not found.broken and not may_be_unordered(model):
        raise InternalError("an execution ends as expected and breaks no axiom, but was not explored")
    why = Forbidden(SourceTeller(outcome.program, found), found, tuple(found.cycle(model)))
    return Answer(
        condition.text,
        "forbidden",
        f"{none}: forbidden by {found.reason()}",
        axioms=tuple(axiom.name for axiom in found.broken),
        cycle=tuple(why.teller.steps(why.cycle)),
        limit=found.limit,
        details=tuple(why.teller.forbidden(found, model)),
        why=why,
    )
