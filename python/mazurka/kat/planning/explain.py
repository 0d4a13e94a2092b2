"""A Plan in words: which check the engine runs for each axiom, and why (``mazurka models --explain``)."""

from __future__ import annotations

from mazurka.kat.automata.words import step_text
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import (
    CAUSAL,
    Automaton,
    Closure,
    Coherence,
    GuardedEdge,
    LifetimeOrder,
    Matrix,
    Plan,
    PlanAxiom,
    PlanView,
)
from mazurka.kat.meaning.show import show, show_inclusion

_INDENT = "    "


def explain(plan: Plan, model: terms.Model) -> str:
    """The Plan of a model as text for the user."""
    lines = [f"{model.name}: {model.title}" if model.title else model.name]
    lines += [f"warning: {warning}" for warning in plan.warnings]
    if plan.preserved is not None:
        lines += ["", *_order_kept(plan.preserved, model)]
    for view in plan.views:
        lines += ["", *_view(view, model)]
    dropped = dict(plan.dropped)
    names = [view.name for view in plan.views]
    for number, stated in enumerate(model.axioms):
        lines += ["", f"axiom {stated.name}: {stated.kind} {show(stated.relation)}"]
        checks = [axiom for axiom in plan.axioms if axiom.stated == number]
        if not checks:
            lines.append(f"{_INDENT}not checked: {dropped[stated.name]}")
        for axiom in checks:
            lines += _check(axiom, names)
    for axiom in plan.axioms:
        if axiom.stated is None:
            lines += ["", f"instead: {axiom.name}", *_check(axiom, names)]
    for rule in model.errors:
        kind = "warning" if rule.warning else "error"
        checked = (
            ""
            if any(planned.name == rule.name for planned in plan.errors)
            else ": cannot happen, not checked"
        )
        lines += ["", f"{kind} {rule.name} unless {show_inclusion(rule.constraint)}{checked}"]
    lines += ["", f"An object may be freed once all its accesses come before the free in {_lifetimes(plan)}."]
    return "\n".join(lines) + "\n"


def _order_kept(preserved: tuple[GuardedEdge, ...] | Matrix, model: terms.Model) -> list[str]:
    if isinstance(preserved, Matrix):
        assert model.ppo is not None
        kept = [show(model.ppo)]
    else:
        kept = [step_text(edge.symbol, edge.before, edge.after) for edge in preserved]
    return [
        "ppo: a revisit keeps only this part of po, so events in between may be missing",
        *(f"{_INDENT}{_INDENT}{line}" for line in kept),
    ]


def _view(view: PlanView, model: terms.Model) -> list[str]:
    body = f" = {show(model.views[view.name])}" if view.name in model.views else ""
    clocks = "1 clock" if view.states == 1 else f"{view.states} clocks"
    return [
        f"view {view.name}{body}",
        f"{_INDENT}{clocks} per event, {_count(len(view.transitions), 'kind')} of step",
    ]


def _check(axiom: PlanAxiom, views: list[str]) -> list[str]:
    match axiom.check:
        case Closure(edges):
            what = f"closure of {_count(len(edges), 'kind')} of edges"
            details = [step_text(edge.symbol, edge.before, edge.after, views=views) for edge in edges]
        case Coherence(view):
            what = f"coherence of {views[view]}"
            details = []
        case Automaton(states, steps):
            what = f"automaton with {_count(states, 'state')} and {_count(len(steps), 'step')}"
            details = [
                f"{s.source} -> {s.target}  {step_text(s.symbol, s.before, s.after, s.inverse, views)}"
                for s in steps
            ]
        case _:
            what = "bit matrices"
            details = []
    return [f"{_INDENT}{what}: {axiom.reason}", *(f"{_INDENT}{_INDENT}{line}" for line in details)]


def _lifetimes(plan: Plan) -> str:
    if plan.happens_before == CAUSAL:
        return "po | rf" if plan.preserved is None else "ppo | rf"
    kind, index = plan.happens_before
    if kind is LifetimeOrder.COMPUTED:
        return plan.orders[index].name
    return plan.views[index].name if kind is LifetimeOrder.VIEW else f"the order of {plan.axioms[index].name}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
