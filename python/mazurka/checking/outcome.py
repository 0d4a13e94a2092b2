"""The Outcome: what a check found, as values that reports, tests and other programs read.

``check`` makes one from what the engine returns; ``report`` shows it. Nothing here runs anything.
Named tuples and not dataclasses, which take as long to load as a small check takes. Values that few checks
have are where they come from, for the same reason.

I1: ``violation`` is set exactly when ``verdict`` is ``violation``.
I2: ``bounds`` is not empty when ``verdict`` is ``bounded``; a bound that was hit is never lost.
I3: an Outcome is a value: it can be pickled, and outcomes that differ only in time are equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mazurka.errors import InternalError

if TYPE_CHECKING:
    from typing import TypedDict

    from typing_extensions import Unpack

    from mazurka._engine import Explored
    from mazurka.cache.compiled import Compiled
    from mazurka.checking.bounds import Cut
    from mazurka.checking.execution import Graph, Route, Violation
    from mazurka.checking.properties import Decision
    from mazurka.checking.sizes import MixedSizes
    from mazurka.program import Program

    class Looks(TypedDict, total=False):
        """The options of ``report.as_text``, which has their defaults."""

        width: int
        colour: bool
        verbose: bool
        explain: bool
        calls: bool


class InitialWrite(NamedTuple):
    """Bytes that one instruction of main was the last to write before the first thread started."""

    address: int
    size: int
    function: int
    pc: int


class InitialObject(NamedTuple):
    """An object that main allocated before the first thread started."""

    address: int
    size: int
    function: int
    pc: int


class AxiomCount(NamedTuple):
    """How many choices (of a read's write, or a write's place in co) an axiom forbade."""

    name: str
    forbade: int


class Found(NamedTuple):
    """What an exploration found and must be described in terms of the program."""

    violation: Violation | None = None
    warnings: tuple[str, ...] = ()
    bounds: tuple[Cut, ...] = ()
    output: tuple[tuple[int, str], ...] = ()
    graphs: tuple[Graph, ...] = ()


class Explorations(NamedTuple):
    """How many executions were explored: fewer than there are, if some stand for others."""

    complete: int
    blocked: int


class LoopFacts(NamedTuple):
    """What the exploration found out about loops, by their numbers in the program."""

    observed: tuple[int, ...] = ()  # another thread saw a round that takes back what it wrote
    contended: tuple[int, ...] = ()  # attempts cannot be left out when they fail
    stops_attempts: bool = False  # other attempts that fail stop their threads

    @classmethod
    def of(cls, result: Explored) -> LoopFacts:
        """Those of an exploration."""
        return cls(tuple(result.observed), tuple(result.contended), result.stops_attempts)


class Stop(NamedTuple):
    """What ended an exploration before it was complete."""

    what: str  # time-limit time-budget max-executions memory-limit memory signal
    limit: float | None = None  # in seconds, executions or bytes; None if there is none

    def __str__(self) -> str:
        limit = 0 if self.limit is None else self.limit
        return {
            "memory-limit": f"the memory limit of {limit / (1 << 20):.0f} MiB",
            "memory": "the system, which has no more memory",
            "signal": "Ctrl-C or another signal",
            "time-budget": f"the time budget of {limit:g} s",
        }.get(
            self.what, f"--{self.what} {limit:g}" if self.what == "time-limit" else f"--{self.what} {limit}"
        )


class Outcome(NamedTuple):
    """The answer of a check."""

    verdict: str  # verified violation bounded interrupted
    model: str
    equivalence: str
    complete: int  # executions that ran to their end, each counted once
    blocked: int  # executions that ended with a blocked thread
    violation: Violation | None
    warnings: tuple[str, ...]
    bounds: tuple[Cut, ...]
    seconds_frontend: float
    seconds_explore: float
    output: tuple[tuple[int, str], ...]  # (thread, text) that the program printed, with ``verbose``
    compiled: Compiled | None  # None if the time limit passed before there was a program
    objects: tuple[InitialObject, ...] = ()
    prologue: tuple[InitialWrite, ...] = ()
    graphs: tuple[Graph, ...] = ()  # with ``collect``: every complete execution
    title: str = ""  # of the model
    model_file: str | None = None  # the user's own model file
    axioms: tuple[AxiomCount, ...] = ()  # those that were checked
    simplified: str | None = None  # why fewer axioms were checked than the model states
    explored: Explorations | None = None  # the executions that stand for all, if these are fewer
    keeps_rounds: str | None = None  # why rounds that changed nothing cannot be left out under the model
    loop_facts: LoopFacts = LoopFacts()
    mixed_sizes: MixedSizes | None = None  # if reads and coherence were explored byte by byte
    decision: Decision | None = None  # about the property that was asked for
    fraction: float = 0.0  # which part of the choices was explored, each divided among its options
    route: Route | None = None  # the choices that lead to the violation (``check`` can follow them again)
    replayed: bool = False  # only that execution was explored
    stopped_by: Stop | None = None  # of an interrupted check

    @property
    def vacuous(self) -> bool:
        """Whether nothing was found because no execution ran to its end."""
        return self.verdict in ("verified", "bounded") and not self.complete

    @property
    def program(self) -> Program:
        """The program that was checked."""
        if self.compiled is None:
            raise InternalError("the program was not compiled, so nothing is known about it")
        return self.compiled.program

    def report(self, **looks: Unpack[Looks]) -> str:
        """What ``mazurka check`` prints, with its options ``verbose``, ``explain`` and ``calls``; also with a
        ``width`` (100 by default) and in ``colour``."""
        from mazurka import outcome_as_text  # late: by way of the package's face, which knows all rooms

        return outcome_as_text(self, **looks)

    def __repr__(self) -> str:
        kind = f" ({self.violation.name})" if self.violation is not None else ""
        counts = f"{self.complete} complete, {self.blocked} blocked"
        return f"<Outcome: {self.verdict}{kind} under {self.model}, executions: {counts}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from mazurka import outcome_as_html  # late, too

        return outcome_as_html(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self._without_times() == other._without_times()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._without_times())

    def _without_times(self) -> tuple[object, ...]:
        """All that is the same when the check is repeated."""
        return tuple(self._replace(seconds_frontend=0, seconds_explore=0))
