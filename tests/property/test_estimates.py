"""Estimates and fractions of random programs, under all models: what is sampled is what is explored."""

from __future__ import annotations

from typing import Any

import pytest
from comparison import EQUIVALENCES, SEEDS, mixed_plan_of, plan_of
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.plan import Plan
from mazurka.program import Program
from mazurka.reference.canonical import Equivalence
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, to_program
from mazurka.testing.cycle_strategies import varied_tests
from profiles import examples, some
from shipped_models import NAMES

GAPS = "acyclic po-loc | rf | co | fr as coherence\nppo = po-loc"
WORKERS = st.sampled_from([1, 3])


def explored(program: Program, plan: Plan, **options: Any) -> _engine.Explored:
    options = {"liveness": False, **options}
    return _engine.explore(program.encode(), plan.encode(), **options)


def assert_covered(program: Program, plan: Plan, workers: int, **options: Any) -> None:
    """The fraction is 1 in the end; the first so many executions cover more than fewer do."""
    progress = _engine.Progress()
    shared = {**options, "workers": workers, "eager": True}
    result = explored(program, plan, progress=progress, **shared)
    if result.status != "finished":
        return
    fraction, complete, blocked, _, _ = progress.look()
    assert result.fraction == fraction == 1.0
    assert (complete, blocked) == (result.complete, result.blocked)
    before = 0.0
    for most in range(1, min(result.complete + result.blocked, 8)):
        first = explored(program, plan, max_executions=most, **options)
        assert first.complete + first.blocked == most
        assert before < first.fraction < 1.0
        before = first.fraction


def assert_estimated(program: Program, plan: Plan, seed: int, *, may_repeat: bool, **options: Any) -> None:
    """Small programs are counted; others are estimated within a factor of two."""
    result = explored(program, plan, **options)
    if result.status != "finished":
        return
    estimate = explored(program, plan, sampling=(seed, 40, 0.01), **options).estimate
    assert estimate is not None
    count, (mean, low, high) = result.complete + result.blocked, estimate.executions
    assert low <= mean <= high
    if may_repeat:
        assert mean >= count / 2
    elif estimate.exact:
        assert mean == low == high == count
    else:
        assert count / 2 <= mean <= 2 * count


@pytest.mark.parametrize("name", some(NAMES, 3))
@examples(ci=48, slow=3_000)
@given(varied_tests(max_candidates=5_000), st.sampled_from(EQUIVALENCES), SEEDS, WORKERS)
def test_fractions(name: str, test: Test, equivalence: Equivalence, seed: int | None, workers: int) -> None:
    options = {"reads_from": equivalence == "rf", "schedule_seed": seed}
    assert_covered(to_program(test), plan_of(name), workers, **options)


@examples(ci=48, slow=3_000)
@given(varied_tests(max_candidates=2_000), st.sampled_from(some(NAMES, 3)), WORKERS)
def test_fractions_byte_by_byte(test: Test, name: str, workers: int) -> None:
    assert_covered(to_program(test), mixed_plan_of(name), workers, mixed_sizes=True)


@pytest.mark.parametrize("name", some(NAMES, 3))
@examples(ci=48, slow=3_000)
@given(varied_tests(max_candidates=5_000), st.sampled_from(EQUIVALENCES), st.integers(0, 1 << 32))
def test_estimates(name: str, test: Test, equivalence: Equivalence, seed: int) -> None:
    assert_estimated(to_program(test), plan_of(name), seed, may_repeat=False, reads_from=equivalence == "rf")


@examples(ci=48, slow=3_000)
@given(
    varied_tests(max_candidates=2_000),
    st.sampled_from(EQUIVALENCES),
    st.integers(0, 1 << 32),
    WORKERS,
)
def test_threads_with_gaps(test: Test, equivalence: Equivalence, seed: int, workers: int) -> None:
    """Such an exploration may find an execution more than once, so its estimate may be too high."""
    plan, options = plan_model(load_text(GAPS)), {"reads_from": equivalence == "rf"}
    assert_covered(to_program(test), plan, workers, **options)
    assert_estimated(to_program(test), plan, seed, may_repeat=True, **options)
