"""``si``: what a model says about accesses of several sizes, piece by piece.

A model that names ``si`` is about pieces: runs of bytes of an access that no access tells apart. Its ``rf``,
``co``, ``fr`` and ``po-loc`` are between pieces of the same bytes, and ``si`` leads from one to all of its
access. If all accesses of a location have one size, ``si`` is the identity. So a model has two sets of
axioms: ``axioms`` without ``si``, for everything that is about one size (plans, proofs), and ``pieces``.

Departs 1: in a model without a ppo of its own, events are always whole accesses, and ``si`` is the identity.
I1: only axioms keep ``si``. ``ppo``, views and error rules are about whole accesses.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.kat.meaning.parts import rebuilt
from mazurka.kat.meaning.terms import (
    Axiom,
    Base,
    ErrorRule,
    Identity,
    Inclusion,
    Inverse,
    Maybe,
    Model,
    Plus,
    Relation,
    Sequence,
    Star,
    Statement,
    some_mentions,
)

SI = Base("si")


def told_apart(model: Model) -> Model:
    """The model with ``si`` in ``pieces`` only."""
    if not _names_si(model):
        return model
    has_si = some_mentions((axiom.relation for axiom in model.axioms), SI)
    return replace(
        model,
        axioms=tuple(map(_axiom, model.axioms)),
        pieces=model.axioms if has_si and model.ppo is not None else (),
        views={name: one_size(term) for name, term in model.views.items()},
        definitions={
            name: one_size(term) if isinstance(term, Relation) else term
            for name, term in model.definitions.items()
        },
        errors=tuple(map(_rule, model.errors)),
        assumptions=tuple(map(_statement, model.assumptions)),
        assertions=tuple(map(_statement, model.assertions)),
        ppo=None if model.ppo is None else one_size(model.ppo),
    )


def _names_si(model: Model) -> bool:
    statements = (*model.assumptions, *model.assertions)
    claims = [s.claim for s in statements] + [s.given[0] for s in statements if s.given is not None]
    claims += [axiom.unless for axiom in model.axioms] + [rule.constraint for rule in model.errors]
    sides = [side for claim in claims if claim is not None for side in (claim.left, claim.right)]
    terms = [*model.definitions.values(), *(axiom.relation for axiom in model.axioms)]
    terms += [*(s.total for s in statements if s.total is not None), *sides]
    return some_mentions((*terms, model.ppo), SI)


def one_size(term: Relation) -> Relation:
    """What a term is if all accesses of a location have one size: ``si`` is the identity."""
    if term == SI:
        return Identity()
    changed = rebuilt(term, one_size)
    if changed == term:
        return term
    match changed:
        case Sequence(Identity(), other) | Sequence(other, Identity()):
            return other
        case Star(Identity()) | Plus(Identity()) | Maybe(Identity()) | Inverse(Identity()):
            return Identity()
    return changed


def _axiom(axiom: Axiom) -> Axiom:
    unless = None if axiom.unless is None else _inclusion(axiom.unless)
    return replace(axiom, relation=one_size(axiom.relation), unless=unless)


def _rule(rule: ErrorRule) -> ErrorRule:
    return replace(rule, constraint=_inclusion(rule.constraint))


def _statement(statement: Statement) -> Statement:
    given = statement.given
    return replace(
        statement,
        claim=None if statement.claim is None else _inclusion(statement.claim),
        total=None if statement.total is None else one_size(statement.total),
        given=None if given is None else (_inclusion(given[0]), given[1]),
    )


def _inclusion(claim: Inclusion) -> Inclusion:
    return replace(claim, left=one_size(claim.left), right=one_size(claim.right))
