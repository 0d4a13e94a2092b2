"""What a model must satisfy so that the explorer finds each of its executions exactly once (thesis §9.3.3).

(a) Its axioms forbid every cycle of po and rf, because the explorer only builds graphs without such cycles.
(b) Its views are within (po | rf)+: then nothing that happens later changes what a view says about an event.
(c) Adding an event last, reading or writing the latest, never breaks an axiom. Such an event has no successor
    in po, rf, co, fr and rmw, so an axiom that only walks these forwards gains no cycle by it.
(d) If the model has a ppo, which then stands for po in (a), axioms follow po only where ppo does, and ppo
    contains po-loc: then an event that is added between others is for the axioms the last one (``gaps``).
    Views are not kept in such models, so (b) is not asked.

Each is shown or the model is refused: that it cannot be shown is reason enough. (a) and (b) are shown by
inclusion of automata. A cycle of po and rf passes between threads by rfe, because po and rfi go one way; so
it is a cycle of ``[R] ; po ; [W] ; rfe``, and every word of these repeated must be one that some axiom
forbids. With a ppo, which is not transitive, po is here a path of its steps, rmw and rfi.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import TypeAlias

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat import automata, terms
from mazurka.kat.automata import NOTHING, PORF, Nfa
from mazurka.kat.builder import Bound, Builder
from mazurka.kat.checks import is_atomicity
from mazurka.kat.classes import READS, WRITES, place_of
from mazurka.kat.cycles import forbidden
from mazurka.kat.effects import FORWARD, effect_of, reflexive
from mazurka.kat.gaps import unfit_for_gaps
from mazurka.kat.guarded import NotRegular
from mazurka.kat.inclusion import counterexample
from mazurka.kat.plan import Edge, Symbol
from mazurka.kat.preserved import causal, preserved_of
from mazurka.kat.rewrite import expand, leaves, normalise
from mazurka.kat.saturation import saturate
from mazurka.kat.terms import Span
from mazurka.kat.words import show_word

_FORWARDS = automata.repeat(automata.steps(*FORWARD))
_Edges: TypeAlias = tuple[Edge, ...] | None


def unmet(model: terms.Model) -> list[ModelError]:
    """The requirements that a model is not shown to meet, as the errors that refuse it."""
    edges = preserved_of(model)
    if edges is None:
        return [*_causality(model, edges), *_stability(model), *_extensibility(model)]
    return [*_causality(model, edges), *_extensibility(model), *unfit_for_gaps(model, edges)]


# (a) ----------------------------------------------------------------------------------------------------


def _causality(model: terms.Model, edges: _Edges) -> list[ModelError]:
    cycles = _causal_cycles(edges)
    known: list[tuple[terms.Axiom, Nfa]] = []
    undecided: list[str] = []
    for axiom in model.axioms:
        try:
            words = forbidden(axiom, model)
        except NotRegular as reason:
            undecided.append(f"{axiom.name} has {reason}")
            words = forbidden(axiom, model, bound=Bound.BELOW)
        known.append((axiom, words))
    together = saturate(reduce(automata.unite, (words for _, words in known), NOTHING))
    missing = [counterexample(words, together) for words in cycles]
    if None in missing:
        return []
    path = show_word(missing[0] or (), closed=True)
    order = "po" if edges is None else "ppo"
    more = f" (not all was looked at: {'; '.join(undecided)})" if undecided else ""
    return [
        ModelError(
            ErrorCode.BAD_MODEL,
            f"cycles of {order} and rf are not shown to be forbidden: no axiom forbids {path}{more}",
            place=place_of(_nearest(model, known, cycles[0])),
            hint=f"add the axiom acyclic {order} | rf; "
            "--unchecked-model leaves out executions with such cycles",
        )
    ]


def _causal_cycles(edges: _Edges) -> tuple[Nfa, Nfa]:
    """The cycles that the explorer never builds, from a read and from a write."""
    within = automata.step(Symbol.PO, READS, WRITES)
    if edges is not None:
        path = automata.repeat(automata.unite(causal(edges), automata.step(Symbol.RFI)))
        within = reduce(automata.concatenate, (automata.test(READS), path, automata.test(WRITES)))
    between = automata.step(Symbol.RFE)
    return (
        automata.repeat(automata.concatenate(within, between)),
        automata.repeat(automata.concatenate(between, within)),
    )


def _nearest(model: terms.Model, known: list[tuple[terms.Axiom, Nfa]], cycles: Nfa) -> Span | None:
    """The place of the axiom that forbids most of the way."""
    if not model.axioms:
        return None
    reach = [(len(counterexample(cycles, saturate(words)) or ()), -n) for n, (_, words) in enumerate(known)]
    return known[-max(reach)[1]][0].span if reach else model.axioms[0].span


# (b) ----------------------------------------------------------------------------------------------------


def _stability(model: terms.Model) -> list[ModelError]:
    past = saturate(PORF)
    errors = []
    for name, body in model.views.items():
        try:
            outside = counterexample(Builder(dict(model.views), {}).automaton(body), past)
        except NotRegular as reason:
            said = f"the view {name} is not shown to be within (po | rf)+: it has {reason}"
            errors.append(_view_error(model, name, said))
            continue
        if outside is not None:
            path = show_word(outside)
            errors.append(
                _view_error(model, name, f"the view {name} is not within (po | rf)+: it has {path}")
            )
    return errors


def _view_error(model: terms.Model, name: str, message: str) -> ModelError:
    return ModelError(
        ErrorCode.BAD_MODEL,
        message,
        place=place_of(_where_view(model, name)),
        hint="what a view says of an event must not change later; use `let` instead of `view`",
    )


def _where_view(model: terms.Model, name: str) -> Span | None:
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


# (c) ----------------------------------------------------------------------------------------------------


def _extensibility(model: terms.Model) -> list[ModelError]:
    errors = []
    for axiom in model.axioms:
        reason = None if is_atomicity(axiom) else _breakable(axiom, model)
        if reason is not None:
            errors.append(
                ModelError(
                    ErrorCode.BAD_MODEL,
                    f"adding an event last might break the axiom {axiom.name}: {reason}",
                    place=place_of(axiom.span),
                    hint="axioms may follow po, rf, co, fr, rmw and views forwards; "
                    "with --unchecked-model executions may be missed",
                )
            )
    return errors


def _breakable(axiom: terms.Axiom, model: terms.Model) -> str | None:
    """Why a last event might break an axiom, if it might."""
    try:
        nfa = Builder(dict(model.views), {}, axiom.span).automaton(axiom.relation)
    except NotRegular:
        return _breakable_term(axiom, model)
    if not nfa.steps and not nfa.nullable:
        return None
    if axiom.kind == "empty":
        return "it asks that a relation is empty"
    if nfa.nullable and axiom.kind != "coherence":
        return "it relates events to themselves"
    backwards = counterexample(nfa, automata.maybe(_FORWARDS))
    return None if backwards is None else f"it has {show_word(backwards)}"


def _breakable_term(axiom: terms.Axiom, model: terms.Model) -> str | None:
    """The same for terms without automaton."""
    if axiom.kind == "empty":
        return "it asks that a relation is empty"
    term = normalise(expand(axiom.relation, model.views))
    if reflexive(term) and axiom.kind != "coherence":
        return "it relates events to themselves"
    effect = effect_of(term)
    if effect.grows:
        return "it may come to relate earlier events"
    return "it may lead from the last event to earlier ones" if effect.leads_back else None
