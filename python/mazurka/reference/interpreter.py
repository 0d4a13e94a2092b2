"""Runs one thread of a Program, one event at a time (thesis Algorithms 2.1 and 5.1).

``run_thread`` is a generator: it yields the label of each event, is sent what the event returned, and ends
with an Ending. Whoever drives it knows the graph; the thread knows nothing but its registers and its
private memory. ``docs/reference/bytecode.md`` says what each instruction does.

I1: what a thread asks next is a function of its start and of the answers it got (``machine`` relies on it).
I2: main makes no events before its first CREATE: until then its accesses go to ``initial`` directly.

Not done: floating point, errors in heap and stack accesses, sizes of objects that another thread allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from mazurka.program import CONST, OFFSET_MASK, AllocFlag, Function, Instr, Mode, Op, Program, Region
from mazurka.program import RmwOp as Rmw
from mazurka.program import address as make_address
from mazurka.reference import arithmetic
from mazurka.reference.labels import Ending, Fate, Kind, Label, ReferenceUnsupported
from mazurka.reference.memory import FIRST_OFFSET, Bump, Memory, is_event_address, region

STEP_LIMIT = 100_000
FREE_MUTEX, DESTROYED_MUTEX, BUSY, MUTEX_SIZE = 0, 0xFFFF_FFFF, 16, 4

Run: TypeAlias = Generator[Label, int, Ending]
Asking: TypeAlias = Generator[Label, int, None]
Answer: TypeAlias = Generator[Label, int, int]


@dataclass(frozen=True)
class Start:
    """How a thread begins."""

    thread: int
    function: int
    arguments: tuple[int, ...] = ()


def run_thread(
    program: Program, start: Start, initial: Memory, child: Callable[[int], int], unroll: int | None
) -> Run:
    """Runs a thread from its start; ``child(k)`` is the ThreadId of the k-th thread it creates.

    Main's prologue changes ``initial`` (I2); other threads only read constants there.
    """
    thread = _Thread(program, start, initial, child, unroll)
    try:
        yield from thread.run()
    except _End as end:
        return end.ending
    raise AssertionError("a thread runs until it ends")


class _End(Exception):  # noqa: N818 - control flow, not an error
    def __init__(self, ending: Ending) -> None:
        self.ending = ending


def _fail(kind: str, message: str) -> NoReturn:
    raise _End(Ending(Fate.FAILED, finding=kind, message=message))


class _Frame:
    """One call: the caller's frame is below it on the stack, stopped at its call."""

    def __init__(self, function: Function, arguments: tuple[int, ...], base: int) -> None:
        self.function = function
        self.registers = [*arguments, *[0] * (function.registers - len(arguments))]
        self.base = base  # of its private objects
        self.pc = 0


