"""Follows constants through a function, and removes the branches that they rule out.

C++ headers choose an instruction by an argument such as a memory order, which is a constant once they are
inlined. LLVM's own passes are not used for this: they treat undefined behaviour, such as a division by zero,
as code that is never reached, while the engine is to report it.

I1: only comparisons, selections, and operations on bits and sums are computed; none of them can fail.
I2: a block is removed only if no way leads to it.
I3: a phi is a constant only if all edges that lead to it are known: blocks are looked at in an order in which
no edge, except round a loop, leads back. Where such an order does not exist, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed

_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    **dict.fromkeys(("ult", "slt"), lambda a, b: a < b),
    **dict.fromkeys(("ule", "sle"), lambda a, b: a <= b),
    **dict.fromkeys(("ugt", "sgt"), lambda a, b: a > b),
    **dict.fromkeys(("uge", "sge"), lambda a, b: a >= b),
}


def fold_constants(module: ir.Module) -> None:
    """Simplifies the functions of a module in place."""
    for function in module.functions.values():
        if len(function.blocks) > 1:
            _Folding(function).run()


class _Folding:
    def __init__(self, function: ir.IrFunction) -> None:
        self._function = function
        self._blocks = {block.name: block for block in function.blocks}
        self._known: dict[str, int] = {}
        self._edges: set[tuple[str, str]] = set()
        self._reached: set[str] = set()

    def run(self) -> None:
        waiting = [self._function.blocks[0].name]
        order = self._order()
        latest = -1
        while waiting:
            name = min(waiting, key=order.__getitem__)
            if order[name] < latest:  # it was reached round a loop only (I3)
                return
            latest = order[name]
            waiting.remove(name)
            self._reached.add(name)
            block = self._blocks[name]
            for inst in block.insts:
                self._learn(inst, order, name)
            for target in self._targets(block):
                if (name, target) not in self._edges:
                    self._edges.add((name, target))
                    if target not in self._reached and target not in waiting:
                        waiting.append(target)
        self._rewrite()

    def _order(self) -> dict[str, int]:
        """Blocks in reverse postorder: a block comes after those that lead to it, except round loops."""
        first = self._function.blocks[0].name
        seen, postorder = {first}, []
        stack = [(first, iter(_labels(self._blocks[first])))]
        while stack:
            name, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                postorder.append(name)
                stack.pop()
            elif target not in seen:
                seen.add(target)
                stack.append((target, iter(_labels(self._blocks[target]))))
        return {name: at for at, name in enumerate(reversed(postorder))}

    def _learn(self, inst: ir.Inst, order: dict[str, int], at: str) -> None:
        value = self._phi(inst, order, at) if inst.op == "phi" else self._computed(inst)
        if value is not None and inst.result:
            self._known[inst.result] = value & ((1 << ir.width(inst.type)) - 1)

    def _phi(self, inst: ir.Inst, order: dict[str, int], at: str) -> int | None:
        """The value of a phi whose edges are all known by now: none of them comes round a loop."""
        if any(order.get(label, -1) >= order[at] for label in inst.labels):
            return None
        pairs = zip(inst.labels, inst.operands, strict=True)
        values = {self._value(operand[1]) for label, operand in pairs if (label, at) in self._edges}
        return values.pop() if len(values) == 1 else None

    def _computed(self, inst: ir.Inst) -> int | None:
        if inst.op not in _OPERATIONS and inst.op not in (
            "icmp",
            "select",
            "zext",
            "sext",
            "trunc",
            "freeze",
        ):
            return None
        if not all(isinstance(type_, ir.IntType) for type_, _ in inst.operands):
            return None
        values = [self._value(value) for _, value in inst.operands]
        if inst.op == "select":
            return None if values[0] is None else values[1 if values[0] & 1 else 2]
        if any(value is None for value in values):
            return None
        numbers = [value for value in values if value is not None]
        bits = ir.width(inst.operands[0][0])
        if inst.op in _OPERATIONS:
            return _OPERATIONS[inst.op](*numbers)
        if inst.op == "icmp":
            if inst.words[0].startswith("s"):
                numbers = [signed(number, bits) for number in numbers]
            return int(_COMPARISONS[inst.words[0]](*numbers))
        return signed(numbers[0], bits) if inst.op == "sext" else numbers[0]

    def _value(self, value: ir.Value) -> int | None:
        if isinstance(value, ir.Number):
            return value.bits
        return self._known.get(value.name) if isinstance(value, ir.Local) else None

    def _targets(self, block: ir.Block) -> Iterable[str]:
        last = block.insts[-1]
        chosen = self._value(last.operands[0][1]) if last.op in ("br", "switch") and last.operands else None
        if chosen is None:
            return _labels(block)
        if last.op == "br":
            return [last.labels[0 if chosen & 1 else 1]]
        cases = dict(zip(last.indices, last.labels[1:], strict=True))
        return [cases.get(chosen, last.labels[0])]

    def _rewrite(self) -> None:
        """Puts in jumps where there is one way to go, and drops blocks that are not reached (I2)."""
        self._function.blocks = [block for block in self._function.blocks if block.name in self._reached]
        for block in self._function.blocks:
            last = block.insts[-1]
            targets = list(self._targets(block))
            if last.op in ("br", "switch") and last.operands and len(targets) == 1:
                block.insts[-1] = ir.Inst("br", "", last.type, [], labels=targets, metadata=last.metadata)
            for inst in block.insts:
                if inst.op == "phi":
                    self._drop_edges(inst, block.name)

    def _drop_edges(self, phi: ir.Inst, at: str) -> None:
        kept = [
            (label, operand)
            for label, operand in zip(phi.labels, phi.operands, strict=True)
            if (label, at) in self._edges
        ]
        phi.labels = [label for label, _ in kept]
        phi.operands = [operand for _, operand in kept]


def _labels(block: ir.Block) -> list[str]:
    last = block.insts[-1]
    return last.labels if last.op != "phi" else []
