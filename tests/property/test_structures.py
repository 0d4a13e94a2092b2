"""Programs with threads of threads, joins, mutexes and heap objects: brute force and schedules agree.

(a) The engine's complete graphs are brute force's, none twice, and it finds an error iff there is one.
(b) Counts, and whether there is a finding, do not depend on the schedule.
"""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.plan import SC
from mazurka.reference import canonical_from_engine, children_from_engine, enumerate_executions
from mazurka.testing.structure_program import structure_program
from mazurka.testing.structure_strategies import structures
from mazurka.testing.structures import Acquire, Exit, Spawn, Structure

SEEDS = st.integers(0, 2**32 - 1)
FEWER = settings(max_examples=min(settings.default.max_examples // 4, 10_000))  # 500 in CI


def explore(structure: Structure, seed: int | None, *, deadlocks: bool) -> dict[str, Any]:
    """What the engine finds."""
    result: dict[str, Any] = _engine.explore(
        structure_program(structure).encode(),
        SC.encode(),
        schedule_seed=seed,
        collect=True,
        deadlocks=deadlocks,
    )
    return result


# A thread that sees the mutex taken, and could have waited a little longer, is no execution of its own, also
# if another thread ends the program.
EXIT_BESIDE_A_LOCK = Structure((Spawn((Acquire("m"),)), Spawn((Acquire("m"), Exit(whole=True)))))


@FEWER
@example(EXIT_BESIDE_A_LOCK, None)
@given(structures(), st.one_of(st.none(), SEEDS))
def test_engine_agrees_with_brute_force(structure: Structure, seed: int | None) -> None:
    found = explore(structure, seed, deadlocks=False)
    children = children_from_engine(found["graphs"])
    expected = enumerate_executions(structure_program(structure), children=children)
    if found["status"] == "violation":
        assert found["finding"]["kind"] in expected.findings
        return
    assert found["status"] == "finished"
    assert not expected.findings
    forms = [canonical_from_engine(graph) for graph in found["graphs"]]
    assert set(forms) == expected.complete
    assert len(forms) == len(set(forms)) == found["complete"]
    assert found["blocked"] == len(expected.blocked)


@FEWER
@given(
    structures(max_events=20, max_candidates=100_000), st.lists(SEEDS, min_size=3, max_size=3), st.booleans()
)
def test_counts_do_not_depend_on_the_schedule(
    structure: Structure, seeds: list[int], deadlocks: bool
) -> None:
    results = [explore(structure, seed, deadlocks=deadlocks) for seed in (None, *seeds)]
    assert len({result["status"] for result in results}) == 1
    if results[0]["status"] == "finished":
        assert len({(result["complete"], result["blocked"]) for result in results}) == 1
