"""Expected outcomes and reports in Python: what the command says, as values."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import mazurka
import pytest
from mazurka.cli.commands import main

ROOT = Path(__file__).resolve().parents[2]
MESSAGE = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, flag;
int seen;
static void *send(void *p) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, send, 0);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        seen = 10 + atomic_load_explicit(&data, memory_order_relaxed);
    return pthread_join(t, 0);
}
"""


def test_an_outcome_that_is_allowed() -> None:
    answer = mazurka.expect_outcome(MESSAGE, "seen == 11")
    assert (answer.verdict, answer.outcome.verdict, answer.axioms) == ("allowed", "verified", ())
    assert answer.execution is not None
    assert (answer.execution.final["seen"], answer.execution.final["flag"]) == (11, 1)
    assert "read data: 1" in str(answer)
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_an_outcome_that_is_forbidden() -> None:
    answer = mazurka.expect_outcome(MESSAGE, "seen == 10")
    assert (answer.verdict, answer.execution, answer.axioms) == ("forbidden", None, ("coherence",))
    steps = [(event.thread, event.line, event.access, event.relation) for event in answer.cycle]
    assert steps[0][:3] == steps[-1][:3]
    assert set(steps[:-1]) == {
        (1, 6, "W data=1", "po"),
        (1, 7, "W.rel flag=1", "rf"),
        (0, 13, "R.acq flag=1", "po"),
        (0, 14, "R data=0", "fr"),
    }
    assert "  no complete execution ends this way: forbidden by coherence" in str(answer)
    assert pickle.loads(pickle.dumps(answer)) == answer


def test_an_outcome_that_is_not_decided() -> None:
    answer = mazurka.expect_outcome(MESSAGE, "seen == 10", max_executions=1)
    assert (answer.verdict, answer.cycle) == ("undecided", ())


def test_programs_in_python() -> None:
    x, y = mazurka.atomic("x"), mazurka.atomic("y")

    def left() -> object:
        x.store(1)
        return y.load()

    def right() -> object:
        y.store(1)
        return x.load()

    program = mazurka.Threads(left, right)
    answer = mazurka.expect_outcome(program, "x == 1 && y == 1")
    assert answer.execution is not None
    assert answer.execution.results in {(0, 1), (1, 0), (1, 1)}
    assert mazurka.expect_outcome(program, "x == 0").verdict == "forbidden"


def test_what_cannot_be_asked() -> None:
    with pytest.raises(mazurka.UsageError, match="'sen' is not a global variable") as refused:
        mazurka.expect_outcome(MESSAGE, "sen == 1")
    assert refused.value.hint == "did you mean 'seen'?"
    assert str(refused.value).startswith("condition:1:1: error: ")
    with pytest.raises(mazurka.UsageError, match="cannot be used with"):
        mazurka.expect_outcome(MESSAGE, "seen == 1", equivalence="rf")
    with pytest.raises(mazurka.UsageError, match="expected '==' or '!=', found '<'"):
        mazurka.expect_outcome(MESSAGE, "seen < 1")
    any_outcome: Any = mazurka.expect_outcome
    with pytest.raises(mazurka.UsageError, match="a condition must be a string, not 3"):
        any_outcome(MESSAGE, 3)
    with pytest.raises(mazurka.UsageError, match="there is no option 'modle'"):
        any_outcome(MESSAGE, "seen == 1", modle="sc")
    with pytest.raises(mazurka.UsageError, match="time_limit must be a number"):
        any_outcome(MESSAGE, "seen == 1", time_limit="3")


@pytest.mark.parametrize("option", ["", "verbose", "explain", "calls"])
def test_a_report_is_what_the_command_prints(
    option: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    program = ROOT / "tests" / "programs" / "race_plain_counter.c"
    shown = {option: True} if option else {}
    outcome = mazurka.check(program, verbose=option == "verbose")
    assert outcome.report(**shown) == mazurka.outcome_as_text(outcome, **shown)
    main(["check", str(program), *([f"--{option}"] if option else [])])
    told = capsys.readouterr().out.splitlines()
    assert outcome.report(**shown).splitlines()[1:] == told[1:]  # the first line has the time
    assert max(map(len, outcome.report(width=60).splitlines()[1:])) < max(map(len, told[1:]))
