"""A draft with its loops, dominators and liveness, one node per instruction."""

from __future__ import annotations

from functools import cached_property

from mazurka.program import Op
from mazurka.program.flow.dominators import Dominators
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.flow.liveness import bits, live_in, touched
from mazurka.program.flow.loops import FlowLoop, find_loops, parents_of
from mazurka.program.instructions import FACTS, Effect, registers_read, results_of

# What an instruction may do in a round that changes nothing.
HARMLESS = (Effect.NONE, Effect.FAILS, Effect.READS, Effect.ORDERS, Effect.BLOCKS)


class Code:
    """A draft that is not changed any more."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.program = draft.program

    @cached_property
    def graph(self) -> FlowGraph:
        """Its control flow."""
        return self.draft.graph()

    @cached_property
    def dominators(self) -> Dominators:
        """Which nodes come before others on every path."""
        return Dominators(self.graph)

    @cached_property
    def loops(self) -> dict[int, FlowLoop]:
        """Its loops, by header."""
        return find_loops(self.graph, self.dominators)

    @cached_property
    def parents(self) -> dict[int, int | None]:
        """For the header of each loop that of the loop around it."""
        return parents_of(self.loops)

    def around(self, node: int) -> list[FlowLoop]:
        """The loops that a node is in, the innermost first."""
        found = [loop for loop in self.loops.values() if node in loop.body]
        return sorted(found, key=lambda loop: len(loop.body))

    @cached_property
    def _live(self) -> list[int]:
        steps = (
            touched([(registers_read(self.program, instr), results_of(instr))]) for instr in self.draft.code
        )
        return live_in(self.graph, list(steps))

    def live(self, node: int) -> int:
        """The registers that are live before a node, as bits."""
        return self._live[node]

    def marks(self, loop: FlowLoop) -> list[int]:
        """The LOOP instructions on the edges back to a header."""
        return [mark for node in loop.back if (mark := self._mark_before(node)) is not None]

    def exits(self, loop: FlowLoop) -> set[int]:
        """The nodes outside a loop to which its edges lead."""
        targets = (target for node in loop.body for target in self.draft.targets[node])
        return {target for target in targets if target not in loop.body}

    def _mark_before(self, node: int) -> int | None:
        """The LOOP instruction from which a node is reached by nothing but jumps."""
        while self.draft.code[node].op == Op.JMP and len(self.graph.predecessors[node]) == 1:
            (node,) = self.graph.predecessors[node]
        return node if self.draft.code[node].op == Op.LOOP else None

    def written(self, nodes: frozenset[int]) -> list[int]:
        """The registers that nodes write."""
        return sorted({register for node in nodes for register in results_of(self.draft.code[node])})

    def counters(self, nodes: frozenset[int]) -> int:
        """The registers, as bits, that count the rounds of loops among some nodes."""
        return bits(self.draft.code[node].dst for node in nodes if self.draft.code[node].op == Op.LOOP)

    def is_harmless(self, nodes: frozenset[int]) -> bool:
        """Whether nodes only compute, branch, read and order."""
        return all(FACTS[self.draft.code[node].op].effect in HARMLESS for node in nodes)
