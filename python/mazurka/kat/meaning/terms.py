"""Terms of the model language: tests, relations, and what a model file says with them (thesis §3.1-3.3).

Terms are immutable values and compare by structure. The resolver has replaced names by what they stand for,
except that a view stays a ``View``, because the engine keeps it as a whole.
I1: a ``Test`` is a set of events, a ``Relation`` a set of pairs; a test used as a relation is a ``Guard``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True)
class Span:
    """Where something stands in a model file; lines and columns count from 1."""

    path: str
    line: int
    column: int
    length: int = 1


# Tests --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Anything:
    """The test that every event passes, ``[]``."""


@dataclass(frozen=True)
class Primitive:
    """A built-in or declared predicate."""

    name: str


@dataclass(frozen=True)
class Not:
    """The events that fail a test."""

    body: Test


@dataclass(frozen=True)
class Both:
    """The events that pass two tests."""

    left: Test
    right: Test


@dataclass(frozen=True)
class Either:
    """The events that pass one of two tests."""

    left: Test
    right: Test


Test: TypeAlias = Anything | Primitive | Not | Both | Either

# Relations ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Empty:
    """No pair, ``0``."""


@dataclass(frozen=True)
class Identity:
    """Every event with itself, ``id``."""


@dataclass(frozen=True)
class Base:
    """A built-in or declared relation."""

    name: str


@dataclass(frozen=True)
class View:
    """A relation that the engine keeps per event; the model has its definition."""

    name: str


@dataclass(frozen=True)
class Guard:
    """The events that pass a test, each with itself, ``[P]``."""

    test: Test


@dataclass(frozen=True)
class Union:
    """Pairs of one or the other, ``e | f``."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class Intersection:
    """Pairs of both, ``e & f``."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class Difference:
    r"""Pairs of the first that are not of the second, ``e \ f``."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class Sequence:
    """First one, then the other, ``e ; f``."""

    left: Relation
    right: Relation


@dataclass(frozen=True)
class Plus:
    """One or more times, ``e+``."""

    body: Relation


@dataclass(frozen=True)
class Star:
    """Any number of times, ``e*``."""

    body: Relation


@dataclass(frozen=True)
class Maybe:
    """Once or not at all, ``e?``."""

    body: Relation


@dataclass(frozen=True)
class Inverse:
    """Pairs turned around, ``e^-1``."""

    body: Relation


@dataclass(frozen=True)
class Rotation:
    """The rotational closure, ``rot e``: for the prover only."""

    body: Relation


@dataclass(frozen=True)
class Variable:
    """A relation that a fixpoint defines, where its equations name it."""

    name: str


@dataclass(frozen=True)
class Fixpoint:
    """The relation ``name`` in the least solution of equations that no regular term stands for."""

    name: str
    equations: tuple[Equation, ...]


@dataclass(frozen=True)
class Equation:
    """``name = body``, in which the variables of a fixpoint occur; ``body`` grows when they do."""

    name: str
    body: Relation


Relation: TypeAlias = (
    Empty
    | Identity
    | Base
    | View
    | Guard
    | Union
    | Intersection
    | Difference
    | Sequence
    | Plus
    | Star
    | Maybe
    | Inverse
    | Rotation
    | Variable
    | Fixpoint
)


def mentions(term: Relation | Test | None, part: Relation | Test) -> bool:
    """Whether a term contains another, not counting the definitions of views."""
    return some_mentions([term], part)


def some_mentions(whole: Iterable[Relation | Test | None], part: Relation | Test) -> bool:
    """Whether one of some terms contains another; what they share is looked at once."""
    seen: dict[int, object] = {}
    waiting: list[object] = list(whole)
    while waiting:
        one = waiting.pop()
        if one is None or isinstance(one, str) or id(one) in seen:
            continue
        if one == part:
            return True
        seen[id(one)] = one
        if isinstance(one, Fixpoint):
            waiting += [equation.body for equation in one.equations]
        else:
            waiting += vars(one).values()
    return False


# Statements ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Inclusion:
    """``left <= right``; ``equal`` says that it holds both ways (``left = right``)."""

    left: Relation
    right: Relation
    equal: bool = False


@dataclass(frozen=True)
class Axiom:
    """What a consistent graph must satisfy.

    ``kind`` is ``acyclic``, ``irreflexive``, ``empty`` or ``coherence`` (the relation followed by eco is
    irreflexive). ``name`` is what reports print: the ``as`` name, or one made from the kind and the place.
    """

    kind: str
    relation: Relation
    name: str
    span: Span
    unless: Inclusion | None = None


@dataclass(frozen=True)
class ErrorRule:
    """``export error NAME unless c``: a graph that violates the constraint is erroneous."""

    name: str
    constraint: Inclusion
    span: Span
    warning: bool = False


@dataclass(frozen=True)
class Statement:
    """An ``assume`` or ``assert``, for the prover; ``total`` is the relation of ``assume total r``.

    ``given`` is an assumption that an assertion makes for itself, with its place: ``assert A & id <= B``
    assumes that B is irreflexive.
    """

    claim: Inclusion | None
    span: Span
    total: Relation | None = None
    given: tuple[Inclusion, Span] | None = None


@dataclass(frozen=True)
class Model:
    """A model file, resolved."""

    name: str
    title: str
    path: Path
    axioms: tuple[Axiom, ...]
    views: dict[str, Relation] = field(default_factory=dict)  # in the order of the file
    definitions: dict[str, Relation | Test] = field(default_factory=dict)  # every let and view, by name
    errors: tuple[ErrorRule, ...] = ()
    assumptions: tuple[Statement, ...] = ()
    assertions: tuple[Statement, ...] = ()
    disjoint: tuple[tuple[str, ...], ...] = ()
    declared: dict[str, Path] = field(default_factory=dict)  # relations and predicates, with their files
    citations: tuple[str, ...] = ()
    ppo: Relation | None = None
    derives_ppo: bool = False  # the ppo is not stated: it was derived from the axioms
    pieces: tuple[Axiom, ...] = ()  # the axioms with ``si``, about pieces of accesses, if the file uses it
    mapping: tuple[tuple[str, str], ...] = ()
