"""Corners in which a wrong answer would be easy: answers that must not be given, and some that must."""

from __future__ import annotations

import pytest
from mazurka.counterexamples import counterexample
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_model, load_text, named_model
from mazurka.prover import Proved, Refuted, Unknown, decide, weaker
from mazurka.prover.questions.monotone import is_monotone
from prover_questions import answers, questions

COHERENT = "assume acyclic po-loc | rf | co | fr\n"

NOT_REFUTED = {
    "data leads to writes": "relation r assume r^-1 <= data^-1 assert r <= r ; [W]",
    "a detour is read off the graph": "assume detour = 0 assert irreflexive coe ; rfe ; po-loc^-1",
    "disjoint predicates of the other half": (
        "predicate A disjoint A # W assume rmw <= rmw ; [A] assert [UR & A] = 0"
    ),
}

PROVED = {
    "reads read from writes": "relation r assume r^-1 <= rf^-1 assert r ; r = 0",
    "one of two relations, turned around": "relation r assume r^-1 <= rf^-1 | co assert [R] ; r = 0",
    "an assumption walked the other way": "relation r assume r^-1 <= rf^-1 assert r ; fr <= co",
    "a claim that walks the other way": "relation r assume r <= rf assert r^-1 ; co <= fr",
    "a location and something else": "let loc = loc-overlap? assert (po & loc) <= po-loc",
    "what coherence says of the halves": f"{COHERENT} assert coi | fri <= po-loc",
    "writes of one thread": f"{COHERENT} assert [W] ; po-loc ; [W] <= co",
    "cycles walked the other way": "relation r assume acyclic r assert acyclic r^-1",
    "one of several assumptions about a location": (
        "predicate A assume irreflexive po ; (rf | co | fr)+ assume irreflexive [A] ; rf ; rf^-1 ; [A] "
        "assert irreflexive [A] ; rf ; rf^-1 ; [A]"
    ),
    "an order relates nothing else": (
        "predicate A relation r assume total [A] ; r ; [A] assert r <= [A] ; r ; [A]"
    ),
}

REFUTED = {
    # Once proved: what is between an event and itself is of a location that is reflexive.
    "a fence has no location": "let loc = loc-overlap? assert [F] ; ((po ; po^-1) & loc) = 0",
    "an event and itself": "assert (po ; po^-1) & (loc-overlap | id) <= [R|W] ; any",
    "the location first": "assert (loc-overlap | [F]) & (po ; po^-1) <= [R|W] ; any",
    # What words alone do not show: automata have no intersections of compositions.
    "both operands of an intersection": "assert (po ; rf) & (co ; po) = 0",
    "an intersection, turned around": "assert ((po ; rf) & (co ; po))^-1 <= po^-1",
    "an intersection and a repetition": "assert (po ; rf) & (rf ; (po | co)+) <= po",
    "a difference of compositions": "assert (po ; rf) \\ (po ; po) = 0",
    "an order of some events": "predicate A relation r assume total [A] ; r ; [A] assert [R] <= [A]",
    "a detour": "assert detour <= 0",
}


@pytest.mark.parametrize("name", NOT_REFUTED)
def test_what_holds_is_not_refuted(name: str) -> None:
    (answer,) = answers(NOT_REFUTED[name])
    assert not isinstance(answer, Refuted)


def test_a_model_with_a_reflexive_location_is_not_weaker_than_coherence() -> None:
    text = "let loc = loc-overlap?\nacyclic [F & SC] ; ((po | rf | co | fr)+ & loc)"
    weak, strong = load_text(text), load_text("acyclic po-loc | rf | co | fr")
    (answer,) = map(decide, weaker(weak, strong))
    assert isinstance(answer, Refuted)


@pytest.mark.parametrize("assumed", ["rot (po ; rf)", "rot (po ; rf) | rot (po ; co)"])
def test_counterexamples_are_presented_whatever_is_assumed_of_rotations(assumed: str) -> None:
    """They are evaluated again, on graphs, where a rotation is irreflexive if its body is."""
    (query,) = questions(f"assume irreflexive {assumed} assert acyclic po | fr")
    answer = decide(query)
    assert isinstance(answer, Refuted)
    assert counterexample(query, answer).word
    strong = load_text(f"irreflexive {assumed}")
    (query,) = weaker(load_text("acyclic po | fr"), strong)
    answer = decide(query)
    assert isinstance(answer, Refuted)
    assert counterexample(query, answer).word


def test_a_model_is_as_strong_as_itself() -> None:
    for name in ("rc11", "rc11-cpp11", "tso"):
        model = named_model(name)
        assert all(isinstance(decide(q, allow_unused=True), Proved) for q in weaker(model, model))


@pytest.mark.parametrize("name", PROVED)
def test_what_holds_is_proved(name: str) -> None:
    (answer,) = answers(PROVED[name])
    assert isinstance(answer, Proved), answer


@pytest.mark.parametrize("name", REFUTED)
def test_what_does_not_hold_is_refuted(name: str) -> None:
    (answer,) = answers(REFUTED[name])
    assert isinstance(answer, Refuted), answer


def test_a_relation_that_is_to_order_two_sets_is_not_used() -> None:
    text = "relation r assume total [R] ; r ; [R] assume total [W] ; r ; [W]\n"
    (answer,) = answers(f"{text} assert irreflexive [R] ; r ; [W] ; r")
    assert isinstance(answer, Unknown)
    assert answer.reason == "an assumption cannot be used"


CONDITION = 'model m "m"\nacyclic po | rf | co | fr as a unless [W] ; po ; [R] <= po ; [F] ; po\n'


def test_axioms_with_conditions_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("models") / "m.kat"
    path.write_text(CONDITION)
    model = load_model(path)
    sc = named_model("sc")
    for weak, strong in ((model, sc), (sc, model)):
        with pytest.raises(ModelError, match="has a condition"):
            weaker(weak, strong)
    with pytest.raises(ModelError, match="has a condition"):
        is_monotone(str(path))


def test_views_in_the_assumptions_of_a_model() -> None:
    model = load_text('model m "m"\nrelation r\nview hb = (po | rf)+\nassume hb <= r\nacyclic po | rf as a')
    sc = named_model("sc")
    assert [type(decide(query)) for query in weaker(model, sc)] == [Proved]
    assert [type(decide(query)) for query in weaker(sc, model)] == [Refuted]
