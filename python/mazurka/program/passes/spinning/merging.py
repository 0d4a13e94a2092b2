"""Merges code before a loop with equal code within it (bisimilar nodes, thesis §7.2.4).

``b = x; while (b) b = x;`` reads ``x`` in two places, and does the same after both. If the first place jumps
to the second, the loop begins there, and a round of it has no other effect than its read.

Two nodes are *alike* if their instructions are equal and what may follow them is, pairwise, alike: the
greatest such relation, found by refining a partition. Jumps and the counting of rounds are left out. An edge
to a node can then go to another that is alike, and nothing changes but the lines that reports name.

Only edges into loops are changed, from code that the loop does not lead to. The counters of rounds are then
put where the loop begins now.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from mazurka.program import CONST, Instr, Op, Rounds
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.liveness import live_in, live_out, touched
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.instructions import FACTS, Field, registers_read, results_of
from mazurka.program.passes.spinning.code import Code


def merge_alike(draft: Draft) -> tuple[Draft, set[int]] | None:
    """A draft in which loops begin earlier, and the numbers of these loops; None if there are none."""
    merging = _Merging(draft.copy())
    numbers = {mark.a for loop, mark in merging.loops() if merging.merge(loop, mark)}
    return (merging.draft, numbers) if numbers else None


class _Merging:
    """Changes a draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.code = Code(draft)
        self.counting = self._find_counting()
        self.skipped = [self._real(node) for node in range(len(draft.code))]
        self.classes = self._classes()

    def loops(self) -> Iterator[tuple[FlowLoop, Instr]]:
        """The loops that may be merged with code before them, each with one of its LOOP instructions."""
        for loop in self.code.loops.values():
            marks = [self.draft.code[mark] for mark in self.code.marks(loop)]
            if marks and not loop.is_irreducible and all(mark.x == Rounds.ANY for mark in marks):
                yield loop, marks[0]

    def _find_counting(self) -> set[int]:
        """The nodes that start a count of rounds: nothing but LOOP instructions reads what they set."""
        draft = self.draft
        counters = {instr.dst for instr in draft.code if instr.op == Op.LOOP}
        steps = [
            touched([] if i.op == Op.LOOP else [(registers_read(draft.program, i), results_of(i))])
            for i in draft.code
        ]
        live = live_in(self.code.graph, steps)
        return {
            node
            for node in self.code.graph.order
            if (i := draft.code[node]).op == Op.MOV
            and i.dst in counters
            and i.a & CONST
            and draft.program.constants[i.a & ~CONST] == 0
            and not live_out(self.code.graph, live, node) >> i.dst & 1
        }

    def _is_transparent(self, node: int) -> bool:
        return self.draft.code[node].op in (Op.JMP, Op.NOP, Op.LOOP) or node in self.counting

    def _real(self, node: int) -> int:
        """The next node that is not left out; the node itself if there is none."""
        seen: set[int] = set()
        found = node
        while self._is_transparent(found):
            if found in seen:
                return node
            seen.add(found)
            (found,) = self.draft.targets[found]
        return found

    def _classes(self) -> list[int]:
        """For each node the number of its class."""
        classes = _numbered([self._content(instr) for instr in self.draft.code])
        while True:
            finer = _numbered(
                [
                    (own, *(classes[self.skipped[target]] for target in targets))
                    for own, targets in zip(classes, self.draft.targets, strict=True)
                ]
            )
            if max(finer) == max(classes):
                return finer
            classes = finer

    def _content(self, instr: Instr) -> Hashable:
        """An instruction without its targets and its position."""
        fields = zip(FACTS[instr.op].fields, (instr.a, instr.b, instr.c), strict=True)
        named = tuple(self._named(kind, value) for kind, value in fields)
        return instr.op, instr.dst, named, instr.width, instr.mode, instr.x

    def _named(self, kind: Field, value: int) -> Hashable:
        if kind is Field.LIST:
            return self.draft.program.lists[value]
        if kind is Field.SWITCH:
            return tuple(case for case, _ in self.draft.program.switches[value].cases)
        return 0 if kind is Field.TARGET else value

    def merge(self, loop: FlowLoop, mark: Instr) -> bool:
        """Lets code before a loop jump into it where the loop has the same code."""
        order = self.code.graph.index
        inside = {
            self.classes[node]: node
            for node in sorted(loop.body, key=order.__getitem__, reverse=True)
            if not self._is_transparent(node)
        }
        after = self.code.graph.reached_from([loop.header])
        starts = (self.draft.code[node] for node in sorted(self.counting))
        first = next((instr for instr in starts if instr.dst == mark.dst), None)
        edges = [
            (node, target)
            for node in self.code.graph.order
            if node not in after
            for target in self.draft.targets[node]
            if self._goes_elsewhere(loop, target, inside)
        ]
        entered = self.code.graph.entry not in after and self._goes_elsewhere(loop, self.draft.entry, inside)
        if first is None or not (edges or entered):
            return False
        before = self.draft.copy()
        for node, target in edges:
            twin = inside[self.classes[self.skipped[target]]]
            self.draft.redirect(node, target, self.draft.add(first, twin))
        if entered:
            twin = inside[self.classes[self.skipped[self.draft.entry]]]
            self.draft.entry = self.draft.add(first, twin)
        if not self._count_again(loop, mark, first):
            self.draft = before  # its rounds could not be counted
            return False
        self.code = Code(self.draft)
        self.counting = self._find_counting()
        self.skipped = [self._real(node) for node in range(len(self.draft.code))]
        self.classes = self._classes()
        return True

    def _goes_elsewhere(self, loop: FlowLoop, target: int, inside: dict[int, int]) -> bool:
        """Whether an edge from outside goes to code outside that the loop has, too."""
        real = self.skipped[target]
        return real not in loop.body and self.classes[real] in inside

    def _count_again(self, loop: FlowLoop, mark: Instr, first: Instr) -> bool:
        """Puts LOOP instructions on the edges back, and sets the counter where the loop is entered.

        The loop may have become two, one within the other: a way round that leaves out where it begins now.
        """
        found = [one for one in Code(self.draft).around(loop.header) if one.header in loop.body]
        if not found or any(one.is_irreducible for one in found):
            return False
        whole = max(found, key=lambda one: len(one.body))
        for node in whole.body:
            if self.draft.code[node].op == Op.LOOP and self.draft.code[node].a == mark.a:
                self.draft.code[node] = Instr(Op.JMP)
        for one in found:
            for node in one.back:
                self.draft.redirect(node, one.header, self.draft.add(mark, one.header))
        for node in whole.entries:
            self.draft.redirect(node, whole.header, self.draft.add(first, whole.header))
        return True


def _numbered(keys: list[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
