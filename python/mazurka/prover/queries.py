"""What is asked: a claim and what may be assumed, read from a file and brought into few shapes.

``e & id = 0`` is that e is irreflexive, ``a & b = 0`` that ``a ; b^-1`` is, ``a \\ b = 0`` that a is within
b, and a union is empty if its parts are. What is left are inclusions, irreflexivity and emptiness.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mazurka.kat import terms
from mazurka.kat.conditions import refuse_conditions
from mazurka.kat.declared import apart
from mazurka.kat.load import load_model
from mazurka.kat.parts import parts, rebuilt
from mazurka.kat.terms import Inclusion, Relation, Span

# How ``A & id <= B`` is read (``kat.irreflexivity``).
IMPLICATION = "that is: if the cycles of the right side are forbidden, so are those of the left"


@dataclass(frozen=True)
class Theory:
    """What may be assumed beside the built-in facts, and what views stand for."""

    assumptions: tuple[terms.Statement, ...] = ()
    disjoint: tuple[tuple[str, ...], ...] = ()
    views: Mapping[str, Relation] = field(default_factory=dict, hash=False)
    # A term that stands in assumptions, and a shorter one that means the same.
    synonym: tuple[Relation, Relation] | None = None
    # What was found out about relations that follow from the assumptions, by what was asked.
    shown: dict[object, bool] = field(default_factory=dict, hash=False, compare=False)


@dataclass(frozen=True)
class Query:
    """A claim to decide."""

    name: str
    claim: Inclusion
    theory: Theory
    span: Span | None = None
    reading: str = ""  # what the claim means, if that is not plain from its text


def load_claims(path: str | Path) -> list[Query]:
    """The assertions of a file, each under all of its assumptions and those of the files it includes."""
    return asserted(load_model(path, require_axioms=False))


def asserted(model: terms.Model) -> list[Query]:
    """The assertions of a model, each under all of its assumptions."""
    theory = Theory(model.assumptions, model.disjoint, model.views)
    found = []
    for statement in model.assertions:
        assert statement.claim is not None, "only an assumption is about totality"
        name = f"{Path(statement.span.path).name}:{statement.span.line}"
        if statement.given is None:
            found.append(Query(name, statement.claim, theory, statement.span))
            continue
        given = terms.Statement(*statement.given)
        known = Theory((*model.assumptions, given), model.disjoint, model.views)
        found.append(Query(name, statement.claim, known, statement.span, IMPLICATION))
    return found


def weaker(weak: terms.Model, strong: terms.Model) -> list[Query]:
    """Whether ``weak`` allows each graph that ``strong`` allows: a query for each axiom of ``weak``."""
    for model in (weak, strong):
        refuse_conditions(model)
    weak, strong = apart(weak, strong)
    views = {f"strong::{name}": _renamed(body, "strong") for name, body in strong.views.items()}
    views |= {f"weak::{name}": _renamed(body, "weak") for name, body in weak.views.items()}
    assumed = tuple(terms.Statement(claim_of(axiom, "strong"), axiom.span) for axiom in strong.axioms)
    # Both may include the same facts about programs, such as those about dependencies.
    facts = dict.fromkeys((*_facts(strong, "strong"), *_facts(weak, "weak")))
    theory = Theory((*assumed, *facts), (*strong.disjoint, *weak.disjoint), views)
    return [Query(axiom.name, claim_of(axiom, "weak"), theory, axiom.span) for axiom in weak.axioms]


def _facts(model: terms.Model, prefix: str) -> Iterator[terms.Statement]:
    """What a model assumes, with its views under names with a prefix."""
    for statement in model.assumptions:
        claim, total = statement.claim, statement.total
        if claim is not None:
            claim = Inclusion(_renamed(claim.left, prefix), _renamed(claim.right, prefix), claim.equal)
        yield terms.Statement(claim, statement.span, None if total is None else _renamed(total, prefix))


_ECO = terms.Plus(terms.Union(terms.Union(terms.Base("rf"), terms.Base("co")), terms.Base("fr")))


def claim_of(axiom: terms.Axiom, prefix: str = "") -> Inclusion:
    """What an axiom says, as an inclusion, with its views under names with a prefix if there is one."""
    body = _renamed(axiom.relation, prefix) if prefix else axiom.relation
    if axiom.kind == "coherence":
        body = terms.Sequence(body, _ECO)
    if axiom.kind == "acyclic":
        body = terms.Plus(body)
    return Inclusion(
        body if axiom.kind == "empty" else terms.Intersection(body, terms.Identity()), terms.Empty()
    )


def _renamed(term: Relation, prefix: str) -> Relation:
    """The term with its views under longer names, so that two models' views do not clash."""
    if isinstance(term, terms.View):
        return terms.View(f"{prefix}::{term.name}")
    return rebuilt(term, lambda part: _renamed(part, prefix))


# Shapes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Within:
    """``left <= right``; ``side`` of the claim that ``left`` is."""

    left: Relation
    right: Relation
    side: str = "left"


@dataclass(frozen=True)
class Irreflexive:
    """No event is related to itself."""

    relation: Relation


def shapes(claim: Inclusion) -> Iterator[Within | Irreflexive]:
    """What a claim comes to; it holds if all of these do."""
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
            yield Irreflexive(terms.Sequence(left, terms.Inverse(right)))
        case terms.Difference(left, right):
            yield Within(left, right)
        case _:
            yield Within(term, terms.Empty())


def _irreflexive(term: Relation) -> Iterator[Irreflexive]:
    if isinstance(term, terms.Union):
        yield from _irreflexive(term.left)
        yield from _irreflexive(term.right)
    elif isinstance(term, terms.Rotation):
        yield from _irreflexive(term.body)  # thesis Prop. 9
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
