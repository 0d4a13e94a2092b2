"""Models that the explorer would get wrong are refused, with the path that shows why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.language.load import load_model, load_text, named_model
from mazurka.models.registry import runnable_models
from mazurka.soundness.requirements import plan_model, unmet

HEADER = 'model test "test"\n'
SHIPPED = runnable_models()


def refusal(text: str) -> ModelError:
    with pytest.raises(ModelError) as error:
        plan_model(load_text(HEADER + text, "test.kat"))
    assert error.value.code == ErrorCode.BAD_MODEL
    assert error.value.hint
    return error.value


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models_meet_the_requirements(name: str) -> None:
    assert unmet(named_model(name)) == []


@pytest.mark.parametrize(
    "text",
    [
        "acyclic po | rf",
        "acyclic po | rfe | co",
        "acyclic [R] ; po | rfe",
        "acyclic [R] ; po ; [W] ; rfe",
        "acyclic rfe ; po",
        "irreflexive (po | rf)+",
        "view hb = (po | rf)+\ncoherence hb",
        "acyclic po-loc | rf | co | fr\nacyclic [R] ; po ; [R | W] | [W] ; po ; [W] | rfe | co | fr",
        r"acyclic po \ ([W] ; po ; [R]) | rfe",
        "acyclic po | rf\nempty rmw & (fre ; coe)",
        "acyclic po | rf\nacyclic (po & rf^-1) ; po",
        "acyclic po | rf\nacyclic po | rf | co | rf^-1 ; co",
    ],
)
def test_accepted(text: str) -> None:
    assert unmet(load_text(HEADER + text, "test.kat")) == []


@pytest.mark.parametrize(
    ("text", "line", "path"),
    [
        ("acyclic co", 2, "[R] ; po ; [W] ; rfe"),
        ("acyclic po | co | fr", 2, "[R] ; po ; [W] ; rfe"),
        ("acyclic [ACQ] ; po | po ; [REL] | rfe", 2, "[R&NA|R&RLX] ; po ; [W&NA|W&RLX] ; rfe"),
        # One step by rfe is forbidden by coherence; two are not unless they synchronise.
        ("view hb = (po | [REL] ; rf ; [ACQ])+\ncoherence hb", 3, "[R&NA|R&RLX] ; po ; [W] ; rfe"),
        # Neither axiom forbids it if no read is SC; the second comes nearer.
        ("acyclic co\nacyclic [SC] ; po | rfe", 3, "[R&NA|R&RLX|R.acq] ; po ; [W] ; rfe"),
        # An intersection, of which the prover knows nothing, and a graph of which the evaluator knows all.
        ("acyclic (po ; co) & (rf ; po) as odd", 2, "[R] ; po ; [W] ; rfe"),
    ],
)
def test_cycles_of_po_and_rf_must_be_forbidden(text: str, line: int, path: str) -> None:
    error = refusal(text)
    assert "cycles of po and rf" in error.message
    assert error.message.endswith(path)
    assert error.place is not None
    assert error.place.line == line


def test_what_was_not_decided_is_said() -> None:
    error = refusal("acyclic co\nacyclic (po | rf)+ & (po | rf | co)+ as odd")
    assert "the prover cannot tell: an assumption cannot be used" in error.message
    assert error.message.endswith("an intersection of relations")
    assert error.place is not None
    assert error.place.line == 3


def test_an_empty_relation_forbids_cycles_but_might_be_broken() -> None:
    (error,) = unmet(load_text(HEADER + "empty po ; rf", "test.kat"))
    assert "adding an event last might break" in error.message


@pytest.mark.parametrize(
    ("view", "path"),
    [
        ("(po | fr)+", "fre"),
        ("(po | rf | co)+", "coe"),
        ("(po | rf^-1)+", "rfe^-1"),
        ("(po | rf ; fr)+", "rfe ; fre"),
        # Within po, but there only once somebody reads.
        ("(po | rf ; rf^-1 ; po)+", "rfe ; rfe^-1 ; [W] ; po"),
    ],
)
def test_views_must_not_change_later(view: str, path: str) -> None:
    error = refusal(f"acyclic po | rf\nview v = {view}\ncoherence v")
    assert "the view v goes beyond (po | rf)+" in error.message
    assert error.message.endswith(f"it contains {path}")
    assert error.place is not None
    assert error.place.line == 4


def test_a_view_is_found_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "late.kat"
    path.write_text(HEADER + "acyclic po | rf\n\nview late = (po | fr)+\ncoherence late\n")
    with pytest.raises(ModelError) as error:
        plan_model(load_model(path))
    assert error.value.place is not None
    assert (error.value.place.line, error.value.place.column) == (4, 6)


@pytest.mark.parametrize(
    ("axiom", "reason"),
    [
        ("acyclic po | rf^-1", "it contains rfe^-1"),
        ("acyclic po | same-thread ; co", "same-thread"),
        ("acyclic rf ; rf^-1 ; po | co", "it contains rfe ; rfe^-1"),
        ("empty rf ; co", "empty"),
        ("irreflexive po?", "relates events to themselves"),
        ("acyclic po | free", "it contains free"),
        (r"acyclic (po \ po-loc) ; fr^-1", "earlier events"),
        (r"acyclic po \ (co ; (rf \ (co ; fr^-1)))", "earlier events"),
    ],
)
def test_a_last_event_must_not_break_an_axiom(axiom: str, reason: str) -> None:
    error = refusal(f"acyclic po | rf\n{axiom} as suspect")
    assert "adding an event last might break the axiom suspect" in error.message
    assert reason in error.message
    assert error.place is not None
    assert error.place.line == 3


def test_an_unchecked_model_is_planned_with_warnings() -> None:
    model = load_text(HEADER + "acyclic co\nempty rf ; co", "test.kat")
    plan = plan_model(model, unchecked=True)
    assert len(plan.axioms) == 2
    assert len(plan.warnings) == 2
    assert "test.kat:2" in plan.warnings[0]
    assert plan_model(named_model("sc"), unchecked=True).warnings == ()


def test_the_place_of_a_view_is_found_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "mine.kat"
    path.write_text("// é ∪\nacyclic po | rf\nview late = (po | co)+\ncoherence late\n", encoding="utf-8")
    script = f"""
from mazurka.kat.language.load import load_model
from mazurka.soundness.requirements import unmet
print([str(error.place) for error in unmet(load_model({str(path)!r}))])
"""
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert f"{path}:3:6" in done.stdout, done.stderr
