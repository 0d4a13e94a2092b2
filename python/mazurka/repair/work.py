"""Begins a search: checks the user's program, and finds what can be changed in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from mazurka.repair.inputs import Inputs
from mazurka.repair.overlay import Overlay
from mazurka.repair.reached import Ranks, Reached, lines_with_code
from mazurka.repair.trials import Check, Limits, Trials
from mazurka.repair.variants import Sources

if TYPE_CHECKING:
    from mazurka.checking.outcome import Outcome


class Work(NamedTuple):
    """What a search begins with."""

    outcome: Outcome  # of the user's own text
    trials: Trials
    reached: Reached
    ranks: Ranks


@contextmanager
def begun(inputs: Inputs, check: Check, attempts: int, seconds: float | None) -> Iterator[Work | Outcome]:
    """Checks a program, and yields what a search needs; only the Outcome if there is no answer."""
    limits = Limits.of(attempts, seconds)
    outcome = check()
    if outcome.compiled is None or outcome.verdict == "interrupted":
        yield outcome
        return
    program = outcome.program
    sources = Sources(inputs.texts(program.sources))
    with Overlay([*inputs.files, *sources.texts]) as overlay:
        trials = Trials(sources, inputs, check, limits, overlay)
        trials.original(outcome)
        reached = Reached(sources, lines_with_code(program))
        yield Work(outcome, trials, reached, Ranks(program, outcome.violation))
