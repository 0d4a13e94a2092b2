"""Finds the edges back of a function's loops that are pure, and has SPIN put on them.

A loop is looked at from its header first. If a round seems to change a register that is live there, it may be
dead after the header's own test: so the loop is looked at from behind its branches, too. If the ways round
from there are pure, the loop is rotated. Where some ways to an edge back are pure and others are not, each
gets an edge of its own (``editing``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mazurka.program import NO_POSITION, Op, Rounds
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.loop_notes import Hindrance, Obstacle
from mazurka.program.passes.spinning.code import Code
from mazurka.program.passes.spinning.editing import Editing, between
from mazurka.program.passes.spinning.unpublished import unpublished_stores
from mazurka.program.passes.spinning.walking import Round
from mazurka.program.passes.spinning.ways import Test, Way, Ways

_LARGEST_COPY = 40  # instructions from the header to where a loop is looked at


class Stopping:
    """The loops of one function; ``callees`` has the code of all functions, by number."""

    def __init__(
        self, draft: Draft, callees: dict[int, Code], *, exchanges: bool = False, rotates: bool = False
    ) -> None:
        self.draft = draft
        self.editing = Editing(draft)
        self.callees = callees
        self.exchanges = exchanges
        self.rotates = rotates
        self.hindrances: dict[int, Hindrance] = {}  # why an edge is not pure, by its LOOP instruction
        self._code: Code | None = None  # the draft as it is; none after a change

    def run(self) -> None:
        """Looks at each loop, inner ones first, until nothing is left to look at."""
        while (found := self._next()) is not None:
            code, loop, marks = found
            pure = self._pure_edges(code, loop, marks)
            for mark, (start, tests) in pure.items():
                self.hindrances.pop(mark, None)
                self._code = None
                self.editing.stop(code, loop, mark, start, tests)

    def going_on(self) -> set[int]:
        """The numbers of the loops with an edge back that is not pure."""
        return {self.draft.code[mark].a for mark in self.hindrances}

    def numbers(self) -> set[int]:
        """The numbers of the loops that were looked at."""
        return self.going_on() | {mark.a for mark in self.editing.stopped.values()}

    def _next(self) -> tuple[Code, FlowLoop, list[int]] | None:
        """The smallest loop with LOOP instructions that were not looked at."""
        code = self._code = self._code or Code(self.draft)
        for loop in sorted(code.loops.values(), key=lambda loop: len(loop.body)):
            marks = code.marks(loop)
            if any(mark not in self.hindrances and mark not in self.editing.stopped for mark in marks):
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
            by_mark = self._ways(code, loop, frozenset(marks), start)
            copied = frozenset(between(code, loop, start))
            for mark in open_marks:
                if mark in pure or not code.dominators.dominates(start, mark):
                    continue
                found = by_mark.get(mark, [])
                hindrance, tests = _summary(found)
                if hindrance is None and not any(exchange in copied for exchange, _ in tests):
                    pure[mark] = start, tests
                elif any(way.hindrance is None for way in found) and self.editing.split(code, mark):
                    self._code = None
                    return pure
                else:
                    self.hindrances.setdefault(mark, hindrance or _at_loop(Obstacle.EXCHANGE_FIRST))
        return pure

    def _ways(self, code: Code, loop: FlowLoop, marks: frozenset[int], start: int) -> dict[int, list[Way]]:
        """The ways round from a node, by the LOOP instruction that they pass."""
        own_stores, own_addresses = frozenset[int](), frozenset[int]()
        if start == loop.header:
            own_stores, own_addresses = unpublished_stores(code, loop)
        way_round = Round(
            *(code, self.callees, start, loop.header, loop.body, marks),
            may_write_back=self.exchanges,
            own_stores=own_stores,
            own_addresses=own_addresses,
        )
        ways = Ways(way_round).all()
        if any(way.publishes for way in ways):  # and goes on, so the stores can be seen
            ways = Ways(replace(way_round, own_stores=frozenset())).all()
        found: dict[int, list[Way]] = {}
        for way in ways:
            found.setdefault(way.mark, []).append(way)
        return found

    def _may_spin(self, loop: FlowLoop, mark: int) -> bool:
        rounds = self.draft.code[mark].x
        if rounds == Rounds.CONSTANT:
            self.hindrances[mark] = _at_loop(Obstacle.CONSTANT_ROUNDS)
        elif rounds == Rounds.ENDLESS:
            self.hindrances[mark] = _at_loop(Obstacle.NO_EXIT)
        elif loop.is_irreducible:
            self.hindrances[mark] = _at_loop(Obstacle.ENTERED_INSIDE)
        return mark not in self.hindrances and mark not in self.editing.stopped


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
            first = between(code, loop, node)
            if len(first) <= _LARGEST_COPY and not any(code.draft.code[n].op == Op.LOOP for n in first):
                yield node


def _is_behind_branch(code: Code, node: int) -> bool:
    return any(code.draft.code[before].op in (Op.BR, Op.SWITCH) for before in code.graph.predecessors[node])
