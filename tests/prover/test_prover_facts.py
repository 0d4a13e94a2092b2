"""The built-in facts of the planner and the prover, tested on all graphs of up to 4 events."""

from __future__ import annotations

import pytest
from exhaustive_search import GraphSearch
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.fact_words import words_within
from mazurka.kat.meaning.facts import (
    ACROSS,
    BELOW,
    DEPENDENCIES,
    STEP_ELSEWHERE,
    STEP_LOC,
    WITHIN,
    Label,
    meet,
)
from mazurka.kat.meaning.rewrite import chain, union
from mazurka.kat.meaning.terms import Inclusion, Relation, Span
from mazurka.prover import Query, Theory
from mazurka.prover.theory.coherence import COHERENCE, cycles_against_coherence
from mazurka.prover.theory.queries import has_between
from profiles import some

NOWHERE = Span("facts", 1, 1)
NOT_IN_THESE_GRAPHS = {"detour", "tc", "tj", "any"}
RELATIONS = ["po", "po-loc", WITHIN, "co", "coi", "coe", "fr", "fri", "fre"]
SIZES = range(1, 5)
LONGEST = 4
ANYTHING = terms.Identity()


def base(label: Label) -> Relation:
    """A relation as a term that models can write."""
    name, inverse = label
    po_loc, thread = terms.Base("po-loc"), terms.Base("same-thread")
    special: dict[str, Relation] = {
        WITHIN: terms.Intersection(po_loc, thread),
        ACROSS: terms.Difference(po_loc, thread),
        STEP_LOC: terms.Intersection(terms.Base("po-imm"), po_loc),
        STEP_ELSEWHERE: terms.Difference(terms.Base("po-imm"), po_loc),
    }
    term = special.get(name, terms.Base(name))
    return terms.Inverse(term) if inverse else term


def guard(name: str) -> Relation:
    return terms.Guard(terms.Primitive(name))


def sequence(*parts: Relation) -> Relation:
    return chain(list(parts))


def irreflexive(term: Relation) -> Inclusion:
    return Inclusion(terms.Intersection(term, terms.Identity()), terms.Empty())


def assert_holds(claim: Inclusion, *assumed: Inclusion, kinds: str = "RWFCJ") -> None:
    theory = Theory(tuple(terms.Statement(one, NOWHERE) for one in assumed))
    search = GraphSearch(Query("fact", claim, theory))
    for size in SIZES:
        found = search.counterexample(size, kinds)
        assert found is None, f"wrong in\n{found}"
    assert search.exhaustive


# A relation's steps have its ends, so the words that stand for them do.
ENDS = {"co": (guard("W"), guard("W")), "fr": (guard("R"), guard("W"))}


def words(name: str, *, coherent: bool) -> Relation:
    """The words of a relation's automaton, up to some length, as one term."""
    steps = words_within((name, False), frozenset(), coherent=coherent)
    reached: dict[int, Relation] = {0: terms.Identity()}
    found: list[Relation] = []
    for _ in range(LONGEST):
        following: dict[int, list[Relation]] = {}
        for source, label, target in steps:
            if source in reached:
                following.setdefault(target, []).append(sequence(reached[source], base(label)))
        reached = {state: union(parts) for state, parts in following.items()}
        if 1 in reached:
            found.append(reached.pop(1))
    first, last = ENDS.get(name[:2], (ANYTHING, ANYTHING))
    return sequence(first, union(found), last)


@pytest.mark.parametrize("name", RELATIONS)
def test_words_are_within_their_relation(name: str) -> None:
    assert_holds(Inclusion(words(name, coherent=False), base((name, False))))


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize("name", some(RELATIONS))
def test_words_are_within_their_relation_if_coherent(name: str, form: int) -> None:
    claim = Inclusion(words(name, coherent=True), base((name, False)))
    assert_holds(claim, irreflexive(COHERENCE[form]))


