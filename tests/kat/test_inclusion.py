"""What the planner shows by inclusion of automata holds in graphs: random terms, compared two by two."""

from __future__ import annotations

import random

import pytest
from mazurka.kat.automata.automaton import Nfa, is_empty
from mazurka.kat.automata.builder import Builder
from mazurka.kat.automata.guarded import NotRegular
from mazurka.kat.automata.inclusion import BudgetSpent, Language, SearchBudget, included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rows import is_within
from mazurka.reference.relations import Relations
from profiles import some
from random_graphs import TermMaker, random_graph

TERMS, GRAPHS = 24, 12
BASES = (
    "po",
    "po-imm",
    "po-loc",
    "rf",
    "rfe",
    "rfi",
    "co",
    "coe",
    "coi",
    "fr",
    "fre",
    "fri",
    "rmw",
    "tc",
    "tj",
)
# As in models: closures of unions, which have the facts about several relations in one automaton.
USUAL = (
    terms.Plus(terms.Union(terms.Base("po"), terms.Base("rf"))),
    terms.Plus(terms.Union(terms.Union(terms.Base("rf"), terms.Base("co")), terms.Base("fr"))),
    terms.Sequence(terms.Base("rf"), terms.Base("fr")),
    terms.Sequence(terms.Base("fr"), terms.Base("co")),
    terms.Sequence(terms.Base("po-imm"), terms.Base("po")),
)


def drawn(seed: int) -> list[tuple[terms.Relation, Nfa]]:
    """Base relations, usual terms and random ones, each with its automaton."""
    maker = TermMaker(random.Random(seed), plain=seed % 2 == 0)
    found = []
    for term in (*map(terms.Base, BASES), *USUAL, *(maker.term(2) for _ in range(TERMS))):
        try:
            found.append((term, Builder({}, {}).automaton(term)))
        except NotRegular:
            continue
    return found


@pytest.mark.parametrize("seed", some(range(16)))
def test_what_is_included_is_within_in_every_graph(seed: int) -> None:
    pool = drawn(seed)
    graphs = [Relations(random_graph(1000 * seed + number, bare=True), {}) for number in range(GRAPHS)]
    rows = [[relations.rows(term) for relations in graphs] for term, _ in pool]
    shown = 0
    for left, (term, smaller) in enumerate(pool):
        for right, (other, larger) in enumerate(pool):
            if left == right or is_empty(smaller) or not included(smaller, larger):
                continue
            shown += 1
            pairs = zip(rows[left], rows[right], strict=True)
            assert all(is_within(inner, outer) for inner, outer in pairs), (term, other)
    assert shown > len(BASES), "few inclusions were shown: a weak test"


def test_nothing_rests_on_the_atomicity_of_read_modify_writes() -> None:
    """The engine ensures it apart from the axioms, so a check must mean its axiom also where it is broken."""
    rmw, fr, fri = (Builder({}, {}).automaton(terms.Base(name)) for name in ("rmw", "fr", "fri"))
    assert not included(rmw, fr)
    assert not included(rmw, fri)


def test_a_search_that_needs_more_work_than_there_is_says_so() -> None:
    eco = Builder({}, {}).automaton(USUAL[1])
    twice = Builder({}, {}).automaton(terms.Sequence(USUAL[1], USUAL[1]))
    with pytest.raises(BudgetSpent):
        Language(eco).lacks(twice, work=SearchBudget(1))
    work = SearchBudget(10_000)
    assert Language(eco).lacks(twice, work=work) is None
    assert 0 < work.left < 10_000
