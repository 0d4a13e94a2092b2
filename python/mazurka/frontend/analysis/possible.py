"""The numbers that a stable value can be: for parameters, the arguments; for results, what is returned.

Flow-insensitive: a value that is chosen can be each of its choices. A value is unknown if it is made from
memory that may be written, from itself, or in more than a few ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from mazurka.frontend.analysis.exits import loop_exits
from mazurka.frontend.analysis.stable import StableValues, callee_of, passed
from mazurka.frontend.analysis.trial import MadeFromOtherError, computed, counted
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import Cfg

_MOST = 64
Numbers = frozenset[int]
_Source = tuple[str, ir.Value]  # a value and the function that it is in


class PossibleValues:
    """The result for a whole module, by bits."""

    def __init__(self, module: ir.Module, graphs: dict[str, Cfg], stable: StableValues) -> None:
        self._module = module
        self._graphs = graphs
        self._stable = stable
        self._known: dict[tuple[str, str], Numbers | None] = {}
        self._arguments = _arguments(module)

    def of(self, function: str, value: ir.Value) -> Numbers | None:
        """All numbers that a value can be; None if they are not known."""
        if isinstance(value, ir.Number):
            return frozenset((value.bits,))
        if isinstance(value, ir.Expression) and value.op in ("inttoptr", "ptrtoint"):
            return self.of(function, value.operands[0][1])
        if not isinstance(value, ir.Local) or not self._stable.is_stable(function, value):
            return None
        key = function, value.name
        if key not in self._known:
            self._known[key] = None  # during the search: a value that is made from itself is unknown
            self._known[key] = self._look(function, value.name)
        return self._known[key]

    def _look(self, function: str, name: str) -> Numbers | None:
        made = self._graphs[function].definition(name)
        if made is None:
            return self._one_of(self._arguments.get((function, name), ()))
        if made.op == "load":
            return self._loaded(made)
        if made.op == "call":
            return self._one_of(self._returned(made))
        if made.op == "phi":
            return self._phi(function, made)
        return self._computed(function, made)

    def _one_of(self, values: Iterable[_Source]) -> Numbers | None:
        found: set[int] = set()
        for function, value in values:
            numbers = self.of(function, value)
            if numbers is None:
                return None
            found |= numbers
        return frozenset(found) if 0 < len(found) <= _MOST else None

    def _phi(self, function: str, phi: ir.Inst) -> Numbers | None:
        """A counter of another loop can be what it counts through."""
        graph = self._graphs[function]
        loop = graph.loops.get(graph.block_of(phi.result))
        if loop is None:
            return self._one_of(tuple((function, value) for _, value in phi.operands))
        for leaving in loop_exits(graph, loop):
            if all(graph.dominates(leaving.block, back) for back in loop.back):
                seen = counted(graph, loop, leaving, phi.result)
                if seen is not None:
                    return seen
        return None

    def _loaded(self, made: ir.Inst) -> Numbers | None:
        address = made.operands[0][1]
        item = self._module.globals.get(address.name) if isinstance(address, ir.Symbol) else None
        if (
            item is None
            or not isinstance(item.value, ir.Number)
            or ir.width(item.type) != ir.width(made.type)
        ):
            return None
        return frozenset((item.value.bits,))

    def _returned(self, call: ir.Inst) -> Iterator[_Source]:
        callee = callee_of(call)
        graph = self._graphs.get(callee)
        for block in graph.blocks.values() if graph is not None else ():
            last = block.insts[-1]
            if last.op == "ret" and last.operands:
                yield callee, last.operands[0][1]

    def _computed(self, function: str, made: ir.Inst) -> Numbers | None:
        parts = [self.of(function, value) for _, value in made.operands]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        try:
            ways = [computed(made, way) for way, _ in zip(product(*known), range(_MOST + 1), strict=False)]
        except (MadeFromOtherError, ZeroDivisionError):
            return None
        return frozenset(ways) if 0 < len(ways) <= _MOST else None


def _arguments(module: ir.Module) -> dict[tuple[str, str], list[_Source]]:
    """For each parameter what is passed to it by name of its function, and by whom."""
    found: dict[tuple[str, str], list[_Source]] = {}
    for caller in module.functions.values():
        for block in caller.blocks:
            for inst in block.insts:
                callee, arguments = passed(inst)
                target = module.functions.get(callee)
                for param, (_, value) in zip(target.params if target else (), arguments, strict=False):
                    found.setdefault((callee, param.name), []).append((caller.name, value))
    return found
