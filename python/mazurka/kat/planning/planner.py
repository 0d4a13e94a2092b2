"""The planner: a model becomes a Plan (thesis §4.2 and §9.3, "Enhancing GenMC" §4).

Views become clocks (``views``), axioms become checks (``checks``), and error rules become pairs of classes
(``rules``). Whether the explorer is shown to find all executions of the model is decided in ``soundness``.

I1: a Plan keeps only the views that it uses. I2: every axiom of the model is either among the Plan's axioms,
under its name and number, or among ``dropped`` with the reason.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.automata import automaton
from mazurka.kat.automata.builder import Bound
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import (
    CAUSAL,
    EVERY_CLASS,
    Automaton,
    Closure,
    Coherence,
    GuardedEdge,
    LifetimeOrder,
    Matrix,
    Plan,
    PlanAxiom,
    PlanOrder,
    PlanRule,
    Symbol,
    Verdict,
    view_of,
)
from mazurka.kat.planning.checks import Chooser, Dropped, Views, meaning_of
from mazurka.kat.planning.computed import computed_rules, with_lifetimes_of
from mazurka.kat.planning.cycles import forbidden, restricted
from mazurka.kat.planning.matrix import matrix
from mazurka.kat.planning.preserved import causal_order_of
from mazurka.kat.planning.rules import plan_rule


def tables_of(model: terms.Model, classes: int = EVERY_CLASS, *, mixed_sizes: bool = False) -> Plan:
    """The Plan of a model for graphs with events of some classes only.

    With ``mixed_sizes`` it is for graphs whose accesses may share bytes without being of one location.

    The caller has checked that the model may be run (``soundness.requirements.check_model``).
    """
    if mixed_sizes and model.pieces:
        return _tables_of_pieces(model)
    preserved = causal_order_of(model, classes)
    views = Views(dict(model.views), classes)
    if not isinstance(preserved, tuple):
        views.plan_all()
    chooser = Chooser(
        views,
        preserved,
        mixed_sizes,
        is_coherent=isinstance(preserved, Matrix) and _is_coherent(model, classes),
    )
    axioms: list[PlanAxiom] = []
    dropped: list[tuple[str, str]] = []
    for number, axiom in enumerate(model.axioms):
        found = chooser.choose(axiom)
        if isinstance(found, Dropped):
            dropped.append((found.name, found.reason))
        else:
            axioms += [replace(check, stated=number) for check in found]
    orders: tuple[PlanOrder, ...] = ()
    if model.ppo is None:
        rules = tuple(rule for stated in model.errors for rule in plan_rule(stated, views))
    else:
        rules, orders = computed_rules(model)
    order = _happens_before(views, axioms)
    plan = Plan(
        model.name,
        tuple(axioms),
        tuple(views.kept),
        rules,
        orders,
        happens_before=order,
        preserved=preserved,
        is_assumed=model.derives_ppo,
        dropped=tuple(dropped),
    )
    plan = used_views_only(plan)
    return plan if model.ppo is None else with_lifetimes_of(plan, model)


def _is_coherent(model: terms.Model, classes: int) -> bool:
    """Whether an axiom forbids po between accesses of one location to contradict rf, co and fr."""
    against = restricted(automaton.concatenate(automaton.step(Symbol.PO_LOC), automaton.ECO), classes)
    for axiom in model.axioms:
        try:
            if included(against, forbidden(axiom, model, classes, Bound.BELOW)):
                return True
        except NotRegular:
            continue
    return False


def _tables_of_pieces(model: terms.Model) -> Plan:
    """The Plan of a model that says what accesses of several sizes mean (``kat.language.pieces``).

    Its programs are about pieces of accesses, except for that of ppo, which is about whole ones.
    """
    assert model.ppo is not None, "only models with a ppo are about pieces"
    axioms = tuple(
        PlanAxiom(axiom.name, meaning, meaning, "it is about pieces of accesses", number)
        for number, axiom in enumerate(model.pieces)
        for meaning in (meaning_of(axiom, model.views),)
    )
    preserved = matrix(model.ppo, Verdict.EMPTY, model.views)
    return Plan(model.name, axioms, preserved=preserved, is_assumed=model.derives_ppo)


def _happens_before(views: Views, axioms: list[PlanAxiom]) -> tuple[LifetimeOrder, int]:
    """What orders accesses before the end of their object's life."""
    if "hb" in views.symbols:
        return LifetimeOrder.VIEW, views.symbols["hb"] - Symbol.VIEW
    for index, axiom in enumerate(axioms):
        if isinstance(axiom.check, Closure) and GuardedEdge(Symbol.PO) in axiom.check.edges:
            return LifetimeOrder.AXIOM, index
    return CAUSAL


def used_views_only(plan: Plan) -> Plan:
    """The Plan without the views that it does not use (I1)."""
    used: set[int] = set() if plan.orders else {rule.view for rule in plan.errors}
    for axiom in plan.axioms:
        used |= _views_of(axiom)
    kind, index = plan.happens_before
    if kind is LifetimeOrder.VIEW:
        used.add(index)
    names = {old: new for new, old in enumerate(sorted(used))}
    return replace(
        plan,
        views=tuple(plan.views[old] for old in sorted(used)),
        axioms=tuple(_with_views(axiom, names) for axiom in plan.axioms),
        errors=plan.errors if plan.orders else tuple(_rule_with_view(rule, names) for rule in plan.errors),
        happens_before=(kind, names[index] if kind is LifetimeOrder.VIEW else index),
    )


def _views_of(axiom: PlanAxiom) -> set[int]:
    match axiom.check:
        case Coherence(view):
            return {view}
        case Closure(edges):
            return {found for edge in edges if (found := view_of(edge.symbol)) is not None}
        case Automaton(_, steps):
            return {found for step in steps if (found := view_of(step.symbol)) is not None}
        case _:
            return set()


def _with_views(axiom: PlanAxiom, names: dict[int, int]) -> PlanAxiom:
    def symbol(old: int) -> int:
        view = view_of(old)
        return old if view is None else old - view + names[view]

    match axiom.check:
        case Coherence(view):
            return replace(axiom, check=Coherence(names[view]))
        case Closure(edges):
            return replace(axiom, check=Closure(tuple(replace(e, symbol=symbol(e.symbol)) for e in edges)))
        case Automaton(states, steps):
            renamed = tuple(s._replace(symbol=symbol(s.symbol)) for s in steps)
            return replace(axiom, check=Automaton(states, renamed))
        case _:
            return axiom


def _rule_with_view(rule: PlanRule, names: dict[int, int]) -> PlanRule:
    return replace(rule, view=names[rule.view])
