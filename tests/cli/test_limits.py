"""Programs that do not end are reported or stopped: endless loops and recursions, the memory limit.

The shapes of endless loops, and the expected answer for each, are those of the benchmarks. All of them under
all models are run in the slow profile. A violation wins over a refusal, whatever the order of exploration.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mazurka
import pytest
from command import mazurka as run
from mazurka.errors import SourceError
from profiles import SLOW, heavy, some

from benchmarks.endless import name_loops, select
from benchmarks.endless_shapes import SHAPES, Shape

RUNS = some(select([], short=not SLOW))

BOTH = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int unknown(void);
atomic_int x, y;
void *one(void *a) { %s return a; }
void *two(void *a) { y = 1; assert(!x); return a; }
void *three(void *a) { x = 1; return a; }
int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_create(&v, 0, three, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    return 0;
}
"""
REFUSED = (
    "unknown();",
    "while (!y) y = 0;",
    pytest.param("for (int i = 0;; i++) y = i;", marks=heavy),
    pytest.param("if (y) unknown();", marks=heavy),
)


def written(directory: Path, text: str) -> Path:
    path = directory / "program.c"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("shape", "setting"), RUNS, ids=[f"{shape.name}-{name}" for shape, name in RUNS])
def test_endless_loops_are_named(shape: Shape, setting: str) -> None:
    (naming,) = name_loops([(shape, setting)])
    assert naming.answer == shape.expected


@pytest.mark.parametrize("refused", REFUSED)
def test_a_violation_wins_over_a_refusal(refused: str, tmp_path: Path) -> None:
    path = written(tmp_path, BOTH % refused)
    for seed, workers in ((None, 1), (None, 2), (0, 1), (1, 2)):
        violation = mazurka.check(path, schedule_seed=seed, workers=workers).violation
        assert violation is not None
        assert violation.kind == "assertion"


@pytest.mark.parametrize("refused", REFUSED)
def test_the_same_refusal_for_every_order(refused: str, tmp_path: Path) -> None:
    path = written(tmp_path, (BOTH % refused).replace("assert(!x);", ""))
    messages = set()
    for seed, workers in ((None, 1), (None, 2), (0, 1), (1, 2)):
        with pytest.raises(SourceError) as error:
            mazurka.check(path, schedule_seed=seed, workers=workers)
        messages.add(str(error.value))
    assert len(messages) == 1


GROWS = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, n;
void *grow(void *a)
{
    volatile char big[100000];
    for (int i = 0; i < n; i++) {
        x = i;
        big[i] = i;
    }
    return (void *)(long)big[3];
}
int main(void)
{
    pthread_t t;
    n = 100000;
    pthread_create(&t, 0, grow, 0);
    pthread_join(t, 0);
    return 0;
}
"""


def within(memory: str, path: Path, unroll: int | None) -> dict[str, Any]:
    """The outcome of a process of its own: what this one takes depends on the tests that it has run."""
    options = () if unroll is None else ("--unroll", str(unroll))
    ran = run("check", "--memory-limit", memory, *options, "--json", "-", path)
    assert ran.status == 3, ran.err
    outcome: dict[str, Any] = json.loads(ran.out)
    return outcome


def test_the_memory_limit_ends_with_a_partial_answer(tmp_path: Path) -> None:
    outcome = within("300M", written(tmp_path, GROWS), 100_000)
    assert outcome["verdict"] == "interrupted"
    assert outcome["stopped_by"] == {"what": "memory-limit", "limit": 300 << 20}
    assert "memory limit of 300 MiB" in outcome["warnings"][0]
    assert "the loop in grow" in outcome["warnings"][0]
    assert ":7:" in outcome["warnings"][0]


GROWS_TO_AN_END = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void run(int n)
{
    for (int i = 0; i < n; i++)
        x++;
}
void *grow(void *a) { run(0x7fffffff); return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, grow, 0);
    for (int i = 0; i < 3 && !y; i++)
        ;
    return 0;
}
"""


@pytest.mark.parametrize("unroll", [None, 3])
def test_the_memory_limit_names_a_loop_that_would_end(unroll: int | None, tmp_path: Path) -> None:
    path = written(tmp_path, GROWS_TO_AN_END)
    (warning,) = within("200M", path, unroll)["warnings"]
    assert "the loop in run" in warning
    assert "reduce its number of iterations" in warning
    assert ":6:" in warning


ENDING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x;
int a[8];
void *f(void *p) { for (int i = 0;; i++) { if (i == 4) { assert(x != 4); %s; } x++; } return p; }
int main(void)
{
    for (int i = 0;; i++) {
        if (i == 6) {
            pthread_t t;
            pthread_create(&t, 0, f, 0);
            pthread_join(t, 0);
            %s;
        }
        a[i] = i;
    }
}
"""


@pytest.mark.parametrize("end", ["return p", "pthread_exit(0)", "exit(0)", "_Exit(0)", "quick_exit(0)"])
def test_unroll_cuts_no_constant_loop_however_it_ends(end: str, tmp_path: Path) -> None:
    text = ENDING % (end, end.replace("return p", "return 0"))
    violation = mazurka.check(written(tmp_path, text), unroll=3).violation
    assert violation is not None
    assert violation.kind == "assertion"


def test_unroll_bounds_recursion(tmp_path: Path) -> None:
    shape = next(shape for shape in SHAPES if shape.name == "recurse and store")
    outcome = mazurka.check(written(tmp_path, shape.source), unroll=3)
    assert (outcome.verdict, [cut[:2] for cut in outcome.bounds]) == ("bounded", [("recursion", "f")])
