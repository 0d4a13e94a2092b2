"""What ``mazurka prove`` is asked: topics, each with the claims that decide it.

A topic holds if all of its claims do. Most claims are queries for ``decide``; some are decided by inspecting
the terms of a model, and come with their answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mazurka.kat.language.load import load_model, named_model
from mazurka.kat.language.quote import statement_text
from mazurka.kat.meaning.classes import OF_MACHINES
from mazurka.kat.meaning.plan import EVERY_CLASS
from mazurka.kat.meaning.terms import Model, Span
from mazurka.prover.theory.answers import Answer
from mazurka.prover.theory.events import BUILT_IN, primitives
from mazurka.prover.theory.queries import Query, error_rules, load_claims, names_in, weaker


@dataclass(frozen=True)
class Question:
    """A claim: its name, what it says, and either the query for it or its answer."""

    name: str
    text: str
    span: Span | None
    query: Query | None = None
    answer: Answer | None = None


@dataclass(frozen=True)
class Topic:
    """What is asked, as a statement.

    For a comparison, ``axioms`` has the names of the assumed axioms, ``given`` the model that they belong to,
    and ``own`` the assumptions of the model that should be weaker.
    """

    title: str
    questions: tuple[Question, ...]
    given: str = ""
    axioms: tuple[tuple[Span, str], ...] = ()
    own: tuple[str, frozenset[Span]] = ("", frozenset())
    notes: tuple[str, ...] = ()
    # Whether assumptions that cannot be used may be left out: those of a file that its author wrote may not.
    lenient: bool = True
    models: tuple[str, ...] = ()  # for a comparison: the model that should be weaker, and the other, as given


def of_file(path: str | Path, title: str = "") -> Topic:
    """The assertions of a file; if there is none, a topic without claims that says so."""
    queries = load_claims(path)
    notes = () if queries else (_nothing_asked(path),)
    return Topic(title, tuple(_question(q.name, q) for q in queries), notes=notes, lenient=False)


def _nothing_asked(path: str | Path) -> str:
    hint = "state a claim, for example: assert acyclic po | rf; or assert e <= f"
    if load_model(path, require_axioms=False).axioms:
        hint = f"it is a model; to compare it with another one: mazurka prove weaker {path} sc"
    return f"{path}: there is no assertion in this file, so nothing was asked ({hint})"


def _question(name: str, query: Query) -> Question:
    text = query.text or (statement_text(query.span) if query.span else "")
    return Question(name, f"{text} ({query.reading})" if query.reading else text, query.span, query)


def is_weaker(weak: str, strong: str) -> Topic:
    """Whether one model allows all that another allows."""
    models = _told_apart((weak, named_model(weak)), (strong, named_model(strong)))
    topic = compared(*models)
    notes = (*topic.notes, *_about_mappings(*models), *_about_instructions(*models))
    return replace(topic, notes=notes, models=(weak, strong))


def _told_apart(one: tuple[str, Model], two: tuple[str, Model]) -> tuple[Model, Model]:
    """Two models; those of one name are called as the question calls them."""
    if one[1].name != two[1].name:
        return one[1], two[1]
    return replace(one[1], name=one[0]), replace(two[1], name=two[0])


def compared(weak: Model, strong: Model, title: str = "") -> Topic:
    """The claims that one model allows all that another allows, one for each of its axioms."""
    shared = {statement.span for statement in strong.assumptions}
    own = {s.span for s in weak.assumptions} | {rule.span for rule in error_rules(weak)}
    return Topic(
        title
        or f"{weak.name} is weaker than {strong.name}: it allows every execution that {strong.name} allows",
        tuple(_question(query.name, query) for query in weaker(weak, strong)),
        strong.name,
        tuple((axiom.span, axiom.name) for axiom in strong.axioms),
        (weak.name, frozenset(own - shared)),
        tuple(_about_errors(weak, strong)),
    )


def _about_mappings(weak: Model, strong: Model) -> Iterator[str]:
    """What an answer does not mean where one of the models is that of a machine for which C is compiled."""
    if weak.mapping != strong.mapping:
        names = " and ".join(model.name for model in (weak, strong) if model.mapping)
        yield (
            f"the fences that C's accesses get under {names} ('map' lines) are left out: "
            "the models are compared as they stand"
        )


def _about_instructions(weak: Model, strong: Model) -> Iterator[str]:
    """What an answer does not mean where a model knows events that no program in C has."""
    found = sorted(_named_predicates(weak) | _named_predicates(strong))
    names = [name for name in found if not BUILT_IN.get(name, EVERY_CLASS) & ~OF_MACHINES]
    if names:
        yield (
            "the answer is about programs in C: events that only machine instructions make "
            f"({', '.join(names)}) are left out"
        )


def _named_predicates(model: Model) -> set[str]:
    """The predicates that the axioms of a model name."""
    found: set[str] = set()
    for axiom in model.axioms:
        for test in names_in(axiom.relation, model.views)[1]:
            found |= primitives(test)
    return found


def _about_errors(weak: Model, strong: Model) -> Iterator[str]:
    """What an answer means where programs may be undefined."""
    ours, theirs = (", ".join(rule.name for rule in error_rules(model)) for model in (weak, strong))
    if ours:
        yield f"{weak.name} calls every program with a {ours} erroneous, so such programs refute nothing"
    elif theirs:
        yield (
            f"{strong.name} calls programs with a {theirs} erroneous, but {weak.name} does not: "
            "the proofs are about programs without one"
        )


def are_equivalent(one: str, other: str) -> list[Topic]:
    """Whether two models allow the same."""
    return [is_weaker(one, other), is_weaker(other, one)]


def rules_out_thin_air(given: str) -> Topic:
    """Whether a model forbids that a read depends on itself (thesis §3.8)."""
    model = named_model(given)
    title = f"{model.name} forbids values out of thin air: no read depends on itself"
    return compared(named_model("thin-air"), model, title)
