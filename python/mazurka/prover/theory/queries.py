"""Queries: a claim and its assumptions, read from a file and reduced to a few shapes.

``e & id = 0`` says that e is irreflexive, ``a & b = 0`` that ``a ; b^-1`` is irreflexive, and ``a \\ b = 0``
that a is within b; a union is empty if its parts are. Inclusion, irreflexivity and emptiness remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from mazurka.kat.language.load import load_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import refuse_fixpoint
from mazurka.kat.meaning.conditions import refuse_conditions
from mazurka.kat.meaning.declared import apart
from mazurka.kat.meaning.parts import parts, rebuilt, replaced
from mazurka.kat.meaning.terms import Inclusion, Relation, Span

# How ``A & id <= B`` is read (``kat.irreflexivity``).
IMPLICATION = "that is: if the cycles of the right side are forbidden, so are those of the left"


class ErrorRules(NamedTuple):
    """A model that leaves some programs undefined: its axioms, and the constraints of its error rules."""

    axioms: tuple[Inclusion, ...]
    rules: tuple[Inclusion, ...]


@dataclass(frozen=True)
class Theory:
    """What may be assumed in addition to the built-in facts, and what views stand for."""

    assumptions: tuple[terms.Statement, ...] = ()
    disjoint: tuple[tuple[str, ...], ...] = ()
    views: Mapping[str, Relation] = field(default_factory=dict, hash=False)
    # A term that occurs in assumptions, and a shorter one with the same meaning.
    synonym: tuple[Relation, Relation] | None = None
    # Earlier answers about what follows from the assumptions, by question.
    shown: dict[object, bool] = field(default_factory=dict, hash=False, compare=False)
    # A program that these rules leave undefined refutes nothing.
    errors: ErrorRules | None = None


@dataclass(frozen=True)
class Query:
    """A claim to decide."""

    name: str
    claim: Inclusion
    theory: Theory
    span: Span | None = None
    reading: str = ""  # what the claim means, if its text does not make that plain
    text: str = ""  # what is claimed, if no line of a file states it


def load_claims(path: str | Path) -> list[Query]:
    """The assertions of a file, each under all of its assumptions and those of the files it includes."""
    return asserted(load_model(path, require_axioms=False))


def asserted(model: terms.Model) -> list[Query]:
    """The assertions of a model, each under all of its assumptions."""
    assumed = tuple(map(_not_rotated, model.assumptions))
    theory = Theory(assumed, model.disjoint, model.views)
    found = []
    for statement in model.assertions:
        assert statement.claim is not None, "only an assumption is about totality"
        name = f"{Path(statement.span.path).name}:{statement.span.line}"
        if statement.given is None:
            found.append(Query(name, without_rotations(statement.claim), theory, statement.span))
            continue
        given = _not_rotated(terms.Statement(*statement.given))
        known = Theory((*assumed, given), model.disjoint, model.views)
        found.append(Query(name, without_rotations(statement.claim), known, statement.span, IMPLICATION))
    return found


def weaker(weak: terms.Model, strong: terms.Model) -> list[Query]:
    """Whether ``weak`` allows every graph that ``strong`` allows: one query per axiom of ``weak``."""
    for model in (weak, strong):
        refuse_conditions(model)
    weak, strong = apart(weak, strong)
    views: dict[str, Relation] = {}
    strongly, weakly = _new_names(strong, "strong", views), _new_names(weak, "weak", views)
    assumed = tuple(terms.Statement(claim_of(axiom, strongly), axiom.span) for axiom in strong.axioms)
    # Both may include the same facts about programs, such as those about dependencies.
    facts = dict.fromkeys((*_facts(strong, strongly), *_facts(weak, weakly)))
    axioms = tuple(claim_of(axiom, weakly) for axiom in weak.axioms)
    rules = tuple(_rule(rule, weakly) for rule in error_rules(weak))
    theory = Theory(
        (*assumed, *facts),
        (*strong.disjoint, *weak.disjoint),
        views,
        errors=ErrorRules(axioms, rules) if rules else None,
    )
    claims = zip(axioms, weak.axioms, strict=True)
    found = [Query(axiom.name, claim, theory, axiom.span) for claim, axiom in claims]
    for rule in error_rules(strong) if rules else ():
        found.append(_error_query(rule, _rule(rule, strongly), weak, theory, (weak.name, strong.name)))
    return found


def error_rules(model: terms.Model) -> list[terms.ErrorRule]:
    """The rules of a model whose violation makes a program undefined."""
    return [rule for rule in model.errors if not rule.warning]


def _rule(rule: terms.ErrorRule, names: Names) -> Inclusion:
    """What a rule requires. Its left side has a conflicting pair both ways round; one order is enough."""
    left, right = (_renamed(side, names) for side in (rule.constraint.left, rule.constraint.right))
    return Inclusion(left, terms.Union(right, terms.Inverse(right)), rule.constraint.equal)


_LOCATION = terms.Base("loc-overlap")


def _is_conflict(term: Relation) -> bool:
    """Whether a term is a union of ``[P] ; loc-overlap ; [Q]``."""
    match term:
        case terms.Union(left, right):
            return _is_conflict(left) and _is_conflict(right)
        case terms.Sequence(terms.Guard(), body) | terms.Sequence(body, terms.Guard()):
            return _is_conflict(body)
    return term == _LOCATION


def _error_query(
    rule: terms.ErrorRule, asked: Inclusion, weak: terms.Model, theory: Theory, names: tuple[str, str]
) -> Query:
    """Whether each execution that is an error for ``strong`` by a rule is also an error for ``weak``."""
    assert theory.errors is not None, "only models with error rules are compared by them"
    spans = [other.span for other in error_rules(weak)]
    kept = tuple(map(terms.Statement, theory.errors.rules, spans))
    claim = asked
    same = next((other for other in theory.errors.rules if other.left == asked.left), None)
    if same is not None and same != asked and _is_conflict(asked.left):
        # Of the pairs that the rules are about, only those that the weak model orders remain to be shown.
        ordered = replaced(asked.left, _LOCATION, terms.Intersection(same.right, _LOCATION))
        claim = Inclusion(ordered, asked.right)
    text = f"anything that {names[1]} calls a {rule.name} is also an error for {names[0]}"
    wider = replace(theory, assumptions=(*theory.assumptions, *kept))
    return Query(f"error {rule.name}", claim, wider, rule.span, text=text)


Names = Mapping[str, str]  # new names of views, so that the views of two models do not clash


def _new_names(model: terms.Model, prefix: str, views: dict[str, Relation]) -> Names:
    """Names for a model's views, which are added to ``views``; views with identical bodies share a name."""
    known = {body: name for name, body in views.items()}
    names: dict[str, str] = {}
    for name, body in model.views.items():
        renamed = _renamed(body, names)
        names[name] = known.get(renamed, f"{prefix}::{name}")
        views[names[name]] = renamed
    return names


