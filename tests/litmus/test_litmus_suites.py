"""Folders of litmus tests: the bar, the summary, and models that are run without being shown to fit."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from mazurka.cli import commands

TEXT = "X86 {0}\n{{}}\nP0;\nMOV [x],$1;\nexists (x=1)\n"
# Nothing orders data dependencies, so executions in which values come from nowhere are left out.
MODEL = "acyclic po-loc | com as coherence\nacyclic ctrl | addr ; po? | rfe as order\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Six tests, of which two have other verdicts than the table says, and one cannot be read."""
    for name in "abcdef":
        (tmp_path / f"{name}.litmus").write_text(TEXT.format(name))
    (tmp_path / "e.litmus").write_text("X86 e\n{}\nP0;\nMOVE [x],$1;\nexists (x=1)\n")
    rows = ["test\texpected", "a.litmus\tAllowed", "b.litmus\tForbidden", "f.litmus\tForbidden"]
    (tmp_path / "expected.tsv").write_text("\n".join([*rows, ""]))
    return tmp_path


def test_the_summary_names_what_was_not_as_expected(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["litmus", str(suite), "--workers", "1"]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines()[-3:] == [
        "6 tests: 5 ran, 1 could not run; 1 as expected, 2 not",
        f"  {suite / 'b.litmus'}: expected Forbidden",
        f"  {suite / 'f.litmus'}: expected Forbidden",
    ]
    assert f"{suite / 'e.litmus'}:4:1: error:" in shown.err


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a.litmus\tNever", "'Never' is not a verdict"),
        ("a.litmus", "this row says nothing about a test"),
        ("./a.litmus\tForbidden", "a second verdict for this test"),
        ("more/missing.litmus\tAllowed", "there is no test more/missing.litmus"),
    ],
)
def test_a_row_that_is_wrong_is_named(
    row: str, message: str, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = suite / "expected.tsv"
    table.write_text(f"{table.read_text()}{row}\n")
    assert commands.main(["litmus", str(suite)]) == 2
    assert f"{table}:5: error: {message}" in capsys.readouterr().err


def test_a_row_about_a_missing_test_elsewhere_is_left_alone(suite: Path) -> None:
    (suite / "more").mkdir()
    (suite / "more" / "a.litmus").write_text(TEXT.format("a"))
    rows = ["test\texpected", "missing.litmus\tAllowed", "./more/a.litmus\tForbidden"]
    (suite / "expected.tsv").write_text("\n".join([*rows, ""]))
    assert commands.main(["litmus", str(suite / "more")]) == 1


def test_a_test_without_executions_has_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.litmus"
    path.write_text("C T\n{}\nP0(spinlock_t *x) { spin_lock(x); spin_lock(x); }\n~exists (x=1)\n")
    assert commands.main(["litmus", str(path)]) == 0
    assert "\nWarning: no execution runs to its end\n" in capsys.readouterr().out


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    commands.main(["litmus", str(suite), "--workers", "1"])
    bars = re.findall(r"([#.]{30}) (\d) of 6 tests(, \d)?", terminal.getvalue())
    assert [(bar.count("#"), int(done)) for bar, done, _ in bars] == [(5 * n, n) for n in range(1, 7)]
    assert [bad for _, _, bad in bars] == ["", *[", 1"] * 3, ", 2", ", 3"]
    assert terminal.getvalue().endswith("\r\033[K")  # the last one is removed


def test_no_bar_elsewhere(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands.main(["litmus", str(suite), "--workers", "1"])
    assert "6 tests" not in capsys.readouterr().err


def test_a_model_that_is_not_shown_to_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    test, model = tmp_path / "t.litmus", tmp_path / "m.cat"
    test.write_text(TEXT.format("t"))
    model.write_text(MODEL)
    arguments = ["litmus", str(test), "--model", str(model)]
    assert commands.main(arguments) == 2
    assert "no axiom forbids cycles of data ; [W] and rf" in capsys.readouterr().err
    assert commands.main([*arguments, "--unchecked-model"]) == 0
    log = capsys.readouterr().out
    assert f"\nWarning: {model}:2:1: no axiom forbids cycles of data ; [W] and rf" in log
    assert "\nObservation t Always 1 0\n" in log
    assert commands.main([*arguments, "--unchecked-model", "--json", "-"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert len(answer["warnings"]) == 1
