"""What the prover says about a claim: proved, refuted with a counterexample, or unknown with what is missing.

I1: a ``Refuted`` has been checked on its graph, which satisfies the built-in theory and all assumptions and
violates the claim. I2: nothing is left out silently: what was not examined is named in ``Unknown``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mazurka.kat.meaning.terms import Span
from mazurka.prover.theory.graphs import CandidateGraph


@dataclass(frozen=True)
class PathStep:
    """A step of a word: a relation, walked forwards or backwards, between two events.

    ``before`` has the predicates that the first event satisfies, ``after`` those of the second.
    """

    relation: str
    inverse: bool
    before: frozenset[str]
    after: frozenset[str]


@dataclass(frozen=True)
class Proved:
    """The claim holds in every graph that satisfies the built-in theory and the assumptions."""

    seconds: float
    size: int  # of the search: how many pairs of a state and a set of states it visited
    assumptions: tuple[Span, ...] = ()  # those that the proof was given, or the subset that it needs
    exact: bool = False  # whether the proof needs every one of the assumptions
    # Whether an execution was found that satisfies all given assumptions; None if nobody searched for one.
    satisfiable: bool | None = None


@dataclass(frozen=True)
class Refuted:
    """A graph satisfies the assumptions but not the claim (I1).

    ``word`` leads from one event to another (``cyclic``: back to the first one). It belongs to the side of
    the claim that ``side`` names ("left" or "right"); the other side does not relate the two events.
    """

    word: tuple[PathStep, ...]
    side: str
    cyclic: bool
    graph: CandidateGraph
    seconds: float


@dataclass(frozen=True)
class Unknown:
    """Neither was shown. ``missing`` says what it would take, and ``span`` where that is in the file."""

    reason: str
    missing: tuple[str, ...]
    span: Span | None
    seconds: float


Answer: TypeAlias = Proved | Refuted | Unknown
