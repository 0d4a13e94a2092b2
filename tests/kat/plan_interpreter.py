"""Runs the tables of a Plan on a graph of the reference, as ``plan.py`` defines them: slow and simple."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from typing import TypeAlias

from mazurka.kat.meaning.plan import (
    CLASSES,
    Automaton,
    Closure,
    Coherence,
    LocalClosure,
    Matrix,
    MatrixOp,
    Plan,
    PlanAxiom,
    PlanView,
    Symbol,
    Transition,
    Verdict,
    view_of,
)
from mazurka.kat.meaning.rows import Rows, closure, compose, identity, inverse, is_irreflexive, union
from mazurka.kat.meaning.terms import Base
from mazurka.program import Mode
from mazurka.reference.bases import is_initial
from mazurka.reference.graph import Graph
from mazurka.reference.predicates import facts
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind

_MODES = {
    Mode.NA: "na",
    Mode.RLX: "rlx",
    Mode.ACQ: "acq",
    Mode.REL: "rel",
    Mode.ACQ_REL: "acqrel",
    Mode.SC: "sc",
}


Values: TypeAlias = Mapping[int, Rows]  # of the variables of fixpoints
Dependent: TypeAlias = Callable[[Values], Rows]


def constant(rows: Rows) -> Dependent:
    """What depends on no variable."""
    return lambda _: rows


def class_of(graph: Graph, event: EventId) -> int:
    """The number of an event's class."""
    if is_initial(event):
        return CLASSES.index("INIT")
    found = facts(graph, event)
    mode = _MODES[found.mode] if found.mode is not None else ""
    match found.kind:
        case Kind.READ:
            kind = "failed" if found.failed else "rmw" if found.half else "load"
            return CLASSES.index(f"R.{mode}.{kind}")
        case Kind.WRITE:
            return CLASSES.index(f"W.{mode}.{'rmw' if found.half else 'store'}")
        case Kind.FENCE:
            return CLASSES.index(f"F.{mode}")
        case _:
            return CLASSES.index(found.kind.value)


