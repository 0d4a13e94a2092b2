"""What a model file says, as it is written: names are still names, and nothing has a type yet.

I1: every node has the place that an error about it should point at.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from mazurka.kat.meaning.terms import Span

# Expressions --------------------------------------------------------------------------------------------


class Name(NamedTuple):
    """A name, possibly with ``file::`` in front; ``0`` and ``id`` are names here."""

    name: str
    span: Span
    depth: int = 1


class Bracket(NamedTuple):
    """``[P]``, or ``[]`` when there is no body."""

    body: Expression | None
    span: Span
    depth: int


class Binary(NamedTuple):
    """``left op right``; the place is the operator's."""

    op: str
    left: Expression
    right: Expression
    span: Span
    depth: int


class Unary(NamedTuple):
    """A postfix operator, or ``rot``; the place is the operator's."""

    op: str
    body: Expression
    span: Span
    depth: int


Expression: TypeAlias = Name | Bracket | Binary | Unary

# Statements ---------------------------------------------------------------------------------------------


class Constraint(NamedTuple):
    """``left op right`` with ``<=`` or ``=``, or ``op left`` with ``acyclic``, ``irreflexive``, ``empty``."""

    op: str
    left: Expression
    right: Expression | None = None


class Include(NamedTuple):
    """``include "file"``."""

    path: str
    span: Span


class Declare(NamedTuple):
    """``relation r`` or ``predicate P``."""

    sort: str
    name: Name


class Disjoint(NamedTuple):
    """``disjoint A # B``."""

    names: tuple[Name, ...]


class Define(NamedTuple):
    """``let`` or ``view``, with or without ``rec``; or ``let fix``."""

    view: bool
    recursive: bool
    bindings: tuple[tuple[Name, Expression], ...]
    is_fixpoint: bool = False


class Claim(NamedTuple):
    """``assume`` or ``assert``; ``total`` is the relation of ``assume total r``."""

    assumed: bool
    claim: Constraint | None
    total: Expression | None
    span: Span


class State(NamedTuple):
    """An axiom: ``kind`` as in ``terms.Axiom``, or ``constraint`` for ``export e <= f``."""

    kind: str
    body: Expression | Constraint
    span: Span
    unless: Constraint | None = None
    name: str | None = None
    name_span: Span | None = None


class Forbid(NamedTuple):
    """``error NAME unless c`` or ``warning NAME unless c``."""

    name: str
    warning: bool
    constraint: Constraint
    span: Span


class Extra(NamedTuple):
    """``export extra NAME …``: for a consumer that is not Mazurka; its names must still exist."""

    constraints: tuple[Constraint, ...]
    expressions: tuple[Expression, ...]


class Header(NamedTuple):
    """``model NAME "title"``, ``cite "…"`` or ``map name "…"``: a keyword and what it says."""

    keyword: str
    name: str
    text: str
    span: Span


class Preserved(NamedTuple):
    """``ppo = e``."""

    body: Expression
    span: Span


Statement: TypeAlias = (
    Include | Declare | Disjoint | Define | Claim | State | Forbid | Extra | Header | Preserved
)
