"""The answer about a program depends neither on the schedule's seed nor on the number of workers.

Random programs hold assertions that may fail, and what is refused: endless loops, unknown functions, accesses
of the same bytes with two sizes. Of several refusals the kind is the same for all orders; so is whether there
is a violation, which wins over them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from comparison import plan_of
from hypothesis import given
from hypothesis import strategies as st
from mazurka import _engine, check, compile_program
from mazurka.program import Program
from profiles import examples

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int unknown(void);
atomic_int x, y;
union { atomic_int whole; _Atomic char part; } z;
"""
STATEMENTS = (
    *("x = 1;", "x = 2;", "x++;", "y = 1;", "y = x;"),
    *("assert(x != 2);", "assert(!y);", "if (x == 1) assert(y);"),
    *("unknown();", "if (y) unknown();", "if (x == 2) unknown();"),
    *("while (!x) ;", "while (x != y) ;", "while (!y) x = 1;"),
    *("z.whole = 1;", "z.part = 1;", "if (z.part) y = 2;", "y = z.whole;", "if (x) z.part = 2;"),
)
BODIES = st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=3).map(" ".join)
ORDERS = [(seed, workers) for seed in (None, 0, 1, 2) for workers in (1, 2)]

# The answer to these once depended on the seed.
BEHIND_MIXED_SIZES = (
    ["y = z.whole; x = 1;", "if (z.part) y = 2; x++;", "y = z.whole; assert(!y); while (!y) x = 1;"],
    ["z.whole = 1;", "if (z.part) y = 2; while (!y) x = 1; y = z.whole;", "if (z.part) y = 2;"],
    ["z.whole = 1; assert(0);", "z.part = 1;"],
    ["z.whole = 1;", "z.part = 1; assert(0);"],
    ["z.whole = 1; unknown();", "z.part = 1;"],
)


def text(bodies: list[str]) -> str:
    """A program with a thread for each of these."""
    threads = "".join(f"void *t{i}(void *a) {{ {body} return a; }}\n" for i, body in enumerate(bodies))
    create = "".join(f"pthread_create(&t[{i}], 0, t{i}, 0); " for i in range(len(bodies)))
    join = "".join(f"pthread_join(t[{i}], 0); " for i in range(len(bodies)))
    return f"{HEAD}{threads}int main(void) {{ pthread_t t[{len(bodies)}]; {create}{join}return 0; }}\n"


def answer(program: Program, model: str, seed: int | None, workers: int) -> tuple[str, str | None]:
    """The status, and the kind of what was found."""
    plan = plan_of(model).encode()
    found = _engine.explore(program.encode(), plan, schedule_seed=seed, workers=workers, eager=True)
    return found.status, found.finding.kind if found.finding else None


def answers(bodies: list[str], model: str, directory: Path) -> set[tuple[str, str | None]]:
    path = directory / "program.c"
    path.write_text(text(bodies), encoding="utf-8")
    program = compile_program(path)
    return {answer(program, model, seed, workers) for seed, workers in ORDERS}


@examples(ci=80, slow=5_000)
@given(st.lists(BODIES, min_size=2, max_size=3), st.sampled_from(["sc", "tso", "rc11"]))
def test_one_answer(tmp_path_factory: pytest.TempPathFactory, bodies: list[str], model: str) -> None:
    found = answers(bodies, model, tmp_path_factory.mktemp("verdict"))
    # The search ends at its first violation, and which of several that is depends on the order.
    assert len({(status, None if status == "violation" else kind) for status, kind in found}) == 1


def test_a_caller_that_explores_again_needs_no_look_beside_the_sizes(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(text(["z.whole = 1;", "z.part = 1; assert(0);"]), encoding="utf-8")
    code, plan = compile_program(path).encode(), plan_of("rc11").encode()
    left = _engine.explore(code, plan, leaves_sizes=True)
    assert (left.status, left.finding and left.finding.kind) == ("refused", "mixed-size")
    assert _engine.explore(code, plan).status == "violation"
    assert check(path).verdict == "violation"


@pytest.mark.parametrize("bodies", BEHIND_MIXED_SIZES)
def test_behind_mixed_sizes(bodies: list[str], tmp_path: Path) -> None:
    (only,) = answers(bodies, "rc11", tmp_path)
    if "assert(0)" in " ".join(bodies):
        assert only == ("violation", "assertion")
