"""The control flow of one Function: what a pass asks about code, in terms of instructions.

Basic blocks are the nodes of the graph underneath; they do not show outside, where a place is the index of an
instruction (a pc). Everything is computed on demand, and kept, so passes pay only for what they use. A
function that was changed needs a new FunctionFlow.

I1: a block is entered at its first instruction only, and left by its last only. A call does not end one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from mazurka.program import Function, Instr, Op, Program
from mazurka.program.flow.dominators import Dominators
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.flow.liveness import Touched, bits, live_in, live_out, touched
from mazurka.program.flow.loops import FlowLoop, exits_of, find_loops, parents_of
from mazurka.program.instructions import (
    FACTS,
    Effect,
    Flow,
    registers_read,
    results_of,
    successors,
    targets,
)


class CodeLoop:
    """A loop of a function; places are pcs, sets of registers are bits."""

    def __init__(self, flow: FunctionFlow, loop: FlowLoop) -> None:
        self._flow = flow
        self._loop = loop
        self.header = flow.pcs(loop.header)[0]  # where each round begins
        self.back = tuple(map(flow.last_of, loop.back))  # the instructions that go back to the header
        self.is_irreducible = loop.is_irreducible  # it can also be entered elsewhere
        # The LOOP instructions on the edges that go back: those of loops inside go elsewhere.
        marks = [i for block in loop.back for i in flow.instructions(block) if i.op == Op.LOOP]
        self.numbers = frozenset(instr.a for instr in marks)  # into Program.loops
        self.counters = bits(instr.dst for instr in marks)

    @cached_property
    def body(self) -> tuple[int, ...]:
        """All of its instructions, in order."""
        return tuple(pc for block in sorted(self._loop.body) for pc in self._flow.pcs(block))

    def ways_back(self) -> list[tuple[int, frozenset[int]]]:
        """The LOOP instructions on the edges back to the header, each with the blocks of all ways there from
        the header that pass it only once.
        """
        graph = self._flow.graph
        return [
            (pc, frozenset(graph.leading_to([block], top=self._loop.header)))
            for block in self._loop.back
            for pc in self._flow.pcs(block)
            if self._flow.code[pc].op == Op.LOOP
        ]

    @cached_property
    def exits(self) -> tuple[tuple[int, int], ...]:
        """The ways out: the last instruction inside, and the first outside."""
        edges = exits_of(self._flow.graph, self._loop)
        return tuple((self._flow.last_of(block), self._flow.pcs(target)[0]) for block, target in edges)

    @property
    def parent(self) -> CodeLoop | None:
        """The loop around it."""
        return self._flow.loop_around(self._loop)

    @property
    def live(self) -> int:
        """The registers that are live at the header."""
        return self._flow.live_before(self.header)

    @property
    def written(self) -> int:
        """The registers that some instruction of the body writes."""
        return self._flow.written_in(self._loop.body)

    @property
    def carried(self) -> int:
        """Registers, other than counters, that an iteration may change for what follows."""
        return self.live & self.written & ~self.counters

    @property
    def effects(self) -> list[tuple[int, Effect]]:
        """The instructions with effects other than computing and branching, with their effects."""
        found = ((pc, FACTS[self._flow.code[pc].op].effect) for pc in self.body)
        return [(pc, effect) for pc, effect in found if effect is not Effect.NONE]


class FunctionFlow:
    """The control flow of a function of a program."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function
        self.code = function.code
        self._starts = self._find_starts()
        self.graph = FlowGraph([self._targets(block) for block in range(len(self._starts))])

    def _find_starts(self) -> list[int]:
        """The first instruction of each block."""
        found = {0}
        for pc, instr in enumerate(self.code):
            if FACTS[instr.op].flow is not Flow.NEXT:
                found.add(pc + 1)
                found.update(targets(self.program, instr))
        return sorted(found - {len(self.code)})

    def _targets(self, block: int) -> tuple[int, ...]:
        last = self.last_of(block)
        return tuple(map(self.block_of, successors(self.program, last, self.code[last])))

    def block_of(self, pc: int) -> int:
        """The number of the block that an instruction is in."""
        return bisect_right(self._starts, pc) - 1

    def pcs(self, block: int) -> range:
        """The instructions of a block."""
        end = self._starts[block + 1] if block + 1 < len(self._starts) else len(self.code)
        return range(self._starts[block], end)

    def instructions(self, block: int) -> tuple[Instr, ...]:
        """The instructions of a block, as values."""
        inside = self.pcs(block)
        return self.code[inside.start : inside.stop]

    def last_of(self, block: int) -> int:
        """The instruction that ends a block."""
        return self.pcs(block)[-1]

    @cached_property
    def dominators(self) -> Dominators:
        """Of the blocks."""
        return Dominators(self.graph)

    def dominates(self, upper: int, lower: int) -> bool:
        """Whether every path from the start to ``lower`` passes ``upper``; both are reachable."""
        one, other = self.block_of(upper), self.block_of(lower)
        return upper <= lower if one == other else self.dominators.dominates(one, other)

    def is_reachable(self, pc: int) -> bool:
        """Whether some path from the start leads to an instruction."""
        return self.graph.is_reachable(self.block_of(pc))

    def after(self, pcs: set[int]) -> set[int]:
        """The instructions that can come after some, possibly these again."""
        blocks = {self.block_of(pc) for pc in pcs}
        follow = [target for block in blocks for target in self.graph.successors[block]]
        found = {pc for block in self.graph.reached_from(follow) for pc in self.pcs(block)}
        for block in blocks:
            inside = self.pcs(block)
            first = min(pc for pc in inside if pc in pcs)
            found.update(range(first + 1, inside.stop))
        return found

    def leading_to(self, pcs: set[int]) -> set[int]:
        """The instructions from which some can be reached, these included."""
        blocks = {self.block_of(pc) for pc in pcs}
        before = [other for block in blocks for other in self.graph.predecessors[block]]
        found = {pc for block in self.graph.leading_to(before) for pc in self.pcs(block)}
        for block in blocks:
            inside = self.pcs(block)
            found.update(range(inside.start, max(pc for pc in inside if pc in pcs) + 1))
        return found

    def written_in(self, blocks: Iterable[int]) -> int:
        """The registers that blocks write."""
        found = 0
        for block in blocks:
            found |= self._blocks_touch[block].defined
        return found

    def _touched(self, instr: Instr) -> tuple[list[int], range]:
        return registers_read(self.program, instr), results_of(instr)

    @cached_property
    def _blocks_touch(self) -> list[Touched]:
        return [
            touched(self._touched(self.code[pc]) for pc in self.pcs(block))
            for block in range(len(self._starts))
        ]

    @cached_property
    def _live_in(self) -> list[int]:
        return live_in(self.graph, self._blocks_touch)

    def live_before(self, pc: int) -> int:
        """The registers that are live before an instruction, as bits."""
        block = self.block_of(pc)
        if pc == self._starts[block]:
            return self._live_in[block]
        live = live_out(self.graph, self._live_in, block)
        for step in reversed(range(pc, self.pcs(block).stop)):
            read, written = self._touched(self.code[step])
            for register in written:
                live &= ~(1 << register)
            for register in read:
                live |= 1 << register
        return live

    @cached_property
    def _loops(self) -> dict[int, FlowLoop]:
        return find_loops(self.graph, self.dominators)

    @cached_property
    def loops(self) -> dict[int, CodeLoop]:
        """The loops by the pc of their header."""
        return {self._starts[header]: CodeLoop(self, loop) for header, loop in self._loops.items()}

    @cached_property
    def _parents(self) -> dict[int, int | None]:
        return parents_of(self._loops)

    def loop_around(self, loop: FlowLoop) -> CodeLoop | None:
        """The smallest loop that contains another."""
        parent = self._parents[loop.header]
        return None if parent is None else self.loops[self._starts[parent]]

    def instructions_of(self, number: int) -> list[Instr]:
        """The instructions of a loop by its number in Program.loops; none if it is in another function."""
        found = {pc for loop in self.loops.values() if number in loop.numbers for pc in loop.body}
        return [self.code[pc] for pc in sorted(found)]
