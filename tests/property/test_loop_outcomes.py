"""Programs with loops: with each transformation and without, the engine has the outcomes of the reference."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from loop_outcomes import MODELS, ROUNDS, SIDES, Outcomes, Side, expected, explored
from mazurka.frontend import compile_text
from mazurka.program import Mode, Program
from mazurka.program.kinds import ViolationKind
from mazurka.reference import ReferenceUnsupported
from mazurka.testing import Load, Lock, Test, Unlock, to_c, to_program
from mazurka.testing.loop_strategies import loop_tests
from profiles import amount, heavy

MORE_ROUNDS = (ROUNDS + 1, ROUNDS + 2)  # for an outcome that the reference did not see with fewer
WAITING = {ViolationKind.LIVENESS.value, ViolationKind.DEADLOCK.value}


def reference(program: Program, model: str, rounds: int = ROUNDS) -> Outcomes:
    """What the reference says; examples that are too large for it are left out."""
    try:
        return expected(program, model, rounds)
    except ReferenceUnsupported:
        assume(False)
        raise AssertionError from None


@settings(max_examples=amount(ci=40, slow=5_000))
@given(loop_tests(), st.sampled_from(MODELS))
def test_outcomes_are_those_of_the_reference(test: Test, model: str) -> None:
    plain = to_program(test)
    oracle = reference(plain, model)
    for side in SIDES.values():
        compare(plain, model, side, oracle)


@settings(max_examples=amount(ci=40, slow=5_000))
@given(loop_tests(), st.sampled_from(MODELS))
def test_threads_wait_in_vain_where_the_reference_says_so(test: Test, model: str) -> None:
    plain = to_program(test)
    oracle = reference(plain, model)
    assume(not oracle.kinds)
    for side in SIDES.values():
        status, found = explored(plain, model, side, liveness=True)
        if status != "refused":
            assert found.kinds <= WAITING
            assert bool(found.kinds) == oracle.waits_in_vain


@heavy
@settings(max_examples=amount(ci=10, slow=500))
@given(loop_tests(), st.sampled_from(MODELS))
def test_the_same_from_c(test: Test, model: str) -> None:
    """Loops as a compiler leaves them; the reference runs what the compiler made."""
    plain = compile_text(to_c(test), without=("spin-assume", "dynamic-spin-assume"))
    oracle = reference(plain, model)
    for side in SIDES.values():
        compare(plain, model, side, oracle)


def compare(plain: Program, model: str, side: Side, oracle: Outcomes) -> None:
    """The engine, which stops at the first violation, found what the reference did."""
    status, found = explored(plain, model, side)
    if status == "refused":  # a loop that needs a bound
        assert found.kinds == {"endless-loop"}
        status, found = explored(plain, model, side, unroll=ROUNDS)
    if oracle.kinds:
        assert status == "violation"
        assert found.kinds <= oracle.kinds
        return
    assert status == "finished", found.kinds
    assert oracle.memories <= found.memories
    new = found.memories - oracle.memories
    for rounds in MORE_ROUNDS:
        if new:
            new -= reference(plain, model, rounds).memories
    assert not new


def test_a_mutex_that_was_released_is_not_waited_for_in_vain() -> None:
    locked = (Lock("m"), Load(Mode.RLX, "x"), Unlock("m"))
    test = Test((locked, locked), (("x", 0),), ("m",))
    assert not reference(to_program(test), "sc").waits_in_vain
