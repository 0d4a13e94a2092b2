"""The prover: decides claims about memory models (thesis §3: KAT with the theory of execution graphs).

``load_claims`` reads the queries of a file, ``decide`` answers one, ``prove_file`` answers all of a file, and
``weaker`` makes the queries that compare two models. Answers are ``Proved``, ``Refuted`` and
``Unknown``.
"""

from __future__ import annotations

from pathlib import Path

from mazurka.prover.deciding.decide import decide, unusable
from mazurka.prover.theory.answers import Answer, PathStep, Proved, Refuted, Unknown
from mazurka.prover.theory.graphs import CandidateGraph, Evaluator
from mazurka.prover.theory.queries import Query, Theory, claim_of, load_claims, weaker

__all__ = [
    "Answer",
    "CandidateGraph",
    "Evaluator",
    "PathStep",
    "Proved",
    "Query",
    "Refuted",
    "Theory",
    "Unknown",
    "claim_of",
    "decide",
    "load_claims",
    "prove_file",
    "unusable",
    "weaker",
]


def prove_file(
    path: str | Path, *, time_limit: float | None = None, allow_unused: bool = False
) -> list[Answer]:
    """The answers to the claims of a file, in order; the time limit applies to each."""
    queries = load_claims(path)
    return [decide(query, time_limit=time_limit, allow_unused=allow_unused) for query in queries]
