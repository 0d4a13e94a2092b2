"""Builds a test's bytecode directly, so that the engine can be tested without a compiler.

Main creates the threads in order, joins them in order and returns. Variables, then mutexes, are globals of 4
bytes, or as many as the parts that are accessed need, ``SPACING`` bytes apart. Each thread has its own
function: register 0 is its argument, register ``1 + n`` the test's register ``n``, and the rest are
temporaries. If some access has 16 bytes, the test's register ``n`` is two: ``1 + 2 * n`` and the upper half.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program import (
    CONST,
    NO_POSITION,
    Annotation,
    Function,
    Global,
    Instr,
    Loop,
    Mode,
    Op,
    Program,
    Region,
    RmwOp,
    Rounds,
    address,
    pieces_of,
)
from mazurka.program.kinds import ViolationKind
from mazurka.program.sync import Operation as SyncOperation
from mazurka.program.sync_objects import LOCK, MUTEX_DESTROY, TRYLOCK, UNLOCK
from mazurka.testing.operations import (
    FILLING,
    Assume,
    Choose,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Lock,
    Operation,
    Part,
    Place,
    Refute,
    Register,
    Repeat,
    Section,
    Store,
    Test,
    Unlock,
    Value,
    count_registers,
    has_parts,
    has_wide_parts,
    parts,
)

BASE = address(Region.GLOBAL, 4096)
MUTEX_OPERATIONS = (LOCK, TRYLOCK, UNLOCK, MUTEX_DESTROY)
SPACING = 16
WIDTH = 32
REGISTER = 64  # bits


def variable_address(test: Test, name: str) -> int:
    """Where a variable or a mutex lives."""
    names = [variable for variable, _ in test.variables] + list(test.mutexes)
    return BASE + SPACING * names.index(name)


def variable_size(test: Test, name: str) -> int:
    """How many bytes a variable or a mutex has."""
    ends = [part.first + part.size for part in parts(test) if part.variable == name]
    return max(ends, default=WIDTH // 8)


def to_program(test: Test) -> Program:
    """The test as a Program."""
    constants = Constants()
    lists: list[tuple[int, ...]] = [(constants.operand(0),)]  # what every function returns
    main = _main(len(test.threads), constants)
    loops: list[Loop] = []
    threads = [_ThreadBuilder(test, i, constants, loops, lists).build() for i in range(len(test.threads))]
    return Program(
        functions=(main, *threads),
        entry=0,
        globals=_globals(test),
        constants=tuple(constants.values),
        lists=tuple(lists),
        loops=tuple(loops),
        strings=(ViolationKind.ASSERTION.value, "a register has a value that was refuted"),
        operations=MUTEX_OPERATIONS,
    )


def _globals(test: Test) -> tuple[Global, ...]:
    initial = [*test.variables, *((mutex, 0) for mutex in test.mutexes)]
    sizes = {name: variable_size(test, name) for name, _ in initial}
    return tuple(
        Global(
            name,
            variable_address(test, name),
            sizes[name],
            pieces_of(value.to_bytes(sizes[name], "little")),
            False,
        )
        for name, value in initial
    )


def sync_instr(operation: SyncOperation, address: int, dst: int = 0) -> Instr:
    """An operation on a mutex."""
    number = MUTEX_OPERATIONS.index(operation)
    return Instr(Op.SYNC, dst=dst, a=address, b=address, c=number, x=int(operation.has_result))


class Constants:
    """The constant pool, each value once."""

    def __init__(self) -> None:
        self.values: dict[int, int] = {}

    def operand(self, value: int) -> int:
        return CONST | self.values.setdefault(value, len(self.values))


def _main(threads: int, constants: Constants) -> Function:
    def function_address(i: int) -> int:
        return constants.operand(address(Region.CODE, 16 * (i + 1)))

    zero = constants.operand(0)
    creates = [Instr(Op.CREATE, dst=i, a=function_address(i), b=zero) for i in range(threads)]
    joins = [Instr(Op.JOIN, dst=threads, a=i) for i in range(threads)]
    return Function("main", 0, threads + 1, 0, (), (*creates, *joins, Instr(Op.RET)))


def _width(operation: Operation) -> int:
    """How many bits an operation accesses."""
    place = getattr(operation, "place", None)
    return 8 * place.size if isinstance(place, Part) else WIDTH


class _ThreadBuilder:
    """Emits one thread's function."""

    def __init__(
        self,
        test: Test,
        number: int,
        constants: Constants,
        loops: list[Loop],
        lists: list[tuple[int, ...]],
    ) -> None:
        self.test = test
        self.number = number
        self.constants = constants
        self.loops = loops
        self.lists = lists
        self.is_wide = has_wide_parts(test)
        self.more = 3 if self.is_wide else 2  # temporaries, and registers that loops need
        self.code: list[Instr] = []
        self.filled = 0
        self.temporary = self._register(count_registers(test.threads[number]))
        self.width = REGISTER if has_parts(test) else WIDTH  # of registers

    def build(self) -> Function:
        """The thread's function."""
        self._block(self.test.threads[self.number])
        self.code.append(Instr(Op.RET))
        return Function(f"thread{self.number}", 1, self.temporary + self.more, 0, (), tuple(self.code))

    def _block(self, operations: tuple[Operation, ...]) -> None:
        for operation in operations:
            self._operation(operation)

    def _operation(self, operation: Operation) -> None:
        match operation:
            case Guard(register, value, body):
                self._guard(register, value, body)
            case Repeat():
                self._repeat(operation)
            case Section(body):
                self._emit(Instr(Op.BEGIN))
                self._block(body)
                self._emit(Instr(Op.END))
            case Refute(register, value):
                self._compare(register, value)
                self._refute()
            case Assume(register, value):
                self._compare(register, value)
                self._emit(Instr(Op.ASSUME, a=self.temporary))
            case Lock(mutex):
                self._emit(sync_instr(LOCK, self._place(mutex)))
            case Unlock(mutex):
                self._emit(sync_instr(UNLOCK, self._place(mutex)))
            case Fence(mode, place) if place is not None:
                width = 64 if mode is Mode.SRCU_SYNC else 8
                self._emit(Instr(Op.FENCE_AT, a=self._place(place), width=width, mode=mode))
            case Fence(mode):
                self._emit(Instr(Op.FENCE, mode=mode))
            case _:
                self._access(operation)

    def _access(self, operation: Operation) -> None:
        width = _width(operation)
        match operation:
            case Store():
                self._store(operation, width)
            case Load(mode, place):
                self._load(mode, place, width)
            case FetchAdd(mode, place, value):
                self._rmw(RmwOp.ADD, mode, place, value, width)
            case Exchange(mode, place, value):
                self._rmw(RmwOp.XCHG, mode, place, value, width)
            case CompareExchange():
                self._compare_exchange(operation)
            case Choose(first, last):
                a, b = self._value(first), self._value(last)
                self._emit(Instr(Op.CHOOSE, dst=self._register(self.filled), a=a, b=b, width=self.width))
        self.filled += isinstance(operation, FILLING)

    def _store(self, store: Store, width: int) -> None:
        at, mode = self._place(store.place), store.mode
        self._announce(store.annotation)
        if width <= REGISTER:
            self._emit(Instr(Op.STORE, a=at, b=self._value(store.value), width=width, mode=mode))
            return
        low, high = self._halves(store.value)
        if mode is not Mode.NA:
            self._emit(Instr(Op.STORE_PAIR, a=at, b=low, c=high, width=width, mode=mode))
            return
        for half, value in zip(self._half_places(store.place), (low, high), strict=True):
            self._emit(Instr(Op.STORE, a=half, b=value))

    def _load(self, mode: Mode, place: Place, width: int) -> None:
        destination = self._register(self.filled)
        if width > REGISTER and mode is Mode.NA:
            for i, half in enumerate(self._half_places(place)):
                self._emit(Instr(Op.LOAD, dst=destination + i, a=half))
            return
        op = Op.LOAD_PAIR if width > REGISTER else Op.LOAD
        self._emit(Instr(op, dst=destination, a=self._place(place), width=width, mode=mode))

    def _rmw(self, op: RmwOp, mode: Mode, place: Place, value: Value, width: int) -> None:
        at, destination = self._place(place), self._register(self.filled)
        if width > REGISTER:
            b, c = self._halves(value)
            self._emit(Instr(Op.RMW_PAIR, dst=destination, a=at, b=b, c=c, width=width, mode=mode, x=op))
        else:
            operand = self._value(value)
            self._emit(Instr(Op.RMW, dst=destination, a=at, b=operand, width=width, mode=mode, x=op))

    def _compare_exchange(self, cas: CompareExchange) -> None:
        at, old, width = self._place(cas.place), self.temporary, _width(cas)
        common = Instr(Op.CAS, dst=old, a=at, width=width, mode=cas.mode, x=cas.failure)
        self._announce(cas.annotation)
        if width > REGISTER:
            self.lists.append((*self._halves(cas.expected), *self._halves(cas.new)))
            self._emit(replace(common, op=Op.CAS_PAIR, c=len(self.lists) - 1))
            self._emit(Instr(Op.MOV, dst=self._register(self.filled) + 1, a=old + 1))
        else:
            self._emit(replace(common, b=self._value(cas.expected), c=self._value(cas.new)))
        self._emit(Instr(Op.MOV, dst=self._register(self.filled), a=old))

    def _announce(self, annotation: Annotation | None) -> None:
        if annotation is not None:
            self._emit(Instr(Op.ANNOTATE, a=annotation))

    def _guard(self, register: Register, value: int, body: tuple[Operation, ...]) -> None:
        self._compare(register, value)
        branch = len(self.code)
        self._emit(Instr(Op.BR, a=self.temporary, b=branch + 1))
        self._block(body)
        self.code[branch] = replace(self.code[branch], c=len(self.code))

    def _refute(self) -> None:
        """Fails if the temporary is not 0."""
        branch = len(self.code)
        self._emit(Instr(Op.BR, a=self.temporary, b=branch + 1, c=branch + 2))
        self._emit(Instr(Op.FAIL, a=0, b=1))

    def _repeat(self, loop: Repeat) -> None:
        """The body, a branch out for each condition that does not hold to the edge back, and that edge."""
        rounds = self._new_register()
        number = len(self.loops)
        self.loops.append(Loop(f"thread{self.number}", NO_POSITION))
        self._emit(Instr(Op.MOV, dst=rounds, a=self.constants.operand(0)))
        counted = rounds if loop.most is None else self._new_register()
        self._emit(Instr(Op.MOV, dst=counted, a=self.constants.operand(0)))
        header = len(self.code)
        self._block(loop.body)
        stays = [self._branch_unless(register, value) for register, value in loop.until]
        leaves = [len(self.code)]
        self._emit(Instr(Op.JMP))
        for branch in stays:
            self.code[branch] = replace(self.code[branch], c=len(self.code))
        if loop.most is not None:
            self._emit(Instr(Op.ADD, dst=counted, a=counted, b=self.constants.operand(1)))
            most = self.constants.operand(loop.most)
            self._emit(Instr(Op.ULT, dst=self.temporary, a=counted, b=most))
            branch = len(self.code)
            self._emit(Instr(Op.BR, a=self.temporary, b=branch + 2, c=branch + 1))
            leaves.append(branch + 1)
            self._emit(Instr(Op.JMP))
        self._emit(
            Instr(Op.LOOP, dst=rounds, a=number, x=Rounds.ANY if loop.most is None else Rounds.CONSTANT)
        )
        self._emit(Instr(Op.JMP, a=header))
        for jump in leaves:
            self.code[jump] = replace(self.code[jump], a=len(self.code))

    def _branch_unless(self, register: Register, value: Value) -> int:
        self._compare(register, value)
        branch = len(self.code)
        self._emit(Instr(Op.BR, a=self.temporary, b=branch + 1))
        return branch

    def _new_register(self) -> int:
        self.more += 1
        return self.temporary + self.more - 1

    def _compare(self, register: Register, value: Value) -> None:
        a, b = self._value(register), self._value(value)
        self._emit(Instr(Op.EQ, dst=self.temporary, a=a, b=b, width=self.width))
        if self.is_wide:
            (_, a), (_, b) = self._halves(register), self._halves(value)
            self._emit(Instr(Op.EQ, dst=self.temporary + 1, a=a, b=b))
            self._emit(Instr(Op.AND, dst=self.temporary, a=self.temporary, b=self.temporary + 1))

    def _place(self, place: Place) -> int:
        """The operand that holds the address of a place; an index is computed into a temporary."""
        if isinstance(place, Part):
            return self.constants.operand(variable_address(self.test, place.variable) + place.first)
        if not isinstance(place, Indexed):
            return self.constants.operand(variable_address(self.test, place))
        index = self.temporary
        base = BASE + SPACING * place.first
        for op, operand in ((Op.AND, place.mask), (Op.MUL, SPACING), (Op.ADD, base)):
            source = self._register(place.register.number) if op is Op.AND else index
            self._emit(Instr(op, dst=index, a=source, b=self.constants.operand(operand)))
        return index

    def _register(self, number: int) -> int:
        return 1 + number * (2 if self.is_wide else 1)

    def _half_places(self, place: Place) -> tuple[int, int]:
        """Operands with the addresses of the halves of 16 bytes: a plain access is one of each."""
        assert isinstance(place, Part)
        lower = Part(place.variable, place.first, REGISTER // 8)
        return self._place(lower), self._place(replace(lower, first=place.first + REGISTER // 8))

    def _value(self, value: Value) -> int:
        """The operand that holds a value, or its lower half."""
        if isinstance(value, Register):
            return self._register(value.number)
        return self.constants.operand(value & (1 << REGISTER) - 1)

    def _halves(self, value: Value) -> tuple[int, int]:
        """The operands that hold a value of 16 bytes."""
        low = self._value(value)
        return low, low + 1 if isinstance(value, Register) else self.constants.operand(value >> REGISTER)

    def _emit(self, instruction: Instr) -> None:
        self.code.append(instruction)
