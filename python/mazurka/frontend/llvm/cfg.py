"""Control flow of an IR function, by the names of its blocks: order, dominators and loops (``program.flow``).

I1: every cycle of the reachable graph contains a back edge of some ``CfgLoop``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mazurka.deadline import look
from mazurka.frontend.llvm import ir
from mazurka.program.flow.dominators import Dominators
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.flow.loops import find_loops

_JUMPS = frozenset(("br", "switch", "indirectbr"))


@dataclass(slots=True)
class CfgLoop:
    """A loop: its header, and the edges that go back to it and that enter it."""

    header: str
    back: list[str]  # blocks that jump back to the header
    entries: list[str]  # blocks outside that jump to the header
    irreducible: bool  # has other entrances than its header
    body: set[str]  # blocks from which a back edge is reached without leaving


class Cfg:
    """The reachable blocks of a function in reverse postorder, by name."""

    def __init__(self, function: ir.IrFunction) -> None:
        self.blocks = {block.name: block for block in function.blocks}
        self.entry = function.blocks[0].name
        self.successors = {name: _successors(block) for name, block in self.blocks.items()}
        self._names = list(self.blocks)
        self._numbers = {name: number for number, name in enumerate(self._names)}
        self._graph = FlowGraph([[self._numbers[t] for t in self.successors[name]] for name in self._names])
        self._dominators = Dominators(self._graph)
        self.order = self._named(self._graph.order)
        self.predecessors = {
            name: self._named(self._graph.predecessors[self._numbers[name]]) for name in self.order
        }
        self.loops = self._find_loops()
        self.alive = self._find_alive()
        self._made = {
            inst.result: (name, inst)
            for name in self.order
            for inst in self.blocks[name].insts
            if inst.result
        }

    def _named(self, numbers: Iterable[int]) -> list[str]:
        return [self._names[number] for number in numbers]

    def dominates(self, upper: str, lower: str) -> bool:
        """Whether every path to ``lower`` passes ``upper``."""
        return self._dominators.dominates(self._numbers[upper], self._numbers[lower])

    def dominator(self, name: str) -> str:
        """The closest block that every path to a block passes; the entry is its own."""
        return self._names[self._dominators.immediate[self._numbers[name]]]

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
        numbers = [self._numbers[name] for name in ends if name in self._numbers]
        return set(self._named(self._graph.leading_to(numbers, self._numbers.get(top))))

    def _find_alive(self) -> set[str]:
        """The blocks from which the function returns or runs in a circle, rather than ends the program."""
        ends = [name for name in self.order if self.blocks[name].insts[-1].op not in _JUMPS]
        circles = [name for loop in self.loops.values() for name in loop.back]
        return self.blocks_between(
            "", [n for n in ends if self.blocks[n].insts[-1].op != "unreachable"] + circles
        )

    def _find_loops(self) -> dict[str, CfgLoop]:
        """Loops by header."""
        found = find_loops(self._graph, self._dominators).values()
        return {
            self._names[loop.header]: CfgLoop(
                self._names[loop.header],
                self._named(loop.back),
                self._named(loop.entries),
                loop.is_irreducible,
                set(self._named(loop.body)),
            )
            for loop in found
        }


def _successors(block: ir.Block) -> list[str]:
    last = block.insts[-1]
    return list(last.labels) if last.op in _JUMPS else []
