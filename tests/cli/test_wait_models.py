"""Loops that wait under models of one's own: what is stopped depends on what is known of the model."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from mazurka.cli.commands import main
from mazurka.errors import ErrorCode, SourceError

SC = "acyclic po | rf | co | fr as one-order\n"
NOT_MONOTONE = f"{SC}empty (po-imm ; [F]) & 0 as odd\n"
PROGRAM = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, lock;
void *other(void *arg) { flag = 1; lock = 0; return arg; }
int main(void) {
    pthread_t t;
    lock = 1;
    pthread_create(&t, 0, other, 0);
    %s;
    return 0;
}
"""
WAITS = "while (!flag)"
EXCHANGES = "while (atomic_exchange(&lock, 1))"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return _written(tmp_path / "own.kat", SC)


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _program(tmp_path: Path, loop: str) -> Path:
    return _written(tmp_path / "program.c", PROGRAM % loop)


def test_rounds_that_only_read_are_stopped(tmp_path: Path, own: Path) -> None:
    program = _program(tmp_path, WAITS)
    found = mazurka.check(program, model=own)
    assert (found.verdict, found.complete) == ("verified", 1)


@pytest.mark.parametrize("dynamic", [True, False])
def test_exchanges_that_write_back_are_effects(tmp_path: Path, own: Path, dynamic: bool) -> None:
    """Under sc they are not, although the axiom is the same: what readers may read instead is known of sc."""
    program = _program(tmp_path, EXCHANGES)
    assert mazurka.check(program, model="sc", dynamic_spin_assume=dynamic).verdict == "verified"
    with pytest.raises(SourceError) as caught:
        mazurka.check(program, model=own, dynamic_spin_assume=dynamic)
    assert caught.value.code == ErrorCode.ENDLESS_LOOP


def test_all_rounds_are_explored_if_the_model_is_not_monotone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As under sc with everything switched off; the report says why."""
    program, model = _program(tmp_path, WAITS), _written(tmp_path / "odd.kat", NOT_MONOTONE)
    found = mazurka.check(program, model=model, unroll=3)
    same = mazurka.check(program, model="sc", unroll=3, spin_assume=False, dynamic_spin_assume=False)
    assert (found.verdict, found.complete, found.blocked) == ("bounded", same.complete, same.blocked)
    assert same.complete == 4  # the loop is left after 0, 1, 2 or 3 iterations
    main(["check", str(program), "--model", str(model), "--unroll", "3", "--explain"])
    shown = capsys.readouterr().out
    assert "rounds of loops that change nothing were explored, since in the model 'odd' has 'po-imm'" in shown
    assert "every round is explored, because in the model 'odd' has 'po-imm'" in shown


def test_without_a_bound_the_error_is_explained_by_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, model = _program(tmp_path, WAITS), _written(tmp_path / "odd.kat", NOT_MONOTONE)
    assert main(["check", str(program), "--model", str(model), "--explain"]) == 2
    assert "every round is explored, because in the model 'odd' has 'po-imm'" in capsys.readouterr().err
