"""Runs one thread of a Program, one event at a time (thesis Algorithms 2.1 and 5.1).

``run_thread`` is a generator: it yields the label of each event, is sent what the event returned, and ends
with an Ending. The caller knows the graph; the thread knows only its registers and its private
memory. ``docs/reference/bytecode.md`` says what each instruction does.

I1: what a thread asks next is a function of its start and of the answers it got (``machine`` relies on it).
I2: main makes no events before its first CREATE: until then its accesses go to ``initial`` directly.

Not done: floating point, sizes of objects that another thread allocated. Errors in the use of shared objects
need the whole graph: ``objects`` finds those after the prologue.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias

from mazurka.program import (
    GAP,
    MOVED,
    OWNER,
    AllocFlag,
    Annotation,
    Instr,
    Mode,
    Op,
    Program,
    Region,
    RmwOp,
    Source,
)
from mazurka.program import address as make_address
from mazurka.program.instructions import operands_of
from mazurka.program.sync import Case, Effect
from mazurka.reference.running import arithmetic
from mazurka.reference.running.bounds import holds_private
from mazurka.reference.running.dependencies import Tracker, stand_in
from mazurka.reference.running.labels import (
    ROUNDS,
    Ending,
    Fate,
    Given,
    Kind,
    Label,
    Late,
    ReferenceUnsupported,
)
from mazurka.reference.running.memory import (
    FIRST_OFFSET,
    NO_ROOM,
    Bump,
    Memory,
    is_event_address,
    region,
)
from mazurka.reference.running.processor import End, Processor, Start, fail
from mazurka.reference.running.sections import Section, read_label
from mazurka.reference.running.spins import Spins
from mazurka.reference.running.sync import Use, case_of, evaluate, misuse_of_overwritten, new_word

STEP_LIMIT = 100_000
_REGISTER = 64  # bits

Run: TypeAlias = Generator[Label, Given, Ending]
Asking: TypeAlias = Generator[Label, Given, None]
Answer: TypeAlias = Generator[Label, Given, int]


def run_thread(
    program: Program,
    start: Start,
    initial: Memory,
    child: Callable[[int], int],
    unroll: int | None,
    objects: tuple[tuple[int, int], ...] = (),
    spins: Spins | None = None,
    tracker: Tracker | None = None,
    watch: Callable[[Instr], object] | None = None,
) -> Run:
    """Runs a thread from its start; ``child(k)`` is the ThreadId of the k-th thread it creates.

    Main's prologue changes ``initial`` (I2); other threads only read constants there. ``objects`` are the
    addresses and sizes of shared objects, for addresses that are computed from them. ``spins``
    decides when a thread spins. With a ``tracker``, labels have dependencies, and reads may be late.
    ``watch`` is called with each instruction before it runs.
    """
    thread = _Thread(program, start, initial, child, unroll, objects)
    thread.spins = spins
    thread.tracker = tracker
    try:
        for _ in range(STEP_LIMIT):
            instruction = thread.fetch()
            if watch is not None:
                watch(instruction)
            ending = tracker.begin(instruction) if tracker is not None else None
            if ending is not None:
                return ending
            if instruction.op in _EVENTS:
                yield from _EVENTS[instruction.op](thread, instruction)
            else:
                thread.execute(instruction)
            if tracker is not None:
                tracker.end(instruction, thread.stack[-1])
    except End as end:
        return end.ending if tracker is None else end.ending._replace(decided=tracker.branched)
    raise ReferenceUnsupported(f"a thread ran for more than {STEP_LIMIT} steps")


class _Thread(Processor):
    """A thread with its memory and what it knows about other threads."""

    def __init__(
        self,
        program: Program,
        start: Start,
        initial: Memory,
        child: Callable[[int], int],
        unroll: int | None,
        objects: tuple[tuple[int, int], ...],
    ) -> None:
        super().__init__(program, start, unroll, objects)
        self.initial = initial
        self.prologue = initial if self.id == 0 else None
        for local in program.thread_locals:
            place = make_address(Region.PRIVATE, local.offset, self.id)
            self.private.fill(place, bytes(local.size))
            self.private.fill(place, local.data)
        after_tls = -(-program.thread_locals_end // 16) * 16 + GAP
        self.private_heap = Bump(make_address(Region.PRIVATE, 0, self.id), after_tls)
        self.shared_heap = Bump(make_address(Region.SHARED, 0, self.id), FIRST_OFFSET)
        self.written: dict[int, int] = {}  # what this thread's events wrote last, by address
        self.child = child
        self.children = 0
        self.depth = 0  # atomic sections that lie in each other
        self.section: Section | None = None  # outside the prologue

    def _event(self, label: Label) -> Answer:
        self.counted.clear()
        if self.section is not None:
            return (yield from self.section.access(label))
        answer = yield from self._alone(label)
        assert isinstance(answer, int), "only sections are given bytes"
        return answer

    def _alone(self, label: Label) -> Generator[Label, Given, Given]:
        """What an event of the graph gives to the thread."""
        if self.tracker is not None:
            label = self.tracker.labelled(label)
        answer = yield label
        if self.tracker is not None:
            self.tracker.answered(label, self.events, isinstance(answer, Late))
        self.events += 1
        if self.spins is not None:
            self.spins.note(label)
        return stand_in(label, answer) if isinstance(answer, Late) else answer

    def _begin(self, i: Instr) -> Asking:
        self.depth += 1
        if self.depth == 1 and self.prologue is None:
            self.section = Section((yield from self._alone(read_label([]))))

    def _end(self, i: Instr) -> Asking:
        if self.depth == 0:
            raise ReferenceUnsupported("the end of an atomic section that was not begun")
        self.depth -= 1
        if self.depth == 0 and self.section is not None:
            label, self.section = self.section.ending(), None
            if label is not None:
                yield from self._event(label)

    def _ask(self, label: Label) -> Answer:
        """The answer to an event, or the result of doing it directly in the prologue (I2)."""
        if self.prologue is None:
            return (yield from self._event(label))
        self._check_prologue(self.prologue, label)
        if label.kind is Kind.WRITE:
            self.prologue.write(label.address, label.size, label.value)
        return self.prologue.read(label.address, label.size)

    def _check_prologue(self, memory: Memory, label: Label) -> None:
        """Reports in the prologue what ``objects`` reports later."""
        _check_overwritten(label, memory)
        if label.kind in (Kind.READ, Kind.WRITE) and region(label.address) == Region.SHARED:
            error = memory.access_error(label.address, label.size)
            if error and not (error == "uninitialized" and (label.tame or label.kind is Kind.WRITE)):
                fail(error, "an access to an object that is gone or was never written")

    def _is_event(self, address: int, size: int, writes: bool) -> bool:
        answer = is_event_address(self.program, address, size)
        if answer is None:
            fail("unallocated", "an access to memory that does not exist")
        if writes and not answer and region(address) == Region.GLOBAL:
            fail("unallocated", "a write to constant memory")
        if region(address) in (Region.FRAME, Region.PRIVATE) and not holds_private(self, address, size):
            gone = any(start <= address < start + self.sizes[start] for start in self.gone)
            fail("freed" if gone else "unallocated", "an access outside the thread's private objects")
        return answer

    def _read(self, label: Label) -> Answer:
        if self._is_event(label.address, label.size, False):
            return (yield from self._ask(label))
        if self.tracker is not None:
            self.tracker.load(label.address, label.size)
        if region(label.address) == Region.GLOBAL:
            return self.initial.read(label.address, label.size)
        if not label.tame and not self.private.is_written(label.address, label.size):
            fail("uninitialized", "a read of private memory that was never written")
        return self.private.read(label.address, label.size)

    def _write(self, label: Label) -> Answer:
        if self._is_event(label.address, label.size, True):
            if self.prologue is None:
                self.written[label.address] = label.value
            return (yield from self._ask(label))
        _check_overwritten(label, self.private)
        if self.tracker is not None:
            self.tracker.store(label.address, label.size)
        self.private.write(label.address, label.size, label.value)
        return 0

    def _operands(self, i: Instr) -> list[int]:
        """The values that an access has beside its address; two registers make up one value of 16 bytes."""
        values = [self.value(operand) for operand in operands_of(self.program, i)[1:]]
        if i.width > _REGISTER:
            values = [low | high << _REGISTER for low, high in zip(values[::2], values[1::2], strict=True)]
        return [value & ((1 << i.width) - 1) for value in values]

    def _results(self, i: Instr, value: int, *more: int) -> None:
        """Sets the registers of a value that was read, and those after them."""
        halves = (value & (1 << _REGISTER) - 1, value >> _REGISTER) if i.width > _REGISTER else (value,)
        for register, result in enumerate((*halves, *more), i.dst):
            self.set(register, result)

    def _load(self, i: Instr) -> Asking:
        label = Label(Kind.READ, i.mode, self.value(i.a), _size(i), tame=i.x == MOVED, source=i.source)
        self._results(i, (yield from self._read(label)) & ((1 << i.width) - 1))

    def _store(self, i: Instr) -> Asking:
        (value,) = self._operands(i)
        note = self.announced()
        label = Label(Kind.WRITE, i.mode, self.value(i.a), _size(i), value, annotation=note, source=i.source)
        yield from self._write(label)

    def _rmw(self, i: Instr) -> Asking:
        if RmwOp(i.x) not in arithmetic.RMW:
            raise ReferenceUnsupported("floating-point read-modify-writes")
        address, (operand,) = self.value(i.a), self._operands(i)
        note = self.announced()
        read = Label(
            Kind.READ, _read_half(i.mode), address, _size(i), exclusive=True, source=_source(i, _read_half)
        )
        old = (yield from self._read(read)) & ((1 << i.width) - 1)
        new = arithmetic.RMW[RmwOp(i.x)](old, operand, i.width) & ((1 << i.width) - 1)
        yield from self._write(self._second_half(i, address, new, note))
        self._results(i, old)

    def _compare_exchange(self, i: Instr) -> Asking:
        address, (expected, new) = self.value(i.a), self._operands(i)
        note = self.announced()
        read = Label(
            Kind.READ,
            _read_half(i.mode),
            address,
            _size(i),
            exclusive=True,
            expected=expected,
            failure=_read_half(Mode(i.x)),
            annotation=note,
            value=new if note is not None else 0,
            source=_source(i, _read_half),
        )
        old = (yield from self._read(read)) & ((1 << i.width) - 1)
        if old == expected:
            yield from self._write(self._second_half(i, address, new, note))
        self._results(i, old, old == expected)

    def _second_half(self, i: Instr, address: int, new: int, note: Annotation | None) -> Label:
        """The write of a read-modify-write."""
        mode, source = _write_half(i.mode), _source(i, _write_half)
        return Label(Kind.WRITE, mode, address, _size(i), new, exclusive=True, annotation=note, source=source)

    def _fence(self, i: Instr) -> Asking:
        yield from self._ask(Label(Kind.FENCE, i.mode, source=i.source))

    def _fence_at(self, i: Instr) -> Asking:
        """A fence of SRCU. What other threads cannot see is in no domain."""
        address = self.value(i.a)
        place = (0, 0) if region(address) in (Region.FRAME, Region.PRIVATE) else (address, _size(i))
        yield from self._ask(Label(Kind.FENCE, i.mode, *place, source=i.source))

    def _allocate(self, i: Instr) -> Asking:
        size, alignment = self.value(i.a), self.value(i.b)
        if size >= NO_ROOM and not i.x & AllocFlag.STACK:
            self.set(i.dst, 0)
            return
        heap = self.private_heap if i.x & AllocFlag.PRIVATE else self.shared_heap
        address = heap.allocate(size, alignment)
        self.sizes[address] = size
        self.owners[address] = i.x & OWNER
        zeroed = bool(i.x & AllocFlag.ZERO)
        owner = i.x & OWNER
        if owner == AllocFlag.STACK:
            self.locals.append(address)
        if self.prologue is not None and heap is self.shared_heap:
            self.prologue.allocate(address, size, zeroed, owner)
        elif heap is self.private_heap and zeroed:
            self.private.fill(address, bytes(size))
        elif heap is self.shared_heap:
            yield from self._event(Label(Kind.ALLOC, address=address, size=size, value=owner, tame=zeroed))
        self.set(i.dst, address)

    def _free(self, i: Instr) -> Asking:
        address, owner = self.value(i.a), i.x & OWNER
        if owner == AllocFlag.STACK and address in self.locals:
            self.locals.remove(address)
        if self.prologue is not None and region(address) == Region.SHARED:
            error = self.prologue.free(address, owner)
            if error:
                fail(error, "free of an object that does not exist, or not any more")
        elif region(address) == Region.SHARED:
            yield from self._event(Label(Kind.FREE, address=address, value=owner))
        elif address in self.gone:
            fail("double-free", "the object was freed before")
        elif self.owners.get(address) == owner:
            self.gone.add(address)
        elif address != 0:
            fail("invalid-free", "free of something that was not allocated")

    def _create(self, i: Instr) -> Asking:
        self.prologue, self.in_prologue = None, False
        function, argument = self.value(i.a), self.value(i.b)
        self.function_at(function)
        other = self.child(self.children)
        self.children += 1
        yield from self._ask(Label(Kind.CREATE, address=function, value=argument, other=other))
        self.set(i.dst, other + 1)

    def _join(self, i: Instr) -> Asking:
        if self.prologue is not None or self.value(i.a) == 0:
            fail("thread", "a join of something that is not a thread")
        self.set(i.dst, (yield from self._ask(Label(Kind.JOIN, other=self.value(i.a) - 1))))

    def _choose(self, i: Instr) -> Asking:
        """One of the values from the first to the last; main's prologue ends at a choice."""
        mask = (1 << i.width) - 1
        first, last = self.value(i.a) & mask, self.value(i.b) & mask
        if first == last:
            self.set(i.dst, first)
            return
        if self.section is not None:
            raise ReferenceUnsupported("a choice in an atomic section")
        self.prologue, self.in_prologue = None, False
        options = tuple(first + n & mask for n in range((last - first & mask) + 1))
        self.set(i.dst, (yield from self._event(Label(Kind.CHOOSE, options=options))))

    def _synchronise(self, i: Instr) -> Asking:
        use, address = Use(self.program.operations[i.c], self.id, self.value(i.b)), self.value(i.a)
        if use.operation.is_meeting:
            yield from self._meet(use, address)
        elif use.operation.reads is None:
            yield from self._overwrite(use, address)
        else:
            yield from self._update(use, address, i.dst)

    def _meet(self, use: Use, address: int) -> Asking:
        """An arrival, and a departure that waits for the others; nothing if nobody else is to come."""
        count = evaluate(case_of(use, 0).value, use, 0)
        if count == 1:
            return
        if region(address) in (Region.FRAME, Region.PRIVATE):
            raise End(Ending(Fate.BLOCKED))
        if self.section is not None or self.tracker is not None:
            raise ReferenceUnsupported("a barrier in an atomic section, or with dependencies")
        self.prologue, self.in_prologue = None, False
        for kind in (Kind.ARRIVE, Kind.DEPART):
            yield Label(kind, address=address, value=count)
            self.events += 1

    def _overwrite(self, use: Use, address: int) -> Asking:
        """A write that depends on what this thread wrote there last, or else on the initial word."""
        operation, size = use.operation, use.operation.object.size
        memory = self.private if region(address) in (Region.FRAME, Region.PRIVATE) else self.initial
        case = case_of(use, old := self.written.get(address, memory.read(address, size)))
        _check_use(use, case)
        yield from self._write(
            Label(Kind.WRITE, operation.writes, address, size, new_word(case, use, old), use=use)
        )

    def _update(self, use: Use, address: int, dst: int) -> Asking:
        """A read, and either its write, or the thread waits or goes on without a write."""
        operation, size, reads = use.operation, use.operation.object.size, use.operation.reads
        assert reads is not None
        failure = Mode.RLX if operation.fails_relaxed else reads
        read = Label(Kind.READ, reads, address, size, exclusive=True, failure=failure, use=use)
        old = yield from self._read(read)
        if operation.counts_rounds:
            rounds, old = divmod(old, ROUNDS)
            use = use._replace(operand=rounds)
        case = case_of(use, old)
        _check_use(use, case)
        if case.effect is Effect.WAIT:
            raise End(Ending(Fate.WAITING, address))
        if case.effect is Effect.WRITE:
            value = new_word(case, use, old)
            yield from self._write(Label(Kind.WRITE, operation.writes, address, size, value, exclusive=True))
        if case.result is not None:
            self.set(dst, evaluate(case.result, use, old))


