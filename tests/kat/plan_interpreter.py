"""Runs the tables of a Plan on a graph of the reference, as ``plan.py`` defines them: slow and simple."""

from __future__ import annotations

from mazurka.kat.meaning.plan import (
    CLASSES,
    Automaton,
    Closure,
    Coherence,
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
        stack: list[Rows] = []
        slots: dict[int, Rows] = {}
        words = iter(program)
        for word in words:
            match MatrixOp(word):
                case MatrixOp.RELATION:
                    symbol = next(words)
                    assert symbol < Symbol.VIEW, "views are written out"
                    stack.append(self.symbol(symbol))
                case MatrixOp.TEST:
                    mask = next(words) | next(words) << 32
                    stack.append(self.guarded(identity(self.size), mask, mask))
                case MatrixOp.EMPTY:
                    stack.append([0] * self.size)
                case MatrixOp.IDENTITY:
                    stack.append(identity(self.size))
                case MatrixOp.STORE:
                    slots[next(words)] = stack[-1]
                case MatrixOp.LOAD:
                    stack.append(slots[next(words)])
                case MatrixOp.PLUS:
                    stack.append(closure(stack.pop()))
                case MatrixOp.STAR:
                    stack.append(union(closure(stack.pop()), identity(self.size)))
                case MatrixOp.MAYBE:
                    stack.append(union(stack.pop(), identity(self.size)))
                case MatrixOp.INVERSE:
                    stack.append(inverse(stack.pop()))
                case operation:
                    right, left = stack.pop(), stack.pop()
                    stack.append(self._binary(operation, left, right))
        (result,) = stack
        return result

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
