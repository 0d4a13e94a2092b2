"""What was done to each loop of a program, and if nothing, why not: ``mazurka check --explain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mazurka.checking.execution import loop_position
from mazurka.checking.outcome import Outcome
from mazurka.program import LoopNote, Op


class ExplainedLoop(NamedTuple):
    """A loop, or a function that calls itself to wait."""

    function: str
    file: str
    line: int
    what: str
    why: str


def explained_loops(outcome: Outcome) -> list[ExplainedLoop]:
    """The loops, by file and line."""
    if outcome.compiled is None:
        return []
    program = outcome.program
    found = []
    notes = {note.loop: note for note in program.notes}
    compared = {i.b for function in program.functions for i in function.code if i.op is Op.ROUND}
    for number, loop in enumerate(program.loops):
        where = loop_position(program, number)
        place = (where.file, where.line) if where else ("", 0)
        note = notes.get(number, LoopNote(number, "stays as it is", "looking for such rounds is off"))
        what = note.what
        if number in compared and what == "stays as it is":
            what = "rounds are compared when they are made"
        found.append(ExplainedLoop(loop.function, *place, what, note.why))
    return sorted(found, key=lambda loop: (loop.file, loop.line))


def loop_lines(outcome: Outcome) -> Iterator[str]:
    """One line for each loop."""
    loops = explained_loops(outcome)
    yield "  Loops:" if loops else "  The program has no loops."
    for loop in loops:
        why = f": {loop.why}" if loop.why else ""
        yield f"    {loop.file}:{loop.line} (in {loop.function}): {loop.what}{why}"
