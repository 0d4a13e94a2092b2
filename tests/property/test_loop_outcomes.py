"""Programs with loops: with the transformations and without, the engine has the outcomes of the reference."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from loop_outcomes import MODELS, ROUNDS, Outcomes, expected, explored
from mazurka.program import Program
from mazurka.program.passes import run_passes
from mazurka.reference import ReferenceUnsupported
from mazurka.testing import Test, to_program
from mazurka.testing.loop_strategies import loop_tests
from profiles import amount


def reference(program: Program, model: str, rounds: int = ROUNDS) -> Outcomes:
    """What the reference says; examples that are too large for it are left out."""
    try:
        return expected(program, model, rounds)
    except ReferenceUnsupported:
        assume(False)
        raise AssertionError from None


@settings(max_examples=amount(ci=200, slow=5_000))
@given(loop_tests(), st.sampled_from(MODELS))
def test_outcomes_are_those_of_the_reference(test: Test, model: str) -> None:
    plain = to_program(test)
    oracle = reference(plain, model)
    status, found = explored(plain, model, unroll=ROUNDS, liveness=False)
    agree(status, found, oracle)
    status, found = explored(run_passes(plain), model, liveness=False)
    if status == "refused":
        assert found.kinds == {"endless-loop"}
        return
    agree(status, found, oracle)


@settings(max_examples=amount(ci=200, slow=5_000))
@given(loop_tests(), st.sampled_from(MODELS))
def test_threads_wait_in_vain_where_the_reference_says_so(test: Test, model: str) -> None:
    plain = to_program(test)
    oracle = reference(plain, model)
    assume(not oracle.kinds)
    status, found = explored(run_passes(plain), model, liveness=True)
    assume(status != "refused")
    assert found.kinds <= {"liveness", "deadlock"}
    assert bool(found.kinds) == oracle.waits_in_vain


def agree(status: str, found: Outcomes, oracle: Outcomes) -> None:
    """The engine, which stops at the first violation, found what the reference did."""
    if oracle.kinds:
        assert status == "violation"
        assert found.kinds <= oracle.kinds
        return
    assert status == "finished", found.kinds
    assert found.memories == oracle.memories
