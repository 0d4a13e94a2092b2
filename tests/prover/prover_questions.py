"""Questions to the prover as texts."""

from __future__ import annotations

from mazurka.kat.language.load import load_text
from mazurka.prover import Answer, Query, decide
from mazurka.prover.theory.queries import asserted


def questions(text: str) -> list[Query]:
    """The assertions of a text, under its assumptions."""
    return asserted(load_text(text, require_axioms=False))


def answers(text: str, *, time_limit: float | None = None, allow_unused: bool = False) -> list[Answer]:
    """The answers to the assertions of a text."""
    return [decide(q, time_limit=time_limit, allow_unused=allow_unused) for q in questions(text)]
