"""Puts SPIN into a function, and changes its code so that SPIN can be put there.

A loop is rotated by copying the code from its header up to a node to an edge back, where SPIN comes after it
(with jump threading, thesis §7.2.4). A copy of code does what the code does, so nothing else changes. In the
same way, ways that come together before they go back are kept apart by copying what they have in common.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program import Instr, Op
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.loop_notes import Reshaping
from mazurka.program.passes.spinning.code import Code
from mazurka.program.passes.spinning.ways import Test

_LONGEST_TAIL = 8  # instructions that are copied with a LOOP instruction, so that ways have one each
_MOST_SPLITS = 32  # of these copies in a function


class Editing:
    """Changes the draft of one function."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.stopped: dict[int, Instr] = {}  # the LOOP instructions that SPIN stands for
        self.reshaped: dict[int, Reshaping] = {}  # how loops were changed, by number
        self.tested: set[int] = set()  # the numbers of loops in which exchanges are tested
        self._kept: dict[int, int] = {}  # registers with what exchanges have read
        self._splits = 0

    def stop(self, code: Code, loop: FlowLoop, mark: int, start: int, tests: frozenset[Test]) -> None:
        """Puts SPIN on an edge back, behind tests of exchanges; rotates the loop if ``start`` is within."""
        draft = self.draft
        self.stopped[mark] = draft.code[mark]
        goes_on = start
        if start == loop.header:
            goes_on = draft.add(draft.code[mark], *draft.targets[mark])
            self.stopped[goes_on] = draft.code[mark]
        spin = draft.add(_spin(draft.code[mark], start))
        if tests:
            self.tested.add(draft.code[mark].a)
        for exchange, operand in sorted(tests):
            same = draft.new_register()
            branch = draft.add(Instr(Op.BR, a=same), spin, goes_on)
            width = draft.code[exchange].width
            spin = draft.add(Instr(Op.EQ, same, self._saved(exchange), operand, width=width), branch)
        if start == loop.header:
            draft.code[mark], draft.targets[mark] = Instr(Op.JMP), (spin,)
        else:
            self._rotate(code, loop, mark, start, spin)

    def stop_call(self, call: int, number: int) -> None:
        """Puts SPIN in place of a call; the loop of that number stands for the function."""
        mark = self.stopped[call] = replace(self.draft.code[call], a=number)
        self.draft.code[call], self.draft.targets[call] = _spin(mark, self.draft.entry), ()

    def _saved(self, exchange: int) -> int:
        """A register that keeps what an exchange has read, to the end of the round."""
        if exchange not in self._kept:
            register = self._kept[exchange] = self.draft.new_register()
            copy = Instr(Op.MOV, register, self.draft.code[exchange].dst)
            self.draft.targets[exchange] = (self.draft.add(copy, *self.draft.targets[exchange]),)
        return self._kept[exchange]

    def _rotate(self, code: Code, loop: FlowLoop, mark: int, start: int, spin: int) -> None:
        """Copies the code from the header to a node to an edge back; the copy goes to ``spin`` instead."""
        draft = self.draft
        self.reshaped[draft.code[mark].a] = Reshaping.ROTATED
        first = between(code, loop, start)
        copies = {node: draft.add(draft.code[node]) for node in sorted(first)}
        moved = copies | {start: spin}
        for node, copy in copies.items():
            draft.targets[copy] = tuple(moved.get(target, target) for target in draft.targets[node])
        draft.targets[mark] = (copies[loop.header],)

    def split(self, code: Code, mark: int) -> bool:
        """Gives each edge that leads to a LOOP instruction one of its own: some ways there are pure."""
        draft, tail = self.draft, [mark]
        while len(before := set(code.graph.predecessors[tail[0]])) == 1 and len(tail) < _LONGEST_TAIL:
            (node,) = before
            if len(draft.targets[node]) != 1 or node in code.loops:
                return False
            tail.insert(0, node)
        if tail[0] in code.loops or len(before) < 2 or self._splits + len(before) > _MOST_SPLITS:
            return False
        self._splits += len(before)
        (header,) = draft.targets[mark]
        while draft.code[header].op == Op.JMP:
            (header,) = draft.targets[header]
        draft.targets[mark] = (header,)
        for node in sorted(before)[1:]:
            copy = header
            for one in reversed(tail):
                copy = draft.add(draft.code[one], copy)
            draft.redirect(node, tail[0], copy)
        return True


def _spin(mark: Instr, start: int) -> Instr:
    """What stands for a LOOP instruction on a pure edge; the round began at a node."""
    return Instr(Op.SPIN, a=mark.a, b=start, position=mark.position)


def between(code: Code, loop: FlowLoop, node: int) -> set[int]:
    """The nodes of a loop that are on a way from its header to a node, without that node."""
    inside = loop.body - {node}
    reached = code.graph.reached_within(loop.header, inside)
    before = {other for other in code.graph.predecessors[node] if other in reached}
    found = set(before)
    while before:
        step = {b for n in before if n != loop.header for b in code.graph.predecessors[n]}
        before = (step & reached) - found
        found |= before
    return found