class Interpreter:
    """The tables of one Plan on one graph."""

    def __init__(self, plan: Plan, graph: Graph) -> None:
        self.plan = plan
        self.relations = Relations(graph, {})
        self.size = self.relations.size
        self.classes = [class_of(graph, event) for event in self.relations.events]

    def symbol(self, symbol: int, inverted: bool = False) -> Rows:
        view = view_of(symbol)
        if view is not None:
            rows = self.view(self.plan.views[view])
            if symbol >= Symbol.VIEW_LOC:
                rows = self._binary(MatrixOp.INTERSECTION, rows, self.symbol(Symbol.LOC_OVERLAP))
        elif symbol == Symbol.PO_IMM_LOC:
            rows = self._binary(MatrixOp.INTERSECTION, *map(self.symbol, (Symbol.PO_IMM, Symbol.PO_LOC)))
        elif symbol == Symbol.PO_IMM_ELSEWHERE:
            rows = self._binary(MatrixOp.DIFFERENCE, *map(self.symbol, (Symbol.PO_IMM, Symbol.PO_LOC)))
        else:
            rows = self.relations.rows(Base(Symbol(symbol).name.lower().replace("_", "-")))
        return inverse(rows) if inverted else rows

    def guarded(self, rows: Rows, before: int, after: int) -> Rows:
        ends = sum(1 << e for e, c in enumerate(self.classes) if after >> c & 1)
        return [row & ends if before >> self.classes[e] & 1 else 0 for e, row in enumerate(rows)]

    def product(self, states: int, steps: tuple[Transition, ...]) -> Rows:
        """The edges between pairs of a state and an event: number state * size + event."""
        edges = [0] * (states * self.size)
        for s in steps:
            for e, row in enumerate(self.guarded(self.symbol(s.symbol, s.inverse), s.before, s.after)):
                edges[s.source * self.size + e] |= row << (s.target * self.size)
        return edges

    def view(self, view: PlanView) -> Rows:
        assert Transition(0, Symbol.PO_IMM, 0) in view.transitions, "state 0 has an unguarded loop of po-imm"
        reached = closure(self.product(view.states, view.transitions))
        mask = (1 << self.size) - 1
        return [self._ends(reached[e], view, mask) for e in range(self.size)]

    def _ends(self, row: int, view: PlanView, mask: int) -> int:
        out = 0
        for state in view.final:
            out |= (row >> (state * self.size)) & mask
        return out

    def holds(self, axiom: PlanAxiom) -> bool:
        """Whether the graph passes the axiom's check."""
        match axiom.check:
            case Closure(edges):
                rows = [0] * self.size
                for edge in edges:
                    rows = union(rows, self.guarded(self.symbol(edge.symbol), edge.before, edge.after))
                return is_irreflexive(closure(rows))
            case Coherence(view):
                eco = closure(
                    union(union(self.symbol(Symbol.RF), self.symbol(Symbol.CO)), self.symbol(Symbol.FR))
                )
                return is_irreflexive(compose(self.view(self.plan.views[view]), eco))
            case Automaton(states, steps):
                reached = closure(self.product(states, steps))
                return not any(reached[e] >> e & 1 for e in range(self.size))
            case LocalClosure(within, edges):
                rows = self._run(within.program)
                for edge in edges:
                    rows = union(rows, self.guarded(self.symbol(edge.symbol), edge.before, edge.after))
                return is_irreflexive(closure(rows))
            case Matrix():
                return self.matrix(axiom.check)

    def matrix(self, matrix: Matrix) -> bool:
        """Whether the relation of a matrix program is what it must be."""
        rows = self._run(matrix.program)
        match matrix.verdict:
            case Verdict.ACYCLIC:
                return is_irreflexive(closure(rows))
            case Verdict.IRREFLEXIVE:
                return is_irreflexive(rows)
            case Verdict.EMPTY:
                return not any(rows)

    def _run(self, program: tuple[int, ...]) -> Rows:
        """The relation of a program. What is on the stack may depend on variables of fixpoints around it."""
        stack: list[Dependent] = []
        slots: dict[int, Rows] = {}
        words = iter(program)
        for word in words:
            match MatrixOp(word):
                case MatrixOp.RELATION:
                    symbol = next(words)
                    assert symbol < Symbol.VIEW, "views are written out"
                    stack.append(constant(self.symbol(symbol)))
                case MatrixOp.TEST:
                    mask = next(words) | next(words) << 32
                    stack.append(constant(self.guarded(identity(self.size), mask, mask)))
                case MatrixOp.EMPTY:
                    stack.append(constant([0] * self.size))
                case MatrixOp.IDENTITY:
                    stack.append(constant(identity(self.size)))
                case MatrixOp.STORE:
                    number = next(words)
                    slots[number] = stack[-1]({})
                    stack[-1] = constant(slots[number])
                case MatrixOp.LOAD:
                    stack.append(constant(slots[next(words)]))
                case MatrixOp.VARIABLE:
                    stack.append(itemgetter(next(words)))
                case MatrixOp.FIXPOINT:
                    stack.append(partial(self._least, next(words), stack.pop()))
                case MatrixOp.PLUS | MatrixOp.STAR | MatrixOp.MAYBE | MatrixOp.INVERSE as operation:
                    stack.append(partial(self._unary, operation, stack.pop()))
                case operation:
                    right, left = stack.pop(), stack.pop()
                    stack.append(partial(self._combined, operation, left, right))
        (result,) = stack
        return result({})

    def _least(self, variable: int, body: Dependent, values: Values) -> Rows:
        """The least relation that the body keeps as it is."""
        rows = [0] * self.size
        while (larger := body({**values, variable: rows})) != rows:
            rows = larger
        return rows

    def _unary(self, operation: MatrixOp, of: Dependent, values: Values) -> Rows:
        rows = of(values)
        match operation:
            case MatrixOp.PLUS:
                return closure(rows)
            case MatrixOp.STAR:
                return union(closure(rows), identity(self.size))
            case MatrixOp.MAYBE:
                return union(rows, identity(self.size))
        assert operation == MatrixOp.INVERSE
        return inverse(rows)

    def _combined(self, operation: MatrixOp, one: Dependent, two: Dependent, values: Values) -> Rows:
        return self._binary(operation, one(values), two(values))

    def _binary(self, operation: MatrixOp, left: Rows, right: Rows) -> Rows:
        match operation:
            case MatrixOp.UNION:
                return union(left, right)
            case MatrixOp.INTERSECTION:
                return [a & b for a, b in zip(left, right, strict=True)]
            case MatrixOp.DIFFERENCE:
                return [a & ~b for a, b in zip(left, right, strict=True)]
            case MatrixOp.SEQUENCE:
                return compose(left, right)
        raise AssertionError(operation)

    def errors(self) -> set[str]:
        """The names of the error rules that the graph breaks."""
        found = set()
        conflicts = self.symbol(Symbol.LOC_OVERLAP)
        for rule in self.plan.errors:
            order = self.view(self.plan.views[rule.view])
            ordered = union(order, inverse(order))
            pairs = self.guarded(conflicts, rule.first, rule.second)
            if any(row & ~ordered[event] for event, row in enumerate(pairs)):
                found.add(rule.name)
        return found
