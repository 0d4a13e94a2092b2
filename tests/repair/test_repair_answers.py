"""The answers of ``fix`` and ``tune`` for programs: as JSON, in Python, and with the flags of a build."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import mazurka
import pytest
from mazurka.cli.commands import main
from ticks import wait_a_tick

HANDOVER = """\
#include <pthread.h>
#include <stdatomic.h>
#include "raise.h"
int value;
atomic_int ready;
void *give(void *a) {
    value = 42;
    RAISE(&ready);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, give, 0);
    int seen = atomic_load_explicit(&ready, memory_order_acquire) ? value : 42;
    return pthread_join(t, 0) || seen != 42;
}
"""
HEADER = "#define RAISE(flag) atomic_store_explicit(flag, NUMBER, memory_order_relaxed)\n"
CALL = "atomic_store_explicit(flag, NUMBER, memory_order_relaxed)"
ENTRY = {
    "directory": "../build",
    "file": "../src/give.c",
    "command": "cc -I../include -D NUMBER=1 -c ../src/give.c",
}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose build says where a header is, and what a macro means."""
    for folder in ("src", "include", "build"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "give.c").write_text(HANDOVER, encoding="utf-8")
    (tmp_path / "include" / "raise.h").write_text(HEADER, encoding="utf-8")
    wait_a_tick()
    database = tmp_path / "build" / "compile_commands.json"
    database.write_text(json.dumps([{**ENTRY, "directory": str(tmp_path / "build")}]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("MAZURKA_CACHE", raising=False)  # other tests may have switched it off
    return tmp_path


def entries(folder: Path) -> int:
    return len(list((folder / "cache" / "mazurka").glob("*.entry")))


def written(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_flags_of_a_build_hold_for_all_variants(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And temporary copies leave nothing in the cache."""
    assert main(["fix", "--compile-commands", "build", "--json", "fix.json"]) == 0
    told = capsys.readouterr().out
    assert f"include/raise.h:1: {CALL}: relaxed → release\n" in told
    assert "\nWith this patch: Verified under rc11" in told
    assert "mazurka-" not in told  # no name of a temporary folder
    found = written(built / "fix.json")
    assert (found["command"], found["result"], found["written"]) == ("fix", "fixed", False)
    change = {"kind": "ordering", "file": "include/raise.h", "line": 1, "call": CALL}
    assert found["changes"] == [{**change, "from": "relaxed", "to": "release", "where": None}]
    assert found["patch"].startswith("--- include/raise.h\n+++ include/raise.h\n")
    assert (found["before"]["verdict"], found["after"]["verdict"]) == ("violation", "verified")
    assert found["before"]["violation"]["kind"] == "race"
    assert (found["left"], found["needed"], found["limit"]) == (None, [], None)
    assert found["orderings"] == 2
    kept = entries(built)  # the program, and what was learned of models and libraries
    assert kept > 0
    assert main(["fix", "--compile-commands", "build"]) == 0
    assert entries(built) == kept


def test_what_each_ordering_is_needed_for(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = built / "include" / "raise.h"
    header.write_text(HEADER.replace("relaxed", "release"), encoding="utf-8")
    command = ["tune", "--compile-commands", "build", "--write", "--json", "-"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    race = {"kind": "race", "file": "src/give.c", "line": 14}
    assert (found["result"], found["changes"], found["patch"], found["written"]) == ("weakest", [], "", False)
    store, load = found["needed"]
    assert (store["order"], store["weaker"], store["finding"]) == ("release", "relaxed", race)
    assert (load["file"], load["line"], load["finding"]) == ("src/give.c", 14, race)


def test_answers_in_python(built: Path) -> None:
    options: dict[str, Any] = {"cflags": ["-Iinclude", "-DNUMBER=1"]}
    repair = mazurka.fix("src/give.c", **options)
    assert (repair.result, [str(change) for change in repair.changes]) == (
        "fixed",
        [f"include/raise.h:1: {CALL}: relaxed → release"],
    )
    assert pickle.loads(pickle.dumps(repair)) == repair
    assert (built / "include" / "raise.h").read_text(encoding="utf-8") == HEADER  # nothing is written
    assert repair.texts == {str(built / "include" / "raise.h"): HEADER.replace("relaxed", "release")}
    assert mazurka.fix(["src/give.c"], races="off", **options).result == "correct"
    assert (
        mazurka.fix(Path("src/give.c"), attempts=1, **options).limit == "1 variant was checked (--attempts)"
    )
    assert mazurka.tune("src/give.c", compile_commands="build").result == "wrong"


def test_findings_in_python_have_the_paths_of_reports(built: Path) -> None:
    header = built / "include" / "raise.h"
    header.write_text(HEADER.replace("relaxed", "release"), encoding="utf-8")
    tuned = mazurka.tune("src/give.c", compile_commands="build")
    assert {needed.finding.file for needed in tuned.needs} == {"src/give.c"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"modle": "sc"}, "there is no option 'modle'"),
        ({"time_limit": "3"}, "time_limit must be a number"),
        ({"cflags": 3}, "cflags must be a list of strings"),
        ({"attempts": "3"}, "attempts must be a number"),
    ],
)
def test_mistaken_options_are_told(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    for search in (mazurka.fix, mazurka.tune):
        with pytest.raises(mazurka.UsageError, match=message):
            search(tmp_path / "program.c", **options)


def test_what_stays_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the load at seq_cst, the plain accesses of both threads race all the same."""
    program = tmp_path / "both.c"
    text = HANDOVER.replace('#include "raise.h"\n', HEADER).replace("NUMBER", "1")
    program.write_text(text.replace("? value : 42", "+ value"), encoding="utf-8")
    assert main(["fix", str(program), "--json", "-"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["result"], found["after"], found["patch"]) == ("unfixed", None, "")
    assert (found["left"]["kind"], found["left"]["fenced"]) == ("race", True)


def test_programs_without_files_cannot_be_changed() -> None:
    for program in (HANDOVER, "int main(void) { }", mazurka.Source(HANDOVER)):
        with pytest.raises(mazurka.UsageError, match="not in a file"):
            mazurka.fix(program)  # type: ignore[arg-type]  # which is what is tested
