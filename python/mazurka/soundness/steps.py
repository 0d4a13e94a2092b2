"""Requirements on the steps of a model's words, which keep what was explored valid when events are added.

The requirements are numbered in ``mazurka.soundness.requirements``, which also asks for (a).
(b) The model's views consist of steps within (po | rf)+. Then later events do not change what a view says
    about an event.
(c) Adding an event last, as the latest write or a read of it, never breaks an axiom. Such an event has no
    successor in po, rf, co, fr and rmw, so an axiom that only walks these forwards gains no cycle from it.
(d) If the model has a ppo, axioms follow po only where ppo does, and ppo contains po-loc. Then an event that
    is added between others counts as the last one for the axioms (``gaps``). Views are not kept in such
    models, so (b) does not apply.

These are about the path that a word takes and not about the pairs that it relates, so the prover cannot
decide them: ``rf ; rf^-1 ; po`` is within po, and yet it relates more events as soon as a write is read.
A model is refused unless each requirement is shown.
"""

from __future__ import annotations

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.automata import automaton
from mazurka.kat.automata.automaton import PORF
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import counterexample
from mazurka.kat.automata.words import show_word
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import place_of
from mazurka.kat.meaning.rewrite import expand, normalise
from mazurka.kat.planning.checks import is_atomicity
from mazurka.kat.planning.preserved import preserved_of
from mazurka.soundness.effects import FORWARD, effect_of, reflexive
from mazurka.soundness.gaps import unfit_for_gaps
from mazurka.soundness.places import where_view

_FORWARDS = automaton.repeat(automaton.steps(*FORWARD))


def unmet_by_words(model: terms.Model) -> list[ModelError]:
    """The requirements (b) to (d) that a model is not shown to meet, as the errors that refuse it."""
    edges = preserved_of(model)
    if edges is None:
        return [*_stability(model), *_extensibility(model)]
    return [*_extensibility(model), *unfit_for_gaps(model, edges)]


# (b) ----------------------------------------------------------------------------------------------------


def _stability(model: terms.Model) -> list[ModelError]:
    errors = []
    for name, body in model.views.items():
        try:
            outside = counterexample(Builder(dict(model.views), {}).automaton(body), PORF)
        except NotRegular as reason:
            said = f"the view {name} is not shown to stay within (po | rf)+: it contains {reason}"
            errors.append(_view_error(model, name, said))
            continue
        if outside is not None:
            path = show_word(outside)
            errors.append(
                _view_error(model, name, f"the view {name} goes beyond (po | rf)+: it contains {path}")
            )
    return errors


def _view_error(model: terms.Model, name: str, message: str) -> ModelError:
    return ModelError(
        ErrorCode.BAD_MODEL,
        message,
        place=place_of(where_view(model, name)),
        hint="what leads to an event in a view must not change later; use `let` instead of `view`",
    )


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
                    hint="let the axiom follow po, rf, co, fr, rmw and views, and only forwards; "
                    "--unchecked-model runs the model anyway, but may miss executions",
                )
            )
    return errors


def _breakable(axiom: terms.Axiom, model: terms.Model) -> str | None:
    """Why adding an event last might break an axiom; None if it cannot."""
    try:
        nfa = Builder(dict(model.views), {}, axiom.span).automaton(axiom.relation)
    except NotRegular:
        return _breakable_term(axiom, model)
    if not nfa.steps and not nfa.nullable:
        return None
    if axiom.kind == "empty":
        return "it requires a relation to be empty"
    if nfa.nullable and axiom.kind != "coherence":
        return "it relates events to themselves"
    backwards = counterexample(nfa, automaton.maybe(_FORWARDS), facts=False)
    return None if backwards is None else f"it contains {show_word(backwards)}"


def _breakable_term(axiom: terms.Axiom, model: terms.Model) -> str | None:
    """The same for terms that have no automaton."""
    if axiom.kind == "empty":
        return "it requires a relation to be empty"
    term = normalise(expand(axiom.relation, model.views))
    if reflexive(term) and axiom.kind != "coherence":
        return "it relates events to themselves"
    effect = effect_of(term)
    if effect.grows:
        return "it may later relate earlier events"
    return "it may lead from the last event to earlier ones" if effect.leads_back else None
