"""Programs with dependencies, under models whose ppo is not po: the engine agrees with brute force.

The models have acyclic ppo | rf in common, as they must; they differ in what else they order. In all of them,
dependencies order more than ppo says, so no program is refused because of one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from c11_shape import like_c11
from comparison import SEEDS, assert_same, explore
from hypothesis import given
from litmus_table import LitmusRow, litmus_rows
from mazurka.frontend import compile_program
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.reference import enumerate_executions
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from profiles import examples, some

COHERENCE = "acyclic po-loc | rf | co | fr as coherence\n"
FENCES = "let kept = po-loc | po ; [REL] | [ACQ | UW] ; po | [F] ; po | po ; [F]\n"
MODELS = {
    # Only what every model orders.
    "locations": f"{COHERENCE}ppo = po-loc",
    # Dependencies order as in happens-before, without and with the order of writes.
    "causal": f"{COHERENCE}{FENCES}acyclic kept | addr | data | ctrl | rf\nppo = kept | addr | data | ctrl",
    "one memory": f"{FENCES}acyclic kept | addr | data | ctrl ; [W] | rf | co | fr\nppo = kept",
    # Dependencies order nothing beyond I1 of ``unordered``, but control from reads to reads must be found.
    "reads": f"{COHERENCE}acyclic po-loc | ctrl ; [R] | rf | co | fr\nppo = po-loc",
    # IMM, if nobody reads what it has itself released.
    "c11": like_c11(updates="UR | UW | UX", dependencies=" | addr | data | ctrl"),
}


@cache
def planned(name: str) -> tuple[Model, Plan]:
    model = load_text(f'model m "m"\n{MODELS[name]}', f"{name}.kat")
    return model, plan_model(model)


def check(test: Test, name: str, seed: int | None) -> None:
    model, plan = planned(name)
    assert plan.preserved is not None
    program = to_program(test)
    found = explore(program, plan, seed=seed)
    assert_same(found, enumerate_executions(program, model), early=True)


@pytest.mark.parametrize("name", MODELS)
@examples(ci=120, slow=3_000)
@given(dependency_tests(), SEEDS)
def test_engine_agrees_with_brute_force(name: str, test: Test, seed: int | None) -> None:
    check(test, name, seed)


@pytest.mark.parametrize("row", some(litmus_rows(), 3), ids=lambda row: row.name)
def test_counts_of_imm(row: LitmusRow) -> None:
    """All programs of the table, those with dependencies included."""
    _, plan = planned("c11")
    program = to_program(parse_litmus(row.program))
    counts = [explore(program, plan, seed=seed).complete for seed in (None, 1)]
    assert counts == [row.imm] * 2


# Dependencies of C --------------------------------------------------------------------------------------

LOAD_BUFFERING = """
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_assume(int);
static atomic_int x, y;
static int next(int number) { int local = number; return local + 1 - local; }
static void *one(void *unused) {
    int ones[2] = {1, 1};
    int r = atomic_load_explicit(&x, memory_order_relaxed), w = ones[0];
    STATEMENT;
    atomic_store_explicit(&y, w, memory_order_relaxed);
    return 0;
}
static void *two(void *unused) {
    atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0), pthread_create(&second, 0, two, 0);
    pthread_join(first, 0), pthread_join(second, 0);
}
"""


@pytest.mark.parametrize(
    ("statement", "count"),
    some(
        [
            pytest.param("w = next((r & 0) + (r - r)) + ones[r & 1] - 1", 3, id="values"),
            pytest.param("w = next(1)", 4, id="nothing"),
            pytest.param("__VERIFIER_assume(r >= 0)", 3, id="assumption"),
            pytest.param("if (r == 7) w = 1", 3, id="branch"),
            pytest.param("w = r ? 1 : 1", 3, id="selection"),
            pytest.param("ones[r & 1] = 1", 3, id="the address of a private write"),
        ],
        every=2,
    ),
)
def test_the_front_end_keeps_dependencies(statement: str, count: int, tmp_path: Path) -> None:
    """All of them change no value."""
    source = tmp_path / "buffering.c"
    source.write_text(LOAD_BUFFERING.replace("STATEMENT", statement))
    _, plan = planned("c11")
    assert explore(compile_program(source), plan).complete == count
