"""What was done about each loop of a program, or why nothing was: ``mazurka check --explain``.

A loop is *compared* if it has a ROUND: when a round was made, the engine decides whether it changed anything.
``why`` says why that was not known before, or why all rounds are explored; ``hint`` what could be changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mazurka.checking.execution import loop_position
from mazurka.checking.outcome import LoopFacts
from mazurka.program import NO_POSITION, Position, Program
from mazurka.program.instructions import attempt_loops, compared_loops
from mazurka.program.loop_notes import Fate, LoopNote, Obstacle, Reshaping

_STOPS = "a round that changes nothing is not repeated"
_EXPLORED = "every round is explored"
_COMPARED = "each round is compared with the one before, and not repeated if it changed nothing"
_DOES = {
    (Fate.REPEATED, False): _EXPLORED,
    (Fate.REPEATED, True): _COMPARED,
    (Fate.STOPPED, False): _STOPS,
    (Fate.STOPPED, True): _STOPS,
    (Fate.SOME_STOPPED, False): f"{_STOPS} on some paths; on the others {_EXPLORED}",
    (Fate.SOME_STOPPED, True): f"{_STOPS} on some paths; on the others {_COMPARED}",
    (Fate.NOT_CALLED, False): "a recursive call that changes nothing is skipped",
}
_HOW = {
    Reshaping.NONE: "",
    Reshaping.ROTATED: " (rotated)",
    Reshaping.MERGED: " (merged with equal code before it)",
}
_WRITE_BACK = "; exchanges that write back what they read change nothing"
_OBSERVED = "explored again with rounds that take back what they wrote, because another thread saw one"
_ATTEMPTS = "a thread stops as soon as an attempt has failed"
_CONTENDED = "explored again with attempts that fail, because their count is used for something else, too"
_CONSTANT = "needs no bound: its number of rounds is constant"
_OFF = "the search for rounds that change nothing is switched off"


class _Words(NamedTuple):
    """An obstacle in words, and what to do about it."""

    why: str
    hint: str = ""


OBSTACLES = {
    Obstacle.NO_EXIT: _Words("it has no exit", "give it a condition under which it ends"),
    Obstacle.ENTERED_INSIDE: _Words("it can be entered in the middle", "enter it only at its start"),
    Obstacle.NEVER_ROUND: _Words("no path through a whole round was found"),
    Obstacle.TOO_MANY_WAYS: _Words(
        "there are too many paths through it", "move code that does not wait out of the loop"
    ),
    Obstacle.READS_NOTHING: _Words("some round reads nothing that other threads write"),
    Obstacle.VALUE_CHANGES: _Words(
        "a variable that the next round uses may change",
        "set it after the loop, or leave it out if it only counts the rounds",
    ),
    Obstacle.STORE: _Words("it stores", "store before or after the loop"),
    Obstacle.ALLOCATION: _Words("it allocates memory", "allocate before the loop"),
    Obstacle.FREE: _Words("it frees memory", "free after the loop"),
    Obstacle.THREAD_CREATION: _Words("it creates a thread", "create it before or after the loop"),
    Obstacle.JOIN: _Words("it joins a thread", "join it before or after the loop"),
    Obstacle.SYNC_OBJECT: _Words("it uses a synchronisation object", "wait without it"),
    Obstacle.PRINT: _Words("it prints", "print before or after the loop"),
    Obstacle.CALL_NOT_FOLLOWED: _Words(
        "it makes a call that is too deep to follow", "write out the called code"
    ),
    Obstacle.CALL_BY_ADDRESS: _Words("it calls a function by its address", "call the function by its name"),
    Obstacle.OTHER_EFFECT: _Words("it has an effect", "move the effect out of the loop"),
    Obstacle.INNER_LOOP: _Words(
        "a loop within it may have effects", "move that loop, or its effects, out of this one"
    ),
    Obstacle.COMPARE_EXCHANGE: _Words(
        "it may continue after a compare-exchange that succeeds",
        "leave the loop if the compare-exchange succeeds",
    ),
    Obstacle.READ_MODIFY_WRITE: _Words(
        "it may change memory by a read-modify-write",
        "wait with a load, and make the read-modify-write after that",
    ),
    Obstacle.EXCHANGE_FIRST: _Words(
        "it begins with an exchange that may change memory", "wait with a load, and exchange after that"
    ),
}


class ExplainedLoop(NamedTuple):
    """A loop, or a function that calls itself to wait."""

    function: str
    file: str
    line: int
    column: int
    what: str
    why: str
    hint: str
    compared: bool
    found: str  # what the exploration found out about it, and did then


def explained_loops(program: Program, keeps_rounds: str | None, facts: LoopFacts) -> list[ExplainedLoop]:
    """The loops, by place; ``keeps_rounds`` is why the model needs all rounds, if it does."""
    notes = {note.loop: note for note in program.notes}
    compared, attempts = compared_loops(program), attempt_loops(program)
    off = _Words(f"in the model {keeps_rounds}" if keeps_rounds else _OFF)
    found = []
    for number, loop in enumerate(program.loops):
        where = loop_position(program, number) or Position("", 0, 0)
        place = (where.file, where.line, where.column)
        note = notes.get(number, LoopNote(number, Fate.REPEATED))
        what = _what(note, number in compared)
        why, hint = _why(program, note, where) if number in notes else off
        learnt = _learnt(number, number in attempts, facts)
        found.append(ExplainedLoop(loop.function, *place, what, why, hint, number in compared, learnt))
    return sorted(found, key=lambda loop: (loop.file, loop.line, loop.column))


def _what(note: LoopNote, compared: bool) -> str:
    if note.hindrance is not None and note.hindrance.obstacle is Obstacle.CONSTANT_ROUNDS:
        return _CONSTANT
    written_back = _WRITE_BACK if note.tests_exchanges else ""
    return _DOES[note.fate, compared] + _HOW[note.reshaping] + written_back


def _learnt(loop: int, has_attempts: bool, facts: LoopFacts) -> str:
    stops = has_attempts and facts.stops_attempts and loop not in facts.contended
    said = {
        _OBSERVED: loop in facts.observed,
        _CONTENDED: loop in facts.contended,
        _ATTEMPTS: stops,
    }
    return "; ".join(words for words, holds in said.items() if holds)


def _why(program: Program, note: LoopNote, loop: Position) -> _Words:
    hindrance = note.hindrance
    if hindrance is None or hindrance.obstacle is Obstacle.CONSTANT_ROUNDS:
        return _Words("")
    why, hint = OBSTACLES[hindrance.obstacle]
    if hindrance.target:
        why += f" to '{hindrance.target}'"
    if hindrance.position != NO_POSITION:
        where = program.positions[hindrance.position]
        why += f" on line {where.line}" + (f" of {where.file}" if where.file != loop.file else "")
    return _Words(why, hint)


def loop_lines(
    program: Program, keeps_rounds: str | None, facts: LoopFacts, *, refused: bool = False
) -> Iterator[str]:
    """What is known about each loop, and what could be changed so that more is known.

    Loops of which the same is said share a line. If the program was not ``refused``, comparing rounds was
    enough, and there is no need to change anything in loops whose rounds are compared.
    """
    loops = explained_loops(program, keeps_rounds, facts)
    yield "  Loops:" if loops else "  The program has no loops."
    in_line = Counter((loop.file, loop.line) for loop in set(loops))
    for loop, times in Counter(loops).items():
        column = f":{loop.column}" if in_line[loop.file, loop.line] > 1 else ""
        several = f", {times} loops" if times > 1 else ""
        place = f"{loop.file}:{loop.line}{column} (in {loop.function}{several})"
        found = f"; {loop.found}" if loop.found else ""
        yield f"    {place}: {loop.what}{_because(loop)}{found}"
        if loop.hint and (refused or not loop.compared):
            yield f"      if it waits for another thread: {loop.hint}, or bound it with --unroll N"


def _because(loop: ExplainedLoop) -> str:
    if not loop.why:
        return ""
    return f"{'; this is not known beforehand' if loop.compared else ''}, because {loop.why}"
