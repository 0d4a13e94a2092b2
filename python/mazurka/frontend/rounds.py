"""Which loops make a constant number of rounds, so that a loop bound need not cut them.

A loop does if every condition that decides about leaving it is stable (``stable``), and one of those that are
asked in each round is met some day: a counter runs towards a bound that does not change, or the rounds, tried
out with constants, come to an end. A loop that is not seen to be constant is cut as any other.

I1: a loop that is called constant is left after finitely many rounds, whatever other threads do.
I2: a loop without an exit is called endless.
"""

from __future__ import annotations

from ..program import Rounds
from . import ir
from .cfg import Cfg, CfgLoop
from .exits import Exit, loop_exits
from .stable import PURE, StableValues
from .trial import comes_to_an_end

# Continuing while "counter < bound" ends if the counter grows, and so on.
_UPWARDS = frozenset(("slt", "sle", "ult", "ule"))
_NEGATED = {
    **{"eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt"},
    **{"ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt"},
}
_MIRRORED = {"eq": "eq", "ne": "ne"} | {
    f"{sign}{a}{end}": f"{sign}{b}{end}" for sign in "su" for a, b in ("lg", "gl") for end in "te"
}
_KEEPS_ORDER = frozenset(("sext", "zext", "freeze", "ptrtoint"))


class LoopRounds:
    """The loops of a module."""

    def __init__(self, module: ir.Module, graphs: dict[str, Cfg]) -> None:
        self._graphs = graphs
        self._stable = StableValues(module, graphs)

    def of(self, function: str, loop: CfgLoop) -> Rounds:
        """What is known of a loop."""
        graph = self._graphs[function]
        exits = loop_exits(graph, loop)
        if not exits:
            return Rounds.ENDLESS
        if loop.irreducible or not self._stable.is_left_stably(function, loop):
            return Rounds.ANY
        shape = _LoopShape(self._stable, function, graph, loop)
        return Rounds.CONSTANT if any(map(shape.ends_by, exits)) else Rounds.ANY


class _LoopShape:
    """A loop whose exits are stable."""

    def __init__(self, stable: StableValues, function: str, graph: Cfg, loop: CfgLoop) -> None:
        self._stable = stable
        self._function = function
        self._graph = graph
        self._loop = loop

    def ends_by(self, leaving: Exit) -> bool:
        """Whether an exit is asked in each round and taken some day."""
        if not all(self._graph.dominates(leaving.block, back) for back in self._loop.back):
            return False
        tried = comes_to_an_end(self._graph, self._loop, leaving)
        return tried or self._counts_towards(leaving, could_miss=tried is False)

    def _counts_towards(self, leaving: Exit, could_miss: bool) -> bool:
        """Whether a counter runs towards a bound; ``could_miss`` says that it is not seen to hit it soon."""
        made = self._made(leaving.condition)
        if made is None or made.op != "icmp" or leaving.leaves(0) == leaving.leaves(1):
            return False
        predicate = made.words[0] if leaving.leaves(0) else _NEGATED[made.words[0]]
        if predicate == "ne" and could_miss:
            return False
        (type_, left), (_, right) = made.operands
        step, bound = self._step(left), right
        if step == 0:
            step, bound, predicate = self._step(right), left, _MIRRORED[predicate]
        return step != 0 and self._is_fixed(bound) and _arrives(predicate, step, bound, type_)

    def _made(self, value: ir.Value | None) -> ir.Inst | None:
        return self._graph.definition(value.name) if isinstance(value, ir.Local) else None

    def _step(self, value: ir.Value) -> int:
        """How much the counter that a value is made from grows in a round; 0 if it is made from none."""
        while True:
            made = self._made(value)
            if made is None:
                return 0
            if made.op == "phi":
                return self._growth(made)
            if made.op not in _KEEPS_ORDER and _added(made) == 0:
                return 0
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
            added = _added(made)
            if added == 0:
                return 0
            total, value = total + added, made.operands[0][1]
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


def _added(made: ir.Inst) -> int:
    """The constant that an instruction adds to its first operand; for pointers, in elements."""
    if made.op not in ("add", "sub", "getelementptr") or len(made.operands) != 2:
        return 0
    type_, number = made.operands[1]
    if not isinstance(number, ir.Number):
        return 0
    added = _signed(number.bits, ir.width(type_))
    return -added if made.op == "sub" else added


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) else bits


def _arrives(predicate: str, step: int, bound: ir.Value, type_: ir.Type) -> bool:
    """Whether a counter that grows by a step stops satisfying "counter PREDICATE bound"."""
    if predicate == "ne":
        return abs(step) == 1 or isinstance(type_, ir.PointerType)
    if predicate == "eq" or (predicate in _UPWARDS) != (step > 0):
        return False
    if not isinstance(bound, ir.Number):
        return predicate != "uge"  # which zero would satisfy for ever
    # The furthest that the counter gets must not wrap around.
    width, is_signed, is_strict = ir.width(type_), predicate[0] == "s", predicate[2] == "t"
    furthest = (_signed(bound.bits, width) if is_signed else bound.bits) + step
    if is_strict:
        furthest -= 1 if step > 0 else -1
    lowest = -(1 << (width - 1)) if is_signed else 0
    return lowest <= furthest < lowest + (1 << width)