class _Thread:
    """A running thread."""

    def __init__(
        self,
        program: Program,
        start: Start,
        initial: Memory,
        child: Callable[[int], int],
        unroll: int | None,
    ) -> None:
        self.program, self.initial, self.child, self.unroll = program, initial, child, unroll
        self.id = start.thread
        self.prologue = initial if self.id == 0 else None
        self.private = Memory()
        self.private.fill(make_address(Region.PRIVATE, 0, self.id), program.tls_data)
        after_tls = -(-program.tls_size // 16) * 16 + 16
        self.private_heap = Bump(make_address(Region.PRIVATE, 0, self.id), after_tls)
        self.shared_heap = Bump(make_address(Region.SHARED, 0, self.id), FIRST_OFFSET)
        self.sizes: dict[int, int] = {}
        self.held: set[int] = set()  # mutexes whose last write by this thread was a lock
        self.children = 0
        self.stack = [_Frame(program.functions[start.function], start.arguments, 0)]

    # --- the loop

    def run(self) -> Asking:
        """Executes instructions until one raises the thread's ending."""
        for _ in range(STEP_LIMIT):
            frame = self.stack[-1]
            instruction = frame.function.code[frame.pc]
            frame.pc += 1
            if instruction.op in _EVENTS:
                yield from _EVENTS[instruction.op](self, instruction)
            elif instruction.op in _CONTROL:
                _CONTROL[instruction.op](self, instruction)
            else:
                self._compute(instruction)
        raise ReferenceUnsupported(f"a thread ran for more than {STEP_LIMIT} steps")

    def _value(self, operand: int) -> int:
        if operand & CONST:
            return self.program.constants[operand & ~CONST]
        return self.stack[-1].registers[operand]

    def _values(self, number: int) -> tuple[int, ...]:
        return tuple(self._value(operand) for operand in self.program.lists[number])

    def _set(self, register: int, value: int, width: int = 64) -> None:
        self.stack[-1].registers[register] = value & ((1 << width) - 1)

    def _compute(self, i: Instr) -> None:
        a, b, c = _masked(self, i)
        try:
            if i.op in arithmetic.UNARY:
                self._set(i.dst, arithmetic.UNARY[i.op](a, i.width), i.width)
            elif i.op in arithmetic.BINARY:
                self._set(i.dst, arithmetic.BINARY[i.op](a, b, i.width), i.width)
            elif i.op in arithmetic.OVERFLOWING:
                result, overflowed = arithmetic.overflowing(i.op, a, b, i.width)
                self._set(i.dst, result, i.width)
                self._set(i.dst + 1, overflowed)
            elif i.op is Op.SEXT:
                self._set(i.dst, arithmetic.signed(a, i.width), i.x)
            elif i.op is Op.SELECT:
                self._set(i.dst, self._value(i.b if self._value(i.a) else i.c), i.width)
            elif i.op in (Op.FSHL, Op.FSHR):
                self._set(i.dst, arithmetic.funnel_shift(i.op, a, b, c, i.width), i.width)
            else:
                raise ReferenceUnsupported(f"the instruction {i.op.name}")
        except ZeroDivisionError:
            _fail("division-by-zero", "division by zero")

    # --- control

    def _jump(self, i: Instr) -> None:
        self.stack[-1].pc = i.a

    def _branch(self, i: Instr) -> None:
        self.stack[-1].pc = i.b if self._value(i.a) else i.c

    def _switch(self, i: Instr) -> None:
        table = self.program.switches[i.c]
        self.stack[-1].pc = dict(table.cases).get(self._value(i.a), table.default)

    def _loop(self, i: Instr) -> None:
        count = self._value(i.dst) + 1
        self._set(i.dst, count)
        if self.unroll is not None and count > self.unroll:
            raise _End(Ending(Fate.CUT))

    def _call(self, i: Instr) -> None:
        number = i.a
        if i.op is Op.CALLI:
            number = self._function_at(self._value(i.a))
        caller, function = self.stack[-1], self.program.functions[number]
        base = caller.base + -(-caller.function.frame_size // 16) * 16
        self.stack.append(_Frame(function, self._values(i.c)[: function.params], base))

    def _function_at(self, address: int) -> int:
        number, rest = divmod(address & OFFSET_MASK, 16)
        if region(address) != Region.CODE or rest or number >= len(self.program.functions):
            _fail("unallocated", "a call through a pointer to no function")
        return number

    def _return(self, i: Instr) -> None:
        results = self._values(i.c) if self.program.lists else ()
        self.stack.pop()
        if not self.stack:
            raise _End(Ending(Fate.DONE, results[0] if results else 0))
        frame = self.stack[-1]
        call = frame.function.code[frame.pc - 1]
        for register, value in zip(range(call.dst, call.dst + call.x), results, strict=False):
            self._set(register, value)

    def _exit(self, i: Instr) -> None:
        raise _End(Ending(Fate.DONE, self._value(i.a)))

    def _assume(self, i: Instr) -> None:
        if not self._value(i.a):
            raise _End(Ending(Fate.BLOCKED))

    def _finding(self, i: Instr) -> None:
        _fail(self.program.strings[i.a], self.program.strings[i.b])

    def _refuse(self, i: Instr) -> None:
        raise ReferenceUnsupported(f"reached {self.program.strings[i.a]}")

    def _nothing(self, i: Instr) -> None:
        pass

    def _frame_address(self, i: Instr) -> None:
        self._set(i.dst, make_address(Region.FRAME, self.stack[-1].base + i.a, self.id))

    def _thread_local_address(self, i: Instr) -> None:
        self._set(i.dst, make_address(Region.PRIVATE, i.a, self.id))

    def _object_size(self, i: Instr) -> None:
        address = self._value(i.a)
        if address not in self.sizes:
            raise ReferenceUnsupported("the size of an object that this thread did not allocate")
        self._set(i.dst, self.sizes[address])

    def _self(self, i: Instr) -> None:
        self._set(i.dst, self.id + 1)

    # --- memory

    def _ask(self, label: Label) -> Answer:
        """The answer to an event, or to the same done directly in the prologue (I2)."""
        if self.prologue is None:
            return (yield label)
        if label.kind is Kind.WRITE:
            self.prologue.write(label.address, label.size, label.value)
        return self.prologue.read(label.address, label.size)

    def _is_event(self, address: int, size: int, writes: bool) -> bool:
        answer = is_event_address(self.program, address, size)
        if answer is None:
            _fail("unallocated", "an access to memory that does not exist")
        if writes and not answer and region(address) == Region.GLOBAL:
            _fail("unallocated", "a write to constant memory")
        return answer

    def _read(self, label: Label) -> Answer:
        if self._is_event(label.address, label.size, False):
            return (yield from self._ask(label))
        memory = self.initial if region(label.address) == Region.GLOBAL else self.private
        return memory.read(label.address, label.size)

    def _write(self, label: Label) -> Answer:
        if self._is_event(label.address, label.size, True):
            return (yield from self._ask(label))
        self.private.write(label.address, label.size, label.value)
        return 0

    def _load(self, i: Instr) -> Asking:
        label = Label(Kind.READ, i.mode, self._value(i.a), _size(i))
        self._set(i.dst, (yield from self._read(label)), i.width)

    def _store(self, i: Instr) -> Asking:
        value = self._value(i.b) & ((1 << i.width) - 1)
        yield from self._write(Label(Kind.WRITE, i.mode, self._value(i.a), _size(i), value))

    def _rmw(self, i: Instr) -> Asking:
        if Rmw(i.x) not in arithmetic.RMW:
            raise ReferenceUnsupported("floating-point read-modify-writes")
        address, operand = self._value(i.a), self._value(i.b) & ((1 << i.width) - 1)
        read = Label(Kind.READ, _read_half(i.mode), address, _size(i), exclusive=True)
        old = (yield from self._read(read)) & ((1 << i.width) - 1)
        new = arithmetic.RMW[Rmw(i.x)](old, operand, i.width) & ((1 << i.width) - 1)
        write = Label(Kind.WRITE, _write_half(i.mode), address, _size(i), new, exclusive=True)
        yield from self._write(write)
        self._set(i.dst, old)

    def _compare_exchange(self, i: Instr) -> Asking:
        address, (_, expected, new) = self._value(i.a), _masked(self, i)
        read = Label(
            Kind.READ,
            _read_half(i.mode),
            address,
            _size(i),
            exclusive=True,
            expected=expected,
            failure=_read_half(Mode(i.x)),
        )
        old = (yield from self._read(read)) & ((1 << i.width) - 1)
        if old == expected:
            yield from self._write(
                Label(Kind.WRITE, _write_half(i.mode), address, _size(i), new, exclusive=True)
            )
        self._set(i.dst, old)
        self._set(i.dst + 1, old == expected)

    def _fence(self, i: Instr) -> Asking:
        yield from self._ask(Label(Kind.FENCE, i.mode))

    def _allocate(self, i: Instr) -> Asking:
        size, alignment = self._value(i.a), self._value(i.b)
        heap = self.private_heap if i.x & AllocFlag.PRIVATE else self.shared_heap
        address = heap.allocate(size, alignment)
        self.sizes[address] = size
        if heap is self.shared_heap:
            yield from self._ask(Label(Kind.ALLOC, address=address, size=size))
        self._set(i.dst, address)

    def _free(self, i: Instr) -> Asking:
        address = self._value(i.a)
        if region(address) == Region.SHARED:
            yield from self._ask(Label(Kind.FREE, address=address))
        elif address != 0 and region(address) != Region.PRIVATE:
            _fail("invalid-free", "free of something that was not allocated")

    # --- threads and mutexes

    def _create(self, i: Instr) -> Asking:
        self.prologue = None
        function, argument = self._value(i.a), self._value(i.b)
        self._function_at(function)
        other = self.child(self.children)
        self.children += 1
        yield from self._ask(Label(Kind.CREATE, address=function, value=argument, other=other))
        self._set(i.dst, other + 1)

    def _join(self, i: Instr) -> Asking:
        if self.prologue is not None or self._value(i.a) == 0:
            _fail("unallocated", "a join of something that is not a thread")
        self._set(i.dst, (yield from self._ask(Label(Kind.JOIN, other=self._value(i.a) - 1))))

    def _lock(self, i: Instr) -> Asking:
        address, waits = self._value(i.a), i.op is Op.LOCK
        read = Label(Kind.READ, Mode.ACQ, address, MUTEX_SIZE, exclusive=True)
        holder = yield from self._read(read)
        if holder == DESTROYED_MUTEX:
            _fail("mutex", "a lock of a destroyed mutex")
        if holder == FREE_MUTEX:
            self.held.add(address)
            write = Label(Kind.WRITE, Mode.RLX, address, MUTEX_SIZE, self.id + 1, exclusive=True)
            yield from self._write(write)
        elif waits:
            raise _End(Ending(Fate.BLOCKED))
        if not waits:
            self._set(i.dst, 0 if holder == FREE_MUTEX else BUSY)

    def _unlock(self, i: Instr) -> Asking:
        if self._value(i.a) not in self.held:
            _fail("mutex", "an unlock of a mutex that this thread does not hold")
        yield from self._set_mutex(i)

    def _set_mutex(self, i: Instr) -> Asking:
        """Unlock, init and destroy: one write, after which this thread does not hold the mutex."""
        address = self._value(i.a)
        self.held.discard(address)
        mode = Mode.REL if i.op is Op.UNLOCK else Mode.RLX
        value = DESTROYED_MUTEX if i.op is Op.MUTEX_DESTROY else FREE_MUTEX
        yield from self._write(Label(Kind.WRITE, mode, address, MUTEX_SIZE, value))


def _masked(thread: _Thread, i: Instr) -> tuple[int, int, int]:
    """The operands of an instruction at its width; those that are not registers in range read as 0."""
    mask = (1 << i.width) - 1
    limit = len(thread.stack[-1].registers)
    a, b, c = (thread._value(o) & mask if o & CONST or o < limit else 0 for o in (i.a, i.b, i.c))
    return a, b, c


def _size(i: Instr) -> int:
    return (i.width + 7) // 8


def _read_half(mode: Mode) -> Mode:
    if mode in (Mode.ACQ, Mode.ACQ_REL):
        return Mode.ACQ
    return Mode.SC if mode is Mode.SC else Mode.RLX


def _write_half(mode: Mode) -> Mode:
    if mode in (Mode.REL, Mode.ACQ_REL):
        return Mode.REL
    return Mode.SC if mode is Mode.SC else Mode.RLX


_CONTROL: dict[Op, Callable[[_Thread, Instr], None]] = {
    Op.JMP: _Thread._jump,
    Op.BR: _Thread._branch,
    Op.SWITCH: _Thread._switch,
    Op.LOOP: _Thread._loop,
    Op.CALL: _Thread._call,
    Op.CALLI: _Thread._call,
    Op.RET: _Thread._return,
    Op.EXIT: _Thread._exit,
    Op.ASSUME: _Thread._assume,
    Op.FAIL: _Thread._finding,
    Op.PRINT: _Thread._nothing,
    Op.NOP: _Thread._nothing,
    Op.UNKNOWN: _Thread._refuse,
    Op.REFUSE: _Thread._refuse,
    Op.FRAMEADDR: _Thread._frame_address,
    Op.TLSADDR: _Thread._thread_local_address,
    Op.OBJSIZE: _Thread._object_size,
    Op.SELF: _Thread._self,
}

_EVENTS: dict[Op, Callable[[_Thread, Instr], Asking]] = {
    Op.LOAD: _Thread._load,
    Op.STORE: _Thread._store,
    Op.RMW: _Thread._rmw,
    Op.CAS: _Thread._compare_exchange,
    Op.FENCE: _Thread._fence,
    Op.ALLOC: _Thread._allocate,
    Op.FREE: _Thread._free,
    Op.CREATE: _Thread._create,
    Op.JOIN: _Thread._join,
    Op.LOCK: _Thread._lock,
    Op.TRYLOCK: _Thread._lock,
    Op.UNLOCK: _Thread._unlock,
    Op.MUTEX_INIT: _Thread._set_mutex,
    Op.MUTEX_DESTROY: _Thread._set_mutex,
}
