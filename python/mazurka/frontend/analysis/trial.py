"""Tries out a loop whose counters start from constants: does it end?

Only what the exit's condition is made from is computed. A condition that is made from anything but arithmetic
on constants and on phis of the loop's header cannot be tried.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from mazurka.frontend.analysis.exits import Exit
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import Cfg, CfgLoop
from mazurka.frontend.llvm.ir import signed

MOST_ROUNDS = 10_000
_UNSIGNED: dict[str, Callable[[int, int], int]] = {
    **{"add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_},
    **{"or": operator.or_, "xor": operator.xor, "udiv": operator.floordiv, "urem": operator.mod},
    **{"shl": lambda a, b: a << min(b, 64), "lshr": operator.rshift},
}
_SIGNED: dict[str, Callable[[int, int], int]] = {
    "sdiv": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "srem": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    "ashr": operator.rshift,
}
_SAME_BITS = frozenset(("zext", "trunc", "freeze", "ptrtoint", "inttoptr"))
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    **{"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le},
    **{"gt": operator.gt, "ge": operator.ge},
}


class MadeFromOtherError(Exception):
    """A value is not made from constants and counters alone."""


def comes_to_an_end(graph: Cfg, loop: CfgLoop, leaving: Exit) -> bool | None:
    """Whether an exit that is tested in each round is taken soon; None if that cannot be tried."""
    if leaving.condition is None:
        return None
    trial = _Trial(graph, loop)
    try:
        for _ in range(MOST_ROUNDS):
            if leaving.leaves(trial.value(leaving.condition)):
                return True
            trial.next_round()
    except (MadeFromOtherError, ZeroDivisionError):
        return None
    return False


def counted(graph: Cfg, loop: CfgLoop, leaving: Exit, counter: str) -> frozenset[int] | None:
    """The values of a counter until an exit is taken; None if that cannot be tried or takes too long."""
    if leaving.condition is None:
        return None
    trial = _Trial(graph, loop)
    seen: set[int] = set()
    try:
        for _ in range(MOST_ROUNDS):
            seen.add(trial.value(ir.Local(counter)))
            if leaving.leaves(trial.value(leaving.condition)):
                return frozenset(seen)
            trial.next_round()
    except (MadeFromOtherError, ZeroDivisionError):
        pass
    return None


class _Trial:
    """A round of the loop: the values of the counters that were asked for."""

    def __init__(self, graph: Cfg, loop: CfgLoop) -> None:
        self._graph = graph
        self._loop = loop
        self._counters: dict[str, int] = {}

    def next_round(self) -> None:
        """Gives all counters their values for the next round at once."""
        after: dict[str, int] = {}
        while after.keys() != self._counters.keys():  # a counter may be made from one not seen yet
            after = {name: self._after(name) for name in tuple(self._counters)}
        self._counters = after

    def _after(self, name: str) -> int:
        phi = self._phi(name)
        return self._one_of(phi, [i for i, label in enumerate(phi.labels) if label in self._loop.back])

    def _phi(self, name: str) -> ir.Inst:
        phi = self._graph.definition(name)
        assert phi is not None, "counters are results of phis"
        return phi

    def _one_of(self, phi: ir.Inst, incoming: list[int]) -> int:
        values = {phi.operands[i][1] for i in incoming}
        if len(values) != 1:
            raise MadeFromOtherError
        return self.value(values.pop())

    def value(self, value: ir.Value) -> int:
        """What a value is in this round."""
        if isinstance(value, ir.Number):
            return value.bits
        made = self._graph.definition(value.name) if isinstance(value, ir.Local) else None
        if made is None:
            raise MadeFromOtherError
        if made.op == "phi":
            return self._counter(made)
        return self._computed(made)

    def _counter(self, phi: ir.Inst) -> int:
        if self._graph.block_of(phi.result) != self._loop.header:
            raise MadeFromOtherError
        if phi.result not in self._counters:
            entries = [i for i, label in enumerate(phi.labels) if label not in self._loop.back]
            self._counters[phi.result] = self._one_of(phi, entries)
        return self._counters[phi.result]

    def _computed(self, made: ir.Inst) -> int:
        return computed(made, tuple(self.value(part) for _, part in made.operands))


def computed(made: ir.Inst, values: tuple[int, ...]) -> int:
    """What an instruction makes of numbers."""
    width = ir.width(made.type)
    parts = [(ir.width(type_), value) for (type_, _), value in zip(made.operands, values, strict=True)]
    op = made.op
    if op in _UNSIGNED:
        result = _UNSIGNED[op](parts[0][1], parts[1][1])
    elif op in _SIGNED:
        result = _SIGNED[op](*(signed(bits, size) for size, bits in parts))
    elif op == "icmp":
        predicate = made.words[0]
        numbers = [signed(bits, size) if predicate[0] == "s" else bits for size, bits in parts]
        result = _COMPARED[predicate[-2:]](*numbers)
    elif op in _SAME_BITS:
        result = parts[0][1]
    elif op == "sext":
        result = signed(parts[0][1], parts[0][0])
    else:
        raise MadeFromOtherError
    return result & ((1 << width) - 1)
