"""From a litmus test to a Program: a walk over its operations.

Main creates the threads, joins them and returns. When a thread ends, it stores each of its registers that the
test observes to a cell that nobody else accesses (``Layout.cells``): a write without readers and without
successors changes no model's verdict, and no count.

I1: operations mean what ``litmus.meaning.operations`` says; how their orders become modes, and fences events,
depends on the language and the model (``modes``).
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.litmus.meaning.operations import (
    END,
    Branch,
    CompareSwap,
    Compute,
    Fence,
    Label,
    Load,
    LockOperation,
    Operand,
    Operation,
    Order,
    Register,
    Rmw,
    Store,
    sources,
)
from mazurka.litmus.meaning.test import LitmusTest, Thread
from mazurka.litmus.meaning.values import Address
from mazurka.litmus.running.exclusives import pair_at
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.modes import C11_FENCES, SRCU, Modes, modes_of
from mazurka.litmus.running.srcu import MOST, Sections
from mazurka.program import (
    CONST,
    Function,
    Instr,
    Loop,
    Mode,
    Op,
    Position,
    Program,
    Region,
    RmwOp,
    Rounds,
    address,
)

_ALL = (1 << 64) - 1
_OF_SRCU = {
    **{"srcu-lock": "srcu_read_lock", "srcu-unlock": "srcu_read_unlock", "srcu-sync": "synchronize_srcu"},
}


def to_program(test: LitmusTest, layout: Layout, model: str = "sc") -> Program:
    """The test as a Program; what its orders become depends on the name of the model."""
    lowered = _Lowering(test, layout, modes_of(test.language, model))
    threads = tuple(_Thread(lowered, number).function() for number in range(len(test.threads)))
    return Program(
        functions=(lowered.main(), *threads),
        entry=0,
        globals=layout.globals(),
        constants=tuple(lowered.constants),
        lists=tuple(lowered.lists),
        positions=tuple(lowered.positions),
        loops=tuple(lowered.loops),
    )


class _Lowering:
    """What the functions of the Program share."""

    def __init__(self, test: LitmusTest, layout: Layout, modes: Modes) -> None:
        self.test = test
        self.layout = layout
        self.modes = modes
        self.constants: dict[int, int] = {}
        self.positions: dict[Position, int] = {}
        self.loops: list[Loop] = []
        self.lists: list[tuple[int, ...]] = [(self.constant(0),)]  # what every function returns

    def constant(self, value: int) -> int:
        return CONST | self.constants.setdefault(value & _ALL, len(self.constants))

    def position(self, place: Place) -> int:
        return self.positions.setdefault(Position(*place), len(self.positions))

    def main(self) -> Function:
        threads = range(len(self.test.threads))
        code = [self.constant(address(Region.CODE, 16 * (i + 1))) for i in threads]
        creates = [Instr(Op.CREATE, dst=i, a=code[i], b=self.constant(0)) for i in threads]
        joins = [Instr(Op.JOIN, dst=len(threads), a=i) for i in threads]
        return Function("main", 0, len(threads) + 1, 0, (), (*creates, *joins, Instr(Op.RET)))


class _Thread:
    """Emits the function of one thread. Register 0 is its argument, which it does not use."""

    def __init__(self, lowered: _Lowering, number: int) -> None:
        self.lowered = lowered
        self.number = number
        self.thread: Thread = lowered.test.threads[number]
        self.numbers: dict[str, int] = {}
        self.used = 1
        self.code: list[Instr] = []
        self.labels: dict[str, int] = {}
        self.jumps: list[tuple[int, str]] = []  # instructions, and the labels to which they jump
        self.place = Place(lowered.test.file)
        self.wrong: list[int] = []  # registers that are not 0 at the end if the thread chose what cannot be
        self.sections = 0  # critical sections of RCU that have begun
        self.srcu = Sections()

    def function(self) -> Function:
        """The thread's code."""
        steps = [(o, i.place) for i in self.thread.instructions for o in i.operations]
        operations, at = [operation for operation, _ in steps], 0
        while at < len(steps):
            operation, self.place = steps[at]
            at += self._exclusive(operations, at) if _is_exclusive(operation) else self._step(operation)
        self.labels[END] = len(self.code)
        self._leave_registers()
        self._leave_if_wrong()
        self._emit(Instr(Op.RET))
        for at, label in self.jumps:
            self.code[at] = replace(self.code[at], a=self.labels[label])
        prologue = self._initial()
        moved = tuple(_moved(instr, len(prologue)) for instr in self.code)
        return Function(f"P{self.number}", 1, self.used, 0, (), (*prologue, *moved))

    def _initial(self) -> list[Instr]:
        """Gives each register its first value; those that the test does not mention are 0."""
        values = dict.fromkeys(self.numbers, 0)
        for given in self.lowered.test.registers:
            if given.register.thread == self.number and given.value is not None:
                values[given.register.register] = self.lowered.layout.value(given.value, given.place)
        constants = ((name, self.lowered.constant(value)) for name, value in values.items())
        return [Instr(Op.MOV, dst=self._register(name), a=value) for name, value in constants]

    def _leave_registers(self) -> None:
        for observed, cell in self.lowered.layout.cells.items():
            if observed.thread == self.number:
                value = self._register(observed.register)
                self._emit(Instr(Op.STORE, a=self.lowered.constant(cell), b=value, mode=Mode.RLX))

    # registers and operands

    def _register(self, name: str) -> int:
        if name not in self.numbers:
            self.numbers[name] = self._scratch()
        return self.numbers[name]

    def _scratch(self, count: int = 1) -> int:
        self.used += count
        return self.used - count

    def _dst(self, register: Register | None) -> int:
        return self._scratch() if register is None else self._register(register.name)

    def _operand(self, operand: Operand) -> int:
        match operand:
            case Register(name):
                return self._register(name)
            case Address():
                return self.lowered.constant(self.lowered.layout.value(operand, self.place))
            case _:
                return self.lowered.constant(operand)

    def _emit(self, instr: Instr) -> None:
        self.code.append(replace(instr, position=self.lowered.position(self.place)))

    # instructions

    def _step(self, operation: Operation) -> int:
        """Emits an operation; returns 1, as one is done."""
        self.srcu.follow(operation)
        match operation:
            case Label(name):
                self.labels[name] = len(self.code)
            case Branch():
                self._branch(operation)
            case Compute(op, dst, a, b, c, width, x):
                operands = [self._operand(operand) for operand in (a, b, c)[: _arity(op)]]
                first, second, third = (*operands, 0, 0)[:3]
                self._emit(Instr(op, self._dst(dst), first, second, third, width, x=x))
            case Load():
                self._load(operation)
            case Store():
                self._store(operation)
            case Rmw():
                self._rmw(operation)
            case CompareSwap():
                self._compare_swap(operation)
            case Fence():
                self._fence(operation)
            case LockOperation():
                self._lock(operation)
        return 1

    def _lock(self, operation: LockOperation) -> None:
        """A lock holds 1 while it is taken. Who finds it taken waits, or does not try again."""
        if not self.lowered.modes.has_locks:
            raise self._unsupported("the kernel's locks and SRCU are not supported under this model")
        if operation.kind.startswith("srcu"):
            self._srcu(operation)
            return
        at, zero, one = self._operand(operation.address), self.lowered.constant(0), self.lowered.constant(1)
        old = self._scratch(2)
        match operation.kind:
            case "unlock":
                self._emit(Instr(Op.STORE, a=at, b=zero, mode=Mode.UNLOCK))
            case "is-locked":
                self._emit(Instr(Op.LOAD, dst=self._dst(operation.dst), a=at, mode=Mode.RLX))
            case "trylock":
                self._emit(Instr(Op.CAS, dst=old, a=at, b=zero, c=one, mode=Mode.LOCK, x=Mode.RLX))
                self._emit(Instr(Op.MOV, dst=self._dst(operation.dst), a=old + 1))
            case _:
                self._emit(Instr(Op.RMW, dst=old, a=at, b=one, mode=Mode.LOCK, x=RmwOp.XCHG))
                self._emit(Instr(Op.EQ, dst=old + 1, a=old, b=zero))
                self._emit(Instr(Op.ASSUME, a=old + 1))

    def _srcu(self, operation: LockOperation) -> None:
        """A fence of the srcu_struct, or of one byte of it, for a section. An index is 0, as in herd."""
        at, number, width = self._operand(operation.address), None, 64
        if operation.kind == "srcu-lock":
            number, width = self.srcu.begin(operation), 8
            if number is None:
                raise self._unsupported(f"more than {MOST} SRCU critical sections in one thread")
            self._emit(Instr(Op.MOV, dst=self._dst(operation.dst), a=self.lowered.constant(0)))
        elif operation.kind == "srcu-unlock":
            number, width = self.srcu.end(operation), 8
            if number is None:
                raise self._unsupported(
                    "srcu_read_unlock must take, exactly once, the index that srcu_read_lock returned "
                    "for the same srcu_struct in the same thread"
                )
        if number:
            byte = self._scratch()
            self._emit(Instr(Op.ADD, dst=byte, a=at, b=self.lowered.constant(number)))
            at = byte
        name = _OF_SRCU[operation.kind]
        self._emit(Instr(Op.FENCE_AT, a=at, width=width, mode=SRCU[operation.kind], expr=name))

    def _exclusive(self, operations: list[Operation], at: int) -> int:
        """Emits an exclusive pair, which may fail; returns of how many operations it is made."""
        pair = pair_at(operations, at) if isinstance(operations[at], Load) else None
        if pair is None:
            raise self._unsupported(
                "exclusive accesses are supported only in pairs, with nothing but computations between them, "
                "that exchange a value or add a number"
            )
        status, constant = self._dst(pair.store.status), self.lowered.constant
        choice, branch = self._scratch(), len(self.code) + 1
        self._emit(Instr(Op.CHOOSE, dst=choice, a=constant(0), b=constant(1)))
        self._emit(Instr(Op.BR, a=choice, b=branch + 1))
        self._load(pair.load)
        for step in pair.between:
            self._step(step)
        self._emit(Instr(Op.MOV, dst=status, a=constant(1)))
        jump = len(self.code)
        self._emit(Instr(Op.JMP))
        self.code[branch] = replace(self.code[branch], c=len(self.code))
        for step in pair.before:
            self._step(step)
        load, store = pair.load, pair.store
        both = Rmw(pair.op, load.dst, load.address, pair.early_value, load.size, load.order, store.order)
        self._rmw(both, is_whole=False)
        for step in pair.between:
            self._step(step)
        if self.lowered.modes.success_is_read and self._is_used(pair.store.status):
            at = constant(self.lowered.layout.success)
            self._emit(Instr(Op.LOAD, dst=status, a=at, mode=Mode.SUCCESS))
        else:
            self._emit(Instr(Op.MOV, dst=status, a=constant(0)))
        self.code[jump] = replace(self.code[jump], a=len(self.code))
        return len(pair.between) + 2

    def _is_used(self, register: Register | None) -> bool:
        """Whether an operation reads a register, wherever it is."""
        operations = self.thread.operations
        return register is not None and any(register in sources(operation) for operation in operations)

    def _fence(self, fence: Fence) -> None:
        mode = self.lowered.modes.fence(fence)
        if mode is None:
            raise self._unsupported(f"the fence '{fence.kind}' is not supported")
        if mode is not Mode.NA and not self._is_inner(mode):
            name = "" if fence.kind in C11_FENCES else fence.kind
            self._emit(Instr(Op.FENCE, mode=mode, expr=name))

    def _is_inner(self, mode: Mode) -> bool:
        """Whether a fence begins or ends a critical section of RCU inside of another, which matters alone."""
        if mode not in (Mode.RCU_LOCK, Mode.RCU_UNLOCK):
            return False
        self.sections = max(0, self.sections + (1 if mode is Mode.RCU_LOCK else -1))
        is_inner = self.sections > (1 if mode is Mode.RCU_LOCK else 0)
        if is_inner and any(isinstance(operation, Branch) for operation in self.thread.operations):
            raise self._unsupported("nested critical sections of RCU are not supported in code with branches")
        return is_inner

    def _load(self, load: Load) -> None:
        dst, at = self._dst(load.dst), self._operand(load.address)
        mode = self._mode(self.lowered.modes.load(load.order, is_half=load.is_exclusive), load.order)
        if load.size > 8:
            self._pair_results(Instr(Op.LOAD_PAIR, a=at, width=8 * load.size, mode=mode), load.dst, load.high)
            return
        self._emit(Instr(Op.LOAD, dst=dst, a=at, width=8 * load.size, mode=mode))

    def _store(self, store: Store) -> None:
        at, value = self._operand(store.address), self._operand(store.value)
        mode = self._mode(self.lowered.modes.store(store.order), store.order)
        if store.size > 8:
            high = self._operand(store.high or 0)
            self._emit(Instr(Op.STORE_PAIR, a=at, b=value, c=high, width=8 * store.size, mode=mode))
            return
        self._emit(Instr(Op.STORE, a=at, b=value, width=8 * store.size, mode=mode))

    def _rmw(self, rmw: Rmw, *, is_whole: bool = True) -> None:
        if rmw.unless is not None:
            self._rmw_unless(rmw, rmw.unless)
            return
        value = self._operand(rmw.value)
        if rmw.clears:
            inverted = self._scratch()
            self._emit(Instr(Op.XOR, dst=inverted, a=value, b=self.lowered.constant(_ALL)))
            value = inverted
        found = self.lowered.modes.update(rmw.read, rmw.write, is_whole=is_whole)
        mode = self._mode(found, rmw.read)
        dst, at = self._dst(rmw.dst), self._operand(rmw.address)
        self._emit(Instr(Op.RMW, dst=dst, a=at, b=value, width=8 * rmw.size, mode=mode, x=rmw.op))

    def _rmw_unless(self, rmw: Rmw, unless: Operand) -> None:
        """A choice: to read the excepted value and nothing else, or to write, and to have read another.

        Whether it was the wrong choice is asked at the end, because nothing depends on the answer. What only
        reads is a compare-exchange that fails, since it expects another value than the excepted one.
        """
        constant, old, excepted = self.lowered.constant, self._dst(rmw.dst), self._operand(unless)
        at, another, read = self._operand(rmw.address), self._scratch(), self._scratch(2)
        self.wrong.append(self._register(f"%wrong{len(self.wrong)}"))
        choice, branch = self._scratch(), len(self.code) + 1
        self._emit(Instr(Op.CHOOSE, dst=choice, a=constant(0), b=constant(1)))
        self._emit(Instr(Op.BR, a=choice, b=branch + 1))
        self._emit(Instr(Op.ADD, dst=another, a=excepted, b=constant(1)))
        mode = self._mode(self.lowered.modes.load(Order.ONCE), Order.ONCE)
        width = 8 * rmw.size
        self._emit(Instr(Op.CAS, dst=read, a=at, b=another, c=excepted, width=width, mode=mode, x=mode))
        self._emit(Instr(Op.MOV, dst=old, a=read))
        self._emit(Instr(Op.NE, dst=self.wrong[-1], a=old, b=excepted))
        jump = len(self.code)
        self._emit(Instr(Op.JMP))
        self.code[branch] = replace(self.code[branch], c=len(self.code))
        self._rmw(replace(rmw, unless=None))
        self._emit(Instr(Op.EQ, dst=self.wrong[-1], a=old, b=excepted))
        self.code[jump] = replace(self.code[jump], a=len(self.code))

    def _leave_if_wrong(self) -> None:
        """Only executions without a wrong choice count."""
        for register in self.wrong:
            right = self._scratch()
            self._emit(Instr(Op.EQ, dst=right, a=register, b=self.lowered.constant(0)))
            self._emit(Instr(Op.ASSUME, a=right))

    def _compare_swap(self, swap: CompareSwap) -> None:
        modes = self.lowered.modes
        old = self._scratch(2)
        expected, new = self._operand(swap.expected), self._operand(swap.new)
        mode = self._mode(modes.update(swap.read, swap.write), swap.read)
        failure = self._mode(modes.load(swap.failure, is_half=True), swap.failure)
        at, width = self._operand(swap.address), 8 * swap.size
        if swap.high is not None:
            upper, expected_high, new_high = swap.high
            halves = (expected, self._operand(expected_high), new, self._operand(new_high))
            self.lowered.lists.append(halves)
            number = len(self.lowered.lists) - 1
            instr = Instr(Op.CAS_PAIR, a=at, c=number, width=width, mode=mode, x=failure)
            self._pair_results(instr, swap.dst, upper)
            return
        tries = self._fails_for_no_reason(old, at, expected, width, failure) if swap.is_weak else None
        self._emit(Instr(Op.CAS, dst=old, a=at, b=expected, c=new, width=width, mode=mode, x=failure))
        if tries is not None:
            self.code[tries] = replace(self.code[tries], a=len(self.code))
        self._emit(Instr(Op.MOV, dst=self._dst(swap.dst), a=old))
        if swap.success is not None:
            self._emit(Instr(Op.MOV, dst=self._dst(swap.success), a=old + 1))

    def _fails_for_no_reason(self, old: int, at: int, expected: int, width: int, failure: Mode) -> int:
        """A choice: to read the expected value and fail all the same. Returns the jump behind the other."""
        zero, one = self.lowered.constant(0), self.lowered.constant(1)
        branch = len(self.code) + 1
        self._emit(Instr(Op.CHOOSE, dst=old + 1, a=zero, b=one))
        self._emit(Instr(Op.BR, a=old + 1, b=branch + 1, c=branch + 6))
        self._emit(Instr(Op.LOAD, dst=old, a=at, width=width, mode=failure))
        self._emit(Instr(Op.EQ, dst=old + 1, a=old, b=expected))
        self._emit(Instr(Op.ASSUME, a=old + 1))
        self._emit(Instr(Op.MOV, dst=old + 1, a=zero))
        self._emit(Instr(Op.JMP))
        return len(self.code) - 1

    def _pair_results(self, instr: Instr, low: Register | None, high: Register | None) -> None:
        """Emits an instruction with results of 16 bytes, and moves the halves to their registers."""
        first = self._scratch(3)  # CAS_PAIR says, too, whether it succeeded
        self._emit(replace(instr, dst=first))
        for number, register in enumerate((low, high)):
            if register is not None:
                self._emit(Instr(Op.MOV, dst=self._dst(register), a=first + number))

    def _branch(self, branch: Branch) -> None:
        """A branch; one backwards counts its rounds, so that a bound can end them."""
        if branch.condition is not None:
            condition = self._register(branch.condition.name)
            at = len(self.code)
            self._emit(Instr(Op.BR, a=condition, b=at + 1))
            self._jump(branch.target)
            self.code[at] = replace(self.code[at], c=len(self.code))
        else:
            self._jump(branch.target)

    def _jump(self, target: str) -> None:
        if target in self.labels:
            self.lowered.loops.append(Loop(f"P{self.number}", self.lowered.position(self.place)))
            rounds = self._register(f"%loop{len(self.lowered.loops)}")
            self._emit(Instr(Op.LOOP, dst=rounds, a=len(self.lowered.loops) - 1, x=Rounds.ANY))
        self.jumps.append((len(self.code), target))
        self._emit(Instr(Op.JMP))

    def _mode(self, mode: Mode | None, order: Order) -> Mode:
        if mode is None:
            raise self._unsupported(f"accesses with the order '{order.value}' are not supported yet")
        return mode

    def _unsupported(self, message: str) -> SourceError:
        hint = "rewrite the test without it"
        return SourceError(ErrorCode.UNSUPPORTED, message, place=self.place, hint=hint)


def _is_exclusive(operation: Operation) -> bool:
    return isinstance(operation, Load | Store) and operation.is_exclusive


def _arity(op: Op) -> int:
    """How many operands a computation has, by its row."""
    return len(op.row.split(";")[0].split("=")[1].split())


def _moved(instr: Instr, by: int) -> Instr:
    """An instruction whose targets are so much further on."""
    if instr.op is Op.JMP:
        return replace(instr, a=instr.a + by)
    return replace(instr, b=instr.b + by, c=instr.c + by) if instr.op is Op.BR else instr
