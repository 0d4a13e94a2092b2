"""What Kater's files say, read as Kater means it."""

from __future__ import annotations

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.classes import PREDICATES
from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover import Proved, Refuted
from mazurka.prover.theory.queries import asserted
from prover_questions import answers

RA = "let hb = (po | rf)+ let ra = hb ; (co | fr)? let ra3 = (co | fr)? ; hb "
ORDER = "let all = (po | rf | co | fr)+ "

# ``A & id <= B``: if the cycles of B are forbidden, so are those of A (thesis §3.5).
IMPLICATIONS = {
    "release-acquire, twice": (f"{RA} assert ra & id <= rot ra3", Proved),
    "and back": (f"{RA} assert ra3 & id <= rot ra", Proved),
    "rot may be left out": (f"{RA} assert ra & id <= ra3", Proved),
    "id may stand first": (f"{RA} assert id & ra <= ra3", Proved),
    "repeated cycles (Prop. 10)": ("relation r assert r & id <= r ; r", Proved),
    "not each way": ("relation r assert r ; r & id <= r", Refuted),
    "SC from acyclic po and rf": (f"{ORDER} assert all & id <= (po | rf)+", Refuted),
    "the same if the right side has id": (f"{ORDER} assert all & id <= (po | rf)*", Refuted),
    "or is optional": (f"{ORDER} assert all & id <= ((po | rf)+)?", Refuted),
    "or is id": (f"{ORDER} assert all & id <= id", Refuted),
    "or a test": (f"{ORDER} assert all & id <= [R | W]", Refuted),
    "or has a view with id": (f"{ORDER} view v = (po | rf)* assert all & id <= v ; v", Refuted),
    "SC from SC": (f"{ORDER} assert all & id <= all*", Proved),
    "message passing from po and rf": ("assert po ; rfe ; po ; fre & id <= (po | rf)*", Refuted),
    "events alone": ("assert [R] & id <= [R | W]", Proved),
    "other events alone": ("assert [R | F] & id <= [R | W] ; po?", Refuted),
}


@pytest.mark.parametrize(("text", "expected"), IMPLICATIONS.values(), ids=IMPLICATIONS.keys())
def test_irreflexivity_implies_irreflexivity(text: str, expected: type) -> None:
    (answer,) = answers(text)
    assert isinstance(answer, expected)


def test_the_claim_says_how_it_is_read() -> None:
    with_id, with_nothing = asserted(
        load_text("assert po & id <= po* assert po & id = 0", require_axioms=False)
    )
    assert with_id.reading
    assert not with_nothing.reading


DECLARED = "relation r relation s relation A predicate P predicate Q "
ASSUMPTIONS = {
    "a predicate within a set": ("assume [P] <= [R] assert [P] ; po <= [R] ; po", Proved),
    "has no other events": ("assume [P] <= [R] assert [P] & [W] = 0", Proved),
    "but not all of the set": ("assume [P] <= [R] assert [R] <= [P]", Refuted),
    "nor another predicate": ("assume [P] <= [R] assert [Q] ; po <= [R] ; po", Refuted),
    "a predicate that is a set": ("assume [P] = [R & SC] assert [R] ; [P] ; po = [R & SC] ; po", Proved),
    "predicates in a row": ("assume [P] <= [Q] assume [Q] <= [W] assert [P] ; rf = 0", Refuted),
    "predicates in a row, without rf": ("assume [P] <= [Q] assume [Q] <= [W] assert rf ; [P] = 0", Proved),
    "a reflexive relation": ("assume id <= r assert po <= r ; po", Proved),
    "is not irreflexive": ("assume id <= r assert irreflexive r", Refuted),
    "is not transitive": ("assume id <= r assert r ; r <= r", Refuted),
    "is contained in its square": ("assume id <= r assert r <= r ; r", Proved),
    "turned around": ("assume id <= r^-1 assert id <= r", Proved),
    "a relation with its optional": ("assume A? <= A assert id <= A", Proved),
    "and transitive": ("assume A? <= A assume A ; A <= A assert A* = A", Proved),
    "on some events": ("assume [W] <= s assert co <= s ; co", Proved),
    "not on others": ("assume [W] <= s assert [R] <= s", Refuted),
    "beside an irreflexive relation": ("assume id <= r | po assert id <= r", Proved),
    "beside a test": ("assume id <= r | [W] assert [R] <= r", Proved),
    "beside a test, the rest": ("assume id <= r | [W] assert [W] <= r", Refuted),
    "the impossible leaves no event": ("assume id <= po assert [R] = 0", Proved),
}


@pytest.mark.parametrize(("text", "expected"), ASSUMPTIONS.values(), ids=ASSUMPTIONS.keys())
def test_assumptions_about_events_and_loops(text: str, expected: type) -> None:
    (answer,) = answers(DECLARED + text)
    assert isinstance(answer, expected)


def test_which_of_two_relations_is_reflexive_is_not_guessed() -> None:
    (answer,) = answers(f"{DECLARED} assume id <= r | s assert id <= r")
    assert not isinstance(answer, Proved | Refuted)


def test_names_with_quotes_and_dots() -> None:
    text = "relation r' relation sw.v2 let hb' = po | r' let a.b.c = hb' assume r' <= po assert a.b.c <= po"
    (answer,) = answers(text)
    assert isinstance(answer, Proved)


@pytest.mark.parametrize("text", ["let .a = po", "let 'a = po", "let a. = po"])
def test_names_begin_with_a_letter_and_do_not_end_in_a_dot(text: str) -> None:
    with pytest.raises(ModelError):
        load_text(text, require_axioms=False)


def test_relaxed_is_no_more_than_relaxed() -> None:
    relaxed = {name for number, name in enumerate(CLASSES) if PREDICATES["RLX"] >> number & 1}
    assert relaxed == {name for name in CLASSES if name.split(".")[1:2] == ["rlx"]}
