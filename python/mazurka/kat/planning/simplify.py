"""Plans for one program: axioms that its events cannot violate are not checked ("Enhancing GenMC" §5.2).

Words of a model's automata that need an event that the program cannot make are left out. An axiom without
words is dropped, and so is one that another axiom implies. If the remaining axioms together say exactly that
po, rf, co and fr have no common cycle, then that is checked, as one closure.

Departs 1: the paper asks whether all accesses are SC (or none is) and has a fixed simpler model for each
case. Here inclusion of automata decides, so it works for any model and any mix of modes.
Departs 2: for accesses of several sizes, only words are left out. Inclusions of automata rest on facts about
locations, such as that co orders all writes that rf and fr lead to, which do not hold between accesses that
have some bytes in common.
I1: a graph with events of the given classes only is consistent under the result iff it is under the model.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from mazurka.kat.automata import automaton
from mazurka.kat.automata.automaton import NOTHING
from mazurka.kat.automata.builder import Bound
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import ACCESSES, ALLOCATIONS, FREES, INIT, READS, WRITES
from mazurka.kat.meaning.plan import (
    CAUSAL,
    Closure,
    GuardedEdge,
    LifetimeOrder,
    Plan,
    PlanAxiom,
    Symbol,
    Verdict,
)
from mazurka.kat.meaning.rewrite import union
from mazurka.kat.planning.checks import is_atomicity
from mazurka.kat.planning.computed import computed_rules, lifetime_order
from mazurka.kat.planning.cycles import forbidden, restricted
from mazurka.kat.planning.following_po import following_po, unbuffered
from mazurka.kat.planning.implied import without_implied
from mazurka.kat.planning.matrix import matrix
from mazurka.kat.planning.planner import tables_of, used_views_only
from mazurka.kat.planning.preserved import dependencies_in

_ORDER = (Symbol.PO, Symbol.RF, Symbol.CO, Symbol.FR)
_ORDER_TERM = union([terms.Base(symbol.name.lower()) for symbol in _ORDER])
SEQUENTIAL = "sequential-consistency"


def simplify(model: terms.Model, classes_used: int, *, mixed_sizes: bool = False) -> Plan:
    """The Plan of a model for programs whose events are all of some classes (I1).

    The caller has checked that the model may be run.
    """
    classes = classes_used | INIT
    if classes & FREES and "hb" not in model.views and model.ppo is None:
        # An axiom's closure may decide which accesses come before the end of an object's life. Then it must
        # be the model's own, because a closure that allows the same graphs may have other pairs.
        whole = tables_of(model, mixed_sizes=mixed_sizes)
        if whole.happens_before != CAUSAL:
            return whole
    if mixed_sizes:
        plan = tables_of(model, classes, mixed_sizes=True)
    elif _needs_gaps(model, classes):
        plan = without_implied(tables_of(model, classes), model, classes)
    elif len(model.axioms) > 1 and _is_sequential(model, classes):
        plan = _sequential(tables_of(replace(model, axioms=()), classes), model)
    else:
        plan = _without_gaps(model, classes) or without_implied(tables_of(model, classes), model, classes)
    rules = tuple(rule for rule in plan.errors if rule.first & classes and rule.second & classes)
    lifetimes = classes & (FREES | ALLOCATIONS)
    order = plan.happens_before if lifetimes and "hb" in model.views else CAUSAL
    if model.ppo is not None:
        order = plan.happens_before
        if not lifetimes and order[0] is LifetimeOrder.COMPUTED:
            order = CAUSAL
    orders = plan.orders if rules or order[0] is LifetimeOrder.COMPUTED else ()
    plan = used_views_only(replace(plan, errors=rules, orders=orders, happens_before=order))
    return plan if mixed_sizes else replace(plan, unbuffered=unbuffered(plan, model, classes))


def _is_sequential(model: terms.Model, classes: int) -> bool:
    """Whether the model's axioms are shown to forbid the cycles of po, rf, co and fr, and nothing else.

    Such a cycle is not of po alone. Its steps of po lead from the end of a step of rf, co or fr to the start
    of another, so from access to access: other events on the way can be skipped, because po is transitive.
    Nothing leads to an initial write, so none is on a cycle.
    """
    if any(axiom.kind == "empty" and not is_atomicity(axiom) for axiom in model.axioms):
        return False
    everything = automaton.repeat(automaton.steps(*_ORDER))
    stated = [axiom for axiom in model.axioms if not is_atomicity(axiom)]
    try:
        for axiom in stated:
            if not included(forbidden(axiom, model, classes, Bound.ABOVE), everything):
                return False
        together = [forbidden(axiom, model, classes, Bound.BELOW) for axiom in stated]
    except NotRegular:
        return False
    accesses = ACCESSES & classes & ~INIT
    within = automaton.step(Symbol.PO, accesses, accesses)
    stated_cycles = reduce(automaton.unite, together, NOTHING)

    def forbids(*across: Symbol) -> bool:
        steps = restricted(automaton.steps(*across), accesses)
        cycles = automaton.repeat(automaton.concatenate(steps, automaton.maybe(within)))
        return included(cycles, stated_cycles)

    if forbids(Symbol.RF, Symbol.CO, Symbol.FR):
        return True
    # Where an axiom forbids the cycles of one location, rf, co and fr within a thread are parts of po.
    locations = restricted(automaton.steps(Symbol.PO_LOC, *_ORDER[1:]), accesses)
    is_coherent = any(included(automaton.repeat(locations), words) for words in together)
    return is_coherent and forbids(Symbol.RFE, Symbol.COE, Symbol.FRE)


def _sequential(plan: Plan, model: terms.Model) -> Plan:
    """The Plan with one closure for all axioms; views stay for error rules and lifetimes."""
    check = Closure(tuple(GuardedEdge(int(symbol)) for symbol in _ORDER))
    meaning = matrix(_ORDER_TERM, Verdict.ACYCLIC, {})
    names = ", ".join(axiom.name for axiom in model.axioms)
    reason = (
        f"simplified: with this program's events, {names} mean that po, rf, co and fr have no common cycle"
    )
    gone = tuple((axiom.name, "simplified: part of sequential consistency") for axiom in model.axioms)
    axiom = PlanAxiom(SEQUENTIAL, check, meaning, reason)
    return replace(plan, axioms=(axiom,), preserved=None, dropped=gone)


def _needs_gaps(model: terms.Model, classes: int) -> bool:
    """Whether dependencies decide about lifetimes: they are tracked only where threads may have gaps."""
    order = lifetime_order(model) if model.ppo is not None and classes & (FREES | ALLOCATIONS) else None
    return order is not None and bool(dependencies_in(order, model))


def _without_gaps(model: terms.Model, classes: int) -> Plan | None:
    """The Plan of a model with a ppo, if its axioms forbid all cycles of po and rf between a program's
    events.

    The explorer may then follow all of po. Dependencies are not tracked then, so there is no such Plan if an
    axiom asks for them.
    """
    if model.ppo is None or not _forbids_load_buffering(model, classes):
        return None
    plan = following_po(model, classes)
    if plan is None:
        return None
    errors, orders = computed_rules(model)
    return replace(plan, errors=errors, orders=orders)


def _forbids_load_buffering(model: terms.Model, classes: int) -> bool:
    """Whether a model's axioms are shown to forbid the cycles of po and rf between events of some classes."""
    accesses = ACCESSES & classes & ~INIT
    within = automaton.step(Symbol.PO, READS & accesses, WRITES & accesses)
    across = automaton.step(Symbol.RFE, WRITES & accesses, READS & accesses)
    cycles = automaton.repeat(automaton.concatenate(within, across))
    for axiom in model.axioms:
        try:
            if included(cycles, forbidden(axiom, model, classes, Bound.BELOW)):
                return True
        except NotRegular:
            continue
    return False
