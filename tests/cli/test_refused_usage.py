"""What would lose a file, an expectation or an answer is refused."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import mazurka
import pytest
from mazurka.checking.options import _LISTS, _NUMBERS, _PATHS, _SWITCHES
from mazurka.cli.commands import main
from mazurka.errors import SourceError, UsageError

EMPTY = "int main(void) { return 0; }\n"
SB = """C SB
{}
P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
exists (0:r0=0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "queue.c").write_text(EMPTY)
    (tmp_path / "sb.litmus").write_text(SB)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("option", ["--html", "--svg", "--dot", "--json", "--junit", "--sarif", "--witness"])
def test_a_program_is_not_overwritten(option: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "check", "queue.c", option, "./queue.c")
    assert f"{option} would overwrite what is needed: 'queue.c' is a file of the program" in said
    assert (folder / "queue.c").read_text() == EMPTY


def test_two_outputs_need_two_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "check", "queue.c", "--html", "out", "--svg", "out")
    assert "--svg would overwrite what is needed: --html writes 'out'" in said
    assert main(["check", "queue.c", "--json", "/dev/null", "--junit", "/dev/null"]) == 0


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('expect-outcome = "x == 1"', "[[program]] has no key 'expect-outcome'"),
        ("models = []", "no models are listed"),
        (
            'models = ["sc"]\nexpect = { sc = "verified", tso = "verified" }',
            "an outcome is expected under 'tso', but the program is not checked under that model",
        ),
        ('expect = { sc = "verified" }', "an outcome is expected under 'sc'"),
    ],
)
def test_no_expectation_of_a_project_is_lost(
    entry: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mazurka.toml").write_text(f'[[program]]\nfiles = ["queue.c"]\n{entry}\n')
    assert said in refused(capsys, "check")


def test_no_option_of_a_file_is_lost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = '// mazurka: --expect-outcome "x == 1"\n// expect[rc11]: verified\n'
    (folder / "queue.c").write_text(lines + EMPTY)
    (folder / "mazurka.toml").write_text('[[program]]\nfiles = ["queue.c"]\nexpect = "in-file"\n')
    assert "--expect-outcome applies to a single run, not to the program" in refused(capsys, "check")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("estimate queue.c --json queue.c", "'queue.c' is a file of the program"),
        ("fix queue.c --output ./queue.c", "'queue.c' is a file of the program"),
        ("check queue.c --model mine.kat --json mine.kat", "'mine.kat' is the model"),
        ("check queue.c --json queue.c --svg absent/x", "'queue.c' is a file of the program"),
        ("check mazurka.toml --json queue.c", "'queue.c' is a file of the project"),
        ("check --junit mazurka.toml", "'mazurka.toml' is the project file"),
        ("litmus sb.litmus --json sb.litmus", "'sb.litmus' is a litmus test"),
        ("litmus . --junit sb.litmus", "'sb.litmus' is a litmus test"),
        ("litmus sb.litmus --json out --junit out", "--json writes 'out'"),
        ("prove mine.kat --litmus mine.kat", "'mine.kat' is asked about"),
        ("prove weaker mine.kat sc --svg out --dot out", "--svg writes 'out'"),
        ("models --lattice --svg out --dot ./out", "--svg writes 'out'"),
    ],
)
def test_no_command_overwrites_what_it_reads(
    command: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine.kat").write_text("acyclic po | rf\n")
    (folder / "mazurka.toml").write_text('[[program]]\nfiles = ["queue.c"]\n')
    before = {path: path.read_text() for path in folder.iterdir()}
    error = refused(capsys, *command.split())
    assert "would overwrite what is needed: " in error
    assert said in error
    assert {path: path.read_text() for path in folder.iterdir()} == before


@pytest.mark.parametrize("command", ["check", "estimate", "fix"])
def test_a_file_is_given_once(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "the file 'queue.c' is given twice [usage]" in refused(capsys, command, "queue.c", "queue.c")
    said = refused(capsys, command, "queue.c", "./queue.c")
    assert "the file './queue.c' is given twice, also as 'queue.c' [usage]" in said
    (folder / "link.c").symlink_to("queue.c")
    assert "the file 'link.c' is given twice, also as 'queue.c'" in refused(
        capsys, command, "queue.c", "link.c"
    )


@pytest.mark.parametrize("condition", ["foo=0", "x=1 /\\ foo=1", "r1 == 0"])
def test_unknown_locations_of_an_outcome(
    condition: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "litmus", "sb.litmus", "--why-not", condition)
    assert "the test has no location" in said
    assert "its locations are x, y" in said


def test_unused_registers_of_an_outcome(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They hold 0, so that a mistyped one was said to allow an outcome."""
    code = " P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
    text = f"X86 SB\n{{}}\n{code}exists (0:EAX=0 /\\ 1:EAX=0)\n"
    (folder / "sb.litmus").write_text(text, encoding="utf-8")
    said = refused(capsys, "litmus", "sb.litmus", "--why-not", "0:EBX=0")
    assert "the thread P0 does not use the register 'EBX'" in said
    assert "the test itself looks at 0:EAX" in said
    assert main(["litmus", "sb.litmus", "--why-not", "0:RAX=0"]) == 0  # another name of EAX


@pytest.mark.parametrize(
    ("path", "keywords", "said"),
    [
        (None, {}, "a program is named by one or more paths"),
        (b"queue.c", {}, "a program is named by one or more paths"),
        (["queue.c", 5], {}, "a program is named by one or more paths"),
        (5, {}, "a program is named by one or more paths"),
        (["queue.c", mazurka.Source(EMPTY)], {}, "programs of other kinds cannot stand in a list"),
        (mazurka.Source, {}, "a program cannot be of type 'type'"),
        (mazurka.Threads, {}, "a program cannot be of type 'type'"),
        (mazurka.Source(EMPTY.encode()), {}, "the text of a program must be a str, not of type 'bytes'"),  # type: ignore[arg-type]
        (mazurka.Source(EMPTY, ""), {}, "'' is not the name of a program"),
        ("queue.c", {"model": None}, "a model is named by a string or a path, not by None"),
        ("queue.c", {"model": ["sc"]}, "a model is named by a string or a path, not by ['sc']"),
        ("queue.c", {"cflags": "-DX"}, "cflags must be a list of flags, not a single string"),
        ("queue.c", {"time_limit": "3"}, "time_limit must be a number, not '3'"),
        ("queue.c", {"workers": True}, "workers must be a number, not True"),
        ("queue.c", {"workers": 1.5}, "workers must be a whole number, not 1.5"),
        ("queue.c", {"races": 5}, "a model is named by a string or a path, not by 5"),
        ("queue.c", {"cc": 5}, "cc must be a path, not 5"),
        ("queue.c", {"cflags": [5]}, "cflags must be a list of strings, not [5]"),
        ("queue.c", {"stubs": "f=zero"}, "stubs must be a list of strings, not a single string"),
        ("queue.c", {"symmetry": "off"}, "symmetry must be True or False, not 'off'"),
        ("queue.c", {"nondet": 3}, "3 is not a range of values"),
        ("queue.c", {"nondet": (1, 2, 3)}, "(1, 2, 3) is not a range of values"),
    ],
)
def test_arguments_of_another_type(path: Any, keywords: dict[str, Any], said: str, folder: Path) -> None:
    with pytest.raises(UsageError, match="a") as error:
        mazurka.check(path, **keywords)
    assert said in error.value.message
    assert error.value.hint


@pytest.mark.parametrize(
    ("ask", "words", "keywords", "said"),
    [
        ("litmus", [5], {}, "a litmus test is named by a string or a path, not by 5"),
        ("litmus", ["sb.litmus"], {"model": 5}, "a model is named by a string or a path, not by 5"),
        ("litmus", ["sb.litmus"], {"time_limit": "5"}, "time_limit must be a number, not '5'"),
        ("prove", [5], {}, "is named by a string or a path, not by 5"),
        ("prove", ["weaker", "sc", "tso"], {"time_limit": -5}, "-5 s is out of range"),
        ("prove", ["weaker", "sc", "tso"], {"memory_limit": "5"}, "memory_limit must be a number, not '5'"),
    ],
)
def test_arguments_of_other_questions(
    ask: str, words: list[Any], keywords: dict[str, Any], said: str, folder: Path
) -> None:
    with pytest.raises(UsageError, match="5") as error:
        getattr(mazurka, ask)(*words, **keywords)
    assert said in error.value.message


def test_a_path_that_cannot_be() -> None:
    for path in ("a\0b", ["a\0b", "c"]):
        with pytest.raises(SourceError, match="cannot be read: embedded null"):
            mazurka.check(path)


def test_python_suggests_names_of_the_package() -> None:
    with pytest.raises(AttributeError) as error:
        _ = mazurka.chekc
    assert (error.value.name, error.value.obj) == ("chekc", mazurka)


def test_every_argument_of_a_check_has_a_type() -> None:
    """Those that are left are looked at where they are used."""
    looked_at = {*_NUMBERS, *_LISTS, *_PATHS, *_SWITCHES, "path", "model", "races"}
    elsewhere = {"equivalence", "unroll", "watch", "mixed_size", "volatile", "nondet", "route"}
    assert set(inspect.signature(mazurka.check).parameters) == looked_at | elsewhere
