"""A model's ppo: which edges the Plan has, and which models are refused with their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.errors import ModelError
from mazurka.kat.language.load import load_model, load_text, named_model
from mazurka.kat.meaning.classes import PREDICATES
from mazurka.kat.meaning.plan import (
    CAUSAL,
    EVERY_CLASS,
    Closure,
    Coherence,
    GuardedEdge,
    Matrix,
    Plan,
    Symbol,
)
from mazurka.kat.planning.explain import explain
from mazurka.kat.planning.simplify import SEQUENTIAL, simplify
from mazurka.soundness.requirements import plan_model

COHERENCE = "acyclic po-loc | rf | co | fr as coherence\n"
READS, WRITES, FENCES = (PREDICATES[name] for name in "RWF")


def plan(text: str) -> Plan:
    return plan_model(load_text(text, "test.kat"))


def ordered(edges: tuple[GuardedEdge, ...], symbol: Symbol) -> set[tuple[int, int]]:
    """The pairs of classes of reads, writes and fences that edges of one relation order."""
    classes = [c for c in range(29) if (READS | WRITES | FENCES) >> c & 1]
    return {
        (a, b)
        for edge in edges
        if edge.symbol == symbol
        for a in classes
        for b in classes
        if edge.before >> a & 1 and edge.after >> b & 1
    }


def pairs(before: int, after: int) -> set[tuple[int, int]]:
    return {(a, b) for a in range(29) for b in range(29) if before >> a & 1 and after >> b & 1}


@pytest.mark.parametrize("ppo", ["po", "po | po-loc", "po ; [R | W | F | TC | TJ | ALLOC | FREE]", "(po)+"])
def test_all_of_po_is_the_usual_causal_order(ppo: str) -> None:
    assert plan(f"acyclic po | rf | co | fr\nppo = {ppo}").preserved is None


def test_whatever_ppo_says_of_threads_and_objects_they_are_ordered() -> None:
    accesses = "[R | W | F] ; po ; [R | W | F]"
    assert plan(f"acyclic po | rf | co | fr\nppo = {accesses}").preserved is None


def test_po_loc_alone_is_one_edge() -> None:
    assert plan(f"{COHERENCE}ppo = po-loc").preserved == (GuardedEdge(Symbol.PO_LOC),)


@pytest.mark.parametrize(
    ("ppo", "expected"),
    [
        ("po-loc | [R & NEXCL] ; po ; [R]", pairs(READS & PREDICATES["NEXCL"], READS)),
        (
            "[R] ; po ; [R] | po-loc | po ; [W] & po",
            pairs(READS, READS) | pairs(READS | WRITES | FENCES, WRITES),
        ),
        (
            r"po \ ([W] ; po ; [R]) | po-loc",
            pairs(READS | WRITES | FENCES, READS | WRITES | FENCES) - pairs(WRITES, READS),
        ),
    ],
)
def test_guards_become_sets_of_classes(ppo: str, expected: set[tuple[int, int]]) -> None:
    model = load_text(f"{COHERENCE}let kept = {ppo}\nacyclic kept | rf\nppo = kept", "test.kat")
    edges = plan_model(model).preserved
    assert isinstance(edges, tuple)
    real = {(a, b) for a, b in expected if a < 29 and b < 29}
    assert ordered(edges, Symbol.PO) == real
    assert ordered(edges, Symbol.PO_LOC) | ordered(edges, Symbol.PO) >= pairs(READS | WRITES, READS | WRITES)


def test_a_path_through_a_fence_becomes_two_edges() -> None:
    """No other edge leads to a fence or from one, so no path is gained."""
    text = f"{COHERENCE}let kept = po-loc | [W] ; po ; [F & SC] ; po ; [R]\nacyclic kept | rf\nppo = kept"
    edges = plan(text).preserved
    assert isinstance(edges, tuple)
    fence = FENCES & PREDICATES["SC"]
    assert ordered(edges, Symbol.PO) >= pairs(WRITES & ~(1 << 29), fence) | pairs(fence, READS)
    assert not ordered(edges, Symbol.PO) & pairs(WRITES, READS)


def test_axioms_are_computed_and_nothing_else_is_kept() -> None:
    found = plan(f"view hb = (po-loc | rf)+\n{COHERENCE}coherence hb as second\nppo = po-loc")
    assert [type(axiom.check) for axiom in found.axioms] == [Matrix, Matrix]
    assert all(axiom.check == axiom.meaning for axiom in found.axioms)
    assert found.views == ()
    assert found.happens_before == CAUSAL


def test_only_what_the_causal_order_implies_is_dropped() -> None:
    text = f"{COHERENCE}acyclic po-loc | rf as kept-acyclic\n"
    assert [name for name, _ in plan(text + "ppo = po-loc").dropped] == ["kept-acyclic"]
    # In graphs of such a model po and rf may have cycles, so this axiom says something.
    whole = plan_model(
        load_text(f"{COHERENCE}acyclic po | rf as all\nppo = po-loc", "test.kat"), unchecked=True
    )
    assert whole.dropped == ()


def test_the_encoding_of_the_causal_order_is_its_edges() -> None:
    encoded = plan(f"{COHERENCE}ppo = po-loc").encode()
    words = [
        int.from_bytes(encoded[at : at + 4], "little") for at in range(len(encoded) - 52, len(encoded), 4)
    ]
    high, low = divmod(EVERY_CLASS, 1 << 32)
    assert words == [1, 1, Symbol.PO_LOC, low, high, low, high, *[0] * 6]


def test_explanations_say_what_is_kept() -> None:
    model = load_text(
        f"{COHERENCE}let kept = po-loc | [F] ; po ; [R]\nacyclic kept | rf\nppo = kept", "test.kat"
    )
    text = explain(plan_model(model), model)
    assert "[F] ; po ; [R]" in text.split("axiom")[0]
    assert "po-loc" in text.split("axiom")[0]


def test_a_program_whose_accesses_are_all_ordered_needs_no_gaps() -> None:
    text = (
        f"{COHERENCE}let kept = po-loc | [SC] ; po ; [SC]\nacyclic kept | rf | co | fr as order\nppo = kept"
    )
    model = load_text(text, "test.kat")
    everything = PREDICATES["SC"] & (READS | WRITES) | PREDICATES["TC"] | PREDICATES["TJ"]
    assert plan_model(model).preserved is not None
    simple = simplify(model, everything)
    assert simple.preserved is None
    (axiom,) = simple.axioms
    assert isinstance(axiom.check, Closure)
    assert axiom.name in (SEQUENTIAL, "order")
    relaxed = simplify(model, everything | 1 << 3)  # a relaxed load is not ordered
    assert relaxed.preserved is not None


# Refusals -----------------------------------------------------------------------------------------------


def refusal(text: str, directory: Path) -> ModelError:
    """The refusal of a model file, which begins with a comment on line 1."""
    path = directory / "test.kat"
    path.write_text(f"// a model\n{text}\n")
    with pytest.raises(ModelError) as error:
        plan_model(load_model(path))
    assert error.value.hint
    return error.value


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (f"{COHERENCE}let d = addr | data\nppo = po-loc | d ; po", 4, "not a union of"),
        ("acyclic po | data | rf | co | fr as order", 2, "the axiom order is about dependencies (data)"),
        (
            "view seen = (po | ctrl)+\nacyclic po | rf | co | fr",
            2,
            "the view seen is about dependencies (ctrl)",
        ),
        (f"{COHERENCE}ppo = po-loc | po ; rf", 3, "not a union of"),
        (f"{COHERENCE}ppo = po-loc | po^-1", 3, "not a union of"),
        (f"{COHERENCE}\nppo = po-loc | po & rf", 4, "an intersection"),
        (f"{COHERENCE}ppo = po-loc | [HEAP] ; po", 3, "HEAP"),
        # (a), by the axiom that comes nearest
        (f"{COHERENCE}ppo = po-loc | [R] ; po ; [W]", 2, "cycles of ppo and rf"),
        (f"{COHERENCE}ppo = po-loc | ctrl", 2, "cycles of ppo and rf"),
        ("acyclic co\nppo = po-loc", 2, "no axiom forbids [R] ; po-loc ; [W] ; rfe"),
        # (d)
        ("acyclic [R] ; po ; [R | W] | rf\nppo = [R] ; po ; [R | W]", 3, "it leaves out [W] ; po-loc"),
        (
            f"{COHERENCE}let kept = po-loc | [ACQ] ; po\nacyclic kept | rf\nppo = kept",
            5,
            "but not its write",
        ),
        (f"{COHERENCE}let kept = po-loc | [R] ; po ; [R]\nacyclic kept | rf\nppo = kept", 5, "not its write"),
        (
            f"{COHERENCE}irreflexive po ; rf ; po ; fr as mp\nppo = po-loc",
            3,
            "the axiom mp follows po where ppo does not",
        ),
        (f"{COHERENCE}acyclic po-imm ; co as step\nppo = po-loc", 3, "the axiom step follows po where"),
        (
            f"{COHERENCE}acyclic (po ; co) & (fr ; po) as odd\nppo = po-loc",
            3,
            "the axiom odd follows po where",
        ),
        (
            f"view hb = (po | rf)+\n{COHERENCE}error Race unless [NA] ; po <= hb\nppo = po-loc",
            4,
            "the error rule Race does not have the supported form",
        ),
    ],
)
def test_refused_with_the_line(text: str, line: int, words: str, tmp_path: Path) -> None:
    error = refusal(text, tmp_path)
    assert words in error.message
    assert error.place is not None
    assert error.place.line == line


def test_the_ppo_of_an_included_file_is_found_there(tmp_path: Path) -> None:
    (tmp_path / "base.kat").write_text("\n\nppo = po-loc | po ; rf\n")
    error = refusal(f'include "base.kat"\n{COHERENCE}', tmp_path)
    assert error.place is not None
    assert (Path(error.place.file).name, error.place.line) == ("base.kat", 3)


def test_unchecked_models_are_planned_with_warnings() -> None:
    model = load_text(f"{COHERENCE}ppo = [R] ; po ; [R]", "test.kat")
    found = plan_model(model, unchecked=True)
    assert found.preserved is not None
    assert any("po-loc" in warning for warning in found.warnings)


def classes(*predicates: str) -> int:
    return sum(PREDICATES[name] for name in ("TC", "TJ")) | sum(
        PREDICATES[first] & PREDICATES[second] for first, second in map(str.split, predicates)
    )


def imm(*predicates: str) -> Plan:
    return simplify(named_model("imm"), classes(*predicates))


def test_programs_without_load_buffering_need_no_dependencies_under_imm() -> None:
    found = imm("R RLX", "W RLX").unbuffered
    assert found is not None
    assert found.preserved is None
    assert [(axiom.name, type(axiom.check)) for axiom in found.axioms] == [("imm-coherence", Coherence)]
    assert not found.watched


def test_sc_fences_are_watched_in_place_of_dependencies() -> None:
    whole = imm("R RLX", "W RLX", "F SC")
    assert whole.unbuffered is not None
    assert {axiom.name for axiom in whole.unbuffered.axioms} == {"imm-coherence", "imm-sc-order"}
    assert whole.unbuffered.watched == PREDICATES["F"] & PREDICATES["SC"]
    stated = {axiom.stated for axiom in whole.axioms}
    assert {axiom.stated for axiom in whole.unbuffered.axioms} <= stated


def test_programs_that_never_have_load_buffering_have_one_plan() -> None:
    found = imm("R ACQ", "W REL")
    assert (found.preserved, found.unbuffered) == (None, None)


@pytest.mark.parametrize("name", ["armv8", "power", "riscv", "lkmm"])
def test_models_whose_axioms_need_dependencies_have_one_plan(name: str) -> None:
    found = simplify(named_model(name), classes("R RLX", "W RLX"))
    assert found.preserved is not None
    assert found.unbuffered is None
