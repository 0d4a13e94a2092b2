"""What a ``.cat`` file says, as it is written: names are still names, and nothing has a type yet.

I1: every node has the place that an error about it should point at.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from mazurka.kat.meaning.terms import Span

# Expressions --------------------------------------------------------------------------------------------


class Ident(NamedTuple):
    """A name; ``0`` and ``_`` are names here."""

    name: str
    span: Span


class Tag(NamedTuple):
    """``'once``: a member of an enumeration."""

    name: str
    span: Span


class Infix(NamedTuple):
    """``left op right``; the place is the operator's. ``*`` is the product of two sets."""

    op: str
    left: CatExpression
    right: CatExpression
    span: Span


class Affix(NamedTuple):
    """``~e`` or a postfix operator; the place is the operator's."""

    op: str
    body: CatExpression
    span: Span


class Brackets(NamedTuple):
    """``[S]``: the events of a set, each with itself."""

    body: CatExpression
    span: Span


class Braces(NamedTuple):
    """``{'once, 'acquire}``, or the empty set ``{}``."""

    members: tuple[CatExpression, ...]
    span: Span


class Several(NamedTuple):
    """``(a, b)``; ``()`` has no members."""

    members: tuple[CatExpression, ...]
    span: Span


class Application(NamedTuple):
    """``f x`` or ``f(x, y)``."""

    function: CatExpression
    argument: CatExpression
    span: Span


class Abstraction(NamedTuple):
    """``fun x -> e``, and what ``let f x = e`` and ``let f(x, y) = e`` stand for."""

    parameters: Parameters
    body: CatExpression
    span: Span


class Local(NamedTuple):
    """``let … in e``."""

    define: Let
    body: CatExpression
    span: Span


class Variant(NamedTuple):
    """``if "variant" then e else f``; ``is_met``: with every variant off, the condition holds."""

    is_met: bool
    on: CatExpression
    off: CatExpression
    span: Span


class Case(NamedTuple):
    """``|| 'once -> e``; without a tag, ``|| _ -> e``."""

    tag: str | None
    body: CatExpression


class Match(NamedTuple):
    """``match e with || 'once -> f || _ -> g end``."""

    subject: CatExpression
    cases: tuple[Case, ...]
    span: Span


class Attempt(NamedTuple):
    """``try e with f``: f where a name of e is unknown."""

    body: CatExpression
    otherwise: CatExpression
    span: Span


CatExpression: TypeAlias = (
    Ident
    | Tag
    | Infix
    | Affix
    | Brackets
    | Braces
    | Several
    | Application
    | Abstraction
    | Local
    | Variant
    | Match
    | Attempt
)
Parameters: TypeAlias = tuple[Ident, ...] | Ident  # names in parentheses, or one name that takes anything

# Statements ---------------------------------------------------------------------------------------------


class Binding(NamedTuple):
    """``x = e``, or ``(x, y) = e``."""

    names: Parameters
    body: CatExpression


class Let(NamedTuple):
    """``let x = e and y = f``, with or without ``rec``."""

    recursive: bool
    bindings: tuple[Binding, ...]
    span: Span


class CatCheck(NamedTuple):
    """``acyclic e as name``. ``flag``: a graph for which it holds is flagged; ``negated`` with ``~``."""

    kind: str
    negated: bool
    flag: bool
    body: CatExpression
    name: str | None
    span: Span


class Procedure(NamedTuple):
    """``procedure p(x) = … end``."""

    name: Ident
    parameters: Parameters
    body: tuple[CatStatement, ...]


class Call(NamedTuple):
    """``call p(e) as name``."""

    name: Ident
    argument: CatExpression
    label: str | None


class IncludedFile(NamedTuple):
    """``include "file"``."""

    path: str
    span: Span


class Enumeration(NamedTuple):
    """``enum Name = 'a || 'b``."""

    name: Ident
    tags: tuple[Tag, ...]


class Instructions(NamedTuple):
    """``instructions R[{'once, 'acquire}]``: which tags the events of a kind may have."""

    kind: Ident
    tags: tuple[CatExpression, ...]


class Generated(NamedTuple):
    """``with co from e``: the model is tried with each member of a set of relations."""

    name: Ident
    source: CatExpression
    span: Span


class Conditional(NamedTuple):
    """``if "variant" … else … end``: the statements for when every variant is off."""

    body: tuple[CatStatement, ...]


class ForAll(NamedTuple):
    """``forall x in S do … end``: the statements once for each tag of a set."""

    name: Ident
    source: CatExpression
    body: tuple[CatStatement, ...]


class Title(NamedTuple):
    """The model's title, at the beginning of a file."""

    text: str


class Hidden(NamedTuple):
    """``show …`` and ``unshow …``: about pictures. The names must exist."""

    expressions: tuple[CatExpression, ...]


CatStatement: TypeAlias = (
    Let
    | CatCheck
    | Procedure
    | Call
    | IncludedFile
    | Enumeration
    | Instructions
    | Generated
    | Conditional
    | ForAll
    | Title
    | Hidden
)
