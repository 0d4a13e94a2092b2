"""From trees of steps to bytecode.

Main creates the threads in order, joins them in order, runs what comes after them, and returns. Variables are
globals, ``SPACING`` bytes apart. Registers of a function: its own first ones, then results of steps, then a
counter for each loop, then temporaries. Values have 64 bits; loads extend the sign, and stores cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mazurka.program import (
    CONST,
    NO_POSITION,
    SIGNED,
    Function,
    Global,
    Instr,
    Loop,
    Mode,
    Op,
    Position,
    Program,
    Region,
    Rounds,
    TypeInfo,
    address,
    pieces_of,
)
from mazurka.program.kinds import ViolationKind
from mazurka.program.sync_objects import LOCK, UNLOCK
from mazurka.tracing.tree import Act, Again, Failed, LoopBegin, LoopEnd, Node, Place, Question, Returned
from mazurka.tracing.values import BITS, Computed, Constant, Result, Value

BASE = address(Region.GLOBAL, 4096)
SPACING = 16
_OPERATIONS = (LOCK, UNLOCK)
_TYPES = {8: "signed char", 16: "short", 32: "int", 64: "long"}
_FUNCTION_STRIDE = 16  # function i lives at CODE | i * 16
_MASK = (1 << BITS) - 1


class Traced(NamedTuple):
    """A function that was traced."""

    name: str
    where: Position
    tree: Node


@dataclass(frozen=True)
class _Round:
    """A loop whose code is being written."""

    header: int
    number: int
    counter: int


class Builder:
    """Makes one Program."""

    def __init__(self, threads: Sequence[Traced], after: Traced | None, where: Position) -> None:
        self.threads = threads
        self.after = after
        self.where = where
        self.constants: dict[int, int] = {}
        self.positions: list[Position] = []
        self.loops: list[Loop] = []
        self.strings = [ViolationKind.ASSERTION.value]
        self.lists: list[tuple[int, ...]] = [(self.constant(0),)]  # what a function without a result returns
        trees = [one.tree for one in (*threads, *([after] if after else []))]
        self.places = _places(trees)

    def program(self) -> Program:
        """The Program, without the passes over its code, and without its source."""
        main = self._main()
        functions = [_FunctionBuilder(self, one, 0).function(0) for one in self.threads]
        sizes = sorted({place.bits for place in self.places})
        return Program(
            functions=(main, *functions),
            entry=0,
            globals=tuple(self._global(place, sizes) for place in self.places),
            constants=tuple(self.constants),
            lists=tuple(self.lists),
            strings=tuple(self.strings),
            positions=tuple(self.positions),
            loops=tuple(self.loops),
            types=tuple(TypeInfo(_TYPES[bits], bits // 8, "scalar") for bits in sizes),
            operations=_OPERATIONS,
        )

    def _main(self) -> Function:
        count = len(self.threads)
        here = self.position(self.where)
        code = [
            Instr(
                Op.CREATE,
                dst=thread,
                a=self.constant(address(Region.CODE, _FUNCTION_STRIDE * (thread + 1))),
                b=self.constant(0),
                position=here,
            )
            for thread in range(count)
        ]
        code += [Instr(Op.JOIN, dst=count + thread, a=thread, position=here) for thread in range(count)]
        if self.after is None:
            return Function("main", 0, 2 * count, 0, (), (*code, Instr(Op.RET)), here)
        return _FunctionBuilder(self, self.after, count, count, code).function(0)

    def _global(self, place: Place, sizes: list[int]) -> Global:
        size = place.bits // 8
        data = (place.initial & ((1 << place.bits) - 1)).to_bytes(size, "little")
        return Global(place.name, self.address(place), size, pieces_of(data), False, sizes.index(place.bits))

    def address(self, place: Place) -> int:
        """Where a variable lives."""
        return BASE + SPACING * self.places.index(place)

    def constant(self, value: int) -> int:
        """The operand of a constant."""
        return CONST | self.constants.setdefault(value & _MASK, len(self.constants))

    def string(self, text: str) -> int:
        """The number of a string."""
        if text not in self.strings:
            self.strings.append(text)
        return self.strings.index(text)

    def position(self, where: Position) -> int:
        """A position with a number of its own (I2)."""
        self.positions.append(where)
        return len(self.positions) - 1


def nodes(tree: Node) -> Iterator[Node]:
    """All nodes of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [one for one in (node.otherwise, node.after) if one is not None]


