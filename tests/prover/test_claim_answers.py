"""Every claim that comes with the package is answered as its table says, and no proof is vacuous.

That there are executions which a claim is about is shown on graphs, without the prover (``tests/claims``).
"""

from __future__ import annotations

import pytest
from claim_table import CLAIMS, PAIRS, ROWS, Pair, Row, is_fact_of_model
from mazurka.kat.language.load import named_model
from mazurka.prover import Evaluator, Proved, Query, Refuted, Theory, Unknown, decide, load_claims, weaker
from profiles import some

PROVED = [row for row in ROWS if row.expected == "proved"]
REFUTED = [row for row in ROWS if row.expected == "refuted"]


def assert_refutes(answer: Refuted, query: Query) -> None:
    """The evaluator finds that all assumptions hold of the graph, and that the claim does not."""
    evaluator = Evaluator(answer.graph, query.theory.views)
    for statement in query.theory.assumptions:
        assert statement.claim is not None
        assert evaluator.holds(statement.claim)
    assert not evaluator.holds(query.claim)


@pytest.mark.parametrize("row", some(PROVED, every=6), ids=lambda row: row.file)
def test_it_is_proved(row: Row) -> None:
    for query in load_claims(CLAIMS / f"{row.file}.kat"):
        assert isinstance(decide(query), Proved), query.name


@pytest.mark.parametrize("row", some(REFUTED[::-1], every=6), ids=lambda row: row.file)
def test_it_is_refuted(row: Row) -> None:
    (query,) = load_claims(CLAIMS / f"{row.file}.kat")
    answer = decide(query)
    assert isinstance(answer, Refuted)
    assert_refutes(answer, query)


# Without the stronger model -----------------------------------------------------------------------------

# Assertions by their lines, for which no graph is found among the shortest words: the answer is unknown.
# Executions that break each of them are in ``tests/claims/test_claim_files.py``.
MAY_BE_UNKNOWN = {
    *("imm-under-x86.kat:11", "imm-under-armv8.kat:11", "rc11-sc-fences-under-power.kat:12"),
    "rc11-genmc-sc-fences-under-power.kat:12",
    *("power-under-power-simpl.kat:12", "power-simpl-under-power.kat:12", "power-weak-under-power.kat:12"),
    *("armv7-under-x86.kat:12", "power-under-x86.kat:12", "armv7-under-armv8.kat:14"),
}


def without_stronger_model(query: Query) -> Query:
    """The query under what is assumed about programs and their compilation, without the model's axioms."""
    theory = query.theory
    kept = tuple(s for s in theory.assumptions if not is_fact_of_model(s))
    return Query(query.name, query.claim, Theory(kept, theory.disjoint, theory.views), query.span)


@pytest.mark.parametrize("row", [row for row in PROVED if row.file != "eco"], ids=lambda row: row.file)
def test_the_proof_needs_the_stronger_model(row: Row) -> None:
    for whole in load_claims(CLAIMS / f"{row.file}.kat"):
        query = without_stronger_model(whole)
        answer = decide(query)
        if query.name in MAY_BE_UNKNOWN and isinstance(answer, Unknown):
            continue
        assert isinstance(answer, Refuted), query.name
        assert_refutes(answer, query)
        # As the whole claim is proved, the graph is none that the stronger model allows.
        evaluator = Evaluator(answer.graph, whole.theory.views)
        assert not all(s.claim is None or evaluator.holds(s.claim) for s in whole.theory.assumptions)


# The lattice --------------------------------------------------------------------------------------------


# Axioms that are not decided by themselves, though the pair is: the difference of relations in RC11's psc is
# not regular, and no small execution of IMM breaks it. Another axiom of the pair is refuted.
UNDECIDED = {("rc11", "imm"): {"sc-order"}}


@pytest.mark.parametrize("pair", some(PAIRS, every=3), ids=lambda pair: f"{pair.weaker} {pair.stronger}")
def test_a_pair_of_models(pair: Pair) -> None:
    """By itself, without what follows from other pairs; the whole lattice is in ``tests/cli``."""
    queries = weaker(named_model(pair.weaker), named_model(pair.stronger))
    answers = [decide(query, allow_unused=True) for query in queries]
    for query, answer in zip(queries, answers, strict=True):
        if isinstance(answer, Refuted):
            assert_refutes(answer, query)
    unknown = {
        query.name for query, answer in zip(queries, answers, strict=True) if isinstance(answer, Unknown)
    }
    assert unknown == UNDECIDED.get((pair.weaker, pair.stronger), set())
    refuted = any(isinstance(answer, Refuted) for answer in answers)
    assert pair.expected == ("refuted" if refuted else "proved")
