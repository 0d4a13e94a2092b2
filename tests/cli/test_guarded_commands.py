"""No model file ends a command in a traceback: nesting is limited, and surprises are internal errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import write
from mazurka.cli import commands as cli
from mazurka.cli import lattice, models
from mazurka.prover.questions import asking

PROGRAM = "int main(void) { return 0; }\n"
CAUSAL = "acyclic po | rf as causal\n"


def commands(folder: Path, text: str) -> list[list[str]]:
    """Every command that reads a model file, with this one."""
    model = str(write(folder, text, "mine.kat"))
    program = str(write(folder, PROGRAM))
    return [
        ["check", "--no-cache", "--model", model, program],
        ["check", "--no-cache", "--model", model, "--unchecked-model", program],
        ["models", model],
        ["models", "--explain", model],
        ["prove", "--time-limit", "1", model],
        ["prove", "--time-limit", "1", "weaker", model, "sc"],
        ["prove", "--time-limit", "1", "weaker", "sc", model],
        ["prove", "--time-limit", "1", "reorder", model, "R.rlx ; W.rlx"],
        ["prove", "--time-limit", "1", "no-thin-air", model],
        ["prove", "--time-limit", "1", "monotone", model],
    ]


def nested_views(number: int) -> str:
    """Views that speak of each other, once each."""
    lines = ["view v0 = po"]
    lines += [f"view v{n} = v{n - 1} | po" for n in range(1, number)]
    return "\n".join([*lines, CAUSAL, f"irreflexive v{number - 1} ; po", f"assert v{number - 1} <= v0 | any"])


def doubled_views(number: int) -> str:
    lines = ["view v0 = po", *(f"view v{n} = v{n - 1} ; v{n - 1}" for n in range(1, number))]
    return "\n".join([*lines, CAUSAL, f"irreflexive v{number - 1}", f"assert v{number - 1} <= po"])


DEEP = {
    "views": nested_views(300),
    "many views": nested_views(2000),
    "doubling views": doubled_views(40),
    "parentheses": f"acyclic {'(' * 60}po{')' * 60}\nassert po <= po",
    "operators": f"acyclic po{'?' * 200}\nassert po <= po",
    "differences": "acyclic po" + r" \ rf" * 200 + "\nassert po <= po",
    "names": "let a0 = po\n" + "".join(f"let a{n} = a{n - 1}+\n" for n in range(1, 300)) + "acyclic a299",
    "tests": "let a0 = R\n" + "".join(f"let a{n} = a{n - 1} | W\n" for n in range(1, 300)) + "acyclic [a299]",
    "recursion": "let rec x = " + "(rf ; " * 60 + "x" + ")" * 60 + " | po\nacyclic x",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_nesting_is_bad_input_with_its_place(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in commands(tmp_path, text):
        assert cli.main(arguments) == 2, arguments
        said = capsys.readouterr().err
        assert f"{tmp_path / 'mine.kat'}:" in said
        assert "deep" in said
        assert "hint: " in said


FLAT = {
    "a union": "acyclic " + " | ".join(["po", "rf"] * 200),
    "a composition": f"{CAUSAL}irreflexive po ; " + " ; ".join(["[R]"] * 200),
    "a test": f"{CAUSAL}acyclic [" + " | ".join(["R", "W"] * 200) + "] ; (po | rf)",
    "as deep as allowed": nested_views(60),
}


@pytest.mark.parametrize("text", FLAT.values(), ids=FLAT.keys())
def test_many_operands_are_no_nesting(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in commands(tmp_path, f"{text}\nassert po <= po | rf"):
        status = cli.main(arguments)
        said = capsys.readouterr().err
        assert status in (0, 1, 3), (arguments, said)


def test_included_files_have_a_limit_of_depth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(400):
        write(tmp_path, f'include "f{number + 1}.kat"\nacyclic po', f"f{number}.kat")
    write(tmp_path, "acyclic po", "f400.kat")
    for arguments in commands(tmp_path, 'include "f0.kat"\nacyclic po | rf as all\n'):
        assert cli.main(arguments) == 2
        assert "nested more than 50 deep" in capsys.readouterr().err


def test_files_that_include_each_other_in_many_ways_are_read_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Paths through 40 layers of two files each: far too many to walk."""
    for number in range(40):
        for letter in "ab":
            both = f'include "a{number + 1}.kat"\ninclude "b{number + 1}.kat"\n'
            write(tmp_path, both, f"{letter}{number}.kat")
    write(tmp_path, "relation r", "a40.kat")
    write(tmp_path, "let s = po", "b40.kat")
    text = 'include "a0.kat"\ninclude "b0.kat"\nacyclic s | rf as all\nassert r <= r\n'
    assert cli.main(["prove", str(write(tmp_path, text, "mine.kat"))]) == 0
    assert "proved" in capsys.readouterr().out


class _Panic(BaseException):
    """A panic of the engine as it arrives in Python: not an Exception."""


@pytest.mark.parametrize("error", [RuntimeError, RecursionError, KeyError, AssertionError, _Panic])
@pytest.mark.parametrize(
    ("room", "function", "arguments"),
    [
        (cli, "check", ["check", "x.c"]),
        (models, "listing", ["models"]),
        (models, "page", ["models", "sc"]),
        (models, "explained", ["models", "--explain", "sc"]),
        (lattice, "proved_lattice", ["models", "--lattice"]),
        (asking, "decide", ["prove", "weaker", "tso", "sc"]),
    ],
    ids=["check", "models", "models NAME", "models --explain", "models --lattice", "prove"],
)
def test_what_nobody_foresaw_is_a_bug_of_ours(
    room: object,
    function: str,
    arguments: list[str],
    error: type[BaseException],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error("an invariant broke")

    monkeypatch.setattr(room, function, broken)
    assert cli.main(arguments) == 70
    said = capsys.readouterr().err
    assert f"{error.__name__}: " in said
    assert "an invariant broke" in said
    assert f"replay: mazurka {' '.join(arguments)}" in said
