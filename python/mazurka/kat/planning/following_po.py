"""Plans of models with a ppo for graphs in which po and rf have no common cycle.

Such graphs are what most programs have, and these Plans follow all of po, which is fast. The engine watches
whether a program has others, and then starts again with the model's own Plan.

An axiom that is about dependencies cannot be checked that way, because they are not tracked then. But its
cycles may be about few events. In IMM, a cycle of ``rfe | bob | ppo | detour | psc-fence`` that is not one of
po and rf has a step of psc-fence, so it goes through SC fences. If wherever po and rf lead from one SC fence
to another, hb does, too, then it is a cycle of hb and psc-fence. The engine watches that as well.

A first attempt may be about fewer graphs still (``watched_rf``).
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.automata import automaton
from mazurka.kat.automata.automaton import END, PORF, START
from mazurka.kat.automata.builder import Bound, Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import FENCES
from mazurka.kat.meaning.plan import Coherence, LifetimeOrder, Matrix, Plan, PlanAxiom
from mazurka.kat.meaning.rewrite import alternatives, chain, expand, factors, normalise, union
from mazurka.kat.planning.causality import causality
from mazurka.kat.planning.implied import without_implied
from mazurka.kat.planning.planner import tables_of, used_views_only
from mazurka.kat.planning.preserved import dependencies_in
from mazurka.kat.planning.watched_rf import in_order


def following_po(model: terms.Model, classes: int) -> Plan | None:
    """The Plan of a model with a ppo for graphs in which po and rf have no common cycle, without error rules.

    None if that takes dependencies.
    """
    whole = replace(model, ppo=None, derives_ppo=False, errors=())
    plan = without_implied(tables_of(whole, classes), whole, classes)
    needs_dependencies = any(
        dependencies_in(model.axioms[axiom.stated or 0].relation, model) for axiom in plan.axioms
    )
    return None if needs_dependencies else plan


def unbuffered(plan: Plan, model: terms.Model, classes: int) -> Plan | None:
    """The same for a model whose own Plan lets threads have gaps, with the error rules of that.

    Only clocks can show that a program has no other graphs, so an axiom must be about coherence.
    """
    if not isinstance(plan.preserved, Matrix) or plan.is_assumed:
        return None
    if plan.happens_before[0] not in (LifetimeOrder.CAUSAL, LifetimeOrder.COMPUTED):
        return None
    whole = _by_clocks(plan, model, classes)
    simpler = in_order(model, _ORDER, classes) if whole is not None else None
    if whole is None or simpler is None:
        return whole
    fewer = _by_clocks(plan, simpler[0], classes)
    if fewer is None or _tables(fewer) == _tables(whole) or not _checks_views_of(fewer, {_ORDER}):
        return whole
    return replace(whole, unbuffered=replace(fewer, watched_rf=simpler[1]))


def _tables(plan: Plan) -> tuple[object, ...]:
    return plan.views, [axiom.check for axiom in plan.axioms]


def _by_clocks(plan: Plan, model: terms.Model, classes: int) -> Plan | None:
    """The Plan of a model by clocks alone, with the error rules of its own Plan."""
    fewer, watched = _without_dependencies(model, classes)
    found = None if fewer is None else following_po(fewer, classes)
    if found is None:
        return None
    if not _checks_views_of(found, {_ORDER} if watched else None):
        return None
    found = replace(found, errors=plan.errors, orders=plan.orders, happens_before=plan.happens_before)
    found = used_views_only(found)
    axioms = _as_stated_in(plan, found, model)
    return replace(found, axioms=axioms, watched=watched, causality=causality(model, classes))


def _checks_views_of(plan: Plan, names: set[str] | None) -> bool:
    """Whether coherence is about views, or about those of some names."""
    views = {plan.views[a.check.view].name for a in plan.axioms if isinstance(a.check, Coherence)}
    return bool(views) and (names is None or views == names)


def _as_stated_in(plan: Plan, found: Plan, model: terms.Model) -> tuple[PlanAxiom, ...]:
    """The axioms of a Plan. One that the whole Plan does not have counts as what it follows from there: an
    axiom about dependencies.
    """
    stated = [axiom.stated for axiom in plan.axioms]
    others = [n for n in stated if dependencies_in(model.axioms[n or 0].relation, model)]
    return tuple(
        axiom if axiom.stated in stated else replace(axiom, stated=(others or stated)[0])
        for axiom in found.axioms
    )


_ORDER = "hb"  # the view of coherence


def _without_dependencies(model: terms.Model, classes: int) -> tuple[terms.Model | None, int]:
    """The model with axioms that mean the same if hb contains po and rf between fences of some classes, which
    are found, too. None if there are none.
    """
    axioms, watched = [], 0
    for axiom in model.axioms:
        if not dependencies_in(axiom.relation, model):
            axioms.append(axiom)
            continue
        changed = _through_fences(axiom, model, classes)
        if changed is None:
            return None, 0
        axioms.append(changed[0])
        watched |= changed[1]
    return replace(model, axioms=tuple(axioms)), watched


def _through_fences(axiom: terms.Axiom, model: terms.Model, classes: int) -> tuple[terms.Axiom, int] | None:
    """An axiom about cycles of steps within po and rf and of others, which lead from fence to fence."""
    if axiom.kind != "acyclic" or _ORDER not in model.views:
        return None
    builder = Builder(model.views, {}, axiom.span, classes, Bound.ABOVE)
    others: list[terms.Relation] = []
    fences = 0
    for part in alternatives(axiom.relation):
        try:
            nfa = builder.automaton(part)
        except NotRegular:
            return None
        if automaton.is_empty(nfa) or (not nfa.nullable and included(nfa, PORF)):
            continue
        if nfa.nullable:
            return None
        others.append(part)
        for step in nfa.steps:
            fences |= step.before if step.source == START else 0
            fences |= step.after if step.target == END else 0
    guards = {end for part in others for end in _ends(expand(part, model.views))}
    if fences & ~FENCES or len(guards) > 1 or not all(isinstance(end, terms.Guard) for end in guards):
        return None
    between = [chain([guard, model.views[_ORDER], guard]) for guard in guards]
    return replace(axiom, relation=union([*others, *between])), fences


def _ends(part: terms.Relation) -> tuple[terms.Relation, terms.Relation]:
    steps = factors(normalise(part))
    return steps[0], steps[-1]
