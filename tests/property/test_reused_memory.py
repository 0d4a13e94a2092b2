"""Programs that reuse memory, or whose allocations fail, have the executions that brute force finds."""

from __future__ import annotations

import pytest
from comparison import assert_same, explore, plan_of, shipped
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.reference import enumerate_executions
from profiles import heavy

SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) shared;
static void *work(void *unused) { WORK; return unused; }
int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  MAIN;
  return 0;
}
"""
TAKE = "int *p = shared; atomic_compare_exchange_strong(&shared, &p, NULL)"
# What the other thread and main do. The reference knows the sizes of a thread's own blocks only, so where
# memory is reused, one thread allocates.
FAILING = {
    "both": ("free(malloc(4))", "shared = malloc(4)"),
    "looks": ("int *p = malloc(4); if (p) *p = 1; shared = p", "int *p = shared; if (p) *p = 2"),
}
REUSING = {
    "again": (TAKE, "shared = malloc(4); free(shared); shared = malloc(4)"),
    "two": (TAKE, "int *a = malloc(4), *b = malloc(4); free(a); free(b); shared = malloc(4)"),
    "other sizes": (TAKE, "int *a = malloc(8); free(a); shared = malloc(4); free(malloc(8))"),
}


def compare(work: str, main: str, dialect: Dialect, model: str) -> None:
    program = compile_text(SOURCE.replace("WORK", work).replace("MAIN", main), dialect=dialect)
    expected = enumerate_executions(program, shipped(model), most_graphs=20_000)
    assert_same(explore(program, plan_of(model)), expected)


@pytest.mark.parametrize("model", ["sc", pytest.param("rc11", marks=heavy)])
@pytest.mark.parametrize("name", FAILING)
def test_executions_with_allocations_that_fail_are_those_of_brute_force(name: str, model: str) -> None:
    compare(*FAILING[name], Dialect(malloc_may_fail=True), model)


@pytest.mark.parametrize("model", ["sc", pytest.param("rc11", marks=heavy)])
@pytest.mark.parametrize("name", REUSING)
def test_executions_with_reused_memory_are_those_of_brute_force(name: str, model: str) -> None:
    compare(*REUSING[name], Dialect(reuse_memory=True), model)
