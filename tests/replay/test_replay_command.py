"""``mazurka replay``: what is printed, what is refused, and which file is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mazurka.cli.commands import main

PRINTING = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <assert.h>
#include "limit.h"
atomic_int x, y;
static void *writer(void *unused) {
    x = 1;
    printf("wrote x\\n");
    y = 1;
    printf("wrote y\\n");
    return 0;
}
static void *reader(void *unused) {
    int a = y;
    printf("y is %d\\n", a);
    int b = x;
    printf("x is %d\\n", b);
    assert(a + b < LIMIT);
    return 0;
}
int main(void) {
    pthread_t one, two;
    printf("hello\\n");
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program whose assertion fails, in the working directory, with a witness next to it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "limit.h").write_text("#define LIMIT 2\nstatic inline int limit(void) { return LIMIT; }\n")
    (tmp_path / "program.c").write_text(PRINTING)
    assert main(["check", "program.c", "--model", "rc11", "--witness", "witness.json"]) == 1
    return tmp_path


def changed(program: Path, **fields: object) -> None:
    witness = program / "witness.json"
    witness.write_text(json.dumps({**json.loads(witness.read_text()), **fields}))


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["replay", "witness.json"]) == 2
    said = capsys.readouterr()
    assert not said.out
    return said.err


def test_it_prints_what_this_execution_prints(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["replay", "witness.json"]) == 1
    report = capsys.readouterr().out
    assert "an assertion fails (replayed;" in report
    printed = report.split("The program printed:\n")[1].splitlines()
    assert sorted(printed) == sorted(
        ["  main │ hello", "  T1   │ y is 1", "  T1   │ x is 1", "  T2   │ wrote x", "  T2   │ wrote y"]
    )
    assert printed[0] == "  main │ hello"
    assert (
        printed.index("  T2   │ wrote x")
        < printed.index("  T1   │ y is 1")
        < printed.index("  T1   │ x is 1")
    )


def test_the_witness_has_the_execution(program: Path) -> None:
    witness = json.loads((program / "witness.json").read_text())
    assert (witness["format"], witness["version"]) == ("mazurka-witness", 1)
    assert "program.c" in witness["sources"]
    _, reader, writer = witness["execution"]["threads"]
    assert [event["rf"] for event in reader] == [[2, 1], [2, 0]]
    assert [event["kind"] for event in writer] == ["W", "W"]


def test_a_changed_source_is_named(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program / "program.c").write_text(PRINTING.replace("x = 1", "x = 2"))
    said = refused(capsys)
    assert "program.c: error: this file has changed since the witness was written [changed]" in said


def test_a_missing_source_is_named(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program / "program.c").unlink()
    assert "program.c: error: the witness needs this file, which cannot be read" in refused(capsys)


def test_a_folder_is_no_witness(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(program)]) == 2
    assert f"'{program}' is a directory [is-a-directory]" in capsys.readouterr().err


def test_a_changed_header_is_noticed(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program / "limit.h").write_text("#define LIMIT 1\n")
    said = refused(capsys)
    assert "limit.h: error: this file has changed" in said or "compile to a different program" in said


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"version": 2}, "has version 2 of the format, and only version 1 can be replayed"),
        ({"format": "other"}, "error: this is not a Mazurka witness"),
        ({"route": {}}, "error: the witness is damaged: something is missing from it"),
        ({"options": {"moodel": "sc"}}, "names options that Mazurka"),
        ({"execution": None, "mazurka": "0.0"}, "the recorded choices lead to a different execution"),
    ],
)
def test_damaged_witnesses_are_refused(
    fields: dict[str, object], message: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(program, **fields)
    assert message in refused(capsys)


@pytest.mark.parametrize("name", ["choices", "threads", "attempt", "schedule_seed", "stuck", "cuts"])
@pytest.mark.parametrize("number", [10**25, -1, float("inf")])
def test_numbers_that_are_out_of_range_are_refused(
    name: str, number: float, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    witness = json.loads((program / "witness.json").read_text(encoding="utf-8"))
    broken = {"threads": [[number, 0]], "choices": [number], "cuts": [number]}.get(name, number)
    changed(program, route={**witness["route"], name: broken})
    assert "the witness is damaged: a number in it is out of range" in refused(capsys)


def test_no_witness_without_a_violation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.c").write_text("int main(void) { return 0; }\n")
    witness = tmp_path / "witness.json"
    assert main(["check", str(tmp_path / "program.c"), "--witness", str(witness)]) == 0
    assert "no witness is written, because no violation was found" in capsys.readouterr().err
    assert not witness.exists()


def test_many_workers_find_the_same_route(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first violation in the order of exploration is reported, with the same way to it."""
    texts = []
    for workers in ("1", "4"):
        assert main(["check", "program.c", "--workers", workers, "--witness", "other.json"]) == 1
        texts.append((program / "other.json").read_text())
    assert texts[0] == texts[1]
