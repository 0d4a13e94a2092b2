"""C programs under the models of machines, for which compilers are right: what rc11 verifies, they verify."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mazurka import check
from mazurka.errors import ErrorCode, MazurkaError
from mazurka.expectations import Claim
from mazurka.models.registry import machine_models
from profiles import SLOW, some
from test_programs import CLAIMS, folder, name, place, place_text, run

__all__ = ["folder"]

# What rc11 verifies only because it forbids load buffering (its axiom no-thin-air).
BUFFERED = {"litmus_lb"}
# What these models do not know (LIMITS.md), and loops that they explore round by round.
REFUSED = {"mixed-size", "unsupported", "endless-loop"}
VERIFIED = [
    claim
    for claim in CLAIMS
    if claim.model == "rc11" and claim.result.verdict == "verified" and claim.twin is None
]
TAKES_A_MINUTE = {("mcs_lock", "lkmm"), *(("spin_poll_mutex", model) for model in machine_models())}
CASES = [
    replace(claim, model=model)
    for claim in some(VERIFIED, 60, ci=12)
    for model in machine_models()
    if SLOW or (claim.path.stem, model) not in TAKES_A_MINUTE
]


@pytest.mark.parametrize("claim", CASES, ids=name)
def test_what_rc11_verifies_is_verified(claim: Claim, folder: Path, tmp_path: Path) -> None:
    status, result = run(claim, place(claim, folder), tmp_path)
    if status == 2:
        assert result["error"]["code"] in REFUSED
    elif claim.path.stem in BUFFERED:
        assert result["verdict"] == "violation" or claim.model in ("riscv-tso", "x86")
    else:
        assert result["verdict"] == "verified", result


# Programs with accesses of several sizes are not refused where the model says what these mean.
SIZED = [
    replace(claim, model="armv8")
    for claim in some([claim for claim in VERIFIED if claim.path.parent.name == "mixed"], 4)
]


@pytest.mark.parametrize("claim", SIZED, ids=name)
def test_programs_with_several_sizes_are_verified(claim: Claim, folder: Path, tmp_path: Path) -> None:
    _, result = run(claim, place(claim, folder), tmp_path)
    assert result["verdict"] == "verified", result
    assert result["mixed_sizes"]


# A load takes one half from a store of its own thread, before others see that, and the other from memory.
FORWARDED = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union { _Atomic uint32_t word; _Atomic uint16_t half[2]; } x;
atomic_int seen;
void *half(void *arg) {
  atomic_store_explicit(&x.half[0], 0x0102, memory_order_relaxed);
  seen = atomic_load_explicit(&x.word, memory_order_relaxed);
  return 0;
}
void *word(void *arg) { atomic_store_explicit(&x.word, 0x03040304, memory_order_relaxed); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, half, 0); pthread_create(&b, 0, word, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(seen != 0x0102 || x.word != 0x03040102);
}
"""


@pytest.mark.parametrize(
    ("model", "verdict"), [("armv8", "violation"), ("riscv", "violation"), ("x86", "verified")]
)
def test_a_part_of_a_load_may_be_forwarded(model: str, verdict: str, folder: Path) -> None:
    path = place_text(FORWARDED, "forwarded.c", folder)
    assert check(path, model=model).verdict == verdict


def test_other_models_of_machines_refuse_several_sizes(folder: Path) -> None:
    path = place_text(FORWARDED, "forwarded.c", folder)
    with pytest.raises(MazurkaError) as caught:
        check(path, model="power")
    assert caught.value.code is ErrorCode.MIXED_SIZE
    assert "armv8" in str(caught.value.hint)


# The unlock of the first section may be kept by a revisit that the load in it does not precede.
SECTIONS = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *reader(void *arg) {
  pthread_mutex_lock(&m); atomic_load_explicit(&y, memory_order_relaxed); pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m); atomic_store_explicit(&x, 1, memory_order_relaxed); pthread_mutex_unlock(&m);
  return 0;
}
void *writer(void *arg) {
  atomic_store(&y, 1);
  pthread_mutex_lock(&m); atomic_store_explicit(&x, 0, memory_order_release); pthread_mutex_unlock(&m);
  atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, writer, 0);
}
"""


@pytest.mark.parametrize("model", machine_models())
def test_no_count_depends_on_the_seed(model: str, folder: Path) -> None:
    path = place_text(SECTIONS, "sections.c", folder)
    found = {check(path, model=model, schedule_seed=seed).complete for seed in (None, *range(1, 9))}
    assert len(found) == 1


FAILING = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *writer(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int expected = 5;
  atomic_compare_exchange_strong_explicit(&y, &expected, 7, memory_order_relaxed, memory_order_acquire);
  if (expected == 1) assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
}
"""


@pytest.mark.parametrize("model", machine_models())
def test_a_failing_exchange_may_acquire(model: str, folder: Path) -> None:
    path = place_text(FAILING, "failing.c", folder)
    assert check(path, model=model).verdict == "verified"
