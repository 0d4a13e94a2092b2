"""Builds a structure's bytecode: one function for main and one for each Spawn, with these registers.

0 is the argument, 1 LAST, 2 the object allocated last, 3 and 4 are temporaries, and those from 5 on hold the
handles of the threads that the function created, in textual order.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program import (
    MOVED,
    AllocFlag,
    Function,
    Global,
    Instr,
    Mode,
    Op,
    Program,
    Region,
    RmwOp,
    address,
)
from mazurka.program.sync_objects import LOCK, MUTEX_DESTROY, TRYLOCK, UNLOCK
from mazurka.testing.build import BASE, MUTEX_OPERATIONS, SPACING, Constants, sync_instr
from mazurka.testing.operations import CompareExchange, Exchange, Fence, FetchAdd, Load, Register, Store
from mazurka.testing.structures import (
    INTEGERS,
    MUTEXES,
    Access,
    Acquire,
    Argument,
    Delete,
    Destroy,
    Exit,
    Fill,
    Join,
    New,
    Require,
    Source,
    Spawn,
    Step,
    Structure,
    Use,
    When,
    place_of,
)

_SIZES = {**dict.fromkeys([*INTEGERS, *MUTEXES, "h"], 4), "p": 8}
_ADDRESSES = {name: BASE + SPACING * number for number, name in enumerate(_SIZES)}
_ARGUMENT, _LAST, _POINTER, _TEMPORARY, _HANDLES = 0, 1, 2, 3, 5
_OBJECT_SIZE = 8
_RELAXED = dict.fromkeys([Op.LOAD, Op.STORE, Op.RMW], Mode.RLX)
_SYNCHRONISED = {Op.LOAD: Mode.ACQ, Op.STORE: Mode.REL, Op.RMW: Mode.ACQ_REL}


def structure_program(structure: Structure) -> Program:
    """The structure as a Program."""
    builder = _ProgramBuilder(structure.synchronised)
    builder.add(structure.steps, Argument.NOTHING)
    return Program(
        functions=tuple(function for function in builder.functions if function is not None),
        entry=0,
        globals=tuple(Global(n, _ADDRESSES[n], size, (), False) for n, size in _SIZES.items()),
        constants=tuple(builder.constants.values),
        lists=((_LAST,),),
        operations=MUTEX_OPERATIONS,
    )


class _ProgramBuilder:
    """The functions so far; main is the first."""

    def __init__(self, synchronised: bool) -> None:
        self.modes = _SYNCHRONISED if synchronised else _RELAXED
        self.constants = Constants()
        self.functions: list[Function | None] = []

    def add(self, steps: tuple[Step, ...], argument: Argument) -> int:
        """Builds a function, and those of the threads that it creates; returns its address."""
        number = len(self.functions)
        self.functions.append(None)
        self.functions[number] = _FunctionBuilder(self, argument).build(number, steps)
        return address(Region.CODE, 16 * number)


class _FunctionBuilder:
    """Emits one thread's function."""

    def __init__(self, program: _ProgramBuilder, argument: Argument) -> None:
        self.program = program
        self.argument = argument
        self.code: list[Instr] = []
        self.handles = 0

    def build(self, number: int, steps: tuple[Step, ...]) -> Function:
        """The function."""
        self._block(steps)
        self._emit(Op.RET)
        parameters = int(number > 0)
        return Function(f"thread{number}", parameters, _HANDLES + 1 + self.handles, 0, (), tuple(self.code))

    def _block(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self._step(step)

    def _step(self, step: Step) -> None:
        match step:
            case Spawn():
                self._spawn(step)
            case Join(source, number):
                self._join(source, number)
            case Acquire():
                self._acquire(step)
            case Destroy(mutex):
                self.code.append(sync_instr(MUTEX_DESTROY, self._address(mutex)))
            case New(fill):
                self._new(fill)
            case Use():
                self._use(step)
            case Delete(source, exchange):
                self._delete(source, exchange)
            case When(body):
                branch = self._branch(_LAST)
                self._block(body)
                self._land(branch)
            case Require():
                self._emit(Op.ASSUME, a=_LAST)
            case Fence(mode):
                self.code.append(Instr(Op.FENCE, mode=mode))
            case Exit(whole):
                self._emit(Op.EXIT, a=_LAST, x=int(whole))
            case _:
                self._access(step, self._address(place_of(step)))

    def _spawn(self, spawn: Spawn) -> None:
        known = {
            Argument.NOTHING: self._constant(0),
            Argument.HANDLE: _HANDLES + self.handles - 1 if self.handles else self._constant(0),
            Argument.POINTER: _POINTER,
        }
        handle = _HANDLES + self.handles
        self.handles += 1
        function = self._constant(self.program.add(spawn.steps, spawn.argument))
        self._emit(Op.CREATE, dst=handle, a=function, b=known[spawn.argument])
        if spawn.publish:
            self._emit(Op.STORE, a=self._address("h"), b=handle, width=32)

    def _join(self, source: Source, number: int) -> None:
        handle = _HANDLES + number % max(self.handles, 1)
        if source is Source.ARGUMENT and self.argument is Argument.HANDLE:
            handle = _ARGUMENT
        elif source is not Source.OWN or self.handles == 0:
            handle = _TEMPORARY
            self._emit(Op.LOAD, dst=handle, a=self._address("h"), width=32)
        branch = self._branch(handle)
        self._emit(Op.JOIN, dst=_LAST, a=handle)
        self._land(branch)

    def _acquire(self, step: Acquire) -> None:
        mutex = self._address(step.mutex)
        if not step.attempt:
            self.code.append(sync_instr(LOCK, mutex))
            self._section(step, mutex)
            return
        self.code.append(sync_instr(TRYLOCK, mutex, _TEMPORARY))
        self._emit(Op.EQ, dst=_TEMPORARY, a=_TEMPORARY, b=self._constant(0))
        branch = self._branch(_TEMPORARY)
        self._section(step, mutex)
        self._land(branch)

    def _section(self, step: Acquire, mutex: int) -> None:
        self._block(step.body)
        if step.release:
            self.code.append(sync_instr(UNLOCK, mutex))

    def _new(self, fill: Fill) -> None:
        size = self._constant(_OBJECT_SIZE)
        zeroed = AllocFlag.ZERO if fill is Fill.ZEROED else 0
        fills = Instr(Op.STORE, a=_POINTER, b=self._constant(1), width=32, mode=Mode.RLX)
        self._emit(Op.ALLOC, dst=_POINTER, a=size, b=size, x=zeroed)
        self.code += [fills] * (fill is Fill.BEFORE)
        self._emit(Op.STORE, a=self._address("p"), b=_POINTER)
        self.code += [fills] * (fill is Fill.AFTER)

    def _use(self, step: Use) -> None:
        pointer = self._pointer(step.source)
        branch = None if step.blind else self._branch(pointer)
        self._access(step.access, pointer, step.moved)
        if branch is not None:
            self._land(branch)

    def _delete(self, source: Source, exchange: bool) -> None:
        p, zero, pointer = self._address("p"), self._constant(0), _TEMPORARY
        if exchange:
            self._emit(Op.RMW, dst=pointer, a=p, b=zero, x=RmwOp.XCHG)
        else:
            pointer = self._pointer(source)
        self._emit(Op.FREE, a=pointer)

    def _pointer(self, source: Source) -> int:
        """The register with a pointer that the thread knows."""
        if source is Source.OWN:
            return _POINTER
        if source is Source.ARGUMENT and self.argument is Argument.POINTER:
            return _ARGUMENT
        self._emit(Op.LOAD, dst=_TEMPORARY, a=self._address("p"))
        return _TEMPORARY

    def _access(self, access: Access, at: int, moved: bool = False) -> None:
        common = Instr(Op.NOP, a=at, width=32, mode=access.mode)
        match access:
            case Load():
                self.code.append(replace(common, op=Op.LOAD, dst=_LAST, x=MOVED if moved else 0))
            case Store(_, _, value):
                self.code.append(replace(common, op=Op.STORE, b=self._value(value)))
            case FetchAdd(_, _, value):
                self.code.append(replace(common, op=Op.RMW, dst=_LAST, b=self._value(value), x=RmwOp.ADD))
            case Exchange(_, _, value):
                self.code.append(replace(common, op=Op.RMW, dst=_LAST, b=self._value(value), x=RmwOp.XCHG))
            case CompareExchange(_, _, expected, new, failure):
                b, c = self._value(expected), self._constant(new)
                self.code.append(replace(common, op=Op.CAS, dst=_TEMPORARY, b=b, c=c, x=failure))
                self._emit(Op.MOV, dst=_LAST, a=_TEMPORARY)

    def _value(self, value: int | Register) -> int:
        return _LAST if isinstance(value, Register) else self._constant(value)

    def _constant(self, value: int) -> int:
        return self.program.constants.operand(value)

    def _address(self, name: str) -> int:
        return self._constant(_ADDRESSES[name])

    def _branch(self, condition: int) -> int:
        """A branch past what follows if a register is 0, up to where ``_land`` is called."""
        self._emit(Op.BR, a=condition, b=len(self.code) + 1)
        return len(self.code) - 1

    def _land(self, branch: int) -> None:
        self.code[branch] = replace(self.code[branch], c=len(self.code))

    def _emit(self, op: Op, dst: int = 0, a: int = 0, b: int = 0, *, width: int = 64, x: int = 0) -> None:
        """Emits an instruction; the structure decides the modes of its own accesses."""
        mode = self.program.modes.get(op, Mode.NA)
        self.code.append(Instr(op, dst, a, b, width=width, mode=mode, x=x))
