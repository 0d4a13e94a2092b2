"""Which checks the planner chooses, and what it refuses."""

from __future__ import annotations

from itertools import product

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_text, named_model
from mazurka.kat.meaning.classes import PREDICATES
from mazurka.kat.meaning.plan import (
    CLASSES,
    EVERY_CLASS,
    MAGIC,
    Automaton,
    Closure,
    Coherence,
    GuardedEdge,
    LifetimeOrder,
    Matrix,
    Plan,
    PlanAxiom,
    Symbol,
    Transition,
)
from mazurka.kat.planning.explain import explain
from mazurka.kat.planning.simplify import simplify
from mazurka.soundness.requirements import plan_model
from shipped_models import plan_of

HEADER = 'model test "test"\n'
CAUSAL = "acyclic po | rf as causal\n"
ECO = "let eco = (rf | co | fr)+\n"
HB = "view hb = (po | [REL] ; rf ; [ACQ])+\n"
WHOLE = {GuardedEdge(Symbol.PO), GuardedEdge(Symbol.RF), GuardedEdge(Symbol.CO), GuardedEdge(Symbol.FR)}


def plan(text: str) -> Plan:
    return plan_model(load_text(HEADER + text, "test.kat"))


def only_axiom(text: str) -> PlanAxiom:
    """The one axiom that is checked besides that po and rf are acyclic, which always is so."""
    (axiom,) = plan(CAUSAL + text).axioms
    return axiom


def shipped(name: str) -> Plan:
    return plan_of(name)


def test_sequential_consistency_is_a_closure() -> None:
    found = shipped("sc")
    (axiom,) = found.axioms
    assert isinstance(axiom.check, Closure)
    assert set(axiom.check.edges) == WHOLE
    assert found.happens_before == (LifetimeOrder.AXIOM, 0)
    assert found.views == ()


def test_tso_is_coherence_of_po_and_a_closure() -> None:
    found = shipped("tso")
    coherence, order = found.axioms
    assert coherence.check == Coherence(0)
    assert found.views[0].transitions == (Transition(0, Symbol.PO_IMM, 0),)
    assert isinstance(order.check, Closure)
    assert found.happens_before == (LifetimeOrder.CAUSAL, 0)


def test_happens_before_of_rc11_needs_four_clocks() -> None:
    for name in ("rc11", "rc11-ra"):
        (view,) = shipped(name).views
        assert view.states <= 4


@pytest.mark.parametrize(
    "union", ["po | rf | co | fr", "po-imm | rf | co | fr | rmw | tc", "fri|fre|po|co|coe|rf|po-loc"]
)
def test_redundant_parts_of_a_closure_go(union: str) -> None:
    check = only_axiom(f"acyclic {union}").check
    assert isinstance(check, Closure)
    assert set(check.edges) == WHOLE


def test_a_path_through_a_fence_becomes_two_edges() -> None:
    text = "acyclic [R] ; po | po ; [W] | [W] ; po ; [F & SC] ; po ; [R] | rfe | co | fr"
    check = only_axiom(text).check
    assert isinstance(check, Closure)
    fence = PREDICATES["F"] & PREDICATES["SC"]
    assert any(edge.before & PREDICATES["W"] and edge.after & fence for edge in check.edges)


def test_a_path_that_can_be_entered_elsewhere_stays_an_automaton() -> None:
    # A co edge leads to the release write, too: two edges would order more.
    text = "acyclic [W] ; po ; [W & REL] ; po ; [W] | rf | co | fr"
    check = only_axiom(text).check
    assert isinstance(check, Automaton)
    assert check.states == 2


def test_a_difference_of_guarded_relations_is_computed_away() -> None:
    check = only_axiom(r"acyclic po \ ([W] ; po ; [R]) | rfe | co | fr").check
    assert isinstance(check, Closure)
    order = [edge for edge in check.edges if edge.symbol == Symbol.PO]
    write_read = [(edge.before & PREDICATES["W"], edge.after & PREDICATES["R"]) for edge in order]
    assert all(not (before and after) for before, after in write_read)


@pytest.mark.parametrize(
    "term", ["po | rfe & same-thread | co | fr", "po | rf & id | co | fr", "po | rfe & rfi | co | fr"]
)
def test_empty_intersections_go(term: str) -> None:
    check = only_axiom(f"acyclic {term}").check
    assert isinstance(check, Closure)
    assert set(check.edges) == WHOLE - {GuardedEdge(Symbol.RF)}


