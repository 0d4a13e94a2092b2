"""Forms in which ``.cat`` files say what ``.kat`` files have a word for, and the engine a faster check.

I1: a model with these forms replaced has the same consistent graphs, and the same findings in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mazurka.kat.cat.algebra import ACCESS, INTERNAL, TESTS, as_relation, union_of
from mazurka.kat.cat.initial import ordered_after_initial, without_initial
from mazurka.kat.meaning.parts import parts, rebuilt, replaced, subterms
from mazurka.kat.meaning.rewrite import alternatives, leaves
from mazurka.kat.meaning.terms import (
    Axiom,
    Base,
    Difference,
    Empty,
    ErrorRule,
    Guard,
    Identity,
    Inclusion,
    Intersection,
    Inverse,
    Maybe,
    Model,
    Plus,
    Relation,
    Sequence,
    Star,
    Union,
    View,
)

_FORWARDS = frozenset(("po", "po-loc", "rf", "rfe", "rfi", "rmw"))
_COMMUNICATION = {Base("rf"), Base("co"), Base("fr")}


def idiomatic(model: Model) -> Model:
    """The model in the forms that the engine knows (I1)."""
    axioms = [one for axiom in model.axioms for one in _with_coherence(axiom)]
    rules = tuple(map(_as_rule, model.errors))
    return _with_views(replace(model, axioms=tuple(_without_loops(axioms)), errors=rules))


def _with_coherence(axiom: Axiom) -> Iterator[Axiom]:
    """``irreflexive r ; (rf | co | fr)+`` as coherence; with ``?`` or ``*``, r is irreflexive, too."""
    if axiom.kind != "empty":
        axiom = replace(axiom, relation=without_initial(axiom.relation))
    match axiom.kind, axiom.relation:
        case "irreflexive", Sequence(order, Plus(body)) if _is_communication(body):
            yield replace(axiom, kind="coherence", relation=order)
        case "irreflexive", Sequence(order, (Maybe(Plus(body)) | Star(body))) if _is_communication(body):
            yield replace(axiom, kind="coherence", relation=order)
            yield replace(axiom, relation=order, name=f"{axiom.name} (order)")
        case _:
            yield axiom


def _is_communication(term: Relation) -> bool:
    return {*alternatives(term)} == _COMMUNICATION


def _without_loops(axioms: list[Axiom]) -> list[Axiom]:
    """The axioms without ``r & [M]`` where another part says that r is irreflexive.

    This comes from ``r & loc``. An axiom that says it keeps r as a whole, so it goes on saying it.
    """
    known = {part for axiom in axioms for part in _irreflexive(axiom)}
    return [replace(axiom, relation=_pruned(axiom.relation, known, {})) for axiom in axioms]


def _irreflexive(axiom: Axiom) -> Iterator[Relation]:
    """The relations that an axiom obviously forbids to relate an event to itself."""
    if axiom.kind in ("acyclic", "irreflexive"):
        yield from alternatives(axiom.relation)
        yield axiom.relation
    if axiom.kind == "acyclic":
        yield Plus(axiom.relation)


def _pruned(term: Relation, known: set[Relation], done: dict[int, tuple[Relation, Relation]]) -> Relation:
    """``done`` has the parts that were looked at: large terms have many of them several times."""
    if id(term) not in done:
        done[id(term)] = term, _pruned_anew(term, known, done)
    return done[id(term)][1]


def _pruned_anew(
    term: Relation, known: set[Relation], done: dict[int, tuple[Relation, Relation]]
) -> Relation:
    if isinstance(term, Intersection) and term.right == ACCESS and term.left in known:
        return Empty()
    if isinstance(term, Union):
        left, right = _pruned(term.left, known, done), _pruned(term.right, known, done)
        if left is term.left and right is term.right:
            return term
        return as_relation(union_of(left, right))
    before = parts(term)
    after = [_pruned(part, known, done) for part in before]
    if all(one is other for one, other in zip(before, after, strict=True)):
        return term
    return rebuilt(term, lambda part: _pruned(part, known, done))


def _with_views(model: Model) -> Model:
    """The model with happens-before as a view: what coherence and rules are about, if it can be a view.

    It can if it is a closure of po and more, and all of it is made of po, rf and rmw, walked forwards.
    """
    orders = [axiom.relation for axiom in model.axioms if axiom.kind == "coherence"]
    orders += [rule.constraint.right for rule in model.errors]
    if not any(map(_can_be_view, orders)):
        return model
    defined = [(name, term) for name, term in model.definitions.items() if not isinstance(term, TESTS)]
    named = {without_initial(term): name for name, term in defined}
    for order in dict.fromkeys(filter(_can_be_view, orders)):
        model = _with_view(model, named.get(order, f"order-{len(model.views) + 1}"), order)
    return model


def _can_be_view(term: Relation) -> bool:
    if not isinstance(term, Plus) or Base("po") not in alternatives(term.body):
        return False
    return all(
        isinstance(leaf, Guard | Identity) or (isinstance(leaf, Base) and leaf.name in _FORWARDS)
        for leaf in leaves(term)
    ) and not any(isinstance(part, Inverse | Intersection | Difference) for part in subterms(term))


def _with_view(model: Model, name: str, order: Relation) -> Model:
    def of(term: Relation) -> Relation:
        return replaced(term, order, View(name))

    axioms = (replace(axiom, relation=of(axiom.relation)) for axiom in model.axioms)
    rules = (
        replace(rule, constraint=Inclusion(of(rule.constraint.left), of(rule.constraint.right)))
        for rule in model.errors
    )
    return replace(model, axioms=tuple(axioms), errors=tuple(rules), views={**model.views, name: order})


def _as_rule(rule: ErrorRule) -> ErrorRule:
    r"""``flag ~empty c \ (hb | hb^-1)`` as ``unless c <= hb``, which means the same for error rules.

    If hb contains po, two accesses of one thread are ordered, so c may contain them.
    """
    match rule.constraint.left:
        case Difference(conflict, Union(order, Inverse(back))) if order == back:
            pass
        case Difference(conflict, Union(Inverse(back), order)) if order == back:
            pass
        case Difference(Difference(conflict, order), Inverse(back)) if order == back:
            pass
        case _:
            return rule
    conflict = ordered_after_initial(conflict, order)
    order = without_initial(order)
    if Base("po") in alternatives(order.body if isinstance(order, Plus) else order):
        loc = Base("loc-overlap")
        conflict = replaced(conflict, Difference(loc, INTERNAL), loc)
    return replace(rule, constraint=Inclusion(conflict, order))
