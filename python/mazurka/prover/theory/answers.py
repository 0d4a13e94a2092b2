"""What the prover says about a claim: proved, refuted with a counterexample, or unknown with what is missing.

I1: a ``Refuted`` has been checked on its graph, which satisfies the built-in theory and all assumptions and
violates the claim. I2: nothing is ever left out in silence: what was not looked at is in ``Unknown``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mazurka.kat.meaning.terms import Span
from mazurka.prover.theory.graphs import CandidateGraph


@dataclass(frozen=True)
class PathStep:
    """A step of a word: a relation, walked backwards or not, between events that pass two tests.

    The tests are alternatives of predicate sets: ``before`` has the predicates that the first event passes.
    """

    relation: str
    inverse: bool
    before: frozenset[str]
    after: frozenset[str]


@dataclass(frozen=True)
class Proved:
    """The claim holds in every graph that satisfies the built-in theory and the assumptions."""

    seconds: float
    size: int  # of the search: pairs of a state and a set of states that were looked at
    assumptions: tuple[Span, ...] = ()  # those that the proof was given, or of these what it needs
    exact: bool = False  # whether none of the assumptions can be left out
    # Whether an execution was found that satisfies all assumptions given; None if none was looked for.
    satisfiable: bool | None = None


@dataclass(frozen=True)
class Refuted:
    """There is a graph that satisfies the assumptions and not the claim (I1).

    ``word`` leads from one event to another (``cyclic``: back to the first one) by the side of the claim that
    is named in ``side`` ("left" or "right"), and the two events are not related by the other side.
    """

    word: tuple[PathStep, ...]
    side: str
    cyclic: bool
    graph: CandidateGraph
    seconds: float


@dataclass(frozen=True)
class Unknown:
    """Neither was shown; ``missing`` says what it would take, ``span`` where in the file it stands."""

    reason: str
    missing: tuple[str, ...]
    span: Span | None
    seconds: float


Answer: TypeAlias = Proved | Refuted | Unknown
