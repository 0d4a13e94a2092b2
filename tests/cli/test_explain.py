"""``mazurka check --explain``: what was done to each loop, and if nothing, why not."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from mazurka.kat.language.load import load_text, named_model
from mazurka.models.registry import runnable_models
from mazurka.program.loop_notes import Obstacle
from mazurka.report.loops import OBSTACLES
from mazurka.soundness.removal import why_not_removable

PROGRAM = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, lock, tries;
static void wait(void) { if (!flag) wait(); }
void *writer(void *arg) { flag = 1; return arg; }
void *waiter(void *arg) {
    while (!flag)
        ;
    int seen = flag;
    while (!seen)
        seen = flag;
    while (atomic_exchange(&lock, 1))
        ;
    _Bool taken = 0;
    while (!taken) {
        int free = 0;
        taken = atomic_compare_exchange_strong(&lock, &free, 1);
    }
    for (int i = 0; !flag; i++)
        ;
    while (!flag)
        tries = 1;
    wait();
    return arg;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, waiter, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
"""
STOPS = "a round that changes nothing is not repeated"
STATIC = ("--no-dynamic-spin-assume", "--unroll", "2")
EXPECTED = {
    4: ("wait", "a recursive call that changes nothing is skipped", ""),
    7: ("waiter", STOPS, ""),
    10: ("waiter", f"{STOPS} (merged with equal code before it)", ""),
    12: ("waiter", f"{STOPS}; exchanges that write back what they read change nothing", ""),
    15: ("waiter", f"{STOPS} (rotated)", ""),
    19: ("waiter", "every round is explored", "a variable that the next round uses may change on line 19"),
    21: ("waiter", "every round is explored", "it stores to 'tries' on line 22"),
    30: ("main", "needs no bound: its number of rounds is constant", ""),
}
COMPARED = "each round is compared with the one before, and not repeated if it changed nothing"
IF_IT_WAITS = "      if it waits for another thread: "


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "loops.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def explained(text: str) -> list[str]:
    return text.split("  Loops:\n")[1].splitlines()


