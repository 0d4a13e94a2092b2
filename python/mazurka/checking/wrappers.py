"""Which line of a program stands for an event: that of the algorithm, not that of the wrapper it calls.

Real code makes its accesses through small functions of some header, such as ``ck_pr_load_int``. Their lines
say nothing. An event is shown where the first function that is not a wrapper called them.

A *wrapper* is a function of another file than the algorithm's. It makes one atomic or volatile access, itself
or in a wrapper that it calls, and any fences: two accesses are an algorithm, such as that of an unlock. These
are in at most two lines, with no plain access in any other line, and without a loop. Functions without
positions (library routines) are wrappers as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from mazurka.checking.execution import Stack, position
from mazurka.program import NO_POSITION, Instr, Mode, Op, Position, Program

MOST_LINES = 2
_ACCESSES = {Op.LOAD, Op.STORE, Op.LOAD_PAIR, Op.STORE_PAIR}
_ATOMIC = {Op.RMW, Op.CAS, Op.RMW_PAIR, Op.CAS_PAIR, Op.FENCE, Op.SYNC, Op.CALL, Op.CALLI}
_MANY = 2  # accesses: more than a wrapper makes
_DEEPEST = 64  # calls that are looked at: a recursion without end has many more
_WORK = {Op.CREATE, Op.JOIN, Op.ALLOC, Op.FREE, Op.LOOP, Op.PRINT}


def shown(program: Program, stack: Sequence[tuple[int, int]]) -> int:
    """Which call of a stack, innermost first, stands for all that it called."""
    places = [position(program, *call) for call in stack[:_DEEPEST]]
    at = 0
    while at + 1 < len(places) and _leads_on(program, stack[at][0], *places[at : at + 2]):
        at += 1
    while at and _is_same_file(*places[at - 1 : at + 1]):  # a helper of the algorithm itself
        at -= 1
    if places and places[at] is None:
        return max((known for known, place in enumerate(places) if place is not None), default=0)
    return at


def _leads_on(program: Program, function: int, here: Position | None, there: Position | None) -> bool:
    """Whether a function has nothing to show, so that its caller's line is shown instead."""
    return here is None or (there is not None and _is_small(program, function))


def _is_same_file(here: Position | None, there: Position | None) -> bool:
    return here is not None and there is not None and here.file == there.file


def location(program: Program, stack: Sequence[tuple[int, int]]) -> Position | None:
    """The place in the source that stands for a stack, if the front-end knew it."""
    return position(program, *stack[shown(program, stack)]) if stack else None


def hidden(program: Program, stack: Stack) -> Stack:
    """The calls that ``location`` leaves out, outermost first; of library functions only the one called."""
    calls = tuple(reversed(stack[: shown(program, stack)]))
    known = [position(program, *call) is not None for call in calls]
    return tuple(call for at, call in enumerate(calls) if known[at] or at == 0 or known[at - 1])


def _is_small(program: Program, number: int) -> bool:
    function = program.functions[number]
    if _accesses(program, number, frozenset()) >= _MANY:
        return False
    atomic: set[int] = set()
    plain: set[int] = set()
    for instr in function.code:
        if instr.op in _WORK:
            return False
        at = _line(program, instr.position)
        if instr.op in _ATOMIC or _is_shared(program, instr):
            atomic.add(at)
        elif instr.op in _ACCESSES:
            plain.add(at)
    return len(atomic) <= MOST_LINES and plain <= atomic | {_line(program, function.position)}


def _is_shared(program: Program, instr: Instr) -> bool:
    """Whether a load or store is atomic, or the source calls it volatile."""
    is_volatile = (instr.position, instr.expr) in program.volatile
    return instr.op in _ACCESSES and (instr.mode != Mode.NA or is_volatile)


def _accesses(program: Program, number: int, callers: frozenset[int]) -> int:
    """How many accesses a function makes, itself and through what it calls; of these, at most ``_MANY``."""
    found = 0
    for instr in program.functions[number].code if number not in callers else ():
        if instr.op == Op.CALL:
            found += _accesses(program, instr.a, callers | {number})
        elif instr.op != Op.FENCE and (instr.op in _ATOMIC or _is_shared(program, instr)):
            found += 1
        if found >= _MANY:
            return _MANY
    return found


def _line(program: Program, index: int) -> int:
    return 0 if index == NO_POSITION else program.positions[index].line
