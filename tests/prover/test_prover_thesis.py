"""The worked examples of thesis §3.4-3.6 and other small claims, with the answers that they must have."""

from __future__ import annotations

import pytest
from mazurka.prover import Proved, Refuted, Unknown
from prover_questions import answers

RA = """
let hb = ([R|W] ; po ; [R|W] | rf)+
let ra = hb ; (co | fr)?
let hb2 = ([R|W] ; po ; [W] | [R] ; po ; [R|W] | rfe)+
let ra2 = hb2 ; (co | fr)? | [R|W] ; po ; fr
let ra3 = (co | fr)? ; hb
"""

DECLARED_ECO = """
relation reads relation later
assume reads ; reads = 0 assume reads ; later = 0 assume later ; reads^-1 = 0
assume later ; later <= later
assert (reads | later | reads^-1 ; later)+ = reads | (later | reads^-1 ; later) ; reads?
"""

PROVED = {
    "eco of declared relations": f"{DECLARED_ECO} assume reads ; reads^-1 <= id",
    "eco of declared relations, in another way": f"{DECLARED_ECO} assume reads ; reads^-1 ; later <= later",
    "a transitive relation, many times": "relation r assume r ; r <= r assert r+ <= r",
    "eco with fr written out": "assert (rf | mo | rf^-1 ; mo)+ = rf | (mo | fr) ; rf?",
    "co goes on within a thread": "assert moe ; moi <= moe",
    "ra with po": f"{RA} assert (ra | po) = (ra2 | po)",
    "ra to ra2": f"{RA} assume irreflexive ra assert irreflexive ra2",
    "ra2 to ra": f"{RA} assume irreflexive ra2 assert irreflexive ra",
    "ra to ra3 by rotation": f"{RA} assume irreflexive ra assert irreflexive ra3",
    "ra3 to ra by rotation": f"{RA} assume irreflexive ra3 assert irreflexive ra",
    "deduplication": "relation r assume irreflexive r ; r assert irreflexive r",
    "an assumption about fences": (
        "assume [W & SC] ; po ; [R & SC] <= po ; [F & SC] ; po "
        "assert [W & SC] ; po ; [R & SC] <= po ; [F] ; po"
    ),
    "an empty relation": "relation r assume r ; r = 0 assert r ; r ; r <= 0",
    "disjoint predicates": "predicate A predicate B disjoint A # B assert [A] ; [B] <= 0",
    "an order that is total": (
        "relation t relation r assume total t assume irreflexive t ; r assert irreflexive t ; r ; r"
    ),
    "an empty intersection": "assume rmw & (fre ; coe) = 0 assert (fre ; coe) & rmw = 0",
}

REFUTED = {
    "eco without one write for a read": DECLARED_ECO,
    "a transitive relation may have cycles": "relation r assume r ; r <= r assert irreflexive r",
    "many steps of a transitive relation": (
        "relation r relation s assume r ; r <= r assert r ; r ; r ; r ; r ; r ; s <= s"
    ),
    "a transitive relation may have one step": "relation r assume r+ <= r assert r <= r ; r",
    "ra is not ra2": f"{RA} assert ra = ra2",
    "a cycle of two": "relation r assume irreflexive r assert irreflexive r ; r",
    "sc is stronger than ra": "assume acyclic po | rf assert acyclic po | rf | co | fr",
    "coi is not along po by itself": "assert moi <= po",
    "total orders may have one event": (
        "relation t relation r assume total t assume irreflexive t ; r assert irreflexive r"
    ),
}


@pytest.mark.parametrize("question", PROVED.values(), ids=PROVED.keys())
def test_what_the_theory_implies_is_proved(question: str) -> None:
    assert [type(answer) for answer in answers(question)] == [Proved]


@pytest.mark.parametrize("question", REFUTED.values(), ids=REFUTED.keys())
def test_what_a_graph_contradicts_is_refuted(question: str) -> None:
    assert [type(answer) for answer in answers(question)] == [Refuted]


def test_an_assumption_that_cannot_be_used_is_named() -> None:
    question = "relation r assume po & r <= co assert po <= po"
    (answer,) = answers(question)
    assert isinstance(answer, Unknown)
    assert answer.reason == "an assumption cannot be used"
    assert answer.missing == ("an intersection of po and r",)
    assert answer.span is not None
    assert answer.span.column == question.index("assume") + 1
    assert [type(again) for again in answers(question, allow_unused=True)] == [Proved]


def test_counterexamples_are_shortest() -> None:
    (answer,) = answers("relation r relation s assert (r | s)+ <= r+ | s+")
    assert isinstance(answer, Refuted)
    assert len(answer.word) == 2
    assert answer.side == "left"
    assert not answer.cyclic


def test_the_time_limit_makes_it_unknown() -> None:
    (answer,) = answers(f"{RA} assume irreflexive ra assert irreflexive ra3", time_limit=0.0)
    assert isinstance(answer, Unknown)
    assert answer.reason == "the time limit was reached"
