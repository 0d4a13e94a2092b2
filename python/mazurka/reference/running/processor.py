"""The part of the interpreter that needs no other thread: registers, arithmetic, calls and jumps.

A ``Processor`` executes the instructions that are private to a thread, at once and without events.
``interpreter`` adds those that ask for something. ``docs/reference/bytecode.md`` says what each one does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import NoReturn

from mazurka.program import (
    CONST,
    FRAME_SCALE,
    OFFSET_MASK,
    Annotation,
    Check,
    Function,
    Instr,
    Op,
    Program,
    Region,
    Rounds,
    address,
    origin,
    step_address,
)
from mazurka.reference.running import arithmetic
from mazurka.reference.running.bounds import extent_around
from mazurka.reference.running.dependencies import Tracker
from mazurka.reference.running.labels import Ending, Fate, ReferenceUnsupported
from mazurka.reference.running.memory import Memory, region
from mazurka.reference.running.spins import Spins


@dataclass(frozen=True)
class Start:
    """How a thread begins."""

    thread: int
    function: int
    arguments: tuple[int, ...] = ()


class End(Exception):  # noqa: N818 - control flow, not an error
    """Raised by the instruction that ends the thread."""

    def __init__(self, ending: Ending) -> None:
        self.ending = ending


def fail(kind: str, message: str) -> NoReturn:
    """Ends the thread with a finding."""
    raise End(Ending(Fate.FAILED, finding=kind, message=message))


class Frame:
    """One call: the caller's frame is below it on the stack, stopped at its call."""

    def __init__(self, function: Function, arguments: tuple[int, ...], base: int) -> None:
        self.function = function
        given = arguments[: function.params]
        self.registers = [*given, *[0] * (function.registers - len(given))]
        self.base = base  # of its private objects
        self.starts = _starts_of_rounds(function)
        self.pc = 0
        self.begun: dict[
            int, int
        ] = {}  # the thread's events when it last came to where a SPIN's round begins

    def state(self, without: int | None = None) -> Hashable:
        """Everything about the call but one register."""
        values = (value for register, value in enumerate(self.registers) if register != without)
        return self.function.name, self.pc, self.base, tuple(values)


@cache
def _starts_of_rounds(function: Function) -> frozenset[int]:
    """Where the rounds begin that SPINs end."""
    return frozenset(instr.b for instr in function.code if instr.op is Op.SPIN)


