"""May the events of a round that changed nothing be removed from an execution?

Stopping a thread after such a round rests on it (``docs/waiting.md``, "Why nothing is lost"): what is left
must be consistent, too. The events that go are reads, fences, and read-modify-writes that wrote back what
they read.

A relation between the events that stay must not gain pairs by that. Unions, compositions and closures do not;
``po-imm`` does, and so does a difference if its right side loses pairs: that one may only relate two events
by what they are themselves, not by a path that may lead through others.

This is not enough for read-modify-writes that wrote back: whether a model orders as much by ``rf`` as by
``rf ; rmw ; rf`` is known of the models of Mazurka, not of others.
"""

from __future__ import annotations

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import parts
from mazurka.kat.meaning.show import show
from mazurka.kat.meaning.terms import Relation

_THROUGH_OTHERS = frozenset(("po-imm", "detour"))


def why_not_removable(model: terms.Model) -> str | None:
    """Why events cannot be removed, as a clause; None if they can."""
    for axiom in model.axioms:
        if axiom.unless is not None:
            return f"'{axiom.name}' has a condition"
        found = _gains(axiom.relation)
        if found is not None:
            return f"'{axiom.name}' has '{show(found)}'"
    for name, view in model.views.items():
        found = _gains(view)
        if found is not None:
            return f"'{name}' has '{show(found)}'"
    return None


def _gains(term: Relation) -> Relation | None:
    """A part of a term that may gain pairs of old events when others are removed."""
    if isinstance(term, terms.Base) and term.name == "po-imm":
        return term
    if isinstance(term, terms.Difference):
        return term if _loses(term.right) else _gains(term.left)
    return next((found for part in parts(term) if (found := _gains(part)) is not None), None)


def _loses(term: Relation) -> bool:
    """Whether a term may lose pairs of old events when others are removed."""
    if isinstance(term, terms.Base):
        return term.name in _THROUGH_OTHERS
    if isinstance(term, terms.Sequence) and not any(isinstance(p, terms.Guard) for p in parts(term)):
        return True
    if isinstance(term, terms.Plus | terms.Star | terms.View | terms.Rotation | terms.Difference):
        return True
    return any(map(_loses, parts(term)))
