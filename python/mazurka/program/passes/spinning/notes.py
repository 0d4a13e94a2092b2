"""What became of each loop: the notes of a Program."""

from __future__ import annotations

from mazurka.program.loop_notes import Fate, LoopNote, Obstacle, Reshaping
from mazurka.program.passes.spinning.stopping import Stopping

_STOPS = (Fate.STOPPED, Fate.SOME_STOPPED)


def note_loop(stopping: Stopping, number: int, earlier: LoopNote | None) -> LoopNote:
    """What is known about a loop now; ``earlier`` is what an earlier pass said."""
    code = stopping.draft.code
    hindrances = [why for mark, why in stopping.hindrances.items() if code[mark].a == number]
    first = min(hindrances, key=lambda why: why.obstacle is not Obstacle.CONSTANT_ROUNDS, default=None)
    had_stopped = earlier is not None and earlier.fate in _STOPS
    if not any(mark.a == number for mark in stopping.editing.stopped.values()):
        return earlier if earlier and had_stopped else LoopNote(number, Fate.REPEATED, first)
    fate = Fate.SOME_STOPPED if hindrances else Fate.STOPPED
    reshaping = earlier.reshaping if earlier else Reshaping.NONE
    tested = earlier is not None and earlier.tests_exchanges
    return LoopNote(
        *(number, fate, first, stopping.editing.reshaped.get(number, reshaping)),
        tests_exchanges=tested or number in stopping.editing.tested,
    )


def note_calls(number: int) -> LoopNote:
    """What is said about a function that calls itself to wait."""
    return LoopNote(number, Fate.NOT_CALLED)
