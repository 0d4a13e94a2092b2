"""Any term as a program over bit matrices. It defines an axiom, whatever faster check is chosen for it.

I1: views are written out, and so are relations that others define.
I2: a composite part that occurs several times is computed once and kept in a slot, unless it names a variable
of a fixpoint around it. Equal parts are one node from the start: as trees, some terms are large.
I3: variables are numbered by how many fixpoints they stand in. Mutual recursion becomes fixpoints inside of
others (Bekić's principle), so each has one variable.
I4: for events of some classes only, what is empty or the identity between such events is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from mazurka.deadline import look
from mazurka.kat.meaning.classes import classes_of_test, domain, rotation, symbol_of
from mazurka.kat.meaning.defined import DEFINITIONS
from mazurka.kat.meaning.plan import EVERY_CLASS, Matrix, MatrixOp, Verdict
from mazurka.kat.meaning.terms import (
    Base,
    Difference,
    Empty,
    Fixpoint,
    Guard,
    Identity,
    Intersection,
    Inverse,
    Maybe,
    Plus,
    Relation,
    Rotation,
    Sequence,
    Span,
    Star,
    Union,
    Variable,
    View,
)

_BINARY: dict[type[Relation], MatrixOp] = {
    Union: MatrixOp.UNION,
    Intersection: MatrixOp.INTERSECTION,
    Difference: MatrixOp.DIFFERENCE,
    Sequence: MatrixOp.SEQUENCE,
}
_UNARY: dict[type[Relation], MatrixOp] = {
    Plus: MatrixOp.PLUS,
    Star: MatrixOp.STAR,
    Maybe: MatrixOp.MAYBE,
    Inverse: MatrixOp.INVERSE,
}


def matrix(
    term: Relation,
    verdict: Verdict,
    views: Mapping[str, Relation],
    span: Span | None = None,
    classes: int = EVERY_CLASS,
) -> Matrix:
    """The program that computes a term on graphs with events of some classes, and says what it must be."""
    nodes = _Nodes(views, span, classes)
    result = nodes.of(term)
    writer = _Writer(nodes.uses)
    writer.put(result)
    return Matrix(tuple(int(word) for word in writer.program), verdict)


class _Node(NamedTuple):
    """An operation and what it is applied to; ``variable`` is what it names or, if it has parts, defines."""

    words: tuple[int, ...]
    parts: tuple[int, ...] = ()
    variable: str = ""


_EMPTY, _IDENTITY = _Node((MatrixOp.EMPTY,)), _Node((MatrixOp.IDENTITY,))


class _Nodes:
    """Terms as nodes, of which no two are equal."""

    def __init__(
        self,
        views: Mapping[str, Relation],
        span: Span | None,
        classes: int,
        empty: frozenset[str] = frozenset(),
    ) -> None:
        self.views = views
        self.span = span
        self.classes = classes
        self.empty = empty  # variables that are taken for empty
        self.bodies: dict[str, Relation] = {}  # of the variables of the fixpoints around
        self.around: frozenset[str] = empty  # variables that are not written out any more (I3)
        self.numbers: dict[_Node, int] = {}
        # By the identity of the term. The term is kept here, so that no other term can get its identity.
        self.known: dict[tuple[int, frozenset[str]], tuple[Relation, int]] = {}
        self.used: list[int] = []

    @property
    def uses(self) -> list[tuple[_Node, int]]:
        """The nodes by number, and how often each is a part of others."""
        counts = Counter(self.used)
        return [(node, counts[number]) for node, number in self.numbers.items()]

    def of(self, term: Relation) -> int:
        """The node of a term."""
        look()
        key = id(term), self.around
        if key not in self.known:
            self.known[key] = term, self._number(term)
        return self.known[key][1]

    def _number(self, term: Relation) -> int:
        if isinstance(term, View) and term.name in self.views:
            return self.of(self.views[term.name])
        if isinstance(term, Base) and term.name in DEFINITIONS:
            return self.of(DEFINITIONS[term.name])
        return self._add(self._node(term))

    def _add(self, node: _Node) -> int:
        if self.classes != EVERY_CLASS and node.parts:
            simpler = self._simpler(node, [self._constant(part) for part in node.parts])
            if simpler is not None:
                return simpler
        if node not in self.numbers:
            self.numbers[node] = len(self.numbers)
            self.used += node.parts
        return self.numbers[node]

    def _constant(self, number: int) -> _Node | None:
        """The node, if it is empty or the identity."""
        return next((node for node in (_EMPTY, _IDENTITY) if self.numbers.get(node) == number), None)

    def _simpler(self, node: _Node, parts: list[_Node | None]) -> int | None:
        """What a node with constant parts is instead (I4)."""
        first, last = node.parts[0], node.parts[-1]
        match node.words[0]:
            case MatrixOp.UNION if _EMPTY in parts or first == last:
                return last if parts[0] == _EMPTY else first
            case MatrixOp.SEQUENCE if _EMPTY in parts:
                return self._add(_EMPTY)
            case MatrixOp.SEQUENCE if _IDENTITY in parts:
                return last if parts[0] == _IDENTITY else first
            case MatrixOp.INTERSECTION if _EMPTY in parts:
                return self._add(_EMPTY)
            case MatrixOp.DIFFERENCE if _EMPTY in parts:
                return first
            case MatrixOp.PLUS | MatrixOp.INVERSE | MatrixOp.FIXPOINT if parts[0] is not None:
                return first
            case MatrixOp.STAR | MatrixOp.MAYBE if parts[0] is not None:
                return self._add(_IDENTITY)
        return None

    def _node(self, term: Relation) -> _Node:
        match term:
            case Empty():
                return _EMPTY
            case Identity():
                return _IDENTITY
            case Base(name):
                symbol = symbol_of(name, self.span)
                is_possible = all(side & self.classes for side in domain(symbol))
                return _Node((MatrixOp.RELATION, symbol)) if is_possible else _EMPTY
            case Guard(test):
                mask = classes_of_test(test, self.span)
                if self.classes != EVERY_CLASS:
                    mask &= self.classes
                    if mask in (0, self.classes):
                        return _IDENTITY if mask else _EMPTY
                return _Node((MatrixOp.TEST, mask & 0xFFFF_FFFF, mask >> 32))
            case Union() | Intersection() | Difference() | Sequence():
                return _Node((_BINARY[type(term)],), (self.of(term.left), self.of(term.right)))
            case Plus() | Star() | Maybe() | Inverse():
                return _Node((_UNARY[type(term)],), (self.of(term.body),))
            case Variable(name) if name in self.empty:
                return _EMPTY
            case Variable(name) if name in self.around:
                return _Node((MatrixOp.VARIABLE,), (), name)
            case Variable(name):
                return self._fixpoint(name)
            case Fixpoint():
                return self._outermost(term)
            case Rotation() | View():
                raise rotation(self.span)

    def _outermost(self, term: Fixpoint) -> _Node:
        """The node of a fixpoint whose variables may have the names of others around it."""
        outside = self.bodies, self.around, self.empty
        own = {equation.name: equation.body for equation in term.equations}
        self.bodies = self.bodies | own
        self.around, self.empty = self.around.difference(own), self.empty.difference(own)
        node = self._fixpoint(term.name)
        self.bodies, self.around, self.empty = outside
        return node

    def _fixpoint(self, name: str) -> _Node:
        """The fixpoint of a variable's equation; those of other variables are inside of it (I3)."""
        body = self.bodies[name]
        if self._starts_empty(name, body):
            return _EMPTY
        around, self.around = self.around, self.around | {name}
        node = _Node((MatrixOp.FIXPOINT,), (self.of(body),), name)
        self.around = around
        return node

    def _starts_empty(self, name: str, body: Relation) -> bool:
        """Whether a fixpoint stays empty, because nothing follows from the empty relation (I4)."""
        if self.classes == EVERY_CLASS:
            return False
        nodes = _Nodes(self.views, self.span, self.classes, self.empty | {name})
        nodes.bodies, nodes.around = self.bodies, self.around | {name}
        return nodes._constant(nodes.of(body)) == _EMPTY


class _Writer:
    """Writes the program of a node, operands first."""

    def __init__(self, nodes: list[tuple[_Node, int]]) -> None:
        self.nodes = nodes
        self.slots: dict[int, int] = {}
        self.program: list[int] = []
        self.variables: list[str] = []  # of the fixpoints around, from outside

    def put(self, number: int) -> frozenset[str]:
        """Writes a node; the variables in it that fixpoints around it define."""
        if number in self.slots:
            self.program += [MatrixOp.LOAD, self.slots[number]]
            return frozenset()
        node, uses = self.nodes[number]
        if node.variable and not node.parts:
            innermost = max(at for at, name in enumerate(self.variables) if name == node.variable)
            self.program += [*node.words, innermost]
            return frozenset([node.variable])
        if node.variable:
            self.variables.append(node.variable)
        found = frozenset(name for part in node.parts for name in self.put(part))
        self.program += node.words
        if node.variable:
            found -= {self.variables.pop()}
            self.program.append(len(self.variables))
        if node.parts and uses > 1 and not found:
            self.slots[number] = len(self.slots)
            self.program += [MatrixOp.STORE, self.slots[number]]
        return found
