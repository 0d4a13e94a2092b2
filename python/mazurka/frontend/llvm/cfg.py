"""Control flow of an IR function: order, dominators and loops.

I1: every cycle of the reachable graph contains a back edge of some ``CfgLoop``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mazurka.deadline import look
from mazurka.frontend.llvm import ir


@dataclass(slots=True)
class CfgLoop:
    """A loop: its header, and the edges that go back to it and that enter it."""

    header: str
    back: list[str] = field(default_factory=list)  # blocks that jump back to the header
    entries: list[str] = field(default_factory=list)  # blocks outside that jump to the header
    irreducible: bool = False  # has other entrances than its header
    body: set[str] = field(default_factory=set)  # blocks from which a back edge is reached without leaving


class Cfg:
    """The reachable blocks of a function in reverse postorder."""

    def __init__(self, function: ir.IrFunction) -> None:
        self.blocks = {block.name: block for block in function.blocks}
        self.entry = function.blocks[0].name
        self.successors = {name: _successors(block) for name, block in self.blocks.items()}
        self.order = self._reverse_postorder()
        self._index = {name: i for i, name in enumerate(self.order)}
        self.predecessors: dict[str, list[str]] = {name: [] for name in self.order}
        for name in self.order:
            for target in self.successors[name]:
                self.predecessors[target].append(name)
        self._dominator = self._immediate_dominators()
        self.loops = self._find_loops()
        self.alive = self._find_alive()
        self._made = {
            inst.result: (name, inst)
            for name in self.order
            for inst in self.blocks[name].insts
            if inst.result
        }

    def _reverse_postorder(self) -> list[str]:
        order: list[str] = []
        seen = {self.entry}
        stack = [(self.entry, list(self.successors[self.entry]))]
        while stack:
            name, left = stack[-1]
            if left:
                target = left.pop()
                if target not in seen:
                    seen.add(target)
                    stack.append((target, list(self.successors[target])))
            else:
                order.append(name)
                stack.pop()
        return order[::-1]

    def _immediate_dominators(self) -> dict[str, str]:
        """Iterates intersections of dominator-tree paths in reverse postorder."""
        dominator = {self.entry: self.entry}
        changed = True
        while changed:
            changed = False
            for name in self.order[1:]:
                look()
                known = [p for p in self.predecessors[name] if p in dominator]
                new = known[0]
                for other in known[1:]:
                    new = self._common(new, other, dominator)
                if dominator.get(name) != new:
                    dominator[name] = new
                    changed = True
        return dominator

    def _common(self, left: str, right: str, dominator: dict[str, str]) -> str:
        while left != right:
            while self._index[left] > self._index[right]:
                left = dominator[left]
            while self._index[right] > self._index[left]:
                right = dominator[right]
        return left

    def dominates(self, upper: str, lower: str) -> bool:
        """Whether every path to ``lower`` passes ``upper``."""
        while self._index[lower] > self._index[upper]:
            lower = self._dominator[lower]
        return lower == upper

    def dominator(self, name: str) -> str:
        """The closest block that every path to a block passes; the entry is its own."""
        return self._dominator[name]

    def definition(self, value: str) -> ir.Inst | None:
        """The instruction that makes a value; None for a parameter."""
        made = self._made.get(value)
        return made[1] if made else None

    def block_of(self, value: str) -> str:
        """The block in which a value is made; "" for a parameter."""
        made = self._made.get(value)
        return made[0] if made else ""

    def blocks_between(self, top: str, ends: list[str]) -> set[str]:
        """The blocks from which one of the ends is reached, going back no further than to ``top``."""
        look()
        found: set[str] = set()
        left = [name for name in ends if name in self.predecessors]
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.predecessors[name] if name != top else []
        return found

    def _find_alive(self) -> set[str]:
        """The blocks from which the function returns or runs in a circle, rather than ends the program."""
        ends = [name for name in self.order if self.blocks[name].insts[-1].op not in ("br", "switch")]
        circles = [name for loop in self.loops.values() for name in loop.back]
        return self.blocks_between(
            "", [n for n in ends if self.blocks[n].insts[-1].op != "unreachable"] + circles
        )

    def _find_loops(self) -> dict[str, CfgLoop]:
        """Loops by header. An edge to a block that is not later in reverse postorder is retreating."""
        loops: dict[str, CfgLoop] = {}
        for name in self.order:
            for target in dict.fromkeys(self.successors[name]):
                if self._index[target] <= self._index[name]:
                    loop = loops.setdefault(target, CfgLoop(target))
                    loop.back.append(name)
                    loop.irreducible |= not self.dominates(target, name)
        for loop in loops.values():
            loop.entries = [p for p in dict.fromkeys(self.predecessors[loop.header]) if p not in loop.back]
            loop.body = self.blocks_between(loop.header, loop.back)
        return loops


def _successors(block: ir.Block) -> list[str]:
    last = block.insts[-1]
    return list(last.labels) if last.op in ("br", "switch", "indirectbr") else []
