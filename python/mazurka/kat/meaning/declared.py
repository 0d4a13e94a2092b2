"""Tells the declared relations and predicates of two models apart.

Declarations belong to their file (``scope`` I3). Models that include the same file share its declarations. A
name that two different files declare stands for two relations, which get different names here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import rebuilt
from mazurka.kat.meaning.terms import Inclusion, Model, Relation, Statement, Test


def apart(one: Model, other: Model) -> tuple[Model, Model]:
    """The two models, renamed so that a name that both declare means the same in both."""
    both = one.declared.keys() & other.declared.keys()
    clashing = {name for name in both if one.declared[name] != other.declared[name]}
    if not clashing:
        return one, other
    labels = (one.name, other.name) if one.name != other.name else (f"{one.name}(1)", f"{other.name}(2)")
    first, second = ({name: f"{label}::{name}" for name in clashing} for label in labels)
    return _renamed_model(one, first), _renamed_model(other, second)


def _renamed_model(model: Model, names: Mapping[str, str]) -> Model:
    def relation(term: Relation) -> Relation:
        return _renamed(term, names)

    def inclusion(claim: Inclusion) -> Inclusion:
        return Inclusion(relation(claim.left), relation(claim.right), claim.equal)

    def statement(said: Statement) -> Statement:
        claim = None if said.claim is None else inclusion(said.claim)
        return replace(said, claim=claim, total=None if said.total is None else relation(said.total))

    def axiom(stated: terms.Axiom) -> terms.Axiom:
        unless = None if stated.unless is None else inclusion(stated.unless)
        return replace(stated, relation=relation(stated.relation), unless=unless)

    return replace(
        model,
        axioms=tuple(axiom(each) for each in model.axioms),
        views={name: relation(body) for name, body in model.views.items()},
        definitions={},  # only reports about the model itself need them
        errors=tuple(replace(rule, constraint=inclusion(rule.constraint)) for rule in model.errors),
        assumptions=tuple(statement(each) for each in model.assumptions),
        assertions=tuple(statement(each) for each in model.assertions),
        disjoint=tuple(tuple(names.get(name, name) for name in group) for group in model.disjoint),
        declared={names.get(name, name): path for name, path in model.declared.items()},
        ppo=None if model.ppo is None else relation(model.ppo),
    )


def _renamed(term: Relation, names: Mapping[str, str]) -> Relation:
    match term:
        case terms.Base(name):
            return terms.Base(names.get(name, name))
        case terms.Guard(test):
            return terms.Guard(_renamed_test(test, names))
        case _:
            return rebuilt(term, lambda part: _renamed(part, names))


def _renamed_test(test: Test, names: Mapping[str, str]) -> Test:
    match test:
        case terms.Anything():
            return test
        case terms.Primitive(name):
            return terms.Primitive(names.get(name, name))
        case terms.Not(body):
            return terms.Not(_renamed_test(body, names))
        case terms.Both(left, right) | terms.Either(left, right):
            return type(test)(_renamed_test(left, names), _renamed_test(right, names))
