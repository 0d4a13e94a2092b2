"""Error rules whose order is computed on whole graphs: of models with a ppo, and those of another model.

Views are clocks, which are not kept where threads may have gaps. And what a model says about a language, such
as C11 about races, is about the program's source, while its events are those of a machine. So the order of
such a rule is a matrix program, which the engine runs on the events that the source has. It may be any
relation, but the conflict has the same form as elsewhere (``rules``).

Under a model of a machine, rules about the source also decide about lifetimes: an access and the end of its
object conflict, and the order of the rules (``hb``) has to have them in order.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import LifetimeOrder, Plan, PlanOrder, PlanRule, Verdict
from mazurka.kat.meaning.rewrite import expand
from mazurka.kat.planning.matrix import matrix
from mazurka.kat.planning.rules import conflicts_of, order_of


def computed_rules(model: terms.Model) -> tuple[tuple[PlanRule, ...], tuple[PlanOrder, ...]]:
    """The error rules of a model, and their orders; each order once."""
    rules: list[PlanRule] = []
    orders: list[PlanOrder] = []
    for stated in model.errors:
        term = order_of(stated)
        name = term.name if isinstance(term, terms.View | terms.Base) else stated.name
        order = PlanOrder(name, matrix(term, Verdict.EMPTY, model.views, stated.span))
        if order not in orders:
            orders.append(order)
        between = _contains_po(expand(term, model.views))
        rules += [
            PlanRule(stated.name, stated.name.lower(), stated.warning, *pair, orders.index(order), between)
            for pair in conflicts_of(stated, model.views)
        ]
    return tuple(rules), tuple(orders)


def lifetime_order(model: terms.Model) -> terms.Relation | None:
    """What a model says about lifetimes: its ``lifetimes``, or its ``hb`` if that obviously contains po."""
    for name in ("lifetimes", "hb"):
        own = model.views.get(name, model.definitions.get(name))
        if own is not None and not isinstance(own, terms.Test) and _contains_po(expand(own, model.views)):
            return own
    return None


def with_rules_of(plan: Plan, model: terms.Model) -> Plan:
    """A Plan without error rules, with those of another model, and its ``hb`` for lifetimes, if any."""
    rules, orders = computed_rules(model)
    unbuffered = None if plan.unbuffered is None else with_rules_of(plan.unbuffered, model)
    changed = replace(plan, errors=rules, orders=orders, of_source=True, unbuffered=unbuffered)
    return with_lifetimes_of(changed, model)


def with_lifetimes_of(plan: Plan, model: terms.Model) -> Plan:
    """A Plan with the order of accesses and lifetimes of a model, computed, if the model has one."""
    own, orders = lifetime_order(model), plan.orders
    if own is None:
        return plan
    name = "lifetimes" if "lifetimes" in model.definitions else "hb"
    order = PlanOrder(name, matrix(own, Verdict.EMPTY, model.views))
    if order not in orders:
        orders = (*orders, order)
    return replace(plan, orders=orders, happens_before=(LifetimeOrder.COMPUTED, orders.index(order)))


def _contains_po(term: terms.Relation) -> bool:
    """Whether a relation obviously contains po."""
    match term:
        case terms.Base("po"):
            return True
        case terms.Union(left, right):
            return _contains_po(left) or _contains_po(right)
        case terms.Plus(body) | terms.Star(body) | terms.Maybe(body):
            return _contains_po(body)
    return False
