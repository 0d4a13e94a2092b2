"""Refutations of all kinds of claims can be shown: inclusions, equalities, declared relations."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from mazurka.counterexamples import Unrealizable, c_program, counterexample, dot, svg, word_text
from mazurka.kat.language.load import load_text
from mazurka.prover import Evaluator, Query, Refuted, Theory, decide

CLAIMS = {
    "an inclusion": ("assert [W] ; po ; [R] <= po-loc", "[W];po;[R]"),
    "a declared relation": ("relation r assume irreflexive r assert irreflexive r ; r", None),
    "a dependency": ("assert ctrl <= po-loc", None),
    "the right side of an equality": ("assert po-loc = po", None),
    "an assumption that adds a fence": (
        "assume [W] ; po ; [R] <= [W] ; po ; [F & SC] ; po ; [R] assert [W] ; po ; [R] <= 0",
        "[W];po;[R]",
    ),
    "a mode that is needed": ("assert [W & REL] ; rfe ; [R & ACQ] <= 0", "[W.rel];rfe;[R.acq]"),
    "an update that is needed": ("assert rmw <= 0", "[UR];rmw;[UW]"),
    "a relation walked backwards": ("assert [R] ; rf^-1 ; [W] <= po", None),
    "a total order": (
        "relation t relation r assume total t assume irreflexive t ; r assert irreflexive r",
        None,
    ),
}


@pytest.mark.parametrize(("text", "word"), CLAIMS.values(), ids=CLAIMS.keys())
def test_it_can_be_shown(text: str, word: str | None) -> None:
    model = load_text(text, require_axioms=False)
    (statement,) = model.assertions
    assert statement.claim is not None
    query = Query("claim", statement.claim, Theory(model.assumptions, model.disjoint, model.views))
    refuted = decide(query)
    assert isinstance(refuted, Refuted)
    example = counterexample(query, refuted)
    assert not Evaluator(example.graph, {}).holds(query.claim)
    assert word is None or word_text(example) == word
    assert ElementTree.fromstring(svg(example)).tag.endswith("svg")
    assert dot(example).startswith("digraph")
    try:
        assert "int main" in c_program(example)
    except Unrealizable:
        assert "relation" in text