@pytest.mark.parametrize("name", ["co", "fri", "coe", "po-loc"])
def test_without_coherence_such_words_can_be_outside(name: str) -> None:
    with pytest.raises(AssertionError, match="wrong in"):
        assert_holds(Inclusion(words(name, coherent=True), base((name, False))))


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize("number", range(3))
def test_cycles_along_a_line_are_forbidden(form: int, number: int) -> None:
    assert_holds(irreflexive(cycles_against_coherence()[number]), irreflexive(COHERENCE[form]))


def below() -> list[tuple[str, str]]:
    pairs = [(outer, inner) for outer, inners in BELOW.items() for inner in inners]
    # loc-overlap leaves initial writes out, and so do the guards of what is within it.
    initial = {("loc-overlap", inner) for inner in ("rf", "rfe", "co", "coe")}
    return sorted(pair for pair in pairs if not NOT_IN_THESE_GRAPHS & set(pair) and pair not in initial)


@pytest.mark.parametrize(("outer", "inner"), below())
def test_relations_within_others(outer: str, inner: str) -> None:
    kinds = "RW" if inner in DEPENDENCIES else "RWFCJ"
    assert_holds(Inclusion(base((inner, False)), base((outer, False))), kinds=kinds)


PO, RMW = terms.Base("po"), terms.Base("rmw")
UR, UW = guard("UR"), guard("UW")
NOT_UR, NOT_UW = (terms.Guard(terms.Not(terms.Primitive(name))) for name in ("UR", "UW"))


def apart(order: Relation) -> Relation:
    """A relation along po as ``updates`` takes it apart."""
    return union(
        [
            sequence(NOT_UR, order, NOT_UW),
            sequence(NOT_UR, order, UR, RMW),
            sequence(RMW, order, NOT_UW),
            sequence(RMW, order, UR, RMW),
        ]
    )


@pytest.mark.parametrize("name", ["po", "po-loc", WITHIN])
def test_steps_along_po_taken_apart(name: str) -> None:
    order = base((name, False))
    assert_holds(Inclusion(union([apart(order), RMW]), order, equal=True))


def test_steps_to_other_threads_taken_apart() -> None:
    order = base((ACROSS, False))
    assert_holds(Inclusion(apart(order), order, equal=True))


@pytest.mark.parametrize(
    ("later", "order", "own"), [("fr", "co", True), ("fri", "coi", True), ("fre", "coe", False)]
)
def test_steps_from_a_read_that_is_written_to(later: str, order: str, own: bool) -> None:
    follows = sequence(RMW, base((order, False)))
    claim = Inclusion(
        sequence(UR, base((later, False))), union([follows, RMW]) if own else follows, equal=True
    )
    assert_holds(claim)


@pytest.mark.parametrize("first", ["fr", "fre", "fri", "rf^-1 ; co"])
@pytest.mark.parametrize("second", ["co", "coe", "coi"])
def test_no_write_comes_between_the_halves_of_a_read_modify_write(first: str, second: str) -> None:
    before = sequence(base(("rf", True)), base(("co", False))) if ";" in first else base((first, False))
    path = sequence(before, base((second, False)))
    assert has_between(RMW, path)
    assert_holds(Inclusion(terms.Intersection(RMW, path), terms.Empty()), kinds="RWrw")


def test_po_loc_leaves_a_thread_by_creation_or_join() -> None:
    meeting = terms.Guard(terms.Either(terms.Primitive("TC"), terms.Primitive("TJ")))
    assert_holds(Inclusion(base((ACROSS, False)), sequence(PO, meeting, PO)))


def test_relations_that_are_apart() -> None:
    for one, two in (
        (STEP_LOC, STEP_ELSEWHERE),
        (WITHIN, ACROSS),
        ("rfe", "rfi"),
        ("coe", "coi"),
        ("fre", "fri"),
    ):
        both = terms.Intersection(base((one, False)), base((two, False)))
        assert_holds(Inclusion(both, terms.Empty()))
        assert meet((one, False), (two, False)) is None
