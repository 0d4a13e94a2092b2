"""Pictures from the command line: which files are written, what is refused, and what is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import mazurka

ROOT = Path(__file__).resolve().parents[2]
VERIFIED = ROOT / "examples" / "message_passing.c"
BUGGY = ROOT / "examples" / "buggy" / "store_buffering_relaxed.c"


def test_files_of_a_counterexample(tmp_path: Path) -> None:
    paths = {form: tmp_path / f"a.{form}" for form in ("svg", "dot", "html")}
    ran = mazurka("check", BUGGY, *(word for form, path in paths.items() for word in (f"--{form}", path)))
    assert ran.status == 1
    assert ran.out.splitlines()[-1] == f"written: {', '.join(map(str, paths.values()))}"
    starts = {form: path.read_text(encoding="utf-8").split(maxsplit=1)[0] for form, path in paths.items()}
    assert starts == {"svg": "<svg", "dot": "digraph", "html": "<!DOCTYPE"}


@pytest.mark.parametrize("form", ["svg", "dot", "html"])
def test_standard_output_takes_one_of_them(form: str) -> None:
    ran = mazurka("check", BUGGY, f"--{form}", "-")
    assert ran.status == 1
    assert ran.out.split(maxsplit=1)[0] in ("<svg", "digraph", "<!DOCTYPE")
    both = mazurka("check", BUGGY, f"--{form}", "-", "--json", "-")
    assert both.status == 2
    assert "only one output may use standard output" in both.err
    assert f"--{form}" in both.err


def test_nothing_is_written_if_nothing_was_found(tmp_path: Path) -> None:
    ran = mazurka("check", VERIFIED, "--html", tmp_path / "a.html", "--svg", tmp_path / "a.svg")
    assert ran.status == 0
    assert "no violation was found, so nothing was written to" in ran.out
    assert "--all-executions" in ran.out
    assert list(tmp_path.iterdir()) == []


def test_all_executions_need_a_page() -> None:
    ran = mazurka("check", VERIFIED, "--all-executions")
    assert ran.status == 2
    assert "--all-executions needs --html" in ran.err


def test_all_executions_of_a_program(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    assert mazurka("check", VERIFIED, "--all-executions", "--html", page).status == 0
    assert page.read_text(encoding="utf-8").count("<article ") == 2


def test_symmetric_executions_are_all_shown(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    ran = mazurka("check", ROOT / "examples" / "mutex_counter.c", "--all-executions", "--html", page)
    complete = int(ran.out.split("(")[1].split(" ", maxsplit=1)[0])
    assert page.read_text(encoding="utf-8").count("<article ") == complete > 1


def test_executions_up_to_a_violation(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    assert mazurka("check", BUGGY, "--all-executions", "--html", page).status == 1
    text = page.read_text(encoding="utf-8")
    assert "there may be more executions" in text
    assert 'data-value="assertion"' in text


def test_too_many_executions_are_refused(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    ran = mazurka("check", ROOT / "examples" / "treiber_stack.c", "--all-executions", "--html", page)
    assert ran.status == 2
    assert "25680 executions, but a page shows at most 500" in ran.err
    assert "the verdict was 'verified' [too-large]" in ran.err
    assert "hint: " in ran.err
    assert ran.out.startswith("Verified")
    assert not page.exists()


def test_nothing_is_loaded_that_is_not_drawn() -> None:
    code = "import sys, mazurka; mazurka.check(sys.argv[1]); print(*sys.modules)"
    for loads in ("import sys, mazurka; print(*sys.modules)", code):
        done = subprocess.run(
            [sys.executable, "-c", loads, str(VERIFIED)], capture_output=True, text=True, check=True
        )
        assert "mazurka.pictures" not in done.stdout
        assert "mazurka.reference" not in done.stdout