def _facts(model: terms.Model, names: Names) -> Iterator[terms.Statement]:
    """What a model assumes, with other names for its views."""
    for statement in model.assumptions:
        claim, total = statement.claim, statement.total
        if claim is not None:
            claim = Inclusion(_renamed(claim.left, names), _renamed(claim.right, names), claim.equal)
        total = None if total is None else _renamed(total, names)
        yield _not_rotated(terms.Statement(claim, statement.span, total))


def without_rotations(claim: Inclusion) -> Inclusion:
    """The claim without ``rot``: the rotations of a relation are irreflexive if it is (thesis Prop. 9)."""
    match claim:
        case Inclusion(terms.Intersection(body, terms.Identity()), terms.Empty(), equal):
            return Inclusion(terms.Intersection(_unrotated(body), terms.Identity()), terms.Empty(), equal)
    return claim


def _not_rotated(statement: terms.Statement) -> terms.Statement:
    """The statement, with its claim freed of ``rot``."""
    claim = statement.claim
    return statement if claim is None else replace(statement, claim=without_rotations(claim))


def _unrotated(term: Relation) -> Relation:
    match term:
        case terms.Rotation(body):
            return _unrotated(body)
        case terms.Union(left, right):
            return terms.Union(_unrotated(left), _unrotated(right))
    return term


_ECO = terms.Plus(terms.Union(terms.Union(terms.Base("rf"), terms.Base("co")), terms.Base("fr")))


