"""What a model with a ppo must satisfy so that an event may be added between others (requirement d).

An event is kept with all that ppo orders before it. So an event that is missing has, among those that are
there, no successor in ppo; if axioms follow po only where ppo does, then for them it is added last. Where
they follow more, executions are lost (tests/property/test_gaps.py has an example).
"""

from __future__ import annotations

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.automata import automaton, guarded
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular, Rows
from mazurka.kat.automata.words import step_text
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import (
    ACCESSES,
    ALLOCATIONS,
    CREATIONS,
    FREES,
    INIT,
    JOINS,
    describe,
    place_of,
)
from mazurka.kat.meaning.plan import EVERY_CLASS, GuardedEdge, Symbol
from mazurka.kat.meaning.rewrite import expand, leaves
from mazurka.kat.planning.checks import is_atomicity
from mazurka.soundness.places import where_ppo

_ALWAYS_KEPT = CREATIONS | JOINS | ALLOCATIONS | FREES


def unfit_for_gaps(model: terms.Model, edges: tuple[GuardedEdge, ...]) -> list[ModelError]:
    """The errors of a model whose axioms might be broken by an event that is added between others."""
    kept = _kept(edges)
    errors = _unordered_locations(model, kept[Symbol.PO_LOC])
    for axiom in model.axioms:
        path = None if is_atomicity(axiom) else _left_out(axiom, model, kept)
        if path is not None:
            errors.append(
                ModelError(
                    ErrorCode.BAD_MODEL,
                    f"the axiom {axiom.name} follows po where ppo does not: {path}; "
                    "an event that is added between others might break it",
                    place=place_of(axiom.span),
                    hint="let axioms follow only the order in ppo, or add this path to ppo; "
                    "--unchecked-model runs the model anyway, but may miss executions",
                )
            )
    return errors


def _kept(edges: tuple[GuardedEdge, ...]) -> dict[Symbol, Rows]:
    """The classes between which all of po, and all of po-loc, is in the causal order."""
    everywhere = guarded.rectangle(_ALWAYS_KEPT, EVERY_CLASS) | guarded.rectangle(EVERY_CLASS, _ALWAYS_KEPT)
    rows = {Symbol.PO: everywhere, Symbol.PO_LOC: everywhere}
    for edge in edges:
        rows[Symbol(edge.symbol)] |= guarded.rectangle(edge.before, edge.after)
    return {Symbol.PO: rows[Symbol.PO], Symbol.PO_LOC: rows[Symbol.PO] | rows[Symbol.PO_LOC]}


def _unordered_locations(model: terms.Model, kept: Rows) -> list[ModelError]:
    """The error of a ppo that does not contain po-loc.

    For example, of ``R x ; W x ; RMW x`` in one thread a revisit may keep the RMW alone. The read may then
    see what the RMW has read, and the write between them fits nowhere in co.
    """
    accesses = ACCESSES & ~INIT
    missing = guarded.rectangles(guarded.rectangle(accesses, accesses) & ~kept)
    if not missing:
        return []
    before, after = (describe(classes) for classes in missing[0])
    return [
        ModelError(
            ErrorCode.BAD_MODEL,
            f"ppo does not contain po-loc: it leaves out {before} ; po-loc ; {after}, "
            "so an access that is added before others of its location might not fit anywhere",
            place=where_ppo(model),
            hint="add po-loc to it: ppo = po-loc | …",
        )
    ]


def _left_out(axiom: terms.Axiom, model: terms.Model, kept: dict[Symbol, Rows]) -> str | None:
    """A step of po in an axiom that is not in the causal order."""
    try:
        nfa = Builder(dict(model.views), {}, axiom.span).automaton(axiom.relation)
    except NotRegular:
        return _left_out_leaf(axiom, model)
    for s in sorted(automaton.narrowed(nfa).steps):
        if s.symbol not in (Symbol.PO, Symbol.PO_IMM, Symbol.PO_LOC):
            continue  # rmw, thread creation and joins are kept; the rest leads from a new event to none
        here = kept[Symbol.PO_LOC if s.symbol == Symbol.PO_LOC else Symbol.PO]
        outside = guarded.rectangles(guarded.rectangle(s.before, s.after) & ~here)
        if outside:
            return step_text(s.symbol, *outside[0], s.inverse)
    return None


def _left_out_leaf(axiom: terms.Axiom, model: terms.Model) -> str | None:
    """The same for terms without automaton, where guards are not looked at."""
    for leaf in leaves(expand(axiom.relation, model.views)):
        if isinstance(leaf, terms.Base) and leaf.name in ("po", "po-imm", "same-thread"):
            return leaf.name
    return None
