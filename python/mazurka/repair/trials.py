"""Checks variants of a program, each once, and counts them.

A signal such as Ctrl-C ends the search as a limit does: what was found until then is not lost.

I1: every trial has the user's options; only the files, the folders of headers and the time are other ones.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from mazurka.errors import ErrorCode, SourceError, UsageError
from mazurka.repair.accesses import Access, accesses_of, executed
from mazurka.repair.inputs import Inputs
from mazurka.repair.overlay import Overlay
from mazurka.repair.ownfiles import shown
from mazurka.repair.variants import Sources, Variant

if TYPE_CHECKING:
    from types import FrameType

    from mazurka.checking.outcome import Outcome


class Check(Protocol):
    """Checks the user's program, with some options of ``mazurka.check`` changed."""

    def __call__(self, **changed: Any) -> Outcome: ...


class LimitReached(Exception):  # noqa: N818 - nothing went wrong
    """The number of attempts or the time is used up, or a signal came; says which."""


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Raises LimitReached if a signal comes, also if the engine only ended its exploration because of it."""
    came = []
    usual = {number: signal.getsignal(number) for number in _SIGNALS}
    handlers = {number: handler for number, handler in usual.items() if callable(handler)}

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        handlers[signal.Signals(number)](number, frame)

    with suppress(ValueError):  # of other threads than the main one, which see no signals
        for number in handlers:
            signal.signal(number, note)
    try:
        yield
    except KeyboardInterrupt as error:
        raise LimitReached(_INTERRUPTED) from error
    finally:
        with suppress(ValueError):
            for number, handler in handlers.items():
                signal.signal(number, handler)
    if came:
        raise LimitReached(_INTERRUPTED)


_INTERRUPTED = "it was interrupted"


def checked_variants(count: int) -> str:
    """How much was done, in words."""
    return "1 variant was checked" if count == 1 else f"{count} variants were checked"


class Limits(NamedTuple):
    """What a search may use."""

    attempts: int
    deadline: float | None  # on the clock of time.monotonic

    @classmethod
    def of(cls, attempts: int, seconds: float | None) -> Limits:
        """Limits that begin now."""
        if attempts < 1:
            message = "--attempts must be at least 1"
            raise UsageError(ErrorCode.BAD_VALUE, message, hint="such as --attempts 50")
        return cls(attempts, None if seconds is None else time.monotonic() + seconds)


class Finding(NamedTuple):
    """Why a variant is not right, in a few words: its kind and its place."""

    kind: str  # of a violation; rejected, interrupted, no effect, vacuous
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.kind} in {shown(self.file)}:{self.line}" if self.line else self.kind


class Trial(NamedTuple):
    """The answer about a variant."""

    outcome: Outcome | None
    finding: Finding | None  # None: it is right

    @property
    def is_right(self) -> bool:
        """Whether the variant has no violation."""
        return self.finding is None

    @property
    def has_violation(self) -> bool:
        """Whether it is known to be wrong."""
        return self.outcome is not None and self.outcome.verdict == "violation"


class Trials:
    """Checks variants of one program."""

    def __init__(
        self,
        sources: Sources,
        inputs: Inputs,
        check: Check,
        limits: Limits,
        overlay: Overlay,
    ) -> None:
        self.sources = sources
        self.count = 0
        self._is_interrupted = False
        self._inside = inputs.inside(overlay)
        self._check, self._limits, self._overlay = check, limits, overlay
        self._known: dict[Variant, Trial] = {}
        self._code: dict[Variant, bytes] = {}

    def original(self, outcome: Outcome) -> None:
        """The answer about the user's own text; it must be the same in the overlay.

        Otherwise the search would be about another program. The compiled programs may differ in the names of
        files, so the one of the overlay is what variants are compared with.
        """
        self._known[Variant()] = Trial(outcome, self._judged(Variant(), outcome))
        try:
            again = self._run(Variant())
        except LimitReached:  # and so it is for the search
            return
        self.count = 0
        if again.outcome is None or again.outcome.verdict != outcome.verdict:
            message = f"a copy of the program behaves differently: {again.finding or 'no violation'}"
            hint = "the copy may lack files that are included from other folders: name these folders with -I"
            raise UsageError(ErrorCode.USAGE, message, hint=hint)

    def run(self, variant: Variant) -> Trial:
        """Checks a variant."""
        if variant not in self._known:
            self._known[variant] = self._run(variant)
        return self._known[variant]

    def step(self, variant: Variant, before: Variant) -> Trial:
        """Checks a variant that must differ from another one in the compiled program, too."""
        trial = self.run(variant)
        if trial.is_right and self._code.get(variant) == self._code.get(before):
            return Trial(trial.outcome, Finding("no effect", "", 0))
        return trial

    def accesses(self, variant: Variant) -> list[Access]:
        """The atomic accesses of a variant, as they are compiled; of a violation, those that lead to it."""
        outcome = self.run(variant).outcome
        if outcome is None or outcome.compiled is None:
            return []
        program, violation = outcome.program, outcome.violation

        def own(file: str, line: int) -> tuple[str, int]:
            outside = os.path.abspath(self._overlay.outside(file))
            return outside, self.sources.own_line(variant, outside, line)

        if violation is not None and violation.graph is not None:
            return executed(program, violation.graph, self.sources, own)
        return accesses_of(program, self.sources, own)

    def _run(self, variant: Variant) -> Trial:
        left = self._begin()
        try:
            with _ended_by_signals():
                self._overlay.write(self.sources.changed(variant))
                outcome = self._check(**self._inside, time_limit=left)
        except LimitReached:
            self._is_interrupted = True
            raise
        except SourceError as error:
            place = (error.place.file, error.place.line) if error.place else None
            return Trial(None, self._finding(variant, f"rejected ({error.code})", place))
        self._remember_code(variant, outcome)
        if outcome.verdict == "interrupted":
            self._seconds_left()  # raises if that is why
        return Trial(outcome, self._judged(variant, outcome))

    def _judged(self, variant: Variant, outcome: Outcome) -> Finding | None:
        """What is wrong with a variant; None if nothing is, within the user's bounds."""
        if outcome.vacuous:
            return Finding("no execution ends", "", 0)
        violation = outcome.violation
        if violation is None:
            return None if outcome.verdict in ("verified", "bounded") else Finding(outcome.verdict, "", 0)
        place = violation.location
        return self._finding(variant, violation.kind, (place.file, place.line) if place else None)

    def _finding(self, variant: Variant, kind: str, place: tuple[str, int] | None) -> Finding:
        """A finding, at its place in the user's text."""
        if place is None:
            return Finding(kind, "", 0)
        file = os.path.abspath(self._overlay.outside(place[0]))
        return Finding(kind, shown(file), self.sources.own_line(variant, file, place[1]))

    def _begin(self) -> float | None:
        """Counts an attempt; the seconds that are left."""
        if self._is_interrupted:
            raise LimitReached(_INTERRUPTED)
        if self.count >= self._limits.attempts:
            raise LimitReached(f"{checked_variants(self.count)} (--attempts)")
        left = self._seconds_left()
        self.count += 1
        return left

    def _seconds_left(self) -> float | None:
        if self._limits.deadline is None:
            return None
        left = self._limits.deadline - time.monotonic()
        if left <= 0:
            raise LimitReached("the time limit passed")
        return left

    def _remember_code(self, variant: Variant, outcome: Outcome) -> None:
        if outcome.compiled is not None:
            self._code[variant] = outcome.compiled.code