def test_from_reads_may_be_written_out() -> None:
    check = only_axiom("acyclic po | rf | co | rf^-1 ; co").check
    assert isinstance(check, Closure)
    assert set(check.edges) == WHOLE


@pytest.mark.parametrize(
    "axiom",
    [
        "coherence hb",
        "irreflexive hb ; eco",
        "irreflexive hb ; eco?",
        "irreflexive eco ; hb",
        "irreflexive hb ; (rf | (co | fr) ; rf?)",
        "irreflexive hb ; rf | hb ; co ; rf? | hb ; fr ; rf?",
    ],
)
def test_spellings_of_coherence(axiom: str) -> None:
    found = plan(CAUSAL + ECO + HB + axiom)
    assert [a.check for a in found.axioms] == [Coherence(0)]
    assert [view.name for view in found.views] == ["hb"]
    assert found.happens_before == (LifetimeOrder.VIEW, 0)


@pytest.mark.parametrize(
    "axiom", ["coherence po", "acyclic po-loc | rf | co | fr", "acyclic po-loc | eco", "irreflexive po ; eco"]
)
def test_coherence_of_po_needs_one_clock(axiom: str) -> None:
    found = plan(CAUSAL + ECO + axiom)
    assert [a.check for a in found.axioms] == [Coherence(0)]
    assert [view.states for view in found.views] == [1]


def test_coherence_without_internal_order_is_not_coherence_of_po() -> None:
    # Two writes of a thread may be co-ordered against po, if no other thread looks.
    check = only_axiom("acyclic po-loc | rf | coe | fre").check
    assert isinstance(check, Automaton)


def test_equal_views_are_kept_once() -> None:
    found = plan(CAUSAL + HB + "view other = ([REL] ; rf ; [ACQ] | po)+\ncoherence hb\ncoherence other")
    assert [a.check for a in found.axioms] == [Coherence(0), Coherence(0)]
    assert len(found.views) == 1


def test_a_view_that_is_not_used_is_not_kept() -> None:
    assert plan(CAUSAL + "view v = (po | rfe)+\nacyclic po | rf | co | fr").views == ()


def test_a_view_without_po_is_used_as_a_let() -> None:
    found = plan("view sw = [REL] ; rf ; [ACQ]\nacyclic po | rf | sw | co | fr")
    assert found.views == ()
    assert isinstance(found.axioms[0].check, Closure)


def test_irreflexivity_of_a_union_is_split() -> None:
    found = plan(CAUSAL + ECO + HB + "irreflexive hb ; eco | co ; po as both")
    assert [a.name for a in found.axioms] == ["both"]
    found = plan(CAUSAL + ECO + HB + "view v = (po | rfe)+\nirreflexive hb ; eco | v ; eco as both")
    assert [(a.name, type(a.check)) for a in found.axioms] == [("both", Coherence), ("both", Coherence)]


@pytest.mark.parametrize(
    "axiom",
    [
        "empty rmw & (fre ; coe)",
        "empty (fr ; co) & rmw",
        "irreflexive fr ; co ; rmw^-1",
        "irreflexive rmw^-1 ; fre ; moe",
    ],
)
def test_atomicity_is_built_in(axiom: str) -> None:
    found = plan("acyclic po | rf | co | fr\n" + axiom + " as atomicity")
    assert len(found.axioms) == 1
    assert [name for name, _ in found.dropped] == ["atomicity"]


SC_ORDER = r"[SC] ; (po | (po \ po-loc) ; hb ; (po \ po-loc) | hb & loc-overlap | co | fr) ; [SC]"


def test_locations_are_followed_step_by_step() -> None:
    """What is not regular lies between two automata, and these mean the same next to happens-before."""
    found = only_axiom(f"{HB}acyclic {SC_ORDER}")
    assert isinstance(found.check, Automaton)
    assert {Symbol.PO_IMM_LOC, Symbol.PO_IMM_ELSEWHERE, Symbol.VIEW_LOC} <= {
        step.symbol for step in found.check.transitions
    }


