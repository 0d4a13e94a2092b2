"""Questions to the prover as texts."""

from __future__ import annotations

from mazurka.kat.load import load_text
from mazurka.prover import Answer, Query, Theory, decide


def questions(text: str) -> list[Query]:
    """The assertions of a text, under its assumptions."""
    model = load_text(text, require_axioms=False)
    theory = Theory(model.assumptions, model.disjoint, model.views)
    return [Query("question", s.claim, theory, s.span) for s in model.assertions if s.claim is not None]


def answers(text: str, *, time_limit: float | None = None, allow_unused: bool = False) -> list[Answer]:
    """The answers to the assertions of a text."""
    return [decide(q, time_limit=time_limit, allow_unused=allow_unused) for q in questions(text)]
