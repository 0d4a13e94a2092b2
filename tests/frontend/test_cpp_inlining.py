"""Functions of the C++ library are inlined unless that makes them large, or they call themselves."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.frontend.cpp.inlining import _LARGEST, _that_stay_small
from profiles import some


def body(lines: int, *called: str) -> str:
    return "\n  ret void" * lines + "".join(f"\n  call void @{name}()" for name in called)


def test_a_function_counts_with_what_is_inlined_into_it() -> None:
    half = _LARGEST // 2
    bodies = {
        "leaf": body(half),
        "once": body(1, "leaf"),
        "twice": body(1, "once", "leaf"),  # this is too large,
        "caller": body(1, "twice", "unknown"),  # so it stays a call here
    }
    assert set(_that_stay_small(bodies)) == {"leaf", "once", "caller"}


def test_of_functions_that_call_each_other_one_stays_a_call() -> None:
    bodies = {
        "even": body(1, "odd"),
        "odd": body(1, "even"),
        "self": body(1, "self"),
        "user": body(1, "even"),
    }
    small = set(_that_stay_small(bodies))
    assert "user" in small
    assert "self" not in small
    assert len(small & {"even", "odd"}) == 1


INCREMENT = """
#include <atomic>
#include <cassert>
#include <pthread.h>
std::atomic<int> n{0};
static void *work(void *) { n++; return nullptr; }
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  n++;
  pthread_join(thread, nullptr);
  assert(n == 2);
}
"""


@pytest.mark.parametrize("flag", some(["-O0", "-fno-inline"]))
def test_flags_against_inlining_change_nothing(flag: str, tmp_path: Path) -> None:
    """LLVM ended the process: a function cannot be inlined never and always."""
    path = tmp_path / "increment.cpp"
    path.write_text(INCREMENT, encoding="utf-8")
    outcome = mazurka.check(path, cflags=[flag])
    assert (outcome.verdict, outcome.complete) == ("verified", 2)