class Processor:
    """The registers and the call stack of a thread."""

    def __init__(
        self, program: Program, start: Start, unroll: int | None, objects: tuple[tuple[int, int], ...] = ()
    ) -> None:
        self.program = program
        self.objects = objects  # shared objects that others allocated: address, size
        self.unroll = unroll
        self.id = start.thread
        self.counted: set[int] = set()  # loops that went round since the last event
        self.annotation: Annotation | None = None  # of the access that comes next
        self.in_prologue = self.id == 0  # main, before it creates a thread
        self.sizes: dict[int, int] = {}  # of the objects that this thread allocated
        self.owners: dict[int, int] = {}  # who ends them: AllocFlag
        self.gone: set[int] = set()  # private ones that it freed
        self.locals: list[int] = []  # live local variables other than those in frames
        self.stack = [Frame(program.functions[start.function], start.arguments, 0)]
        self.private = Memory()
        self.events = 0  # that the thread has made
        self.spins: Spins | None = None  # none: rounds that change nothing are made like others
        self.tracker: Tracker | None = None  # none: nobody asks for dependencies

    def fetch(self) -> Instr:
        """The next instruction; the program counter moves past it."""
        frame = self.stack[-1]
        if frame.pc in frame.starts:
            frame.begun[frame.pc] = self.events
        frame.pc += 1
        return frame.function.code[frame.pc - 1]

    def execute(self, i: Instr) -> None:
        """Executes an instruction that asks for nothing."""
        if i.op in _CONTROL:
            _CONTROL[i.op](self, i)
        else:
            self._compute(i)

    def value(self, operand: int) -> int:
        """What a register or constant holds."""
        if operand & CONST:
            return self.program.constants[operand & ~CONST]
        return self.stack[-1].registers[operand]

    def _values(self, number: int) -> tuple[int, ...]:
        return tuple(self.value(operand) for operand in self.program.lists[number])

    def set(self, register: int, value: int, width: int = 64) -> None:
        """Sets a register, keeping ``width`` bits."""
        self.stack[-1].registers[register] = value & ((1 << width) - 1)

    def masked(self, i: Instr) -> tuple[int, int, int]:
        """The operands of an instruction at its width; fields that name no register read as 0."""
        mask = (1 << i.width) - 1
        limit = len(self.stack[-1].registers)
        a, b, c = (self.value(o) & mask if o & CONST or o < limit else 0 for o in (i.a, i.b, i.c))
        return a, b, c

    def _compute(self, i: Instr) -> None:
        a, b, c = self.masked(i)
        try:
            if i.op in arithmetic.UNARY:
                self.set(i.dst, arithmetic.UNARY[i.op](a, i.width), i.width)
            elif i.op in arithmetic.BINARY:
                self.set(i.dst, arithmetic.BINARY[i.op](a, b, i.width), i.width)
            elif i.op in arithmetic.OVERFLOWING:
                result, overflowed = arithmetic.overflowing(i.op, a, b, i.width)
                self.set(i.dst, result, i.width)
                self.set(i.dst + 1, overflowed)
            elif i.op is Op.SEXT:
                self.set(i.dst, arithmetic.signed(a, i.width), i.x)
            elif i.op is Op.SELECT:
                self.set(i.dst, self.value(i.b if self.value(i.a) else i.c), i.width)
            elif i.op in (Op.FSHL, Op.FSHR):
                self.set(i.dst, arithmetic.funnel_shift(i.op, a, b, c, i.width), i.width)
            elif i.op is Op.CHECK:
                kind = arithmetic.broken(Check(i.x), a, b, i.width)
                if kind:
                    fail(kind, "what C leaves undefined")
            else:
                raise ReferenceUnsupported(f"the instruction {i.op.name}")
        except ZeroDivisionError:
            fail("division-by-zero", "division by zero")

    def _jump(self, i: Instr) -> None:
        self.stack[-1].pc = i.a

    def _branch(self, i: Instr) -> None:
        self.stack[-1].pc = i.b if self.value(i.a) else i.c

    def _switch(self, i: Instr) -> None:
        table = self.program.switches[i.c]
        self.stack[-1].pc = dict(table.cases).get(self.value(i.a), table.default)

    def _loop(self, i: Instr) -> None:
        if self.spins is not None and not self.in_prologue:
            ending = self.spins.ending(self._state(i.dst))
            if ending is not None:
                raise End(ending)
        bound = i.b or self.unroll
        if bound is not None and i.a in self.counted and i.x != Rounds.ENDLESS:
            return
        self.counted.add(i.a)
        rounds = self.value(i.dst)
        may_cut = i.x == Rounds.ENDLESS or (i.x == Rounds.ANY and not self.in_prologue)
        if may_cut and bound is not None and rounds >= bound:
            raise End(Ending(Fate.CUT))
        self.set(i.dst, rounds + 1)

    def _state(self, counter: int) -> Hashable:
        """What decides what the thread does next, without the counter of the loop that it is in."""
        *callers, innermost = self.stack
        frames = *(frame.state() for frame in callers), innermost.state(without=counter)
        objects = tuple(self.sizes), frozenset(self.gone), tuple(self.locals)
        return frames, frozenset(self.private.bytes.items()), objects

    def _call(self, i: Instr) -> None:
        number = i.a
        if i.op is Op.CALLI:
            number = self.function_at(self.value(i.a))
        caller, function = self.stack[-1], self.program.functions[number]
        base = caller.base + -(-caller.function.frame_size // 16) * 16
        self.stack.append(Frame(function, self._values(i.c), base))
        for item in function.objects:
            start = address(Region.FRAME, FRAME_SCALE * (base + item.offset), self.id)
            self.private.forget(start, item.size)

    def function_at(self, pointer: int) -> int:
        """The number of the function that a pointer points to."""
        number, rest = divmod(pointer & OFFSET_MASK, 16)
        if region(pointer) != Region.CODE or rest or number >= len(self.program.functions):
            fail("unallocated", "a call through a pointer to no function")
        return number

    def _return(self, i: Instr) -> None:
        results = self._values(i.c) if self.program.lists else ()
        self.stack.pop()
        if not self.stack:
            # The entry function's return ends the whole program, as exit does.
            fate = Fate.EXITED if self.id == 0 else Fate.DONE
            raise End(Ending(fate, results[0] if results else 0))
        frame = self.stack[-1]
        call = frame.function.code[frame.pc - 1]
        for register, value in zip(range(call.dst, call.dst + call.x), results, strict=False):
            self.set(register, value)

    def _exit(self, i: Instr) -> None:
        raise End(Ending(Fate.EXITED if i.x else Fate.DONE, self.value(i.a)))

    def _assume(self, i: Instr) -> None:
        if not self.value(i.a):
            raise End(Ending(Fate.BLOCKED))

    def _annotate(self, i: Instr) -> None:
        self.annotation = Annotation(i.a)

    def announced(self) -> Annotation | None:
        """What was said about this access."""
        said, self.annotation = self.annotation, None
        return said

    def _spin(self, i: Instr) -> None:
        if self.in_prologue:
            raise ReferenceUnsupported("a loop that goes round for ever before the first thread")
        raise End(Ending(Fate.SPINNING, since=self.stack[-1].begun[i.b]))

    def _finding(self, i: Instr) -> None:
        fail(self.program.strings[i.a], self.program.strings[i.b])

    def _refuse(self, i: Instr) -> None:
        raise ReferenceUnsupported(f"reached {self.program.strings[i.a]}")

    def _nothing(self, i: Instr) -> None:
        pass

    def _frame_address(self, i: Instr) -> None:
        start = FRAME_SCALE * (self.stack[-1].base + i.a)
        self.set(i.dst, address(Region.FRAME, start + i.b, self.id))

    def _step(self, i: Instr) -> None:
        base, offset = self.value(i.a), arithmetic.signed(self.value(i.b), 64)
        self.set(i.dst, step_address(extent_around(self, origin(base)), base, offset))

    def _unwind(self, i: Instr) -> None:
        shared = [local for local in self.locals if region(local) == Region.SHARED]
        self.set(i.dst, shared[-1] if shared else 0)

    def _not_at_once(self, i: Instr) -> None:
        """FILL and COPY leave everything to the accesses that follow; the engine is compared with those."""
        self.set(i.dst, 0)

    def _thread_local_address(self, i: Instr) -> None:
        self.set(i.dst, address(Region.PRIVATE, i.a, self.id))

    def _object_size(self, i: Instr) -> None:
        start = self.value(i.a)
        if start not in self.sizes:
            raise ReferenceUnsupported("the size of an object that this thread did not allocate")
        self.set(i.dst, self.sizes[start])

    def _self(self, i: Instr) -> None:
        self.set(i.dst, self.id + 1)


_CONTROL: dict[Op, Callable[[Processor, Instr], None]] = {
    Op.JMP: Processor._jump,
    Op.BR: Processor._branch,
    Op.SWITCH: Processor._switch,
    Op.LOOP: Processor._loop,
    Op.CALL: Processor._call,
    Op.CALLI: Processor._call,
    Op.RET: Processor._return,
    Op.EXIT: Processor._exit,
    Op.ASSUME: Processor._assume,
    Op.ROUND: lambda self, i: None,
    Op.SPIN: Processor._spin,
    Op.FAIL: Processor._finding,
    Op.PRINT: Processor._nothing,
    Op.NOP: Processor._nothing,
    Op.ANNOTATE: Processor._annotate,
    Op.UNKNOWN: Processor._refuse,
    Op.REFUSE: Processor._refuse,
    Op.FRAMEADDR: Processor._frame_address,
    Op.TLSADDR: Processor._thread_local_address,
    Op.OBJSIZE: Processor._object_size,
    Op.STEP: Processor._step,
    Op.UNWIND: Processor._unwind,
    Op.FILL: Processor._not_at_once,
    Op.COPY: Processor._not_at_once,
    Op.SELF: Processor._self,
}
