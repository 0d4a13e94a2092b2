"""Where an error about a model points: the place of a view or of the ppo."""

from __future__ import annotations

import re

from mazurka.errors import Place
from mazurka.kat.language.load import stated_ppo
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import place_of
from mazurka.kat.meaning.rewrite import leaves
from mazurka.kat.meaning.terms import Span


def where_view(model: terms.Model, name: str) -> Span | None:
    """Where a view is defined, or else the first axiom or rule that uses it."""
    try:
        lines = model.path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError):
        lines = []
    pattern = re.compile(rf"\s*(view\s+(rec\s+)?|and\s+){re.escape(name)}\b")
    for number, line in enumerate(lines, 1):
        if pattern.match(line):
            return Span(str(model.path), number, line.index(name) + 1, len(name))
    uses = [(a.span, a.relation) for a in model.axioms] + [(e.span, e.constraint.right) for e in model.errors]
    return next((span for span, term in uses if terms.View(name) in leaves(term)), None)


def where_ppo(model: terms.Model) -> Place:
    """Where the model, or a file that it includes, states its ppo."""
    return place_of(stated_ppo(model.path)) or Place(str(model.path))
