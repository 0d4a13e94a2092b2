"""What a litmus test asks of its final states: propositions over registers and locations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mazurka.errors import Place
from mazurka.litmus.meaning.values import Observed, Value


@dataclass(frozen=True, slots=True)
class Equals:
    """Something observed has a value, or the value of something else that is observed."""

    left: Observed
    right: Observed | Value
    place: Place


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a proposition."""

    part: Proposition


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold; without parts, always."""

    parts: tuple[Proposition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds; without parts, never."""

    parts: tuple[Proposition, ...]


Proposition: TypeAlias = Equals | Not | And | Or
TRUE = And(())
FALSE = Or(())


class Quantifier(Enum):
    """Over which final states the proposition is asked."""

    EXISTS = "exists"
    NOT_EXISTS = "~exists"
    FORALL = "forall"


@dataclass(frozen=True, slots=True)
class Condition:
    """The question of a test."""

    quantifier: Quantifier
    proposition: Proposition
    place: Place
    text: str = ""  # as the file writes it


def atoms(proposition: Proposition) -> Iterator[Equals]:
    """The equations of a proposition, from left to right."""
    match proposition:
        case Equals():
            yield proposition
        case Not(part):
            yield from atoms(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from atoms(part)


def holds(proposition: Proposition, is_equal: Callable[[Equals], bool]) -> bool:
    """Whether a proposition holds, given which of its equations do."""
    match proposition:
        case Not(part):
            return not holds(part, is_equal)
        case And(parts):
            return all(holds(part, is_equal) for part in parts)
        case Or(parts):
            return any(holds(part, is_equal) for part in parts)
        case Equals():
            return is_equal(proposition)
