"""Models in herd's language with a derived causal order: the engine finds what brute force finds, or refuses.

Models are drawn from parts of those of machines, whether or not they make sense together. Brute force gets
the model without the derived order, and so all that the axioms allow, if no value comes from nowhere.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from comparison import SEEDS, assert_same, explore
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import load_model, load_text
from mazurka.kat.meaning.plan import Matrix, Plan
from mazurka.kat.meaning.terms import Model
from mazurka.reference import enumerate_executions
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from profiles import examples, some

FILES = Path(__file__).resolve().parents[1] / "kat" / "cat"
OWN = ("armv7", "armv8", "imm", "power", "riscv", "riscv-tso")
# What a thread keeps in order.
ORDERED = (
    *("addr", "data", "ctrl", "rmw", "ctrl ; [W]", "addr ; po", "addr ; po ; [W]", "(addr | data) ; rfi"),
    *("(ctrl | data) ; coi", "[range(rmw)] ; rfi", "ctrl ; [F] ; po", "fencerel(F & SC)", "[R] ; po ; [R]"),
    *("[W] ; po ; [W]", "[R] ; po ; [W]", "po-loc ; [W]", "po-loc \\ (rf^-1 ; rf)", "po-loc & (fre ; rfe)"),
    *("[ACQ] ; po", "po ; [REL]", "[SC] ; po ; [SC]", "coi", "fri", "rfi", "po-loc"),
)
SEEN = (
    "rfe",
    "rf",
    "rfe | coe",
    "rfe | fre",
    "rfe | fre | coe",
    "rfe | co | fr",
    "rfe | co",
    "rf | fre | coe",
)
FURTHER = (
    *("irreflexive fre ; order+ ; rfe? as observation", "acyclic co | (rfe? ; order) as propagation"),
    *(
        "irreflexive (po | [REL] ; rf ; [ACQ])+ ; (rf | co | fr)+ as coherence-of-hb",
        "acyclic po | rf as causal",
    ),
    *(
        "acyclic [SC] ; (po | rf | co | fr)+ ; [SC] as sc-order",
        "acyclic (fencerel(F & SC) | rfe | fre) as fences",
    ),
)


# Dependencies from reads to writes, without which no causal order is derived, and read-modify-writes, whose
# halves are in order in all graphs of the engine.
BASES = (
    "rmw | addr | data | ctrl | addr ; po",
    "rmw | addr ; [W] | data | ctrl ; [W] | addr ; po ; [W]",
    "rmw | addr ; po? | data | ctrl ; [W]",
    "data | [R] ; po ; [W]",
)


@st.composite
def models(draw: st.DrawFn) -> str:
    """The text of a model."""
    base = draw(st.sampled_from(BASES))
    others = draw(st.lists(st.sampled_from(ORDERED), max_size=6, unique=True))
    further = draw(st.lists(st.sampled_from(FURTHER), max_size=1))
    return "\n".join(
        [
            "acyclic po-loc | com as coherence",
            f"let order = {' | '.join([base, *others])}",
            f"acyclic order | {draw(st.sampled_from(SEEN))} as external",
            *further,
            "empty rmw & (fre ; coe) as atomic",
        ]
    )


@cache
def planned(text: str) -> tuple[Model, Plan]:
    model = load_text(text, "drawn.cat")
    return replace(model, ppo=None), plan_model(model)


@examples(ci=100, slow=20_000)
@given(models(), dependency_tests(max_events=8, max_candidates=200), SEEDS)
def test_random_models(text: str, test: Test, seed: int | None) -> None:
    model, plan = planned(text)
    program = to_program(test)
    found = explore(program, plan, seed=seed)
    if found.kind != "stuck":
        assert_same(found, enumerate_executions(program, model), early=True)


@cache
def own(name: str) -> tuple[Model, Plan]:
    model = load_model(FILES / f"{name}.cat")
    plan = plan_model(model)
    assert isinstance(plan.preserved, Matrix)
    return replace(model, ppo=None), plan


@pytest.mark.parametrize("name", some(OWN[::-1], every=3))  # to plan a model takes long
@examples(ci=20, slow=3_000)
@given(dependency_tests(), SEEDS)
def test_models_of_machines(name: str, test: Test, seed: int | None) -> None:
    model, plan = own(name)
    program = to_program(test)
    found = explore(program, plan, seed=seed)
    assert_same(found, enumerate_executions(program, model), early=True)
