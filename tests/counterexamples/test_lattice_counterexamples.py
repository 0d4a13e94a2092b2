"""Each refuted pair of models that the engine runs: the counterexample's program tells the two apart."""

from __future__ import annotations

import pytest
from mazurka.counterexamples import c_program, counterexample, difference, word_term
from mazurka.prover import Evaluator
from refutations import refutation, refuted_pairs

PAIRS = refuted_pairs()


def test_there_are_pairs() -> None:
    assert len(PAIRS) == 17


@pytest.mark.parametrize(("weak", "strong"), PAIRS)
def test_the_engine_sees_the_difference(weak: str, strong: str) -> None:
    query, refuted = refutation(weak, strong)
    program = c_program(counterexample(query, refuted))
    seen = difference(program, allowing=strong, forbidding=weak)
    assert seen.shown, seen
    assert not seen.contradicted


@pytest.mark.parametrize(("weak", "strong"), PAIRS)
def test_what_is_shown_still_refutes(weak: str, strong: str) -> None:
    query, refuted = refutation(weak, strong)
    example = counterexample(query, refuted)
    evaluator = Evaluator(example.graph, query.theory.views)
    assert not evaluator.holds(query.claim)
    assert all(s.claim is not None and evaluator.holds(s.claim) for s in query.theory.assumptions)
    assert evaluator.rows(word_term(example))[example.path[0]] >> example.path[0] & 1
    assert example.graph.size <= refuted.graph.size
