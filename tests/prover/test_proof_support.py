"""What a proof rests on: the assumptions it needs, of either model, and whether any execution has them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claim_table import CLAIMS
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.terms import Statement
from mazurka.prover import Proved, Query, decide, load_claims, weaker
from mazurka.prover.deciding.support import with_support
from mazurka.prover.questions.topics import compared
from mazurka.prover.theory.limits import Limits
from mazurka.report.paint import Paint
from mazurka.report.proofs import Printer
from prover_questions import questions


def supported(query: Query) -> Proved:
    """The proof of a query, with what it rests on."""
    answer = decide(query, allow_unused=True)
    assert isinstance(answer, Proved)
    return with_support(query, answer, Limits())


NEEDED = {  # the lines of the assumptions that are needed
    "none": ("relation r\nassume acyclic r\nassume r <= po\nassert rf ; fr <= co", []),
    "one of three": (
        "relation r\nassume po <= r\nassume acyclic r\nassume r <= co\nassert acyclic r ; r",
        [3],
    ),
    "two of three": (
        "relation r\nassume r <= rf\nassume acyclic rf | po\nassume po <= po\nassert acyclic r | po",
        [2, 3],
    ),
    "a part of what cannot be used as a whole": (
        "assume acyclic co\nassume irreflexive ((co | fr)* & (loc-overlap | id)) ; (po | rf)+\n"
        "assert acyclic po | rf",
        [2],
    ),
    "the claim itself": ("relation r\nassume r <= co\nassume r <= po\nassert r <= po", [3]),
}


@pytest.mark.parametrize("name", NEEDED)
def test_only_what_is_needed_is_named(name: str) -> None:
    text, lines = NEEDED[name]
    (query,) = questions(text)
    proof = supported(query)
    assert [span.line for span in proof.assumptions] == lines
    assert proof.exact
    assert proof.satisfiable


def test_what_is_needed_is_enough() -> None:
    """For a claim that comes with Mazurka: it is proved from what is named, and not from less."""
    query = load_claims(CLAIMS / "imm-under-x86.kat")[1]
    proof = supported(query)
    kept = [s for s in query.theory.assumptions if s.span in proof.assumptions]

    def holds(statements: list[Statement]) -> bool:
        theory = replace(query.theory, assumptions=tuple(statements))
        return isinstance(decide(replace(query, theory=theory), allow_unused=True), Proved)

    assert holds(list(kept))
    if proof.exact:
        assert not any(holds([s for s in kept if s is not gone]) for gone in kept)


CONTRADICTIONS = {
    "no event": "assume id = 0\nassert rf <= 0",
    "reads without writes": "assume id <= [R]\nassert rf <= 0",
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_assumptions_that_no_execution_satisfies_are_reported(name: str) -> None:
    (query,) = questions(CONTRADICTIONS[name])
    assert supported(query).satisfiable is False


def test_the_assumptions_of_the_weaker_model_are_named_as_such() -> None:
    weak = load_text("model weak\nassume po = 0\nacyclic po | rf | co | fr as order")
    strong = load_text("model strong\nacyclic po | rf as nothing")
    topic = compared(weak, strong)
    (query,) = weaker(weak, strong)
    text = Printer(100, Paint(False)).claim(topic, topic.questions[0], supported(query))
    assert "statements of weak itself (model:2)" in text
    assert "nothing of strong" not in text


def test_shipped_claims_have_executions() -> None:
    """Files of different kinds; the whole table is asked in the tests of claims."""
    for name in ("imm-under-x86", "rc11-genmc-under-imm"):
        (query, *_) = load_claims(CLAIMS / f"{name}.kat")
        assert supported(query).satisfiable
