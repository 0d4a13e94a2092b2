"""Cycles of causes that an axiom forbids whatever depends on what, because of fences and modes of accesses.

The engine asks for them before it gives up that no load sees a store which comes after it in po and rf
(``crates/engine/src/consistency/checks/earlier.rs``).
"""

from __future__ import annotations

from functools import reduce

from mazurka.kat.automata import automaton
from mazurka.kat.automata.automaton import NOTHING, Nfa
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import domain
from mazurka.kat.meaning.plan import Automaton, Symbol, Transition
from mazurka.kat.meaning.rewrite import alternatives
from mazurka.kat.planning.engine_automaton import EngineAutomaton, cyclic, emitted, shrink
from mazurka.kat.planning.preserved import dependencies_in

_FOLLOWED = (Symbol.PO, Symbol.PO_LOC, Symbol.RF, Symbol.RFE, Symbol.RFI)


def causality(model: terms.Model, classes: int) -> Automaton | None:
    """An automaton of such cycles; rfe leads from its state 0 to state 0. None if no axiom forbids any."""
    for axiom in model.axioms:
        if axiom.kind == "acyclic" and dependencies_in(axiom.relation, model):
            machine = shrink(cyclic(_causes(axiom, model, classes), classes))
            if any(_is_external_rf(step, classes) for step in machine.steps):
                return _emitted(machine)
    return None


def _causes(axiom: terms.Axiom, model: terms.Model, classes: int) -> Nfa:
    """The alternatives of an axiom that are about po, po-loc and rf alone."""
    builder = Builder(model.views, {}, axiom.span, classes)
    found = []
    for part in alternatives(axiom.relation):
        try:
            nfa = builder.automaton(part)
        except NotRegular:
            continue
        is_followed = all(step.symbol in _FOLLOWED and not step.inverse for step in nfa.steps)
        if is_followed and not nfa.nullable:
            found.append(nfa)
    return reduce(automaton.unite, found, NOTHING)


def _is_external_rf(step: Transition, classes: int) -> bool:
    before, after = (side & classes for side in domain(Symbol.RFE))
    covers = not before & ~step.before and not after & ~step.after
    return step.source == step.target == 0 and step.symbol in (Symbol.RF, Symbol.RFE) and covers


def _emitted(machine: EngineAutomaton) -> Automaton:
    return Automaton(machine.states, emitted(machine.steps))
