"""What became of a loop, for people: the notes of a Program."""

from __future__ import annotations

from mazurka.program import LoopNote
from mazurka.program.passes.spinning.stopping import CONSTANT, Stopping

STOPS = "a round that changes nothing is not repeated"


def note_loop(stopping: Stopping, number: int, earlier: LoopNote | None) -> LoopNote:
    """What is known about a loop now; ``earlier`` is what an earlier pass said."""
    reasons = [reason for mark, reason in stopping.reasons.items() if stopping.draft.code[mark].a == number]
    stopped = [mark for mark in stopping.stopped.values() if mark.a == number]
    had_stopped = earlier is not None and earlier.what.startswith(STOPS)
    if CONSTANT in reasons:
        return LoopNote(number, f"needs no bound: {CONSTANT}")
    how = f" ({stopping.reshaped[number]})" if number in stopping.reshaped else ""
    if earlier is not None and had_stopped and not stopped:
        return earlier
    if number in stopping.tested:
        how += ", if its exchanges write back what they read"
    if not reasons:
        return LoopNote(number, STOPS + how)
    if stopped:
        return LoopNote(number, f"{STOPS}{how}, on some ways round", reasons[0])
    return LoopNote(number, "stays as it is", reasons[0])


def note_calls(number: int) -> LoopNote:
    """What is said of a function that calls itself to wait."""
    return LoopNote(number, "a call of itself that changes nothing is not made")
