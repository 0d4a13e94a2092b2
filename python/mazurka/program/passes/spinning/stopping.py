"""Puts SPIN on the edges back of a function's loops that are pure, rotating loops where that shows it.

A loop is looked at from its header first. If a round seems to change a register that is live there, it may be
dead after the header's own test: so the loop is looked at from behind its branches, too. If the ways round
from there are pure, the code from the header up to that node is copied to the edge back, where SPIN comes
after it (loop rotation with jump threading, thesis §7.2.4). A copy of code does what the code does, so
nothing else changes. In the same way, ways that come together before they go back are kept apart if some of
them are pure and others are not.

A call of a function by itself that is the last thing it does goes round as a loop does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mazurka.program import NO_POSITION, Instr, Op, Rounds
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.loop_notes import Hindrance, Obstacle, Reshaping
from mazurka.program.passes.spinning.code import Code
from mazurka.program.passes.spinning.unpublished import unpublished_stores
from mazurka.program.passes.spinning.ways import Test, Way, Ways

_LONGEST_TAIL = 8  # instructions that are copied with a LOOP instruction, so that ways have one each
_MOST_SPLITS = 32  # of these copies in a function
_LARGEST_COPY = 40  # instructions from the header to where a loop is looked at


class Stopping:
    """The loops of one function; ``callees`` has the code of all functions, by number."""

    def __init__(
        self, draft: Draft, callees: dict[int, Code], *, exchanges: bool = False, rotates: bool = False
    ) -> None:
        self.draft = draft
        self.callees = callees
        self.exchanges = exchanges
        self.rotates = rotates
        self.hindrances: dict[int, Hindrance] = {}  # why an edge is not pure, by its LOOP instruction
        self.stopped: dict[int, Instr] = {}  # the LOOP instructions that SPIN stands for
        self.saved: dict[int, int] = {}  # registers with what exchanges have read
        self.reshaped: dict[int, Reshaping] = {}  # how loops were changed, by number
        self.tested: set[int] = set()  # the numbers of loops in which exchanges are tested
        self.splits = 0

    def run(self) -> None:
        """Looks at each loop, inner ones first, until nothing is left to look at."""
        while (found := self._next()) is not None:
            code, loop, marks = found
            pure = self._pure_edges(code, loop, marks)
            for mark, (start, tests) in pure.items():
                self._stop(code, loop, mark, start, tests)

    def going_on(self) -> set[int]:
        """The numbers of the loops with an edge back that is not pure."""
        return {self.draft.code[mark].a for mark in self.hindrances}

    def numbers(self) -> set[int]:
        """The numbers of the loops that were looked at."""
        return self.going_on() | {mark.a for mark in self.stopped.values()}

    def _next(self) -> tuple[Code, FlowLoop, list[int]] | None:
        """The smallest loop with LOOP instructions that were not looked at."""
        code = Code(self.draft)
        for loop in sorted(code.loops.values(), key=lambda loop: len(loop.body)):
            marks = code.marks(loop)
            if any(mark not in self.hindrances and mark not in self.stopped for mark in marks):
                return code, loop, marks
        return None

    def _pure_edges(
        self, code: Code, loop: FlowLoop, marks: list[int]
    ) -> dict[int, tuple[int, frozenset[Test]]]:
        """For LOOP instructions on pure edges: where the ways round begin, and what must be tested."""
        pure: dict[int, tuple[int, frozenset[Test]]] = {}
        open_marks = [mark for mark in marks if self._may_spin(loop, mark)]
        for start in _starts(code, loop, open_marks) if open_marks else ():
            if start != loop.header and not self.rotates:
                break
            ways = Ways(code, self.callees, start, loop.header, loop.body)
            ways.marks, ways.may_write_back = frozenset(marks), self.exchanges
            if start == loop.header:
                ways.own_stores, ways.own_addresses = unpublished_stores(code, loop)
            all_ways = ways.all()
            if any(way.publishes for way in all_ways):  # and goes on, so the stores can be seen
                ways.own_stores = frozenset()
                all_ways = ways.all()
            by_mark = _by_mark(all_ways)
            copied = frozenset(_between(code, loop, start))
            for mark in open_marks:
                if mark in pure or not code.dominators.dominates(start, mark):
                    continue
                found = by_mark.get(mark, [])
                hindrance, tests = _summary(found)
                if hindrance is None and not any(exchange in copied for exchange, _ in tests):
                    pure[mark] = start, tests
                elif any(way.hindrance is None for way in found) and self._split(code, mark):
                    return pure
                else:
                    self.hindrances.setdefault(mark, hindrance or _at_loop(Obstacle.EXCHANGE_FIRST))
        return pure

    def _split(self, code: Code, mark: int) -> bool:
        """Gives each edge that leads to a LOOP instruction one of its own: some ways there are pure."""
        draft, tail = self.draft, [mark]
        while len(before := set(code.graph.predecessors[tail[0]])) == 1 and len(tail) < _LONGEST_TAIL:
            (node,) = before
            if len(draft.targets[node]) != 1 or node in code.loops:
                return False
            tail.insert(0, node)
        if tail[0] in code.loops or len(before) < 2 or self.splits + len(before) > _MOST_SPLITS:
            return False
        self.splits += len(before)
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

    def _may_spin(self, loop: FlowLoop, mark: int) -> bool:
        rounds = self.draft.code[mark].x
        if rounds == Rounds.CONSTANT:
            self.hindrances[mark] = _at_loop(Obstacle.CONSTANT_ROUNDS)
        elif rounds == Rounds.ENDLESS:
            self.hindrances[mark] = _at_loop(Obstacle.NO_EXIT)
        elif loop.is_irreducible:
            self.hindrances[mark] = _at_loop(Obstacle.ENTERED_INSIDE)
        return mark not in self.hindrances and mark not in self.stopped

    def _stop(self, code: Code, loop: FlowLoop, mark: int, start: int, tests: frozenset[Test]) -> None:
        draft = self.draft
        self.hindrances.pop(mark, None)
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

    def _saved(self, exchange: int) -> int:
        """A register that keeps what an exchange has read, to the end of the round."""
        if exchange not in self.saved:
            register = self.saved[exchange] = self.draft.new_register()
            copy = Instr(Op.MOV, register, self.draft.code[exchange].dst)
            self.draft.targets[exchange] = (self.draft.add(copy, *self.draft.targets[exchange]),)
        return self.saved[exchange]

    def _rotate(self, code: Code, loop: FlowLoop, mark: int, start: int, spin: int) -> None:
        """Copies the code from the header to a node to an edge back; the copy goes to ``spin`` instead."""
        draft = self.draft
        self.reshaped[draft.code[mark].a] = Reshaping.ROTATED
        first = _between(code, loop, start)
        copies = {node: draft.add(draft.code[node]) for node in sorted(first)}
        moved = copies | {start: spin}
        for node, copy in copies.items():
            draft.targets[copy] = tuple(moved.get(target, target) for target in draft.targets[node])
        draft.targets[mark] = (copies[loop.header],)

    def stop_recursion(self, index: int, number: int) -> bool:
        """Replaces calls of the function by itself, as the last thing that it does, by SPIN if pure."""
        code = Code(self.draft)
        calls = frozenset(_tail_calls(code, index))
        if not calls or code.live(self.draft.entry) >> self.draft.function.params:
            return False
        ways = Ways(code, self.callees, self.draft.entry, self.draft.entry, frozenset(code.graph.order))
        ways.self_calls, ways.may_write_back = calls, self.exchanges
        by_call = _by_mark(ways.all())
        changed = False
        for call in sorted(calls):
            hindrance, _ = _summary(by_call.get(call, []))
            if hindrance is None:
                mark = replace(self.draft.code[call], a=number)
                self.stopped[call] = mark
                self.draft.code[call], self.draft.targets[call] = _spin(mark, self.draft.entry), ()
                changed = True
        return changed


def _spin(mark: Instr, start: int) -> Instr:
    """What stands for a LOOP instruction on a pure edge; the round began at a node."""
    return Instr(Op.SPIN, a=mark.a, b=start, position=mark.position)


def _by_mark(ways: list[Way]) -> dict[int, list[Way]]:
    found: dict[int, list[Way]] = {}
    for way in ways:
        found.setdefault(way.mark, []).append(way)
    return found


def _at_loop(obstacle: Obstacle) -> Hindrance:
    """What hinders a loop as a whole."""
    return Hindrance(obstacle, NO_POSITION)


def _summary(ways: list[Way]) -> tuple[Hindrance | None, frozenset[Test]]:
    """Why some way is not pure, and the tests that the others need."""
    hindrance = next((way.hindrance for way in ways if way.hindrance is not None), None)
    if not ways:
        hindrance = _at_loop(Obstacle.NEVER_ROUND)
    return hindrance, frozenset(test for way in ways for test in way.tests)


def _starts(code: Code, loop: FlowLoop, marks: list[int]) -> Iterator[int]:
    """Where to look at a loop from: its header, and the targets of branches that come before its edges."""
    yield loop.header
    immediate = code.dominators.immediate
    found: set[int] = set()
    for mark in marks:
        node = mark
        while node != loop.header:
            found.add(node)
            node = immediate[node]
    for node in sorted(found, key=code.graph.index.__getitem__):
        if _is_behind_branch(code, node) and code.around(node)[0] == loop:
            first = _between(code, loop, node)
            if len(first) <= _LARGEST_COPY and not any(code.draft.code[n].op == Op.LOOP for n in first):
                yield node


def _is_behind_branch(code: Code, node: int) -> bool:
    return any(code.draft.code[before].op in (Op.BR, Op.SWITCH) for before in code.graph.predecessors[node])


def _between(code: Code, loop: FlowLoop, node: int) -> set[int]:
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


def _tail_calls(code: Code, index: int) -> Iterator[int]:
    """The calls of a function by itself of which it returns the results."""
    draft = code.draft
    for node in code.graph.order:
        instr = draft.code[node]
        if instr.op != Op.CALL or instr.a != index:
            continue
        (after,) = draft.targets[node]
        while draft.code[after].op in (Op.JMP, Op.NOP):
            (after,) = draft.targets[after]
        last = draft.code[after]
        results = tuple(range(instr.dst, instr.dst + instr.x))
        if last.op == Op.RET and code.program.lists[last.c] == results:
            yield node
