"""Values that programs leave open: each is explored once, in every way to explore and under every model."""

from __future__ import annotations

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, mixed_plan_of, plan_of, shipped
from engine_graphs import canonical_from_engine
from hypothesis import given
from hypothesis import strategies as st
from mazurka.program import Mode
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import canonical
from mazurka.reference.trust import verify
from mazurka.testing import Test, to_program
from mazurka.testing.operations import Assume, Choose, FetchAdd, Guard, Load, Register, Store
from mazurka.testing.strategies import litmus_tests
from profiles import examples, some
from shipped_models import NAMES

WORKERS = st.sampled_from([1, 1, 3])
TESTS = litmus_tests(max_candidates=2_000, non_atomic=True, choices=True)
X = ("x", 0)


@pytest.mark.parametrize("name", some(NAMES, every=6))
@examples(ci=60, slow=8_000)
@given(TESTS, SEEDS, AUDITS, WORKERS)
def test_every_value_is_explored_once(
    name: str, test: Test, seed: int | None, audit: bool, workers: int
) -> None:
    program = to_program(test)
    expected = enumerate_executions(program, shipped(name))
    for equivalence in EQUIVALENCES:
        found = explore(
            program, plan_of(name), equivalence=equivalence, seed=seed, audit=audit, workers=workers
        )
        assert_same(found, expected, equivalence)


@pytest.mark.parametrize("name", some(("sc", "tso", "rc11"), every=2))
@examples(ci=50, slow=4_000)
@given(TESTS, AUDITS, WORKERS)
def test_several_sizes(name: str, test: Test, audit: bool, workers: int) -> None:
    program, plan = to_program(test), mixed_plan_of(name)
    found = explore(program, plan, mixed_sizes=True, load_annotations=False, audit=audit, workers=workers)
    assert_same(found, enumerate_executions(program, shipped(name)), early=True)


@examples(ci=100, slow=5_000)
@given(litmus_tests(max_candidates=300, choices=True, max_threads=3))
def test_the_papers_algorithm(test: Test) -> None:
    """TruSt in the reference finds each execution once, too."""
    program = to_program(test)
    expected, found = enumerate_executions(program), verify(program)
    if not expected.findings:
        forms = [canonical(graph) for graph in found.complete]
        assert len(forms) == len(set(forms))
        assert set(forms) == expected.complete


def counts(*threads: tuple) -> int:  # type: ignore[type-arg]
    """How many executions threads have under sc; the values of x count."""
    test = Test(threads, (X,))
    found = explore(to_program(test), plan_of("sc"))
    forms = {canonical_from_engine(graph) for graph in found.graphs}
    assert len(forms) == found.complete
    return found.complete


def test_counts_worked_out_by_hand() -> None:
    three, r0, r1 = Choose(0, 2), Register(0), Register(1)
    load, store = Load(Mode.RLX, "x"), Store(Mode.RLX, "x", r0)
    assert counts((three,), (Choose(5, 5),)) == 3  # a range of one value is no choice
    assert counts((three, three), (three,)) == 27
    # The read sees 0 or what was stored, for each of the three values; all six differ.
    assert counts((three, store), (load,)) == 6
    # A choice after a read that is revisited: its three values, with each source and each value stored.
    assert counts((load, three), (three, store)) == 18
    # Only if the second value is chosen is there a store to see.
    assert counts((Choose(0, 1), Guard(r0, 1, (Store(Mode.RLX, "x", 7),))), (load,)) == 3
    # An assumption about a choice leaves one value.
    assert counts((load, three, Assume(r1, 2)), (FetchAdd(Mode.RLX, "x"),)) == 2
