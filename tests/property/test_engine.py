"""The engine's executions are those of brute force, each exactly once, whatever the schedule."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.plan import SC
from mazurka.reference import canonical_from_engine, enumerate_executions
from mazurka.testing import Test, to_c, to_program
from mazurka.testing.strategies import litmus_tests

SEEDS = st.one_of(st.none(), st.integers(0, 2**32 - 1))


def explore(test: Test, seed: int | None) -> dict[str, Any]:
    """What the engine finds."""
    program = to_program(test).encode()
    result: dict[str, Any] = _engine.explore(
        program, SC.encode(), schedule_seed=seed, collect=True, deadlocks=False
    )
    assert result["status"] == "finished", to_c(test)
    return result


@given(litmus_tests(), SEEDS)
def test_engine_agrees_with_brute_force(test: Test, seed: int | None) -> None:
    expected = enumerate_executions(to_program(test))
    found = explore(test, seed)
    forms = [canonical_from_engine(graph) for graph in found["graphs"]]
    assert set(forms) == expected.complete, to_c(test)
    assert len(forms) == len(set(forms)) == found["complete"], to_c(test)
    assert found["blocked"] == len(expected.blocked), to_c(test)