def claim_of(axiom: terms.Axiom, names: Names | None = None) -> Inclusion:
    """What an axiom says, as an inclusion, with other names for its views if there are any."""
    refuse_fixpoint(axiom.relation, axiom, "the prover")
    body = axiom.relation if names is None else _renamed(axiom.relation, names)
    if axiom.kind == "coherence":
        body = terms.Sequence(body, _ECO)
    if axiom.kind == "acyclic":
        body = terms.Plus(body)
    meant = body if axiom.kind == "empty" else terms.Intersection(body, terms.Identity())
    return without_rotations(Inclusion(meant, terms.Empty()))


def _renamed(term: Relation, names: Names) -> Relation:
    """The term with other names for its views."""
    if isinstance(term, terms.View):
        return terms.View(names[term.name])
    return rebuilt(term, lambda part: _renamed(part, names))


# Shapes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Within:
    """``left <= right``; ``side`` says which side of the claim ``left`` is."""

    left: Relation
    right: Relation
    side: str = "left"


@dataclass(frozen=True)
class Irreflexive:
    """No event is related to itself."""

    relation: Relation


def shapes(claim: Inclusion) -> Iterator[Within | Irreflexive]:
    """The shapes that a claim reduces to; it holds if all of them do, or if there is none."""
    if isinstance(claim.right, terms.Empty):
        yield from _empty(claim.left)
        return
    yield Within(claim.left, claim.right)
    if claim.equal:
        yield Within(claim.right, claim.left, "right")


def _empty(term: Relation) -> Iterator[Within | Irreflexive]:
    match term:
        case terms.Union(left, right):
            yield from _empty(left)
            yield from _empty(right)
        case terms.Intersection(body, terms.Identity()) | terms.Intersection(terms.Identity(), body):
            yield from _irreflexive(body)
        case terms.Intersection(left, right):
            if not has_between(left, right) and not has_between(right, left):
                yield Irreflexive(terms.Sequence(left, terms.Inverse(right)))
        case terms.Difference(left, right):
            yield Within(left, right)
        case _:
            yield Within(term, terms.Empty())


_BEFORE, _AFTER = frozenset(("fr", "fre", "fri")), frozenset(("co", "coe", "coi"))
_SOURCES = frozenset(("rf", "rfe", "rfi"))


def has_between(halves: Relation, path: Relation) -> bool:
    """Whether a pair of both is a read-modify-write with a write between its halves.

    There is none, because they are atomic in every model: herd's models state that as an axiom of their own.
    """
    if isinstance(path, terms.Union):
        return has_between(halves, path.left) and has_between(halves, path.right)
    return halves == terms.Base("rmw") and _leads_past_a_write(_steps(path))


def _leads_past_a_write(steps: list[Relation]) -> bool:
    """Whether steps are ``fr ; co`` or longer, or halves of these; ``fr`` is ``rf^-1 ; co``."""
    match steps:
        case [terms.Base(name), _, *_] if name in _BEFORE:
            later = steps[1:]
        case [terms.Inverse(terms.Base(name)), _, _, *_] if name in _SOURCES:
            later = steps[1:]
        case _:
            return False
    return all(isinstance(step, terms.Base) and step.name in _AFTER for step in later)


def _steps(path: Relation) -> list[Relation]:
    """The operands of a composition, without tests."""
    match path:
        case terms.Sequence(left, right):
            return [*_steps(left), *_steps(right)]
        case terms.Guard():
            return []
    return [path]


def _irreflexive(term: Relation) -> Iterator[Irreflexive]:
    if isinstance(term, terms.Union):
        yield from _irreflexive(term.left)
        yield from _irreflexive(term.right)
    elif isinstance(term, terms.Rotation):
        yield from _irreflexive(term.body)
    else:
        yield Irreflexive(term)


def names_in(term: Relation, views: Mapping[str, Relation]) -> tuple[set[str], list[terms.Test]]:
    """The base relations that a term names, and its tests."""
    bases: set[str] = set()
    tests: list[terms.Test] = []
    seen: set[int] = set()
    waiting = [term]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        match one:
            case terms.Base(name):
                bases.add(name)
            case terms.Guard(test):
                tests.append(test)
            case terms.View(name):
                waiting.append(views[name])
            case _:
                waiting += parts(one)
    return bases, tests
