"""Whether a Plan can express what a model says: conditions, names that graphs lack, error rules, ppo.

What is refused here is refused even with ``--unchecked-model``, because no Plan means the same. Each question
is about the whole model, with events of every class, so the answer does not depend on the program.

I1: if a model passes, the planner makes a Plan of it for any set of classes without an error.
"""

from __future__ import annotations

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import place_of, refuse_fixpoint, rotation
from mazurka.kat.meaning.conditions import refuse_conditions
from mazurka.kat.meaning.parts import has_rotation
from mazurka.kat.meaning.plan import Verdict
from mazurka.kat.planning.checks import meaning_of
from mazurka.kat.planning.matrix import matrix
from mazurka.kat.planning.preserved import causal_order_of, dependencies_in
from mazurka.kat.planning.rules import NotAConflict, conflicts_of, order_of
from mazurka.kat.planning.views import NotAView, as_clocks
from mazurka.soundness.places import where_ppo, where_view

_FLAG = (
    "write flag ~empty c \\ (hb | hb^-1), where c is a union of loc & (P * Q), and hb contains po and is "
    "made of po, po-loc, rf and rmw"
)


def _is_cat(model: terms.Model) -> bool:
    """Whether cures must be in the language of ``.cat`` files."""
    return model.path.suffix == ".cat"


def refuse_inexpressible(model: terms.Model) -> None:
    """Refuses a model that no Plan can express."""
    refuse_conditions(model)
    _refuse_rotations(model)
    has_gaps = _has_gaps(model)
    for rule in model.errors:
        refuse_fixpoint(rule.constraint.left, rule, "the engine")
    if not has_gaps or model.pieces:
        for axiom in model.axioms:
            refuse_fixpoint(axiom.relation, axiom, "the engine")
    if not has_gaps:
        _refuse_dependencies(model)
    # Compiling the matrix programs refuses names that graphs do not have.
    for name, body in model.views.items():
        matrix(body, Verdict.EMPTY, model.views, where_view(model, name))
    for axiom in model.axioms:
        meaning_of(axiom, model.views)
    for rule in model.errors:
        _refuse_rule(rule, model, needs_clocks=model.ppo is None)


def _refuse_rotations(model: terms.Model) -> None:
    """Refuses ``rot``, which is about words: graphs do not say what it relates."""
    for name, body in model.views.items():
        if has_rotation(body):
            raise rotation(where_view(model, name))
    for axiom in model.axioms:
        if has_rotation(axiom.relation):
            raise rotation(axiom.span)
    for rule in model.errors:
        if has_rotation(rule.constraint.left) or has_rotation(rule.constraint.right):
            raise rotation(rule.span)


def _has_gaps(model: terms.Model) -> bool:
    """Whether the model's ppo is smaller than po."""
    try:
        return causal_order_of(model) is not None
    except ModelError as error:  # a name that graphs do not have
        error.place = where_ppo(model)
        raise


def _refuse_dependencies(model: terms.Model) -> None:
    """Refuses dependencies in a model without a ppo of its own: they are tracked only where they matter."""
    views = [(f"the view {name}", body, where_view(model, name)) for name, body in model.views.items()]
    axioms = [(f"the axiom {axiom.name}", axiom.relation, axiom.span) for axiom in model.axioms]
    for what, term, span in (*views, *axioms):
        if names := dependencies_in(term, model):
            raise ModelError(
                ErrorCode.BAD_MODEL,
                f"{what} is about dependencies ({', '.join(names)}), but the model has no ppo of its own",
                place=place_of(span),
                hint="leave them out, as they are in po, or write a .kat file, which can state a ppo"
                if _is_cat(model)
                else "leave them out, as they are in po, or say what is preserved of po: ppo = po-loc | …",
            )


def refuse_rules(model: terms.Model) -> None:
    """Refuses a model whose error rules cannot be checked under another model (``kat.planning.computed``)."""
    for rule in model.errors:
        refuse_fixpoint(rule.constraint.left, rule, "the engine")
        if has_rotation(rule.constraint.left) or has_rotation(rule.constraint.right):
            raise rotation(rule.span)
        _refuse_rule(rule, model, needs_clocks=False)


def _refuse_rule(rule: terms.ErrorRule, model: terms.Model, *, needs_clocks: bool) -> None:
    """Refuses an error rule of another form than ``unless conflict <= order`` (``kat.planning.rules``).

    With ``needs_clocks`` the order must be a view.
    """
    order = order_of(rule)
    name = order.name if isinstance(order, terms.View | terms.Base) else rule.name
    try:
        if needs_clocks:
            as_clocks(order, Builder(model.views, {}, rule.span))
        else:
            refuse_fixpoint(order, rule, "the engine")
            matrix(order, Verdict.EMPTY, model.views, rule.span)
        conflicts_of(rule, model.views)
    except NotAView as reason:
        raise ModelError(
            ErrorCode.BAD_MODEL,
            f"the error rule {rule.name} needs a view, but {name} cannot be one: {reason}",
            place=place_of(rule.span),
            hint=_FLAG
            if _is_cat(model)
            else "error rules need a view that contains po and is made of po, po-loc, rf and rmw; "
            "for anything else use `let`",
        ) from reason
    except (NotAConflict, NotRegular) as reason:
        raise ModelError(
            ErrorCode.BAD_MODEL,
            f"the error rule {rule.name} does not have the supported form",
            place=place_of(rule.span),
            hint=_FLAG
            if _is_cat(model)
            else "write: unless conflict <= view, where the conflict is a union of [P] ; loc-overlap ; [Q]",
        ) from reason
