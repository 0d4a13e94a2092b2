"""``mazurka check --explain``: what was done to each loop, and if nothing, why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from mazurka.kat.language.load import load_text, named_model
from mazurka.models.registry import runnable_models
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
    4: ("wait", "a call of itself that changes nothing is not made", ""),
    7: ("waiter", STOPS, ""),
    10: ("waiter", f"{STOPS} (merged with equal code before it)", ""),
    12: ("waiter", f"{STOPS}, if its exchanges write back what they read", ""),
    15: ("waiter", f"{STOPS} (rotated)", ""),
    19: ("waiter", "stays as it is", "a value changes from round to round in line 19"),
    21: ("waiter", "stays as it is", "it stores to 'tries' in line 22"),
    30: ("main", "needs no bound: the number of its rounds is constant", ""),
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "loops.c"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def test_each_loop_has_a_line(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", *STATIC, str(program)])
    lines = capsys.readouterr().out.split("  Loops:\n")[1].splitlines()
    expected = [
        f"    {program}:{line} (in {function}): {what}{f': {why}' if why else ''}"
        for line, (function, what, why) in EXPECTED.items()
    ]
    assert lines == expected


def test_json_has_the_same(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", "--json", "-", *STATIC, str(program)])
    loops = json.loads(capsys.readouterr().out)["loops"]
    assert {loop["line"]: (loop["function"], loop["what"], loop["why"]) for loop in loops} == EXPECTED


def test_loops_are_left_alone_if_that_is_asked_for(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--explain", "--no-spin-assume", *STATIC, str(program)])
    assert capsys.readouterr().out.count("stays as it is: looking for such rounds is off") == 7
    main(["check", "--explain", "--no-reshape-loops", *STATIC, str(program)])
    shown = capsys.readouterr().out
    assert "merged" not in shown
    assert "rotated" not in shown


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
    assert loops[12]["why"] == "a read-modify-write changes memory in line 12"