@pytest.mark.parametrize(
    "relation", ["[SC] ; po ; hb ; po ; [SC] | [SC] ; (po | rf | co | fr) ; [SC]", SC_ORDER]
)
def test_a_program_without_weaker_atomics_needs_single_steps_only(relation: str) -> None:
    model = load_text(f"{HEADER}{CAUSAL}{HB}acyclic {relation}", "test.kat")
    plain_and_sc = (PREDICATES["NA"] | PREDICATES["SC"] | PREDICATES["TC"]) & ~PREDICATES["F"]
    (axiom,) = simplify(model, plain_and_sc).axioms
    assert isinstance(axiom.check, Automaton)
    assert axiom.check.states == 1
    assert {step.symbol for step in axiom.check.transitions} == {
        *(Symbol.PO, Symbol.RF, Symbol.CO, Symbol.FR)
    }


@pytest.mark.parametrize(
    "axiom", [r"acyclic (po \ po-loc) ; co", "irreflexive po ; rf ; po ; fr", "acyclic (po ; co) & fr"]
)
def test_the_rest_is_computed_with_matrices(axiom: str) -> None:
    found = only_axiom(axiom)
    assert isinstance(found.check, Matrix)
    assert found.check == found.meaning
    assert "matrices" in found.reason


EVERY_PAIR = list(product(range(len(CLASSES)), repeat=2))


def test_conflicts_become_pairs_of_classes() -> None:
    text = (
        "let conflict = [W] ; loc-overlap | loc-overlap ; [W]\n"
        "export error Race unless [NA] ; conflict | conflict ; [NA] <= hb\n"
    )
    found = plan(CAUSAL + HB + "coherence hb\n" + text)
    writes, reads, plain = PREDICATES["W"], PREDICATES["R"], PREDICATES["NA"]
    pairs = {
        (a, b) for rule in found.errors for a, b in EVERY_PAIR if rule.first >> a & 1 and rule.second >> b & 1
    }
    pairs |= {(b, a) for a, b in pairs}

    def conflict(a: int, b: int) -> bool:
        accesses = (reads | writes) & ~PREDICATES["INIT"]  # initial writes do not race
        both = accesses >> a & 1 and accesses >> b & 1
        return bool(both and (writes >> a & 1 or writes >> b & 1) and (plain >> a & 1 or plain >> b & 1))

    assert pairs == {(a, b) for a, b in EVERY_PAIR if conflict(a, b)}
    assert {(rule.name, rule.kind, rule.warning, rule.view) for rule in found.errors} == {
        ("Race", "race", False, 0)
    }


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("acyclic po | rf | ctrl", 2, "ctrl"),
        ("acyclic po | rf\nacyclic [DEP] ; po", 3, "DEP"),
        ("acyclic po | rf\nexport error Race unless po <= po", 3, "Race"),
        (
            "acyclic po | rf\nview v = (po | rf)+\nexport error Race unless [W] ; loc-overlap ; rf <= v",
            4,
            "Race",
        ),
        (
            "acyclic po | rf\nview v = [W] ; rf\nexport error Race unless [W] ; loc-overlap <= v",
            4,
            "does not contain po",
        ),
        ("acyclic po | rf\nexport acyclic co | po unless rf <= po", 3, "unless"),
        ("acyclic po | rf\nacyclic rot (po ; rf)", 3, "rot"),
    ],
)
def test_what_cannot_be_run_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(ModelError) as refusal:
        plan(text)
    assert refusal.value.place is not None
    assert refusal.value.place.line == line
    assert words in refusal.value.message


def test_tables_are_encoded_as_words() -> None:
    found = shipped("sc")
    encoded = found.encode()
    assert encoded.startswith(MAGIC)
    words = [int.from_bytes(encoded[at : at + 4], "little") for at in range(len(MAGIC), len(encoded), 4)]
    # no views; one axiom; a closure; four edges of a symbol and two masks of two words each
    assert words[:4] == [0, 1, 0, 4]
    high, low = divmod(EVERY_CLASS, 1 << 32)
    assert words[4:9] == [Symbol.PO, low, high, low, high]
    # No rules; the order of axiom 0; all of po; no other Plan, nothing is watched, and no causality.
    assert words[-10:] == [0, 2, 0, 0, 0, 0, 0, 0, 0, 0]


def test_explanations_name_axioms_checks_and_reasons() -> None:
    model = named_model("rc11")
    text = explain(plan_model(model), model)
    for axiom in model.axioms:
        assert f"axiom {axiom.name}:" in text
    assert "4 clocks" in text
    assert "coherence of hb" in text
    assert "not checked: po and rf are acyclic in every graph" in text
