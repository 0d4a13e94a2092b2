"""What was done to each loop of a program, and if nothing, why not: ``mazurka check --explain``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mazurka.checking.execution import loop_position
from mazurka.checking.outcome import Outcome


class ExplainedLoop(NamedTuple):
    """A loop, or a function that calls itself to wait."""

    function: str
    file: str
    line: int
    what: str
    why: str


def explained_loops(outcome: Outcome) -> list[ExplainedLoop]:
    """The loops that passes have said something about, by file and line."""
    if outcome.compiled is None:
        return []
    program = outcome.program
    found = []
    for note in program.notes:
        where = loop_position(program, note.loop)
        place = (where.file, where.line) if where else ("", 0)
        found.append(ExplainedLoop(program.loops[note.loop].function, *place, note.what, note.why))
    return sorted(found, key=lambda loop: (loop.file, loop.line))


def loop_lines(outcome: Outcome) -> Iterator[str]:
    """One line for each loop."""
    loops = explained_loops(outcome)
    yield "  Loops:" if loops else "  The program has no loops."
    for loop in loops:
        why = f": {loop.why}" if loop.why else ""
        yield f"    {loop.file}:{loop.line} (in {loop.function}): {loop.what}{why}"
