"""Open values: which of a CHOOSE's values can be left out, because an assumption that follows rules them out.

From the CHOOSE on, the code is run on intervals of values, up to the first instruction that others could
notice. If all ways through it end at an assumption that does not hold, the thread would stop there, whichever
of these values it has: they are not chosen. An interval for which a comparison has no single answer is cut in
half. What is left is the smallest range that has all other values. If no value is left, the first one stays.

``limit_choices`` leaves out more: what the user does not want to explore (``--nondet``).

As long as main is alone, nobody notices what it writes to global variables and reads there.

I1: leaving out a value removes only executions in which the thread stops before it does anything else. What
other threads do in them, they also do in the executions of any other value. Only blocked executions are gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from mazurka.program import CONST, NO_POSITION, OPEN, SIGNED, Instr, Limited, Op, Program
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.flow.rewriting import rewrite
from mazurka.program.instructions import FACTS, results_of, successors
from mazurka.program.passes.intervals import Divided, Interval, computed

_MOST_STEPS = 20_000  # of the code behind one CHOOSE; then the values that are not decided stay
_HARMLESS = (Op.NOP, Op.LOOP, Op.SELF, Op.CHOOSE)


def narrow_choices(flow: ProgramFlow) -> Program:
    """The program whose CHOOSEs leave out what is assumed not to be."""
    program = flow.program
    ranges: dict[tuple[int, int], tuple[int, int]] = {}
    for function, pc, instr in _choices(program):
        first, last = _constant(program, instr.a), _constant(program, instr.b)
        if first is not None and last is not None and first != last:
            ranges[function, pc] = _narrowed(program, (function, pc), first, last)
    return _with_ranges(program, ranges)


def limit_choices(program: Program, low: int, high: int) -> Program:
    """The program whose open values are from ``low`` to ``high``; it says where that leaves any out."""
    ranges: dict[tuple[int, int], tuple[int, int]] = {}
    limited: list[Limited] = []
    for function, pc, instr in _choices(program):
        first, last = _constant(program, instr.a), _constant(program, instr.b)
        if not instr.x & OPEN or first is None or last is None:
            continue
        size = 1 << instr.width
        start = first - size if instr.x & SIGNED and first >= size >> 1 else first
        end = start + (last - first) % size
        new = max(start, low), min(end, high)
        if new == (start, end):
            continue
        name = program.functions[function].name
        where = program.positions[instr.position] if instr.position != NO_POSITION else None
        place = (where.file, where.line) if where else ("", 0)
        limited.append(Limited(name, *place, max(new[1] - new[0] + 1, 0)))
        ranges[function, pc] = new[0] % size, new[1] % size
    return replace(_with_ranges(program, ranges), limited=tuple(limited))


def _choices(program: Program) -> Iterator[tuple[int, int, Instr]]:
    for number, function in enumerate(program.functions):
        for pc, instr in enumerate(function.code):
            if instr.op is Op.CHOOSE:
                yield number, pc, instr


def _constant(program: Program, operand: int) -> int | None:
    return program.constants[operand & ~CONST] if operand & CONST else None


def _with_ranges(program: Program, ranges: dict[tuple[int, int], tuple[int, int]]) -> Program:
    """The program with other first and last values of some CHOOSEs."""
    new = {value for pair in ranges.values() for value in pair}.difference(program.constants)
    constants = (*program.constants, *sorted(new))
    numbers = {value: CONST | number for number, value in enumerate(constants)}

    def change(function: int, pc: int) -> tuple[Instr]:
        instr = program.functions[function].code[pc]
        if (function, pc) not in ranges:
            return (instr,)
        first, last = ranges[function, pc]
        return (replace(instr, a=numbers[first], b=numbers[last]),)

    changed = rewrite(program, change)
    return program if changed is program else replace(changed, constants=constants)


def _narrowed(program: Program, at: tuple[int, int], first: int, last: int) -> tuple[int, int]:
    """The first and the last value that some way through the code behind a CHOOSE leaves over."""
    width = program.functions[at[0]].code[at[1]].width
    walk = _Walk(program, at, is_alone=at[0] == program.entry and at[1] not in _with_company(program))
    # Values are counted upwards from the first, and may pass the largest one, or the largest with a sign.
    ends = [(1 << width) - 1, last] if last < first else [last]
    pieces = [(low, high) for low, high in zip((first, 0), ends, strict=False) if low <= high]
    half = 1 << width - 1
    pieces = [
        part
        for low, high in pieces
        for part in ([(low, half - 1), (half, high)] if low < half <= high else [(low, high)])
    ]
    left = [found for piece in pieces if (found := walk.left_of(*piece))]
    return (left[0][0], left[-1][1]) if left else (first, first)


def _with_company(program: Program) -> set[int]:
    """Where in main other threads may exist: behind a CREATE, or a call that may lead to one."""
    creating = _creating(program)
    code = program.functions[program.entry].code
    waiting = [pc for pc, instr in enumerate(code) if _may_create(instr, creating)]
    found: set[int] = set()
    while waiting:
        pc = waiting.pop()
        after = [one for one in successors(program, pc, code[pc]) if one not in found]
        found.update(after)
        waiting += after
    return found


def _creating(program: Program) -> set[int]:
    """The functions that may create a thread, or be main again."""
    found = {program.entry}
    while True:
        more = {
            number
            for number, function in enumerate(program.functions)
            if number not in found and any(_may_create(instr, found) for instr in function.code)
        }
        if not more:
            return found
        found |= more


def _may_create(instr: Instr, creating: set[int]) -> bool:
    return instr.op in (Op.CREATE, Op.CALLI) or (instr.op is Op.CALL and instr.a in creating)


class _Frame(NamedTuple):
    """A function at work: registers that are known, and where its results go."""

    function: int
    pc: int
    registers: dict[int, Interval]
    results: range


class _State(NamedTuple):
    """A thread at work: the bits of global variables that it has written, and its frames, innermost last."""

    memory: dict[tuple[int, int], Interval | None]  # by address and width
    frames: tuple[_Frame, ...]

    def at(self, *frames: _Frame) -> _State:
        """The same memory with other frames."""
        return self._replace(frames=frames)


class _Walk:
    """Runs the code behind one CHOOSE."""

    def __init__(self, program: Program, at: tuple[int, int], *, is_alone: bool) -> None:
        self._program = program
        self._at = at
        self._steps = _MOST_STEPS
        self._is_alone = is_alone

    def left_of(self, low: int, high: int) -> tuple[int, int] | None:
        """The smallest range of values in an interval that has all those that do not stop the thread."""
        try:
            return (low, high) if self._goes_on(low, high) else None
        except Divided:
            middle = (low + high) // 2
            parts = self.left_of(low, middle), self.left_of(middle + 1, high)
        known = [part for part in parts if part is not None]
        return (known[0][0], known[-1][1]) if known else None

    def _goes_on(self, low: int, high: int) -> bool:
        """Whether a thread with such a value may get past the assumptions that follow."""
        function, pc = self._at
        choice = self._program.functions[function].code[pc]
        frame = _Frame(function, pc + 1, {choice.dst: (low, high)}, range(0))
        waiting = [_State({}, (frame,))]
        while waiting:
            self._steps -= 1
            after = self._step(waiting.pop()) if self._steps > 0 else None
            if after is None:
                return True
            waiting += after
        return False

    def _step(self, state: _State) -> list[_State] | None:
        """What may come next: nothing if the thread stops; None if it goes on as others may notice."""
        *below, top = state.frames
        instr = self._program.functions[top.function].code[top.pc]
        value = self._value(top, instr.a)
        if instr.op is Op.ASSUME:
            return [] if value == (0, 0) else [state.at(*below, top._replace(pc=top.pc + 1))]
        if instr.op in (Op.JMP, Op.BR, Op.SWITCH):
            return [state.at(*below, top._replace(pc=target)) for target in self._targets(instr, value)]
        if instr.op is Op.CALL:
            given = enumerate(self._value(top, one) for one in self._program.lists[instr.c])
            known = {number: one for number, one in given if one is not None}
            callee = _Frame(instr.a, 0, known, results_of(instr))
            return [state.at(*below, top._replace(pc=top.pc + 1), callee)]
        if instr.op is Op.RET and below:
            values = [self._value(top, one) for one in self._program.lists[instr.c]]
            return [state.at(*below[:-1], _with(below[-1], top.results, values, below[-1].pc))]
        if instr.op in (Op.LOAD, Op.STORE) and self._is_alone and self._is_global(instr, value):
            return [self._access(state, instr)]
        if not FACTS[instr.op].is_pure and instr.op not in _HARMLESS:
            return None
        operands = [self._value(top, one) for one in (instr.a, instr.b, instr.c)[: FACTS[instr.op].operands]]
        found = [computed(instr, operands)] if FACTS[instr.op].is_pure else []
        return [state.at(*below, _with(top, results_of(instr), found, top.pc + 1))]

    def _is_global(self, instr: Instr, place: Interval | None) -> bool:
        """Whether an access is of a variable that the program may write: then nothing can go wrong."""
        if place is None or place[0] != place[1]:
            return False
        end = place[0] + instr.width // 8
        variables = (one for one in self._program.globals if not one.constant)
        return any(one.address <= place[0] and end <= one.address + one.size for one in variables)

    def _access(self, state: _State, instr: Instr) -> _State:
        """Reads or writes a global variable."""
        *below, top = state.frames
        place = self._value(top, instr.a)
        assert place is not None
        at, size = place[0], instr.width // 8
        if instr.op is Op.LOAD:
            known = state.memory.get((at, instr.width))
            return state.at(*below, _with(top, results_of(instr), [known], top.pc + 1))
        kept = {
            (where, width): value
            for (where, width), value in state.memory.items()
            if where + width // 8 <= at or at + size <= where
        }
        kept[at, instr.width] = self._value(top, instr.b)
        return _State(kept, (*below, top._replace(pc=top.pc + 1)))

    def _value(self, frame: _Frame, operand: int) -> Interval | None:
        if operand & CONST:
            number = operand & ~CONST
            known = number < len(self._program.constants)  # a field that is no operand may have any bits
            return (self._program.constants[number],) * 2 if known else None
        return frame.registers.get(operand)

    def _targets(self, instr: Instr, value: Interval | None) -> list[int]:
        if instr.op is Op.JMP:
            return [instr.a]
        if instr.op is Op.BR:
            if value is None:
                return [instr.b, instr.c]
            if value[0] == 0 < value[1]:
                raise Divided
            return [instr.b if value[0] else instr.c]
        table = self._program.switches[instr.c]
        if value is None:
            return [table.default, *(target for _, target in table.cases)]
        met = [target for case, target in table.cases if value[0] <= case <= value[1]]
        if met and value[0] != value[1]:
            raise Divided
        return [met[0] if met else table.default]


def _with(frame: _Frame, results: range, values: list[Interval | None], pc: int) -> _Frame:
    """A frame that goes on elsewhere, with results that are known or not."""
    known = {register: value for register, value in frame.registers.items() if register not in results}
    known.update({r: value for r, value in zip(results, values, strict=False) if value is not None})
    return frame._replace(registers=known, pc=pc)
