"""Gives expressions their types and meanings: from ``syntax`` to ``terms``.

Anything made of predicates with only ``|``, ``&``, ``;`` and ``\\`` is a test. A test stands for its guard
wherever a relation is expected; a relation never stands for a test.
I1: the result is small enough for recursive functions, even with its views written out (``bounded``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mazurka.kat.language.scope import TEST_TYPES, Meaning, Scope, Size
from mazurka.kat.language.syntax import Binary, Bracket, Constraint, Expression, Name, Unary
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import DEEPEST, LARGEST
from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Relation, Span, Test

_Term = TypeVar("_Term", bound=Meaning)
_BINARY: dict[str, Callable[[Relation, Relation], Relation]] = {
    "|": terms.Union,
    "&": terms.Intersection,
    "\\": terms.Difference,
    ";": terms.Sequence,
}
_UNARY: dict[str, Callable[[Relation], Relation]] = {
    "*": terms.Star,
    "+": terms.Plus,
    "?": terms.Maybe,
    "^-1": terms.Inverse,
    "rot": terms.Rotation,
}


def meaning_of(expression: Expression, scope: Scope) -> Meaning:
    """What a ``let`` names: a test if the expression is one, otherwise a relation."""
    if _is_test(expression, scope):
        return bounded(_test(expression, scope), expression.span, scope)
    return relation(expression, scope)


def relation(expression: Expression, scope: Scope) -> Relation:
    """The relation that an expression denotes."""
    return bounded(_relation(expression, scope), expression.span, scope)


def inclusion(constraint: Constraint, scope: Scope) -> terms.Inclusion:
    """A constraint as an inclusion; ``acyclic``, ``irreflexive``, ``empty`` say that something is 0."""
    left = relation(constraint.left, scope)
    if constraint.right is not None:
        return terms.Inclusion(left, relation(constraint.right, scope), constraint.op == "=")
    if constraint.op == "acyclic":
        left = terms.Plus(left)
    if constraint.op != "empty":
        left = terms.Intersection(left, terms.Identity())
    return terms.Inclusion(left, terms.Empty())


def _is_test(expression: Expression, scope: Scope) -> bool:
    match expression:
        case Name():
            return isinstance(scope.lookup(expression), TEST_TYPES)
        case Bracket():
            return True
        case Binary(_, left, right):
            return _is_test(left, scope) and _is_test(right, scope)
        case Unary():
            return False


def _relation(expression: Expression, scope: Scope) -> Relation:
    match expression:
        case Name():
            found = scope.lookup(expression)
            return terms.Guard(found) if isinstance(found, TEST_TYPES) else found
        case Bracket(body):
            return terms.Guard(terms.Anything() if body is None else _test(body, scope))
        case Binary(op, left, right):
            return _BINARY[op](_relation(left, scope), _relation(right, scope))
        case Unary("^-1" | "^=" as op, body, span) if _is_test(body, scope):
            raise problem(
                span,
                f"'{op}' inverts a relation, but this is a test",
                hint="leave it out: a test is its own inverse",
                text=scope.text,
            )
        case Unary("^=", body):
            forth = _relation(body, scope)
            return terms.Union(forth, terms.Inverse(forth))
        case Unary(op, body):
            return _UNARY[op](_relation(body, scope))


def _test(expression: Expression, scope: Scope) -> Test:
    match expression:
        case Name(name, span):
            found = scope.lookup(expression)
            if not isinstance(found, TEST_TYPES):
                raise problem(
                    span,
                    f"'{name}' is a relation, but a test is expected here",
                    hint="write predicates inside [ ], joined by | & ; and \\",
                    text=scope.text,
                )
            return found
        case Bracket(body):
            return terms.Anything() if body is None else _test(body, scope)
        case Binary(op, left, right):
            return _boolean(op, _test(left, scope), _test(right, scope))
        case Unary(op, _, span):
            raise problem(
                span,
                f"'{op}' makes a relation, but a test is expected here",
                hint="write predicates inside [ ], joined by | & ; and \\",
                text=scope.text,
            )


def _boolean(op: str, left: Test, right: Test) -> Test:
    if op == "|":
        return terms.Either(left, right)
    if op == "\\":
        return terms.Not(right) if left == terms.Anything() else terms.Both(left, terms.Not(right))
    return terms.Both(left, right)


def bounded(whole: _Term, span: Span, scope: Scope) -> _Term:
    """The term itself; an error if it is too large once names and views are written out."""
    size_of(whole, span, scope)
    return whole


def size_of(whole: Meaning, span: Span, scope: Scope) -> Size:
    """How large a term is with its views written out; an error if it is too large."""
    nodes: list[tuple[object, int]] = [(whole, 1)]
    seen, deepest = 0, 0
    while nodes:
        node, depth = nodes.pop()
        more = scope.views.get(node.name) if isinstance(node, terms.View) else None
        below, number = more or (0, 1)
        seen, deepest = seen + number, max(deepest, depth + below)
        if deepest > DEEPEST or seen > LARGEST:
            raise problem(
                span,
                f"this expression is too large once its names are expanded: "
                f"more than {DEEPEST} operators deep, or more than {LARGEST} parts",
                hint="simplify it, or its names and views",
                text=scope.text,
            )
        for part in ("body", "left", "right", "test"):
            if (child := getattr(node, part, None)) is not None:
                nodes.append((child, depth + 1))
    return deepest, seen
