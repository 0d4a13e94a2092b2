"""Limits of proofs: many predicates do no harm, and the time limit is kept throughout."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from claim_table import CLAIMS
from endless_question import endless_question
from mazurka.prover import Proved, Refuted, Unknown, decide, load_claims
from profiles import heavy
from prover_questions import answers, questions

NAMES = [f"P{number}" for number in range(20)]
DECLARED = "".join(f"predicate {name} " for name in NAMES) + "relation r "
ANY = f"[{' | '.join(NAMES)}]"
NONE = " \\ ".join(["[]", *NAMES])
AFTER_ONE = " | ".join(f"[{name}] ; r" for name in NAMES)
BEFORE_ONE = " | ".join(f"r ; [{name}]" for name in NAMES)
THROUGH_ALL = " ; ".join(f"[{name}] ; r" for name in NAMES)
# An event may satisfy any of the predicates: there are over a million kinds of events.
MANY_PREDICATES = {
    "a union of tests": (f"assert {ANY} ; r = {AFTER_ONE}", Proved),
    "a closure": (f"assert ({AFTER_ONE})+ <= {ANY} ; r+", Proved),
    "one event without any": (f"assert {ANY} ; r+ <= ({AFTER_ONE})+", Refuted),
    "all in a row": (f"assert {THROUGH_ALL} <= ({AFTER_ONE})+", Proved),
    "all in a row, one missing": (f"assert ({AFTER_ONE})+ <= {THROUGH_ALL}", Refuted),
    "cycles": (f"assume acyclic {AFTER_ONE} assert acyclic {ANY} ; r", Proved),
    "cycles, entered elsewhere": (f"assume acyclic {AFTER_ONE} assert acyclic {BEFORE_ONE}", Proved),
    "disjoint predicates": (f"disjoint {' # '.join(NAMES)} assert [P0] ; [P19] <= 0", Proved),
    "negations": (f"assert r = {ANY} ; r | ({NONE}) ; r", Proved),
}


@pytest.mark.parametrize(("question", "expected"), MANY_PREDICATES.values(), ids=MANY_PREDICATES.keys())
def test_twenty_predicates_are_decided(question: str, expected: type) -> None:
    """If the kinds of events were listed, the limit, which is generous, would be reached."""
    (answer,) = answers(DECLARED + question, time_limit=120)
    assert isinstance(answer, expected)


def test_a_search_without_end_is_broken_off() -> None:
    (answer,) = answers(endless_question(), time_limit=0.2)
    assert isinstance(answer, Unknown)
    assert answer.reason == "the time limit was reached"


HUNGRY = "relation r assume co <= (fr ; r)? assert irreflexive coi ; po-loc^-1"


def test_memory_has_a_limit() -> None:
    """The process takes more than a byte already."""
    (question,) = questions(HUNGRY)
    answer = decide(question, memory_limit=1)
    assert isinstance(answer, Unknown)
    assert answer.reason == "the memory limit was reached"


@heavy
def test_a_search_that_takes_much_memory_notices_its_limit(tmp_path: Path) -> None:
    """The system would end the command a little later. Without a row of bits per state it takes 0.4 GB."""
    path = tmp_path / "hungry.kat"
    path.write_text(HUNGRY, encoding="utf-8")
    command = [sys.executable, "-m", "mazurka", "prove", str(path), "--memory-limit"]
    for limit, reason in (("250M", "the memory limit was reached"), ("1500M", "no fact excludes the path")):
        ran = subprocess.run(
            [*command, limit],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
        )
        assert ran.returncode == 3, ran.stderr
        assert reason in ran.stdout


@pytest.mark.parametrize("limit", [0.02, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("number", range(4))
def test_long_proofs_are_broken_off(number: int, limit: float) -> None:
    """Wherever they are by then."""
    query = load_claims(CLAIMS / "power-under-power-simpl.kat")[number]
    answer = decide(query, time_limit=limit)
    if not isinstance(answer, Proved):
        assert isinstance(answer, Unknown)
        assert answer.reason == "the time limit was reached"
