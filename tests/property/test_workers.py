"""Any number of workers reports what one does: counts, graphs and their order, warnings, output, the finding.

Work is shared from the start and at every occasion (``eager``), so that small programs are split, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, plan_of
from engine_graphs import plain
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine, compile_program
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.plan import Plan
from mazurka.program import Program
from mazurka.reference.canonical import Equivalence
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.cycle_strategies import varied_tests
from mazurka.testing.structure_program import structure_program
from mazurka.testing.structure_strategies import structures
from mazurka.testing.structures import Structure
from profiles import examples, heavy, some
from shipped_models import NAMES

PROGRAMS = some(sorted((Path(__file__).parents[1] / "programs").glob("*.c")), every=16, ci=3)
MORE_WORKERS = st.sampled_from([2, 3, 5])
DEPENDS_ON_WORKERS = ("seconds", "parts")
GAPS = "acyclic po-loc | rf | co | fr as coherence\nppo = po-loc"


def report(program: Program, plan: Plan, workers: int, **options: Any) -> dict[str, Any]:
    """All that does not depend on the workers, and in how many parts it was explored."""
    options = {"collect": True, "verbose": True, "eager": True, **options}
    result = _engine.explore(program.encode(), plan.encode(), workers=workers, **options)
    assert workers > 1 or result.parts == 1
    return {key: value for key, value in plain(result).items() if key not in DEPENDS_ON_WORKERS}


def assert_same(program: Program, plan: Plan, workers: int, **options: Any) -> None:
    """Several workers report what one does, and count the same without graphs, where joins are left out."""
    collected, counted = (report(program, plan, 1, collect=collect, **options) for collect in (True, False))
    assert report(program, plan, workers, **options) == collected
    assert report(program, plan, workers, collect=False, **options) == counted
    for what in ("status", "complete", "blocked"):
        assert counted[what] == collected[what]


@pytest.mark.parametrize("name", some(NAMES, 4))
@examples(ci=30, slow=3_000)
@given(
    varied_tests(max_candidates=5_000, non_atomic=True),
    st.sampled_from(EQUIVALENCES),
    SEEDS,
    AUDITS,
    MORE_WORKERS,
)
def test_litmus_tests(
    name: str, test: Test, equivalence: Equivalence, seed: int | None, audit: bool, workers: int
) -> None:
    options = {"reads_from": equivalence == "rf", "schedule_seed": seed, "audit": audit}
    assert_same(to_program(test), plan_of(name), workers, **options)


@pytest.mark.parametrize("name", some(NAMES, 4))
@examples(ci=60, slow=3_000)
@given(
    structures(max_events=20, max_candidates=20_000, non_atomic=True),
    st.sampled_from(EQUIVALENCES),
    SEEDS,
    st.booleans(),
    MORE_WORKERS,
)
def test_structures(
    name: str, structure: Structure, equivalence: Equivalence, seed: int | None, liveness: bool, workers: int
) -> None:
    options = {"reads_from": equivalence == "rf", "schedule_seed": seed, "liveness": liveness}
    assert_same(structure_program(structure), plan_of(name), workers, **options)


@examples(ci=100, slow=3_000)
@given(
    structures(max_candidates=5_000, always=frozenset({"assistants"})),
    st.sampled_from(NAMES),
    SEEDS,
    MORE_WORKERS,
)
def test_threads_that_another_may_join_first(
    structure: Structure, name: str, seed: int | None, workers: int
) -> None:
    """Whether main's last joins can be left out depends on what was joined before."""
    assert_same(structure_program(structure), plan_of(name), workers, schedule_seed=seed)


@pytest.mark.parametrize("workers", [2, 3, 5])
@pytest.mark.parametrize(
    "source",
    [
        "Rrlx x; Wrlx y 1 || Rrlx y; Wrlx x 1 || Wrlx x 2; Rrlx y",
        "Wrlx x 1; Wrlx y 1 || Rrlx y; Rrlx x || Wrlx y 2; Rrlx x || Xrlx x 3",
    ],
)
def test_gaps_in_threads(source: str, workers: int) -> None:
    plan = plan_model(load_text(GAPS))
    for seed in (None, 1, 2):
        assert_same(to_program(parse_litmus(source)), plan, workers, schedule_seed=seed)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_c_programs(path: Path) -> None:
    """With violations, refusals, output, cut loops and warnings."""
    bound = re.search(r"--unroll (\d+)", path.read_text())
    program, options = compile_program(path), {"unroll": int(bound[1]) if bound else None}
    for model in ("sc", "tso", "rc11"):
        one, *more = (report(program, plan_of(model), workers, **options) for workers in (1, 2, 3))
        assert more == [one, one], model


# Which threads there are depends on what was read, and so does the order in which they are met.
CONDITIONAL_THREADS = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x, y;
static void *leaf(void *name) { atomic_fetch_add(&y, 1); return name; }
static void *inner(void *value) {
    pthread_t t;
    if (atomic_load(&x) == (int)(long)value) {
        pthread_create(&t, 0, leaf, value);
        pthread_join(t, 0);
        printf("%d\\n", atomic_load(&y));
    }
    return 0;
}
static void *writer(void *value) { atomic_store(&x, (int)(long)value); return 0; }
int main(void) {
    pthread_t t[5];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, inner, (void *)(2 - i));
    for (long i = 3; i < 5; i++) pthread_create(&t[i], 0, writer, (void *)(i - 2));
    for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
}
"""


def test_threads_that_are_not_always_there(tmp_path: Path) -> None:
    path = tmp_path / "conditional_threads.c"
    path.write_text(CONDITIONAL_THREADS)
    program = compile_program(path)
    for seed in some((None, 1, 2, 3), 2):
        for workers in some((2, 3, 5), 2):
            assert_same(program, plan_of("rc11"), workers, schedule_seed=seed)


# Clocks have no room for so many threads at first: the exploration starts again before others join, and main
# takes longer than that to start a thread.
LONG_PROLOGUE = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, cells[1000];
static int total;
static void *adder(void *arg) { atomic_fetch_add(&x, total); return arg; }
int main(void) {
    for (int i = 0; i < 1000000; i++) atomic_fetch_add(&cells[i % 1000], 1);
    total = cells[7];
    pthread_t t[6];
    for (long i = 0; i < 6; i++) pthread_create(&t[i], 0, adder, 0);
}
"""


@heavy
@pytest.mark.parametrize("eager", [True, False])
def test_what_main_does_first_takes_long(eager: bool, tmp_path: Path) -> None:
    path = tmp_path / "long_prologue.c"
    path.write_text(LONG_PROLOGUE)
    program = compile_program(path)
    found = report(program, plan_of("sc"), 3, eager=eager)
    assert (found["status"], found["complete"]) == ("finished", 720)
    assert found == report(program, plan_of("sc"), 1, eager=eager)
