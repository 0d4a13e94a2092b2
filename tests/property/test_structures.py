"""Programs with threads of threads, joins, mutexes and heap objects: brute force and schedules agree.

(a) The engine's complete graphs are brute force's, none twice, and it finds an error iff there is one.
(b) Counts, and whether there is a finding, do not depend on the schedule.
(c) There is a deadlock iff brute force has an execution in which all wait and nobody ended the program.
All under every model, up to both equivalences.
"""

from __future__ import annotations

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, plan_of, shipped
from engine_graphs import children_from_engine
from hypothesis import example, given
from hypothesis import strategies as st
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import Equivalence
from mazurka.testing.structure_program import structure_program
from mazurka.testing.structure_strategies import structures
from mazurka.testing.structures import Acquire, Exit, Spawn, Structure
from profiles import examples
from shipped_models import NAMES

# A thread that sees the mutex taken, and could have waited a little longer, is not a separate execution, even
# if another thread ends the program.
EXIT_BESIDE_A_LOCK = Structure((Spawn((Acquire("m"),)), Spawn((Acquire("m"), Exit(whole=True)))))
# Main takes a mutex and returns, which ends the program; if only main's thread ends, the other one is stuck.
RETURN_WITH_A_LOCK = Structure((Spawn((Acquire("m"),)), Acquire("m", release=False)))
END_WITH_A_LOCK = Structure((*RETURN_WITH_A_LOCK.steps, Exit(whole=False)))


def check(structure: Structure, name: str, equivalence: Equivalence, seed: int | None, audit: bool) -> None:
    """The engine agrees with brute force; they may number threads differently."""
    program = structure_program(structure)
    found = explore(program, plan_of(name), equivalence=equivalence, seed=seed, audit=audit)
    children = children_from_engine(found.graphs)
    expected = enumerate_executions(program, shipped(name), children=children)
    assert_same(found, expected, equivalence)


@examples(ci=250, slow=10_000)
@example(EXIT_BESIDE_A_LOCK, "co", None, False)
@given(structures(), st.sampled_from(EQUIVALENCES), SEEDS, AUDITS)
def test_sequential_consistency(
    structure: Structure, equivalence: Equivalence, seed: int | None, audit: bool
) -> None:
    check(structure, "sc", equivalence, seed, audit)


@pytest.mark.parametrize("name", NAMES)
@examples(ci=50, slow=3_000)
@example(EXIT_BESIDE_A_LOCK, "rf", None, True)
@given(
    structures(max_candidates=1_000, max_events=13, non_atomic=True),
    st.sampled_from(EQUIVALENCES),
    SEEDS,
    AUDITS,
)
def test_shipped_models(
    name: str, structure: Structure, equivalence: Equivalence, seed: int | None, audit: bool
) -> None:
    check(structure, name, equivalence, seed, audit)


@examples(ci=250, slow=10_000)
@given(
    structures(max_events=20, max_candidates=100_000, non_atomic=True),
    st.sampled_from(NAMES),
    st.sampled_from(EQUIVALENCES),
    st.lists(SEEDS, min_size=3, max_size=3),
    st.booleans(),
)
def test_counts_do_not_depend_on_the_schedule(
    structure: Structure, name: str, equivalence: Equivalence, seeds: list[int | None], liveness: bool
) -> None:
    program, plan = structure_program(structure), plan_of(name)
    results = [
        explore(program, plan, equivalence=equivalence, seed=seed, liveness=liveness)
        for seed in (None, *seeds)
    ]
    assert len({result.status for result in results}) == 1
    if results[0].status == "finished":
        assert len({(result.complete, result.blocked) for result in results}) == 1


@pytest.mark.parametrize(("structure", "deadlock"), [(RETURN_WITH_A_LOCK, False), (END_WITH_A_LOCK, True)])
def test_returning_from_main_ends_the_program(structure: Structure, deadlock: bool) -> None:
    program = structure_program(structure)
    assert explore(program, plan_of("sc"), liveness=True).status == ("violation" if deadlock else "finished")
    assert bool(enumerate_executions(program).stuck) == deadlock


@examples(ci=125, slow=6_250)
@example(RETURN_WITH_A_LOCK, "co", None)
@example(END_WITH_A_LOCK, "rf", None)
@given(structures(always=frozenset({"mutexes"})), st.sampled_from(EQUIVALENCES), SEEDS)
def test_deadlocks_are_those_of_brute_force(
    structure: Structure, equivalence: Equivalence, seed: int | None
) -> None:
    program = structure_program(structure)
    found = explore(program, plan_of("sc"), equivalence=equivalence, seed=seed, liveness=True)
    expected = enumerate_executions(program)
    if expected.findings:
        return
    assert (found.status == "violation") == bool(expected.stuck)
