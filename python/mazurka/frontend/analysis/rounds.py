"""Which loops have a constant number of iterations (rounds), so that a loop bound need not cut them.

A loop does if every condition that decides whether to leave it is stable (``stable``), and one of those that
are tested in each round eventually holds: a counter runs towards a bound that does not change, or the rounds,
tried out with constants, end. A loop that starts or joins threads counts as constant if a counter runs
towards a bound that may change: only a mistake would make such a loop long, and cutting it leaves out the
rest of the program. A loop that is not known to be constant is cut like any other.

This works on the IR, where each value has one definition, a type and a name; the bytecode has lost all
of that. Loops without an exit are found there (``program.passes.endless``).

I1: a loop that is called constant is left after finitely many rounds, whatever other threads do.
I2: the end of the thread or of the program is an exit, too, but whether it depends on what others do does not
    matter: it makes no loop longer.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.frontend.analysis.counters import KEEPS_ORDER, Range, added, all_of, arrives, reached
from mazurka.frontend.analysis.exits import Exit, callees_of, ending_functions, loop_exits
from mazurka.frontend.analysis.possible import PossibleValues
from mazurka.frontend.analysis.stable import PURE, StableValues
from mazurka.frontend.analysis.trial import comes_to_an_end
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.cfg import Cfg, CfgLoop
from mazurka.frontend.llvm.ir import signed

_NEGATED = {
    **{"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt"},
    **{"ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"},
}
_MIRRORED = {"eq": "eq", "ne": "ne"} | {
    f"{sign}{a}{end}": f"{sign}{b}{end}" for sign in "su" for a, b in ("lg", "gl") for end in "te"
}

_THREAD_FUNCTIONS = frozenset(("pthread_create", "pthread_join", "thrd_create", "thrd_join"))
_MEMORY, _INSIDE = all_of(64, is_signed=False), Range(1 << 62, 1 << 62)


class LoopRounds:
    """The loops of a module."""

    def __init__(self, module: ir.Module, graphs: dict[str, Cfg]) -> None:
        self._graphs = graphs
        self._stable = StableValues(module, graphs)
        self._possible = PossibleValues(module, graphs, self._stable)
        self._ending = ending_functions(module)

    def are_constant(self, function: str, loop: CfgLoop) -> bool:
        """Whether a loop is known to have a constant number of rounds."""
        if loop.irreducible:
            return False
        graph = self._graphs[function]
        shape = _LoopShape(self._stable, self._possible, function, graph, loop)
        exits = loop_exits(graph, loop, self._ending)
        if self._stable.is_left_stably(function, loop):
            return any(map(shape.ends_by, exits))
        return _handles_threads(graph, loop) and any(map(shape.ends_by_counting, exits))


def _handles_threads(graph: Cfg, loop: CfgLoop) -> bool:
    """Whether each round may start or join threads: nobody writes such a loop to wait for something."""
    return any(callee in _THREAD_FUNCTIONS for name in loop.body for callee in callees_of(graph.blocks[name]))


class _Counter(NamedTuple):
    """A phi that grows by the same number in each round, and what makes the compared value from it."""

    phi: ir.Inst
    step: int
    steps: list[ir.Inst]


class _LoopShape:
    """A loop whose exits are stable."""

    def __init__(
        self, stable: StableValues, possible: PossibleValues, function: str, graph: Cfg, loop: CfgLoop
    ) -> None:
        self._stable = stable
        self._possible = possible
        self._function = function
        self._graph = graph
        self._loop = loop

    def ends_by_counting(self, leaving: Exit) -> bool:
        """Whether an exit is tested in each round, and taken when a counter has passed every bound."""
        return self._is_always_tested(leaving) and self._counts_towards(leaving, True, is_fixed=False)

    def _is_always_tested(self, leaving: Exit) -> bool:
        return all(self._graph.dominates(leaving.block, back) for back in self._loop.back)

    def ends_by(self, leaving: Exit) -> bool:
        """Whether an exit is tested in each round and eventually taken."""
        if not self._is_always_tested(leaving):
            return False
        tried = comes_to_an_end(self._graph, self._loop, leaving)
        return tried or self._counts_towards(leaving, could_miss=tried is False)

    def _counts_towards(self, leaving: Exit, could_miss: bool, is_fixed: bool = True) -> bool:
        """Whether a counter runs towards a bound.

        ``could_miss``: a trial did not reach it soon. ``is_fixed``: the bound must be the same in each round.
        """
        made = self._made(leaving.condition)
        if made is None or made.op != "icmp" or leaving.leaves(0) == leaving.leaves(1):
            return False
        predicate = made.words[0] if leaving.leaves(0) else _NEGATED[made.words[0]]
        if predicate == "ne" and could_miss:
            return False
        (_, left), (type_, right) = made.operands
        counter = self._counter(left)
        if counter is None:
            counter, right, predicate = self._counter(right), left, _MIRRORED[predicate]
        if counter is None or (is_fixed and not self._is_fixed(right)):
            return False
        return self._arrives(counter, predicate, right, type_)

    def _arrives(self, counter: _Counter, predicate: str, bound: ir.Value, type_: ir.Type) -> bool:
        if isinstance(counter.phi.type, ir.PointerType):
            # Objects are not at the ends of memory; null would satisfy uge forever.
            return predicate == "ne" or (
                predicate != "uge" and arrives(predicate, counter.step, _MEMORY, _INSIDE)
            )
        width = ir.width(type_)
        is_signed = predicate[0] == "s"
        reaches = reached(counter.phi, counter.steps, is_signed)
        if reaches is None:
            return False
        if predicate == "ne":
            is_signed = reaches.lowest < 0
        return arrives(predicate, counter.step, reaches, self._range(bound, width, is_signed))

    def _range(self, bound: ir.Value, width: int, is_signed: bool) -> Range:
        """The numbers that a bound can be."""
        known = self._possible.of(self._function, bound)
        if known is not None:
            numbers = [signed(bits, width) if is_signed else bits for bits in known]
            return Range(min(numbers), max(numbers))
        made = self._made(bound)
        if made is not None and (made.op == "zext" or (made.op == "sext" and is_signed)):
            return all_of(ir.width(made.operands[0][0]), made.op == "sext")
        return all_of(width, is_signed)

    def _made(self, value: ir.Value | None) -> ir.Inst | None:
        return self._graph.definition(value.name) if isinstance(value, ir.Local) else None

    def _counter(self, value: ir.Value) -> _Counter | None:
        """The counter that a value is made from, if it is made from one."""
        steps: list[ir.Inst] = []
        while True:
            made = self._made(value)
            if made is None:
                return None
            if made.op == "phi":
                growth = self._growth(made)
                return _Counter(made, growth, steps[::-1]) if growth else None
            if made.op not in KEEPS_ORDER and added(made) == 0:
                return None
            steps.append(made)
            value = made.operands[0][1]

    def _growth(self, phi: ir.Inst) -> int:
        if self._graph.block_of(phi.result) != self._loop.header:
            return 0
        sources = zip(phi.operands, phi.labels, strict=True)
        steps = {self._sum(value, phi) for (_, value), source in sources if source in self._loop.back}
        return steps.pop() if len(steps) == 1 else 0

    def _sum(self, value: ir.Value, phi: ir.Inst) -> int:
        """What was added to a phi to make a value."""
        total = 0
        while (made := self._made(value)) is not None and made is not phi:
            by = added(made)
            if by == 0:
                return 0
            total, value = total + by, made.operands[0][1]
        return total if made is phi else 0

    def _is_fixed(self, value: ir.Value) -> bool:
        """Whether a value stays as it is while the loop runs."""
        if not self._stable.is_stable(self._function, value):
            return False
        made = self._made(value)
        if made is None or self._graph.block_of(made.result) not in self._loop.body:
            return True
        is_number = made.op in ("load", "call") and isinstance(made.type, ir.IntType)
        return (is_number or made.op in PURE) and all(self._is_fixed(part) for _, part in made.operands)
