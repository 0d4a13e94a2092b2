"""Threads that wait: the engine finds what brute force does, with and without avoidable waiting."""

from __future__ import annotations

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, plan_of, shipped
from hypothesis import given
from mazurka.reference import enumerate_executions
from mazurka.testing import Test, to_program
from mazurka.testing.waiting_strategies import waiting_tests
from profiles import examples
from shipped_models import NAMES


@pytest.mark.parametrize("name", NAMES)
@examples(ci=160, slow=5_000)
@given(waiting_tests(max_candidates=2_000, non_atomic=True), SEEDS, AUDITS)
def test_every_execution_once(name: str, test: Test, seed: int | None, audit: bool) -> None:
    program, plan = to_program(test), plan_of(name)
    expected = enumerate_executions(program, shipped(name))
    for equivalence in EQUIVALENCES:
        assert_same(
            explore(program, plan, equivalence=equivalence, seed=seed, audit=audit), expected, equivalence
        )
    all_blocked = explore(program, plan, seed=seed, audit=audit, load_annotations=False)
    assert_same(all_blocked, expected, early=True)
