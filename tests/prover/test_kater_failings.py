"""Statements that Kater 0.3 gets wrong: false ones that it proves, true ones that it does not know.

Here a false one is refuted by a graph, or unknown where it is outside the fragment; a true one is proved.
"""

from __future__ import annotations

import pytest
from mazurka.prover import Evaluator, Proved, Refuted, Unknown
from prover_questions import answers, questions

FENCED = "assume [W] ; po ; [R] <= [W] ; po ; [F] ; po ; [R]\n"

# False statements, with whether a graph is found (else the answer is unknown, and says why).
FALSE = {
    "a fence that is assumed to be there": (f"{FENCED} assert [W] ; po ; [R] <= 0", True),
    "the same with the access in a cycle": (
        f"{FENCED} assert irreflexive [W] ; po ; [R] ; fr",
        True,
    ),
    "an intersection within something else": ("assert po & rf <= mo", False),
    "the intersection's other order": ("assert rf & po <= mo", False),
    "ctrl keeps the location": ("assert ctrl <= po-loc", True),
    "data keeps the location": ("assert data <= po-loc", True),
    "addr keeps the location": ("assert addr <= po-loc", True),
    "rot on the left": ("assert rot (po ; rf) <= po ; rf", False),
    "rot on the left, of one relation": ("relation r assert rot (r ; co) <= 0", False),
    "an intersection of compositions": ("assert (po ; rf) & (rf ; po) <= 0", False),
    "an intersection of relations on the left": ("relation r relation s assert r & s <= 0", False),
    "a nested difference": (r"assert po \ (po \ po-loc) <= 0", False),
    "a difference of compositions": (r"assert (po ; po) \ (po ; po-loc) <= 0", False),
    "an equality assumed, used too far": ("relation r relation s assume r = s ; s assert s <= r", True),
}

TRUE = {
    "from-reads": "assert fr = rf^-1 ; mo",
    "from-reads, in halves": "assert fre | fri = rf^-1 ; mo",
    "a read reads one write": "assert rf ; rf^-1 <= id",
    "coherence in halves": "assert mo = moe | moi",
    "reads-from in halves": "assert rf = rfe | rfi",
    "reads and writes are the accesses": "assert [LOC] = [R | W]",
    "reads, writes and fences cover accesses and fences": "assert [LOC | F] <= [R | W | F]",
    "accesses end what is between accesses": "assert [R | W] ; po ; [LOC] = [LOC] ; po ; ([R] | [W])",
    "an equality from left to right": "relation r relation s assume r = s ; s assert r ; po <= s ; s ; po",
    "an equality from right to left": "relation r relation s assume r = s ; s assert po ; s ; s <= po ; r",
    "both directions at once": "relation r relation s assume r = s assert r ; s ; r = s ; r ; s",
}


@pytest.mark.parametrize(("question", "found"), FALSE.values(), ids=FALSE.keys())
def test_a_false_statement_is_not_proved(question: str, found: bool) -> None:
    (query,) = questions(question)
    (answer,) = answers(question, time_limit=10)
    if isinstance(answer, Refuted):
        evaluator = Evaluator(answer.graph, query.theory.views)
        assert all(evaluator.holds(s.claim) for s in query.theory.assumptions if s.claim is not None)
        assert not evaluator.holds(query.claim)
    else:
        assert not found
        assert isinstance(answer, Unknown)
        assert answer.reason


@pytest.mark.parametrize("question", TRUE.values(), ids=TRUE.keys())
def test_a_true_statement_is_proved(question: str) -> None:
    assert [type(answer) for answer in answers(question, time_limit=20)] == [Proved]
