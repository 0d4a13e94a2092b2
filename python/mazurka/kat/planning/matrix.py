"""Any term as a program over bit matrices. It defines an axiom, whatever faster check is chosen for it.

I1: views are written out, and so are relations that others define.
I2: a composite part that occurs several times is computed once and kept in a slot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mazurka.deadline import look
from mazurka.kat.meaning.classes import classes_of_test, rotation, symbol_of
from mazurka.kat.meaning.defined import defined
from mazurka.kat.meaning.plan import Matrix, MatrixOp, Verdict
from mazurka.kat.meaning.rewrite import expand
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
    term: Relation, verdict: Verdict, views: Mapping[str, Relation], span: Span | None = None
) -> Matrix:
    """The program that computes a term and says what it must be."""
    written_out = defined(expand(term, views))
    writer = _Writer(_uses(written_out), span)
    writer.put(written_out)
    return Matrix(tuple(int(word) for word in writer.program), verdict)


def _uses(term: Relation) -> Counter[Relation]:
    """How often each part occurs in other parts; equal parts count as one."""
    uses: Counter[Relation] = Counter()
    waiting = [term]
    while waiting:
        look()
        part = waiting.pop()
        uses[part] += 1
        if uses[part] == 1:
            waiting += _parts(part)
    return uses


def _parts(term: Relation) -> list[Relation]:
    match term:
        case Union() | Intersection() | Difference() | Sequence():
            return [term.left, term.right]
        case Plus(body) | Star(body) | Maybe(body) | Inverse(body) | Rotation(body):
            return [body]
        case _:
            return []


class _Writer:
    """Writes the program of a term, operands first."""

    def __init__(self, uses: Counter[Relation], span: Span | None) -> None:
        self.uses = uses
        self.span = span
        self.slots: dict[Relation, int] = {}
        self.program: list[int] = []

    def put(self, term: Relation) -> None:
        if term in self.slots:
            self.program += [MatrixOp.LOAD, self.slots[term]]
            return
        parts = _parts(term)
        for part in parts:
            self.put(part)
        self._operation(term)
        if parts and self.uses[term] > 1:
            self.slots[term] = len(self.slots)
            self.program += [MatrixOp.STORE, self.slots[term]]

    def _operation(self, term: Relation) -> None:
        match term:
            case Empty():
                self.program.append(MatrixOp.EMPTY)
            case Identity():
                self.program.append(MatrixOp.IDENTITY)
            case Base(name):
                self.program += [MatrixOp.RELATION, symbol_of(name, self.span)]
            case Guard(test):
                mask = classes_of_test(test, self.span)
                self.program += [MatrixOp.TEST, mask & 0xFFFF_FFFF, mask >> 32]
            case Union() | Intersection() | Difference() | Sequence():
                self.program.append(_BINARY[type(term)])
            case Plus() | Star() | Maybe() | Inverse():
                self.program.append(_UNARY[type(term)])
            case Rotation() | View():
                raise rotation(self.span)
            case Variable() | Fixpoint():
                raise AssertionError("refused by soundness.expressible")
