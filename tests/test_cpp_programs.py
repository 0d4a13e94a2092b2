"""Every program of ``tests/programs/cpp`` gives what its first lines say, and C++ counts like C.

Compiling C++ takes a second for each program, so the quick profile runs a few of them.
"""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from expectations import Claim, claims
from mazurka.models.registry import runnable_models
from profiles import heavy
from test_programs import ROOT, name, observed, place, run
from test_programs import folder as folder  # a fixture

PROGRAMS = sorted(ROOT.glob("tests/programs/cpp/*.cpp"))
QUICK = {"store_buffering", "treiber_stack"}
CLAIMS = [
    pytest.param(claim, marks=() if path.stem in QUICK and claim.twin is None else heavy, id=name(claim))
    for path in PROGRAMS
    for claim in claims(path)
    if claim.model in runnable_models()
]
# The same program with C11's atomics, with the compiler's builtins, and in C++.
COUNTED = """\
{include}
{type} x, y;
void *run(void *unused) {{
  {add};
  {store};
  {cas};
  return 0;
}}
int main() {{
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}}
"""
VERSIONS = {
    "c": {
        "include": "#include <pthread.h>\n#include <stdatomic.h>",
        "type": "atomic_int",
        "add": "atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)",
        "store": "atomic_store_explicit"
        "(&y, atomic_load_explicit(&x, memory_order_acquire), memory_order_release)",
        "cas": "int e = 2; atomic_compare_exchange_strong_explicit"
        "(&y, &e, 7, memory_order_acq_rel, memory_order_acquire)",
    },
    "builtins.c": {
        "include": "#include <pthread.h>",
        "type": "int",
        "add": "__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED)",
        "store": "__atomic_store_n(&y, __atomic_load_n(&x, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE)",
        "cas": "int e = 2; __atomic_compare_exchange_n(&y, &e, 7, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)",
    },
    "cpp": {
        "include": "#include <atomic>\n#include <pthread.h>",
        "type": "std::atomic<int>",
        "add": "x.fetch_add(1, std::memory_order_relaxed)",
        "store": "y.store(x.load(std::memory_order_acquire), std::memory_order_release)",
        "cas": "int e = 2; y.compare_exchange_strong(e, 7, std::memory_order_acq_rel)",
    },
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_cpp_program(claim: Claim, folder: Path, tmp_path: Path) -> None:
    _, result = run(claim, place(claim, folder), tmp_path)
    assert "error" not in result, result["error"]
    assert observed(result, claim.result) == claim.result


def test_c_builtins_and_cpp_have_the_same_executions(tmp_path: Path) -> None:
    counts = set()
    for suffix, words in VERSIONS.items():
        path = tmp_path / f"counted.{suffix}"
        path.write_text(COUNTED.format(**words), encoding="utf-8")
        outcome = mazurka.check(path)
        counts.add((outcome.verdict, outcome.complete, outcome.blocked))
    assert len(counts) == 1
