"""Accesses of several sizes under models of machines that say what they mean: engine and brute force agree.

Brute force gets the model without its ppo, as in ``test_hardware``, and knows pieces of accesses by their
definition. Models of our own differ in what they say with ``si``.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

import pytest
from comparison import SEEDS, assert_same, explore, shipped
from hypothesis import given
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.kat.planning.planner import tables_of
from mazurka.models.registry import machine_models
from mazurka.reference import Executions, enumerate_executions
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.mixed_strategies import mixed_dependency_tests, mixed_tests
from profiles import examples
from test_hardware import ALL_COMPARE

MACHINES = tuple(name for name in machine_models() if shipped(name).pieces)
KEPT = "let kept = po-loc | po ; [REL] | [ACQ | UW] ; po | [F] ; po | po ; [F]\n"
OWN = {
    # Accesses of the same bytes happen one after the other.
    "whole": "acyclic (po-loc | rf | co | fr) ; si\nppo = po-loc",
    # There is one memory, to which a thread's accesses come in any order that fences and dependencies allow.
    "one memory": f"{KEPT}acyclic (kept | addr | data | ctrl ; [W] | rf | co | fr) ; si\nppo = kept",
}


@cache
def planned(name: str) -> tuple[Model, Plan]:
    """A model without its ppo, and its Plan for several sizes."""
    model = load_text(f'model m "m"\n{OWN[name]}', f"{name}.kat") if name in OWN else shipped(name)
    assert model.pieces
    return replace(model, ppo=None), tables_of(model, mixed_sizes=True)


@lru_cache(maxsize=1)  # for several schedules of one test
def expected(test: Test, name: str) -> Executions:
    """What brute force finds."""
    return enumerate_executions(to_program(test), planned(name)[0])


def check(test: Test, name: str, seed: int | None = None) -> int:
    found = explore(to_program(test), planned(name)[1], seed=seed, mixed_sizes=True, load_annotations=False)
    assert_same(found, expected(test, name), early=True)
    return found.complete


@pytest.mark.parametrize("name", [*MACHINES, "one memory"])
@examples(ci=60, slow=3_000)
@given(mixed_dependency_tests(), SEEDS)
def test_programs_with_dependencies(name: str, test: Test, seed: int | None) -> None:
    check(test, name, seed)


@pytest.mark.parametrize("name", ["armv8", "riscv", "whole"])
@examples(ci=40, slow=2_000)
@given(mixed_tests(sizes=(1, 2, 4, 8), max_candidates=200, max_events=6), SEEDS)
def test_programs_about_one_word(name: str, test: Test, seed: int | None) -> None:
    check(test, name, seed)


@examples(ci=20, slow=1_000)
@given(mixed_tests(sizes=(2, 8, 16), max_footprints=3, max_candidates=100, max_events=5), SEEDS)
def test_accesses_of_16_bytes(test: Test, seed: int | None) -> None:
    check(test, "armv8", seed)


@examples(ci=30, slow=2_000)
@given(dependency_tests(two_compare=False), SEEDS)
def test_programs_of_one_size(test: Test, seed: int | None) -> None:
    check(test, "armv8", seed)


# LIMITS.md: where accesses have several sizes, no outcome is left open.
@pytest.mark.xfail(strict=True, reason="a compare-exchange that orders what follows it was added first")
@pytest.mark.parametrize("name", ["armv8", "riscv"])
def test_compare_exchanges_in_all_threads_that_may_fail(name: str) -> None:
    check(ALL_COMPARE, name)


TORN = "Wrlx x[0:1] 0x101 || Rrlx x[0]; Rrlx x[0:1]"
FORWARDED = "Wrlx x[0:1] 0x101 || Wrlx x[0] 2; Rrlx x[0:1]"
TOGETHER = "Rrlx x[0:3]; Wrlx y =r0 || Wrlx x[0:1] 1 || Rrlx y; Wrlx x[2:3] =r0"


@pytest.mark.parametrize(
    ("name", "source", "count"),
    [
        # The second load sees all of the store or nothing, and no older value in the byte that was read.
        ("armv8", TORN, 3),
        ("whole", TORN, 3),
        # The load sees its own store in one byte. If that comes last, it may see the other store in the other
        # byte or not, and if it comes first, only the old value, or the whole of the other store.
        ("armv8", FORWARDED, 4),
        ("riscv", FORWARDED, 4),
        # An own store that comes last comes after a store that the load has not seen.
        ("whole", FORWARDED, 3),
    ],
)
def test_how_much_of_an_access_is_seen(name: str, source: str, count: int) -> None:
    assert check(parse_litmus(source), name) == count


@pytest.mark.parametrize("name", [*MACHINES, *OWN])
def test_two_writes_change_a_read_of_their_past_together(name: str) -> None:
    """One of them depends on another read of the thread of the first, so gaps and keep sets meet."""
    for seed in (None, *range(6)):
        check(parse_litmus(TOGETHER), name, seed)


# A compare-exchange that orders what follows it only if it succeeds fails, because of what follows it.
FAILED_BY_LATER = (
    "Cacq y[0:3] 0 1; Wrlx x 1 || Rrlx x; if r0==1 Wrlx y[0:1] 1",
    "Cacq y[0:1] 0 1; Wrlx x 1 || Rrlx x; if r0==1 Wrlx y[0] 1; Wrlx y[1] 1",
    "Crlx/acq y[0:1] 1 1; Wrlx x 1 || Rrlx x; if r0==1 Wrlx y[0:3] 1",
)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("source", FAILED_BY_LATER)
def test_compare_exchanges_that_order_only_with_one_outcome(name: str, source: str) -> None:
    for seed in (None, *range(4)):
        check(parse_litmus(source), name, seed)


# An exchange reads what depends on its own write, which its thread has read early.
OWN_WRITES = (
    "Xrlx y 1; Rrlx y; Wrlx x =r0 || Racq x; Wrlx y =r0",
    "Xrlx y[0:1] 0x101; Rrlx y[0:1]; Wrlx x =r0 || Racq x; Wrlx y[0] =r0",
    "Xrlx y[0] 1; Rrlx y[0:1]; Wrlx x =r0 || Racq x; Wrlx y[0:1] =r0",
)


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("source", OWN_WRITES)
def test_exchanges_that_see_what_depends_on_their_own_write(name: str, source: str) -> None:
    for seed in (None, *range(4)):
        check(parse_litmus(source), name, seed)