def _places(trees: Sequence[Node]) -> list[Place]:
    """The variables that the trees use, each once, by name."""
    steps = (node.step for tree in trees for node in nodes(tree))
    found = {step.place for step in steps if isinstance(step, Act) and step.place is not None}
    return sorted(found, key=lambda place: place.name)


class _FunctionBuilder:
    """Writes the code of one tree."""

    def __init__(
        self, builder: Builder, traced: Traced, base: int, first: int = 0, code: Sequence[Instr] = ()
    ) -> None:
        self.builder = builder
        self.traced = traced
        self.base = base  # the register of result 0
        self.first = first  # the number of the first result of its own
        self.code = list(code)
        self.operand = 0
        steps = [node.step for node in nodes(traced.tree)]
        acts = sum(isinstance(step, Act) and step.has_result for step in steps)
        self.counters = base + first + acts
        self.temporaries = self.counters + sum(isinstance(step, LoopBegin) for step in steps)
        self.used = self.most = self.temporaries

    def function(self, params: int) -> Function:
        """The function of the tree."""
        position = self.builder.position(self.traced.where)
        self._tree(self.traced.tree, self.first, ())
        return Function(self.traced.name, params, self.most, 0, (), tuple(self.code), position)

    def _tree(self, node: Node, results: int, loops: tuple[_Round, ...]) -> None:
        while node.end is None:
            assert node.step is not None, "each run of a function ends"
            assert node.after is not None, "a step has something behind it"
            self.used = self.temporaries
            step, following = node.step, node.after
            if isinstance(step, Act):
                node.number = self.builder.position(step.where)
                self._act(step, node.number, self.base + results)
                results += step.has_result
            elif isinstance(step, LoopBegin):
                loops = (*loops, self._begin(step))
            elif isinstance(step, LoopEnd):
                self._go_round(step, loops[-1])
                loops = loops[:-1]
            elif isinstance(step, Question):
                assert node.otherwise is not None, "a question has two answers"
                branch = len(self.code) + self._compute(step.value)
                self._emit(Op.BR, a=self.operand, b=branch + 1)
                self._tree(node.after, results, loops)
                self.code[branch] = replace(self.code[branch], c=len(self.code))
                following = node.otherwise
            node = following
        if isinstance(node.end, Again):
            self._round_again(loops[-1])
        else:
            self._end(node.end)

    def _end(self, end: Returned | Failed) -> None:
        self.used = self.temporaries
        if isinstance(end, Failed):
            kind, message = 0, self.builder.string(end.message)
            self._emit(Op.FAIL, a=kind, b=message, position=self.builder.position(end.where))
        elif len(end.values) == 1:
            operand = self._value(end.values[0])
            self.builder.lists.append((operand,))
            self._emit(Op.RET, c=len(self.builder.lists) - 1)
        else:
            self._emit(Op.RET)

    def _begin(self, step: LoopBegin) -> _Round:
        position = self.builder.position(step.where)
        number = len(self.builder.loops)
        self.builder.loops.append(Loop(self.traced.name, position))
        counter = self.counters
        self.counters += 1
        self._emit(Op.MOV, dst=counter, a=self.builder.constant(0))
        return _Round(len(self.code), number, counter)

    def _go_round(self, step: LoopEnd, loop: _Round) -> None:
        if isinstance(step.value, Constant):
            return  # it is true, or this way would have another end
        branch = len(self.code) + self._compute(step.value)
        self._emit(Op.BR, a=self.operand, b=branch + 3, c=branch + 1)
        self._round_again(loop)

    def _round_again(self, loop: _Round) -> None:
        self._emit(Op.LOOP, dst=loop.counter, a=loop.number, x=Rounds.ANY)
        self._emit(Op.JMP, a=loop.header)

    def _act(self, act: Act, position: int, result: int) -> None:
        known: dict[str, int] = {"position": position, "mode": act.mode}
        if act.place is None:
            self._elsewhere(act, known, result)
            return
        place, bits = act.place, act.place.bits
        at = self.builder.constant(self.builder.address(place))
        access: dict[str, int | str] = {**known, "a": at, "width": bits, "expr": place.name}
        if place.is_mutex:
            operation = _OPERATIONS[act.kind == "unlock"]
            number = _OPERATIONS.index(operation)
            mutex: dict[str, int | str] = {
                "a": at,
                "b": at,
                "c": number,
                "x": int(operation.has_result),
                "expr": place.name,
            }
            self._emit(Op.SYNC, dst=self._temporary(), position=position, **mutex)
        elif act.kind == "load":
            self._emit(Op.LOAD, dst=result, **access)
        elif act.kind == "store":
            self._emit(Op.STORE, b=self._cut(act.values[0], bits), **access)
        elif act.kind == "rmw":
            self._emit(Op.RMW, dst=result, b=self._cut(act.values[0], bits), x=act.rmw, **access)
        else:
            expected, new = (self._cut(value, bits) for value in act.values)
            old = self._temporary(2)
            self._emit(Op.CAS, dst=old, b=expected, c=new, x=act.failure, **access)
            self._emit(Op.MOV, dst=result, a=old)
        if act.has_result and bits < BITS:
            self._emit(Op.SEXT, dst=result, a=result, width=bits, x=BITS)

    def _elsewhere(self, act: Act, known: dict[str, int], result: int) -> None:
        """A step that accesses no variable."""
        if act.kind == "fence":
            self._emit(Op.FENCE, **known)
        elif act.kind == "choose":
            first, last = (self._value(value) for value in act.values)
            self._emit(Op.CHOOSE, dst=result, a=first, b=last, x=SIGNED, position=known["position"])
        else:
            self._emit(Op.ASSUME, a=self._value(act.values[0]), position=known["position"])

    def _cut(self, value: Value, bits: int) -> int:
        """A value as one of fewer bits."""
        if isinstance(value, Constant):
            return self.builder.constant(value.value & ((1 << bits) - 1))
        operand = self._value(value)
        if bits == BITS:
            return operand
        cut = self._temporary()
        self._emit(Op.TRUNC, dst=cut, a=operand, width=bits)
        return cut

    def _compute(self, value: Value) -> int:
        """Computes a value into ``operand``; how many instructions that took."""
        before = len(self.code)
        self.operand = self._value(value)
        return len(self.code) - before

    def _value(self, value: Value) -> int:
        """The operand that holds a value."""
        if isinstance(value, Constant):
            return self.builder.constant(value.value)
        if isinstance(value, Result):
            return self.base + value.number
        assert isinstance(value, Computed), "there are three kinds of values"
        left, right = self._value(value.left), self._value(value.right)
        result = self._temporary()
        self._emit(value.op, dst=result, a=left, b=right)
        return result

    def _temporary(self, count: int = 1) -> int:
        first = self.used
        self.used += count
        self.most = max(self.most, self.used)
        return first

    def _emit(self, op: Op, **fields: int | str) -> None:
        mode = Mode(int(fields.pop("mode", Mode.NA)))
        expr = str(fields.pop("expr", ""))
        numbers = {name: int(value) for name, value in fields.items()}
        self.code.append(Instr(op, mode=mode, expr=expr, **{"position": NO_POSITION, **numbers}))  # type: ignore[arg-type]
