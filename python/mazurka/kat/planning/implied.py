"""Axioms that follow from others, for the events of one program."""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.automata.builder import Bound
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import EVERY_CLASS, Plan
from mazurka.kat.planning.cycles import forbidden


def without_implied(plan: Plan, model: terms.Model, classes: int) -> Plan:
    """The Plan without axioms whose cycles another axiom forbids anyway."""
    if classes == EVERY_CLASS:
        return plan
    checked = {axiom.stated for axiom in plan.axioms}
    kept = [axiom for number, axiom in enumerate(model.axioms) if number in checked]
    dropped = list(plan.dropped)
    for axiom in sorted(kept, key=lambda axiom: axiom.name):
        others = [other for other in kept if other is not axiom]
        implying = _implying(axiom, sorted(others, key=lambda other: other.name), model, classes)
        if implying is not None:
            kept = others
            dropped.append((axiom.name, f"simplified: with this program's events it follows from {implying}"))
    left = {number for number, axiom in enumerate(model.axioms) if any(axiom is other for other in kept)}
    axioms = tuple(axiom for axiom in plan.axioms if axiom.stated in left)
    return replace(plan, axioms=axioms, dropped=tuple(dropped))


def _implying(axiom: terms.Axiom, others: list[terms.Axiom], model: terms.Model, classes: int) -> str | None:
    """The name of an axiom that forbids whatever this one forbids."""
    try:
        words = forbidden(axiom, model, classes, Bound.ABOVE)
        if axiom.kind == "empty" or words.nullable:
            return None
        for other in others:
            if included(words, forbidden(other, model, classes, Bound.BELOW)):
                return other.name
    except NotRegular:
        pass
    return None
