"""What a model with a ppo must satisfy so that an event may be added between others (requirement d).

An event is kept together with everything that ppo orders before it. So a missing event has no ppo successor
among the events that are present. If axioms follow po only where ppo does, then for the axioms such an event
is added last. If they follow more of po, executions are lost (tests/property/test_gaps.py has an example).
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.automata import automaton, guarded
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular, Rows
from mazurka.kat.automata.words import step_text
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import (
    ACCESSES,
    ALLOCATIONS,
    CHOICES,
    CREATIONS,
    EVENTS,
    FREES,
    INIT,
    JOINS,
    MEETINGS,
    WRITES,
    describe,
    place_of,
)
from mazurka.kat.meaning.plan import CLASSES, EVERY_CLASS, GuardedEdge, Symbol
from mazurka.kat.meaning.rewrite import expand, leaves
from mazurka.kat.meaning.rows import closure
from mazurka.kat.planning.checks import is_atomicity
from mazurka.soundness.places import where_ppo

# No axiom can follow po to a choice and stop there, and what follows a choice is kept with it.
_ALWAYS_KEPT = CREATIONS | JOINS | MEETINGS | ALLOCATIONS | FREES | CHOICES

# The modes that the read and the write of a read-modify-write can have.
_HALVES = [
    pair.split()
    for pair in (
        *("na na", "rlx rlx", "acq rlx", "rlx rel", "acq rel", "sc sc", "noret rlx", "noret rel", "acq aq"),
        *("rl rel", "aqrl aqrl", "aqrl rlx", "aqrl rel", "rlx aqrl", "acq aqrl", "lock lock"),
    )
]


def unfit_for_gaps(model: terms.Model, edges: tuple[GuardedEdge, ...]) -> list[ModelError]:
    """The errors of a model in which adding an event between others might break an axiom."""
    kept = _kept(edges)
    errors = [*_unordered_locations(model, kept[Symbol.PO_LOC]), *_lone_halves(model, kept)]
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
    """The error for a ppo that does not contain po-loc.

    For example, if one thread runs ``R x ; W x ; RMW x``, a revisit may keep only the RMW. The read may then
    see what the RMW has read, and no place in co is left for the write between them.
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


def _lone_halves(model: terms.Model, kept: dict[Symbol, Rows]) -> list[ModelError]:
    """The error for a ppo that keeps the read of a read-modify-write without its write.

    For example, if ``X x ; W y`` keeps only the read of the exchange before the write, then a revisit by the
    write of y keeps that read alone. Another exchange of x that was there before has read the same write, so
    the two are never tried in the other order together with that revisit. What comes after the read, directly
    or not, matters only if it is a write: nothing else is the reason to keep an event.
    """
    rows, steps = guarded.row_list(kept[Symbol.PO]), closure(guarded.row_list(kept[Symbol.PO_LOC]))
    for reads, writes in _HALVES:
        read, write = CLASSES.index(f"R.{reads}.rmw"), CLASSES.index(f"W.{writes}.rmw")
        alone = rows[read] & ~rows[write] & EVENTS
        later = reduce(or_, (steps[q] | 1 << q for q in range(len(CLASSES)) if alone >> q & 1), 0)
        if later & WRITES & EVENTS & ~rows[write]:
            return [
                ModelError(
                    ErrorCode.BAD_MODEL,
                    "ppo orders the read of a read-modify-write before later events, but not its write "
                    "before later writes; executions would be lost",
                    place=where_ppo(model),
                    hint="add this to it, and to the axioms that follow it: [UW] ; po ; [W]",
                )
            ]
    return []


def _left_out(axiom: terms.Axiom, model: terms.Model, kept: dict[Symbol, Rows]) -> str | None:
    """A step of po in an axiom that is not in the causal order."""
    try:
        nfa = Builder(dict(model.views), {}, axiom.span).automaton(axiom.relation)
    except NotRegular:
        return _left_out_leaf(axiom, model)
    for s in sorted(automaton.narrowed(nfa).steps):
        if s.symbol not in (Symbol.PO, Symbol.PO_IMM, Symbol.PO_LOC):
            continue  # rmw, thread creation and joins are kept; other relations lead nowhere from a new event
        here = kept[Symbol.PO_LOC if s.symbol == Symbol.PO_LOC else Symbol.PO]
        outside = guarded.rectangles(guarded.rectangle(s.before, s.after) & ~here)
        if outside:
            return step_text(s.symbol, *outside[0], s.inverse)
    return None


def _left_out_leaf(axiom: terms.Axiom, model: terms.Model) -> str | None:
    """The same for terms that have no automaton; guards are ignored."""
    for leaf in leaves(expand(axiom.relation, model.views)):
        if isinstance(leaf, terms.Base) and leaf.name in ("po", "po-imm", "same-thread"):
            return leaf.name
    return None
