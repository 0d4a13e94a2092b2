"""What two Plans have in common, on programs too large for brute force.

(a) Whatever a model allows, a weaker one allows. (b) The Plan that is simplified for a program finds what the
model's full Plan does.
"""

from __future__ import annotations

from typing import Any

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, Found, explore, plan_of, shipped
from engine_graphs import canonical_from_engine
from hypothesis import given, settings
from hypothesis import strategies as st
from mazurka.program import Program
from mazurka.reference import Canonical
from mazurka.reference.canonical import Equivalence
from mazurka.soundness.requirements import plan_program
from mazurka.testing import Test, to_program
from mazurka.testing.cycle_strategies import cycle_tests, varied_tests
from mazurka.testing.structure_program import structure_program
from mazurka.testing.structure_strategies import structures
from profiles import examples, heavy, some
from shipped_models import NAMES

WEAKER = (
    *(("sc", "tso"), ("tso", "pso"), ("sc", "ra"), ("ra", "rc11-ra"), ("rc11", "rc11-ra")),
    *(("rc11-cpp11", "rc11"), ("pso", "rc11-cpp11"), ("rc11-genmc", "rc11-ra"), ("pso", "rc11-genmc")),
)


def forms(found: Found, equivalence: Equivalence = "co") -> set[Canonical]:
    """The executions found, each once."""
    listed = [canonical_from_engine(graph, equivalence) for graph in found.graphs]
    assert len(set(listed)) == len(listed)
    return set(listed)


@examples(ci=100, slow=10_000)
@given(varied_tests(max_candidates=20_000), st.sampled_from(EQUIVALENCES), SEEDS)
def test_what_a_model_allows_a_weaker_one_allows(
    test: Test, equivalence: Equivalence, seed: int | None
) -> None:
    program = to_program(test)
    found = {name: explore(program, plan_of(name), equivalence=equivalence, seed=seed) for name in NAMES}
    assert {result.status for result in found.values()} == {"finished"}
    allowed = {name: forms(result, equivalence) for name, result in found.items()}
    for strong, weak in WEAKER:
        assert allowed[strong] <= allowed[weak], (strong, weak)
        assert found[strong].blocked <= found[weak].blocked, (strong, weak)


# Simplified Plans ---------------------------------------------------------------------------------------


def check_simplified(program: Program, name: str, equivalence: Equivalence, audit: bool) -> None:
    """The full Plan and the simplified one find the same."""
    full = explore(program, plan_of(name), equivalence=equivalence)
    simplified = explore(program, plan_program(shipped(name), program), equivalence=equivalence, audit=audit)
    assert full[:4] == simplified[:4]
    assert forms(full, equivalence) == forms(simplified, equivalence)


@pytest.mark.parametrize("name", some(NAMES, 3))
@examples(ci=20, slow=2_000)
@given(varied_tests(non_atomic=True), st.sampled_from(EQUIVALENCES), AUDITS)
def test_a_simplified_plan(name: str, test: Test, equivalence: Equivalence, audit: bool) -> None:
    check_simplified(to_program(test), name, equivalence, audit)


@examples(ci=30, slow=3_000)
@given(structures(non_atomic=True), st.sampled_from(NAMES), st.sampled_from(EQUIVALENCES), AUDITS)
def test_a_simplified_plan_of_a_structure(
    structure: Any, name: str, equivalence: Equivalence, audit: bool
) -> None:
    check_simplified(structure_program(structure), name, equivalence, audit)


@heavy
def test_something_is_simplified() -> None:
    """Else the tests above compare a Plan with itself."""
    simpler = 0

    @settings(max_examples=100)
    @given(cycle_tests(), st.sampled_from(["tso", "rc11", "rc11-cpp11"]))
    def count(test: Test, name: str) -> None:
        nonlocal simpler
        plan = plan_program(shipped(name), to_program(test))
        simpler += len(plan.axioms) < len(plan_of(name).axioms)

    count()
    assert simpler > 20
