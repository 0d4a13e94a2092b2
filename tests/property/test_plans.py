"""Other plans than those of shipped models: the engine's executions are brute force's, each exactly once.

Every union of base relations that contains ``po`` is a plan that the engine accepts, also those that no
memory model uses; a bug in how an order is kept shows in them first.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.plan import Acyclic, Plan
from mazurka.reference import canonical_from_engine, enumerate_executions
from mazurka.testing import Test, to_program
from mazurka.testing.strategies import litmus_tests

UNIONS = ["po rf", "po rf co", "po rf fr", "po co fr", "po co", "po fr", "po rf co fr"]
PAIRS = [("po rf co", "po fr"), ("po rf", "po co fr"), ("po rf fr", "po co"), ("po rf", "po co")]
SEEDS = st.one_of(st.none(), st.integers(0, 2**32 - 1))


def plan(*unions: str) -> Plan:
    """The plan in which each of some unions of relations is acyclic."""
    axioms = tuple(Acyclic(union, frozenset(union.split())) for union in unions)
    return Plan(" and ".join(unions), axioms)


PLANS = [*map(plan, UNIONS), *(plan(*pair) for pair in PAIRS)]


@settings(max_examples=min(settings.default.max_examples // 4, 10_000))  # 500 in CI
@given(litmus_tests(max_candidates=500), st.sampled_from(PLANS), SEEDS)
def test_engine_agrees_with_brute_force(test: Test, plan: Plan, seed: int | None) -> None:
    program = to_program(test)
    expected = enumerate_executions(program, plan)
    found = _engine.explore(
        program.encode(), plan.encode(), schedule_seed=seed, collect=True, deadlocks=False
    )
    forms = [canonical_from_engine(graph) for graph in found["graphs"]]
    assert found["status"] == "finished"
    assert set(forms) == expected.complete
    assert len(forms) == len(set(forms)) == found["complete"]
