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
from mazurka.kat.meaning.classes import ACCESSES, ALLOCATIONS, FREES, INIT
from mazurka.kat.meaning.plan import (
    CAUSAL,
    EVERY_CLASS,
    Closure,
    GuardedEdge,
    Plan,
    PlanAxiom,
    Symbol,
    Verdict,
)
from mazurka.kat.meaning.rewrite import union
from mazurka.kat.planning.checks import is_atomicity
from mazurka.kat.planning.cycles import forbidden, restricted
from mazurka.kat.planning.matrix import matrix
from mazurka.kat.planning.planner import tables_of, used_views_only

_ORDER = (Symbol.PO, Symbol.RF, Symbol.CO, Symbol.FR)
_ORDER_TERM = union([terms.Base(symbol.name.lower()) for symbol in _ORDER])
SEQUENTIAL = "sequential-consistency"


def simplify(model: terms.Model, classes_used: int, *, mixed_sizes: bool = False) -> Plan:
    """The Plan of a model for programs whose events are all of some classes (I1).

    The caller has checked that the model may be run.
    """
    classes = classes_used | INIT
    if classes & FREES and "hb" not in model.views:
        # An axiom's closure may decide which accesses come before the end of an object's life. Then it must
        # be the model's own, because a closure that allows the same graphs may have other pairs.
        whole = tables_of(model, mixed_sizes=mixed_sizes)
        if whole.happens_before != CAUSAL:
            return whole
    if mixed_sizes:
        plan = tables_of(model, classes, mixed_sizes=True)
    elif len(model.axioms) > 1 and _is_sequential(model, classes):
        plan = _sequential(tables_of(replace(model, axioms=()), classes), model)
    else:
        plan = _without_implied(tables_of(model, classes), model, classes)
    rules = tuple(rule for rule in plan.errors if rule.first & classes and rule.second & classes)
    lifetimes = classes & (FREES | ALLOCATIONS)
    order = plan.happens_before if lifetimes and "hb" in model.views else CAUSAL
    return used_views_only(replace(plan, errors=rules, happens_before=order))


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
    across = restricted(automaton.steps(Symbol.RF, Symbol.CO, Symbol.FR), accesses)
    cycles = automaton.repeat(automaton.concatenate(across, automaton.maybe(within)))
    return included(cycles, reduce(automaton.unite, together, NOTHING))


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


def _without_implied(plan: Plan, model: terms.Model, classes: int) -> Plan:
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