def _check_use(use: Use, case: Case) -> None:
    if case.effect is Effect.MISUSE:
        fail(use.operation.object.kind, case.message)


def _check_overwritten(label: Label, memory: Memory) -> None:
    """Reports, like ``objects`` for graphs, an operation that overwrites what it must not."""
    if label.use is not None and label.kind is Kind.WRITE:
        message = misuse_of_overwritten(label.use, memory.read(label.address, label.size))
        if message:
            fail(label.use.operation.object.kind, message)


def _size(i: Instr) -> int:
    return (i.width + 7) // 8


_READ_HALVES = {
    **dict.fromkeys((Mode.ACQ, Mode.ACQ_REL, Mode.AQ, Mode.ACQ_AQRL), Mode.ACQ),
    **dict.fromkeys((Mode.AQRL, Mode.AQRL_RLX, Mode.AQRL_REL), Mode.AQRL),
    **{Mode.SC: Mode.SC, Mode.RL: Mode.RL, Mode.NORET: Mode.NORET, Mode.NORET_REL: Mode.NORET},
    Mode.LOCK: Mode.LOCK,
}
_WRITE_HALVES = {
    **dict.fromkeys((Mode.REL, Mode.ACQ_REL, Mode.RL, Mode.AQRL_REL, Mode.NORET_REL), Mode.REL),
    **dict.fromkeys((Mode.AQRL, Mode.RLX_AQRL, Mode.ACQ_AQRL), Mode.AQRL),
    **{Mode.SC: Mode.SC, Mode.AQ: Mode.AQ, Mode.LOCK: Mode.LOCK},
}


