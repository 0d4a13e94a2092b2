"""The pytest plugin: a sample project, marked tests, and files that say what they expect."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from mazurka.pytest_plugin import checked
from profiles import heavy

ROOT = Path(__file__).resolve().parents[2]
# Installed, the plugin is known to pytest; in a tree that is only on the path, it is named.
KNOWN = [] if "mazurka" in entry_points(group="pytest11").names else ["-p", "mazurka.pytest_plugin"]

PAGE = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
_FILE = re.compile(r"`(?P<name>[\w.]+\.(?:py|c))`:\n\n```\w+\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
FILES = {match["name"]: match["text"] for match in _FILE.finditer(PAGE)}  # those that the page shows
RACY = FILES["racy.c"]
_SECONDS = re.compile(r"\d+\.\d+ s")
SB = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with three tests, one of which fails, and files that are not collected unless asked for."""
    (tmp_path / "test_sample.py").write_text(FILES["test_counter.py"], encoding="utf-8")
    (tmp_path / "racy.c").write_text(RACY, encoding="utf-8")
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (tmp_path / "SB.litmus").write_text(f"{SB}exists (0:EAX=0 /\\ 1:EAX=0)\n", encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n", encoding="utf-8")
    return tmp_path


def run(project: Path, *arguments: str) -> tuple[int, str]:
    """Runs pytest on a project, in a process of its own."""
    command = [sys.executable, "-m", "pytest", *KNOWN, *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_sample_project_shows_the_counterexample(project: Path) -> None:
    status, out = run(project, "-v")
    assert status == 1
    assert "1 failed, 2 passed" in out
    assert "test_plain_counter FAILED" in out
    assert "Violation under rc11: a data race" in out
    assert "The execution, one column per thread, time running down:" in out
    assert "Traceback" not in out
    shown = re.search(r"^```text\n((?:.*\n)*?)```$", PAGE, re.MULTILINE)
    assert shown is not None
    for line in shown[1].splitlines()[1:]:
        assert _SECONDS.sub("0 s", line) in _SECONDS.sub("0 s", out)
    assert "warning" not in out.lower()


def test_files_are_collected_if_asked_for(project: Path) -> None:
    status, out = run(project, "--mazurka", "-v", "-k", "racy or SB")
    assert status == 0, out
    for name in (
        "racy.c::rc11 ",
        "racy.c::sc ",
        "racy.c::rc11 with int n -> _Atomic int n ",
        "SB.litmus::SB ",
    ):
        assert f"{name}PASSED" in out


def test_files_are_collected_by_patterns_or_by_name(project: Path) -> None:
    (project / "pytest.ini").write_text("[pytest]\nmazurka_files = *.litmus\n", encoding="utf-8")
    _, out = run(project, "--collect-only", "-q")
    assert "SB.litmus::SB" in out
    assert "racy.c" not in out
    _, out = run(project, "--collect-only", "-q", "racy.c")
    assert "racy.c::sc" in out
    assert "SB.litmus" not in out


@heavy
def test_files_that_are_wrong_fail_with_what_is_wrong(project: Path) -> None:
    (project / "racy.c").write_text(
        RACY.replace("[sc,tso]: verified", "[sc]: verified complete=9"), encoding="utf-8"
    )
    (project / "SB.litmus").write_text(f"{SB}~exists (0:EAX=0 /\\ 1:EAX=0)\n", encoding="utf-8")
    (project / "other").mkdir()
    (project / "other" / "SB.litmus").write_text(f"{SB}exists (0:EAX=0 /\\ 1:EAX=0)\n", encoding="utf-8")
    (project / "other" / "expected.tsv").write_text("test\texpected\nSB.litmus\tForbidden\n")
    _, out = run(project, "--mazurka", "other/SB.litmus")
    assert "expected Forbidden, found Allowed:" in out
    (project / "odd.litmus").write_text("X86 T\n{ x=; }\n", encoding="utf-8")
    status, out = run(project, "--mazurka", "racy.c", "SB.litmus", "odd.litmus")
    assert status == 1
    assert "expected verified complete=9, found verified complete=4" in out
    assert "the condition does not hold" in out
    assert "Observation SB Sometimes" in out
    assert "odd.litmus:2:" in out
    (project / "racy.c").write_text("// expect[sc]: perfect\nint main(void) { return 0; }\n", "utf-8")
    status, out = run(project, "racy.c")
    assert status == 2
    assert "cannot read the verdict of: perfect" in out


MORE = """
import mazurka
import pytest

x, y = mazurka.atomic("x"), mazurka.atomic("y")


def left():
    x.store(1, "relaxed")
    return y.load("relaxed")


def right():
    y.store(1, "relaxed")
    return x.load("relaxed")


def one_is_seen(a, b):
    assert a == 1 or b == 1


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_store_buffering(model, mazurka_check):
    program = mazurka.Threads(left, right, after=one_is_seen)
    assert mazurka_check(program, model=model).complete == 3


@pytest.mark.mazurka
def test_nothing():
    pass


@pytest.mark.mazurka("absent.c")
def test_absent():
    pass


@pytest.mark.mazurka("racy.c", model="sc")
def test_both():
    return mazurka.Threads(left, right)


@pytest.mark.mazurka(modle="sc")
def test_option():
    return mazurka.Threads(left, right)


@pytest.mark.mazurka(model="sc")
@pytest.mark.mazurka(model="tso")  # the second one
def test_two_marks():
    return mazurka.Threads(left, right)


@pytest.mark.mazurka  # the answer
def test_answer():
    return mazurka.check(mazurka.Threads(left, right))


def test_fixture(mazurka_check):
    mazurka_check(mazurka.Threads(left, right), expect="violation=rase")


def test_uncalled():
    mazurka.Threads(lambda: x.load == 1)
"""
LINES = {text: number for number, text in enumerate(MORE.splitlines(), 1)}


def test_programs_written_in_python(project: Path) -> None:
    (project / "test_sample.py").write_text(MORE, encoding="utf-8")
    (project / "test_models.py").write_text(FILES["test_models.py"], encoding="utf-8")
    status, out = run(project, "-v")
    assert status == 1
    assert "test_models.py::test_store_buffering[sc-3] PASSED" in out
    assert "test_models.py::test_store_buffering[tso-4] PASSED" in out
    assert "test_store_buffering[sc] PASSED" in out
    assert "test_store_buffering[tso] FAILED" in out
    assert "Assertion failed: a == 1 or b == 1" in out
    assert "this test names no program" in out
    assert "missing-file" in out
    for line, words in MISTAKES.items():
        assert f"test_sample.py:{LINES[line]}: error: {words}" in out
    assert "'x.load' is a method, not what it returns" in out
    for file in ("pytest_plugin.py", "threads.py", "recording.py", "variables.py"):
        assert file not in out


MISTAKES = {
    '@pytest.mark.mazurka("absent.c")': "'absent.c' does not exist",
    '@pytest.mark.mazurka("racy.c", model="sc")': "this test returns a program, but its mark names one, too",
    '@pytest.mark.mazurka(modle="sc")': "there is no option 'modle'",
    '@pytest.mark.mazurka(model="sc")': "this test has the mark 'mazurka' more than once",
    "@pytest.mark.mazurka  # the answer": "this is the answer of a check, not a program",
    '    mazurka_check(mazurka.Threads(left, right), expect="violation=rase")': "there is no kind",
}


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ({"modle": "sc"}, "there is no option 'modle' [unknown-option]", "did you mean 'model'?"),
        ({"expect": "violation=rase"}, "there is no kind of violation 'rase'", "did you mean 'race'?"),
        ({"expect": "verifed"}, "cannot read the verdict of: verifed", "verified, bounded, violation=KIND"),
        ({"expect": ""}, "cannot read the verdict of: ", "verified, bounded, violation=KIND"),
        ({"expect": 3}, "what is expected must be a string, not 3", 'expect="violation=race"'),
        ({"model": "rc12"}, "there is no model 'rc12'", "did you mean 'rc11'?"),
        ({"spin_assume": "no"}, "spin_assume must be True or False, not 'no'", "spin_assume=True"),
    ],
)
def test_mistakes_in_a_mark_are_told_in_short(options: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(pytest.fail.Exception) as failed:
        checked("int main(void) { return 0; }", ROOT, ("test_it.py", 7), **options)
    said = str(failed.value)
    assert said.startswith("test_it.py:7: error: ")
    assert message in said
    assert hint in said
    assert not failed.value.pytrace


def test_one_line_of_source_and_rules_of_a_model() -> None:
    """What is not a mistake."""
    where = ("test_it.py", 7)
    assert checked("int main(void) { return 0; }", ROOT, where, races="off").verdict == "verified"


def test_files_that_say_nothing_readable_are_errors(project: Path) -> None:
    """A file that is named says what is expected of it; a mistyped word does not hide a test."""
    (project / "silent.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    _, out = run(project, "--collect-only", "-q", "--mazurka")
    assert "silent.c" not in out
    status, out = run(project, "silent.c")
    assert status == 2
    assert "\nsilent.c: error: no expectation [bad-expectation]" in out
    (project / "typed.c").write_text(
        "// expct[sc]: verified\nint main(void) { return 0; }\n", encoding="utf-8"
    )
    status, out = run(project, "--mazurka")
    assert status == 2
    assert "\ntyped.c:1: error: cannot read: // expct[sc]: verified" in out


def test_other_projects_do_not_notice_it(project: Path) -> None:
    """Nothing is collected or loaded that they did not ask for."""
    loaded = "[m for m in sys.modules if m.startswith('mazurka.') and m != 'mazurka.pytest_plugin']"
    text = f"import sys\n\n\ndef test_modules():\n    assert not {loaded}\n"
    (project / "test_sample.py").write_text(text, encoding="utf-8")
    status, out = run(project)
    assert status == 0, out
    assert "1 passed" in out


def test_our_own_programs_are_not_collected() -> None:
    status, out = run(ROOT, "--collect-only", "-q", "-n0", "tests/programs", "examples")
    assert status == 5, out


CTRL_C = """
import os, signal, threading
import pytest
from mazurka import _engine

@pytest.fixture(autouse=True)
def ctrl_c_while_it_explores(monkeypatch):
    def explore(*given, **more):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        return usual(*given, **more)
    usual = _engine.explore
    monkeypatch.setattr(_engine, "explore", explore)

@pytest.mark.mazurka("large.c", model="sc", cflags=["-DN=40"])
def test_marked():
    pass

def test_fixture(mazurka_check):
    mazurka_check("large.c", model="sc", cflags=["-DN=40"])
"""


@pytest.mark.parametrize("name", ["test_marked", "test_fixture"])
def test_ctrl_c_during_a_check_ends_pytest(name: str, tmp_path: Path) -> None:
    large = (ROOT / "benchmarks" / "programs" / "lastzero.c").read_text(encoding="utf-8")
    (tmp_path / "large.c").write_text(large, encoding="utf-8")
    (tmp_path / "test_large.py").write_text(CTRL_C, encoding="utf-8")
    (tmp_path / "test_next.py").write_text("def test_next(): pass\n", encoding="utf-8")
    status, out = run(tmp_path, "-p", "no:xdist", f"test_large.py::{name}", "test_next.py")
    assert (status, "KeyboardInterrupt" in out) == (2, True)
    assert "no tests ran" in out
