"""``--unroll`` with places, and ``__VERIFIER_loop_bound``.

In the program below ``retry`` makes an execution per number of rounds: with a bound of n, its loop is left
after 0 to n rounds, or cut.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka import check
from mazurka.checking.bounds import Unroll, bounds_in, read_unroll
from mazurka.errors import UsageError
from mazurka.frontend import compile_program

PROGRAM = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, tries;
static int bits(int n) { int k = 0; while (n) { n >>= 1; k++; } return k; }
static void retry(void)
{
    while (!atomic_load(&x)) {
        %s
        tries = tries + 1;
    }
}
static int depth(int n) { return atomic_load(&x) ? n : depth(n + 1); }
static void *run(void *unused) { %s; return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    x = bits(1 << 20);
    pthread_join(t, 0);
    return 0;
}
"""


def program(folder: Path, body: str = "retry()", bound: str = "") -> Path:
    return write(folder, PROGRAM % (bound, body))


@pytest.mark.parametrize(
    ("asked", "meaning"),
    [
        (None, Unroll()),
        (4, Unroll(4)),
        ("4", Unroll(4)),
        ("push=3", Unroll(None, (("push", 3),))),
        ("queue.c:41=5, 2,push=3", Unroll(2, (("push", 3),), (("queue.c", 41, 5),))),
    ],
)
def test_what_an_option_means(asked: int | str | None, meaning: Unroll) -> None:
    assert read_unroll(asked) == meaning


@pytest.mark.parametrize(
    "asked", [0, -1, "0", "push=0", 1 << 32, "x", "push=", "=3", "1,2", "", "1,,push=2", "w=1,w=2"]
)
def test_what_is_no_option(asked: int | str) -> None:
    with pytest.raises(UsageError):
        read_unroll(asked)


@pytest.mark.parametrize("unroll", [2, "retry=2", "program.c:8=2", "9,retry=2", "retry=9,program.c:8=2"])
def test_places_have_bounds(tmp_path: Path, unroll: int | str) -> None:
    outcome = check(program(tmp_path), unroll=unroll)
    assert (outcome.verdict, outcome.complete, outcome.blocked) == ("bounded", 3, 1)
    assert [(cut.kind, cut.function, cut.line, cut.bound) for cut in outcome.bounds] == [
        ("loop", "retry", 8, 2)
    ]


@pytest.mark.parametrize("checked", ["program.c", "../{}/program.c"])
def test_a_file_may_be_spelt_in_any_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checked: str
) -> None:
    """As it was given to the command, by any other path to it, or by the end of that."""
    whole = program(tmp_path)
    (tmp_path / "link.c").symlink_to(whole.name)
    monkeypatch.chdir(tmp_path)
    compiled = compile_program(checked.format(tmp_path.name))
    folder = tmp_path.name
    for named in (
        "program.c",
        "./program.c",
        f"../{folder}/program.c",
        f"{folder}/program.c",
        "link.c",
        whole,
    ):
        (bound,) = bounds_in(compiled, read_unroll(f"{named}:8=2")).loop_bounds
        assert bound[1] == 2
    with pytest.raises(UsageError):
        bounds_in(compiled, read_unroll("../program.c:8=2"))


@pytest.mark.parametrize("unroll", ["retry=1,retry=2", "program.c:8=1,./program.c:8=1"])
def test_a_place_has_one_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unroll: str) -> None:
    monkeypatch.chdir(tmp_path)
    ran = mazurka("check", "--unroll", unroll, program(tmp_path))
    assert ran.status == 2
    assert "bad-value" in ran.err
    assert "two bounds" in ran.err


def test_a_line_needs_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program(tmp_path)
    ran = mazurka("check", "--unroll", "99=3", "program.c")
    assert ran.status == 2
    assert "hint: for a line, write FILE:LINE=N, such as program.c:" in ran.err


def test_recursion_has_the_bound_of_its_function(tmp_path: Path) -> None:
    outcome = check(program(tmp_path, "depth(0)"), unroll="depth=2")
    assert (outcome.verdict, outcome.complete) == ("bounded", 3)
    assert [(cut.kind, cut.function, cut.bound) for cut in outcome.bounds] == [("recursion", "depth", 2)]


@pytest.mark.parametrize(
    ("unroll", "complete"), [(None, 3), (7, 3), ("retry=1", 2), ("program.c:8=4", 5), ("main=1", 3)]
)
def test_the_source_can_bound_a_loop(tmp_path: Path, unroll: int | str | None, complete: int) -> None:
    source = (PROGRAM % ("__VERIFIER_loop_bound(2);", "retry()")).replace(
        "return 0;\n}", "while (tries < 0) ;\n}"
    )
    path = write(tmp_path, source)
    outcome = check(path, unroll=unroll)
    assert outcome.complete == complete


def test_the_report_says_which_bound_was_reached(tmp_path: Path) -> None:
    path = program(tmp_path, bound="__VERIFIER_loop_bound(1);")
    ran = mazurka("check", path)
    assert ran.status == 3
    assert f"{path}:8: the loop in retry was cut after 1 iteration: raise its bound" in ran.out
    assert json.loads(mazurka("check", "--json", "-", path).out)["bounds"][0]["bound"] == 1


@pytest.mark.parametrize("unroll", ["nobody=3", "main=3", "program.c:9=3", "other.c:8=3"])
def test_unknown_places_are_errors(tmp_path: Path, unroll: str) -> None:
    ran = mazurka("check", "--unroll", unroll, program(tmp_path))
    assert ran.status == 2
    assert "bad-value" in ran.err
    assert "(in retry)" in ran.err


def test_bounds_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    ran = mazurka("check", program(tmp_path, bound="__VERIFIER_loop_bound(tries);"))
    assert ran.status == 2
    assert "'__VERIFIER_loop_bound' that is not a positive constant" in ran.err
    outside = program(tmp_path, "__VERIFIER_loop_bound(1)")
    assert "'__VERIFIER_loop_bound' outside of a loop" in mazurka("check", outside).err


CREATORS = """\
#include <pthread.h>
#include <stdatomic.h>
int threads;
atomic_int x;
static void *run(void *unused) { atomic_fetch_add(&x, 1); return 0; }
int main(void)
{
    pthread_t t[8];
    threads = 4;
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], 0);
    int found = 0;
    for (int i = x; i != 1; i = i %% 2 ? 3 * i + 1 : i / 2)
        found++;
    return found;
}
"""


def test_loops_that_create_threads_and_loops_over_private_data_are_not_cut(tmp_path: Path) -> None:
    outcome = check(write(tmp_path, CREATORS % ()), unroll=1)
    assert (outcome.verdict, outcome.complete) == ("verified", 24)
