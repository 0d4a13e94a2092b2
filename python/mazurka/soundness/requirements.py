"""May the explorer run this model? The conditions under which it finds each execution exactly once.

First, a Plan must be able to express the model (``expressible``); otherwise it is refused, whatever the user
asks for. Second, exploring it must be shown to be right (thesis §9.3.3):

(a) Its axioms forbid every cycle of po and rf, because the explorer only builds graphs without such cycles.
    If the model has a ppo, that takes the place of po (``causality``).
(b)-(d) Events that are added later do not change what was decided before (``steps``, ``gaps``).

Departs 1: if the ppo of a model is not a union of edges of po, nothing of this is shown. Models that come
with Mazurka are run all the same, because tests compare what is found under them with brute force. So are
those whose ppo was derived (``kat.cat.causal``): the engine refuses where an event cannot be added.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.planning.planner import tables_of
from mazurka.kat.planning.preserved import NotPreserved, preserved_of
from mazurka.kat.planning.program_classes import classes_of
from mazurka.kat.planning.simplify import simplify
from mazurka.models.registry import is_shipped
from mazurka.program import Program
from mazurka.soundness.causality import unmet_by_axioms
from mazurka.soundness.derived import unordered_dependencies
from mazurka.soundness.expressible import refuse_inexpressible
from mazurka.soundness.places import where_ppo
from mazurka.soundness.steps import unmet_by_words


def plan_model(model: terms.Model, *, unchecked: bool = False) -> Plan:
    """The Plan of a model. ``unchecked`` turns unmet requirements into warnings."""
    warnings = check_model(model, unchecked=unchecked)
    return replace(tables_of(model), warnings=warnings)


def plan_program(model: terms.Model, program: Program, *, unchecked: bool = False) -> Plan:
    """The Plan for checking a program: ``plan_model``, simplified for what the program can do."""
    warnings = check_model(model, unchecked=unchecked)
    return replace(simplify(model, classes_of(program)), warnings=warnings)


def check_model(model: terms.Model, *, unchecked: bool = False) -> tuple[str, ...]:
    """Refuses a model unless exploring it is shown to be right; ``unchecked`` returns the reasons instead."""
    refuse_inexpressible(model)
    problems = unmet(model)
    if problems and not unchecked:
        raise problems[0]
    return tuple(f"{p.place}: {p.message}" if p.place else p.message for p in problems)


def unmet(model: terms.Model) -> list[ModelError]:
    """The requirements that a model is not shown to meet, as the errors that refuse it."""
    try:
        preserved_of(model)
    except NotPreserved as reason:
        if model.derives_ppo:
            return unordered_dependencies(model)
        return [] if is_shipped(model.path) else [_not_shown(model, reason)]
    return [*unmet_by_axioms(model), *unmet_by_words(model)]


def _not_shown(model: terms.Model, reason: NotPreserved) -> ModelError:
    return ModelError(
        ErrorCode.BAD_MODEL,
        f"it is not shown that all executions are found with this ppo: {reason}",
        place=where_ppo(model),
        hint="write a union of [P] ; po ; [Q] and [P] ; po-loc ; [Q], or leave ppo out, which means po; "
        "--unchecked-model runs the model anyway, but may miss executions",
    )
