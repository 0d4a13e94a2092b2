"""What expressions of ``.cat`` files stand for, and what their operators do with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mazurka.kat.cat import algebra
from mazurka.kat.cat.algebra import EventSet
from mazurka.kat.cat.syntax import Abstraction, CatStatement, Parameters
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Relation


class Sort(Enum):
    """What a term is about. ``0``, and a name that is being defined, may be either."""

    SET = "a set"
    RELATION = "a relation"
    EITHER = "a set or a relation"


@dataclass(frozen=True)
class Denoted:
    """A set of events or a relation."""

    sort: Sort
    term: EventSet

    @property
    def relation(self) -> Relation:
        """The relation; of a set, its events with themselves."""
        return algebra.as_relation(self.term)


@dataclass(frozen=True)
class TagSet:
    """A set of tags, such as ``{'once, 'acquire}``; a single tag is a set of one."""

    tags: frozenset[str]


@dataclass(frozen=True)
class Pack:
    """``(a, b)``."""

    members: tuple[CatValue, ...]


@dataclass(frozen=True, eq=False)
class CatFunction:
    """A function with the names that were known where it was written."""

    abstraction: Abstraction
    scope: CatScope


@dataclass(frozen=True, eq=False)
class BuiltinFunction:
    """A function that every file knows; its argument is a set or a relation."""

    name: str
    takes: Sort
    apply: Callable[[EventSet], Denoted | None]  # None: what it asks for is not known


@dataclass(frozen=True, eq=False)
class CatProcedure:
    """A procedure with the names that were known where it was written."""

    parameters: Parameters
    body: tuple[CatStatement, ...]
    scope: CatScope


CatValue: TypeAlias = Denoted | TagSet | Pack | CatFunction | BuiltinFunction | CatProcedure
CatScope: TypeAlias = Mapping[str, CatValue]

NOTHING = Denoted(Sort.EITHER, terms.Empty())


def a_set(term: EventSet) -> Denoted:
    """A set of events."""
    return Denoted(Sort.SET, term)


def a_relation(term: Relation) -> Denoted:
    """A relation."""
    return Denoted(Sort.RELATION, term)


def described(value: CatValue) -> str:
    """What a value is, for messages."""
    match value:
        case Denoted(sort):
            return sort.value
        case TagSet():
            return "a set of tags"
        case Pack():
            return "several values"
        case CatProcedure():
            return "a procedure"
        case _:
            return "a function"


def common(left: Denoted, right: Denoted) -> Sort | None:
    """The sort of two operands; None if they differ."""
    if left.sort is Sort.EITHER or left.sort is right.sort:
        return right.sort
    return left.sort if right.sort is Sort.EITHER else None