def test_each_loop_has_a_line(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", *STATIC, str(program)])
    lines = [line for line in explained(capsys.readouterr().out) if not line.startswith(IF_IT_WAITS)]
    expected = [
        f"    {program}:{line} (in {function}): {what}{f', because {why}' if why else ''}"
        for line, (function, what, why) in EXPECTED.items()
    ]
    assert lines == expected


def test_loops_of_which_all_rounds_are_explored_come_with_a_cure(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", "--explain", *STATIC, str(program)])
    lines = explained(capsys.readouterr().out)
    cures = {line.split(" (in")[0]: after for line, after in pairwise(lines) if after.startswith(IF_IT_WAITS)}
    assert cures.keys() == {f"    {program}:19", f"    {program}:21"}
    assert all(cure.endswith(", or bound it with --unroll N") for cure in cures.values())
    assert "store before or after the loop" in cures[f"    {program}:21"]


def test_compared_loops_say_why_they_have_to_be(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", "--unroll", "2", str(program)])
    why = "this is not known beforehand, because it stores to 'tries' on line 22"
    at = explained(capsys.readouterr().out).index(f"    {program}:21 (in waiter): {COMPARED}; {why}")
    assert at >= 0


def test_json_has_the_same(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", "--json", "-", *STATIC, str(program)])
    loops = json.loads(capsys.readouterr().out)["loops"]
    assert {loop["line"]: (loop["function"], loop["what"], loop["why"]) for loop in loops} == EXPECTED
    assert {loop["line"] for loop in loops if loop["hint"]} == {19, 21}
    assert not any(loop["compared"] for loop in loops)


REFUSED = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, tries;
void *writer(void *arg) { flag = 1; return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    while (!flag)
        tries = 1;
    while (!flag)
        ;
    return 0;
}
"""


def test_refused_programs_are_explained_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what could be changed in loops whose rounds are compared: comparing was not enough."""
    path = tmp_path / "refused.c"
    path.write_text(REFUSED, encoding="utf-8")
    assert main(["check", "--explain", "--json", "-", str(path)]) == 2
    shown = capsys.readouterr()
    assert f"{path}:8:5: error: the loop in main can go round any number of times [endless-loop]" in shown.err
    why = "this is not known beforehand, because it stores to 'tries' on line 9"
    assert explained(shown.err) == [
        f"    {path}:8 (in main): {COMPARED}; {why}",
        f"{IF_IT_WAITS}store before or after the loop, or bound it with --unroll N",
        f"    {path}:10 (in main): {STOPS}",
    ]
    document = json.loads(shown.out)
    assert document["error"]["code"] == "endless-loop"
    assert [(loop["line"], loop["compared"]) for loop in document["loops"]] == [(8, True), (10, False)]
    assert main(["check", "--json", "-", str(path)]) == 2
    shown = capsys.readouterr()
    assert "Loops:" not in shown.err
    assert "loops" not in json.loads(shown.out)


FOUND = {
    "spin_observed": (
        "explored again with rounds that take back what they wrote, because another thread saw one",
    ),
    "spin_attempt_counted": (
        "explored again with rounds that take back what they wrote, because another thread saw one",
        "explored again with attempts that fail, because their count is used for something else, too",
    ),
    "wait_rw_lock": ("a thread stops as soon as an attempt has failed",),
    "spin_take_back": (),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_the_exploration_found_out_is_said(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "programs" / f"{name}.c"
    main(["check", "--explain", "--model", "sc", str(path)])
    line = explained(capsys.readouterr().out)[0]
    said = {words for every in FOUND.values() for words in every if words in line}
    assert said == set(FOUND[name])


def test_attempts_do_not_stop_a_thread_if_that_is_switched_off(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(__file__).parents[1] / "programs" / "wait_rw_lock.c"
    options = ["--no-zero-net-effect", "--unroll", "1", "--json", "-"]
    main(["check", "--explain", "--model", "sc", *options, str(path)])
    assert not any(loop["found"] for loop in json.loads(capsys.readouterr().out)["loops"])


def test_loops_in_one_line_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By their columns; loops of a macro, of which the same is said, share a line."""
    path = tmp_path / "line.c"
    waiting = "while (!flag) ; while (!flag) tries = 1;\n    TWICE;\n"
    macro = "#define TWICE while (!flag) ; while (!tries)\n"
    source = PROGRAM.replace("atomic_int", f"{macro}atomic_int", 1).replace(
        "while (!flag)\n        ;\n", waiting
    )
    path.write_text(source, encoding="utf-8")
    main(["check", "--explain", "--json", "-", *STATIC, str(path)])
    columns = [loop["column"] for loop in json.loads(capsys.readouterr().out)["loops"] if loop["line"] == 8]
    assert columns == [5, 21]
    main(["check", "--explain", *STATIC, str(path)])
    lines = explained(capsys.readouterr().out)
    assert f"    {path}:8:5 (in waiter): {STOPS}" in lines
    assert (
        f"    {path}:8:21 (in waiter): every round is explored, because it stores to 'tries' on line 8"
        in lines
    )
    assert f"    {path}:9 (in waiter, 2 loops): {STOPS}" in lines


def test_nothing_is_said_about_a_program_that_was_not_compiled(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--explain", "--no-cache", "--time-limit", "0.0001", str(program)]) == 3
    assert "nothing is known about its loops" in capsys.readouterr().out


def test_loops_are_left_alone_if_that_is_asked_for(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", "--no-spin-assume", *STATIC, str(program)])
    off = "every round is explored, because the search for rounds that change nothing is switched off"
    assert capsys.readouterr().out.count(off) == 7
    main(["check", "--explain", "--no-reshape-loops", *STATIC, str(program)])
    shown = capsys.readouterr().out
    assert "merged" not in shown
    assert "rotated" not in shown


@pytest.mark.parametrize("obstacle", Obstacle)
def test_each_obstacle_has_words(obstacle: Obstacle) -> None:
    assert (obstacle is Obstacle.CONSTANT_ROUNDS) != (obstacle in OBSTACLES)


def test_rounds_of_the_models_of_mazurka_can_be_left_out() -> None:
    for name in runnable_models():
        assert why_not_removable(named_model(name)) is None, name


NOT_MONOTONE = {
    "acyclic po | rf | co | fr as sc\nempty (po-imm ; [F]) & 0 as odd": "'odd' has 'po-imm'",
    "let ob = po | rf | co | fr\nacyclic ob as sc\nempty (rf \\ (po ; po)) & 0 as odd": "'odd' has",
}


@pytest.mark.parametrize("axioms", NOT_MONOTONE)
def test_a_model_that_is_not_monotone_keeps_all_rounds(axioms: str) -> None:
    reason = why_not_removable(load_text(f"{axioms}\n"))
    assert reason is not None
    assert NOT_MONOTONE[axioms] in reason


def test_in_a_model_of_ones_own_exchanges_are_effects(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether readers may read from the write before is not known of it."""
    own = tmp_path / "own.kat"
    own.write_text("acyclic po | rf | co | fr as one-order\n", encoding="utf-8")
    main(["check", "--explain", "--json", "-", "--model", str(own), "--unroll", "2", str(program)])
    loops = {loop["line"]: loop for loop in json.loads(capsys.readouterr().out)["loops"]}
    assert loops[7]["what"] == STOPS
    assert loops[12]["why"] == "it may change memory by a read-modify-write on line 12"
