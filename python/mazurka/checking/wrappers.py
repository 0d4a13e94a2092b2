"""Which line of a program stands for an event: that of the algorithm, not that of the wrapper it calls.

Real code makes its accesses through small functions of some header, such as ``ck_pr_load_int``. Their lines
say nothing. An event is shown where the first function that is not a wrapper called them.

A *wrapper* is a function of another file than its caller's. It has atomic accesses, fences and calls in at
most two lines, no plain access in any other line, and no loop. Functions without positions (library routines)
are wrappers as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mazurka.checking.execution import Stack, position
from mazurka.program import NO_POSITION, Mode, Op, Position, Program

MOST_LINES = 2
_ACCESSES = {Op.LOAD, Op.STORE, Op.LOAD_PAIR, Op.STORE_PAIR}
_ATOMIC = {Op.RMW, Op.CAS, Op.RMW_PAIR, Op.CAS_PAIR, Op.FENCE, Op.SYNC, Op.CALL, Op.CALLI}
_WORK = {Op.CREATE, Op.JOIN, Op.ALLOC, Op.FREE, Op.LOOP, Op.PRINT}


def shown(program: Program, stack: Sequence[tuple[int, int]]) -> int:
    """Which call of a stack, innermost first, stands for all that it called."""
    for at, ((function, pc), (caller, called_from)) in enumerate(pairwise(stack)):
        here, there = position(program, function, pc), position(program, caller, called_from)
        if here is None or there is None:
            if here is not None:
                return at
        elif here.file == there.file or not _is_small(program, function):
            return at
    known = [at for at, (function, pc) in enumerate(stack) if position(program, function, pc)]
    return known[-1] if known else 0


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
    atomic: set[int] = set()
    plain: set[int] = set()
    for instr in function.code:
        if instr.op in _WORK:
            return False
        at = _line(program, instr.position)
        if instr.op in _ATOMIC or (instr.op in _ACCESSES and instr.mode != Mode.NA):
            atomic.add(at)
        elif instr.op in _ACCESSES:
            plain.add(at)
    return len(atomic) <= MOST_LINES and plain <= atomic | {_line(program, function.position)}


def _line(program: Program, index: int) -> int:
    return 0 if index == NO_POSITION else program.positions[index].line