def _read_half(mode: Mode) -> Mode:
    return _READ_HALVES.get(mode, Mode.RLX)


def _write_half(mode: Mode) -> Mode:
    return _WRITE_HALVES.get(mode, Mode.RLX)


def _source(i: Instr, half: Callable[[Mode], Mode]) -> Source | None:
    """What the source says of one half of a read-modify-write."""
    if i.source is None or i.source.mode is None:
        return i.source
    return Source(half(i.source.mode), _read_half(i.source.failure))


_EVENTS: dict[Op, Callable[[_Thread, Instr], Asking]] = {
    Op.LOAD: _Thread._load,
    Op.STORE: _Thread._store,
    Op.RMW: _Thread._rmw,
    Op.CAS: _Thread._compare_exchange,
    Op.LOAD_PAIR: _Thread._load,
    Op.STORE_PAIR: _Thread._store,
    Op.RMW_PAIR: _Thread._rmw,
    Op.CAS_PAIR: _Thread._compare_exchange,
    Op.FENCE: _Thread._fence,
    Op.FENCE_AT: _Thread._fence_at,
    Op.ALLOC: _Thread._allocate,
    Op.FREE: _Thread._free,
    Op.CREATE: _Thread._create,
    Op.JOIN: _Thread._join,
    Op.SYNC: _Thread._synchronise,
    Op.CHOOSE: _Thread._choose,
    Op.BEGIN: _Thread._begin,
    Op.END: _Thread._end,
}
