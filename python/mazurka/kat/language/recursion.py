"""Solves recursive definitions: a linear system of relations becomes closed terms.

Implements Gaussian elimination with Arden's lemma: the least solution of x = a ; x | b is a* ; b (and of
x = x ; a | b it is b ; a*).
Departs 1: a group must be left-linear or right-linear as a whole. Mixed groups can denote relations that no
term denotes (x = a ; y and y = x ; b | c); the others are easily rewritten.
I1: rows are indexed by the names of the group; the key ``None`` is the part without any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from mazurka.kat.language.elaborate import bounded, relation
from mazurka.kat.language.scope import Scope
from mazurka.kat.language.syntax import Binary, Bracket, Expression, Name, Unary
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Empty, Equation, Fixpoint, Identity, Relation, Span, Variable

Row = dict[str | None, Relation]


def solve(bindings: Sequence[tuple[Name, Expression]], scope: Scope) -> dict[str, Relation]:
    """The least solution of a group of definitions, by name."""
    system = _System({name.name for name, _ in bindings}, scope)
    rows = {name.name: system.row(body) for name, body in bindings}
    order = list(rows)
    for position in reversed(range(len(order))):
        name = order[position]
        rows[name] = row = system.eliminate_self(name, rows[name])
        for other in order[:position]:
            rows[other] = system.substitute(name, row, rows[other])
    # Every row now refers to earlier names only.
    solved: dict[str, Relation] = {}
    for position, name in enumerate(order):
        row = rows[name]
        for earlier in order[:position]:
            row = system.substitute(earlier, {None: solved[earlier]}, row)
        solved[name] = bounded(row.get(None, Empty()), bindings[position][0].span, scope)
    return solved


def fixpoints(bindings: Sequence[tuple[Name, Expression]], scope: Scope) -> dict[str, Relation]:
    """The least solution of equations of any form, by name; the scope knows the names afterwards."""
    for name, _ in bindings:
        scope.define(name, Variable(name.name))
    names = {name.name for name, _ in bindings}
    for _, body in bindings:
        _refuse_shrinking(body, names, scope)
    equations = tuple(Equation(name.name, relation(body, scope)) for name, body in bindings)
    solved: dict[str, Relation] = {name: Fixpoint(name, equations) for name in names}
    scope.own.update(solved)
    return solved


def _refuse_shrinking(body: Expression, names: set[str], scope: Scope, *, grows: bool = True) -> None:
    """Without a least solution: a name to the right of a difference."""
    match body:
        case Name(name) if name in names and not grows:
            raise problem(
                body.span,
                f"'{name}' is defined by its own complement",
                hint="do not use a fixpoint's name to the right of \\",
                text=scope.text,
            )
        case Binary(op, left, right):
            _refuse_shrinking(left, names, scope, grows=grows)
            _refuse_shrinking(right, names, scope, grows=grows != (op == "\\"))
        case Unary(_, inner):
            _refuse_shrinking(inner, names, scope, grows=grows)


class _System:
    """The equations of one group, all left-linear or all right-linear."""

    def __init__(self, names: set[str], scope: Scope) -> None:
        self.names = names
        self.scope = scope
        self.right: bool | None = None  # whether names stand at the right end; None until the first is seen

    def row(self, expression: Expression) -> Row:
        """An equation's right side as coefficients."""
        first = self._first_name(expression)
        if first is None:
            return {None: relation(expression, self.scope)}
        match expression:
            case Name(name):
                return {name: Identity()}
            case Binary("|", left, right):
                return _sum(self.row(left), self.row(right))
            case Binary(";", left, right, span):
                return self._composition(left, right, span)
            case Unary("?", body):
                return _sum({None: Identity()}, self.row(body))
            case Bracket():
                raise problem(
                    first.span,
                    f"'{first.name}' is a relation, but a test is expected here",
                    hint="write predicates inside [ ], joined by | & ; and \\",
                    text=self.scope.text,
                )
        raise self._not_linear(first)

    def _composition(self, left: Expression, right: Expression, span: Span) -> Row:
        in_left, in_right = self._first_name(left), self._first_name(right)
        if in_left and in_right:
            raise self._not_linear(in_right)
        is_right = in_right is not None
        if self.right not in (None, is_right):
            here = in_right or in_left
            assert here is not None
            end = "right" if is_right else "left"
            raise problem(
                here.span,
                f"'{here.name}' is at the {end} end here, but at the other end elsewhere",
                hint="make all of the recursion left-linear (x ; e) or all of it right-linear (e ; x)",
                text=self.scope.text,
            )
        self.right = is_right
        row = self.row(right if is_right else left)
        factor = relation(left if is_right else right, self.scope)
        return {name: self._compose(factor, part) for name, part in row.items()}

    def _compose(self, outer: Relation, inner: Relation) -> Relation:
        """Puts the part farther from the recursive name first, or last in a left-linear group."""
        return sequence(inner, outer) if self.right is False else sequence(outer, inner)

    def eliminate_self(self, name: str, row: Row) -> Row:
        """Arden's lemma: the row without its own name."""
        loop = row.get(name)
        rest = {key: part for key, part in row.items() if key != name}
        return rest if loop is None else {key: self._compose(star(loop), part) for key, part in rest.items()}

    def substitute(self, name: str, value: Row, row: Row) -> Row:
        """A row with a name replaced by what it equals."""
        factor = row.get(name)
        rest = {key: part for key, part in row.items() if key != name}
        if factor is None:
            return rest
        return _sum(rest, {key: self._compose(factor, part) for key, part in value.items()})

    def _first_name(self, expression: Expression) -> Name | None:
        """The first use of a name of the group."""
        match expression:
            case Name(name):
                return expression if name in self.names else None
            case Bracket(body):
                return None if body is None else self._first_name(body)
            case Binary(_, left, right):
                return self._first_name(left) or self._first_name(right)
            case Unary(_, body):
                return self._first_name(body)

    def _not_linear(self, name: Name) -> Exception:
        return problem(
            name.span,
            f"the recursion through '{name.name}' is not linear",
            hint="use a recursive name once, at the end of a composition: let rec x = e | e ; x; "
            "for 'any number of times' use * or +",
            text=self.scope.text,
        )


def _sum(left: Row, right: Row) -> Row:
    return {
        key: union(left.get(key, Empty()), right.get(key, Empty())) for key in [*left, *(right.keys() - left)]
    }


def union(left: Relation, right: Relation) -> Relation:
    """``left | right``, simplified."""
    if left == Empty() or left == right:
        return right
    return left if right == Empty() else terms.Union(left, right)


def sequence(left: Relation, right: Relation) -> Relation:
    """``left ; right``, simplified."""
    if Empty() in (left, right):
        return Empty()
    if left == Identity():
        return right
    if right == Identity():
        return left
    if terms.Star(right) == left or terms.Star(left) == right:
        return terms.Plus(left if terms.Star(left) == right else right)
    return terms.Sequence(left, right)


def star(body: Relation) -> Relation:
    """``body*``, simplified."""
    return Identity() if body in (Empty(), Identity()) else terms.Star(body)
