"""Axioms with a condition (``unless``): they can be parsed, but models with them cannot be used."""

from __future__ import annotations

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import place_of


def refuse_conditions(model: terms.Model) -> None:
    """Refuses axioms with a condition."""
    for axiom in model.axioms:
        if axiom.unless is not None:
            raise ModelError(
                ErrorCode.BAD_MODEL,
                f"the axiom {axiom.name} has a condition (unless), so the model cannot be used",
                place=place_of(axiom.span),
                hint="state the axiom without `unless`",
            )
