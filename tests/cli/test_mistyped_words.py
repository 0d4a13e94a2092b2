"""Words of a command line that nobody knows, or that are there twice: the message names what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.cli.commands import _Once, _parser, main, parse_arguments
from mazurka.errors import ErrorCode, UsageError
from mazurka.spelling import did_you_mean, hint_about

COMMANDS = ("check", "replay", "explain", "estimate", "fix", "tune", "litmus", "prove", "models")


def error_of(*words: str) -> UsageError:
    with pytest.raises(UsageError) as error:
        parse_arguments(list(words))
    return error.value


def test_names_that_look_alike() -> None:
    assert did_you_mean("modle", ["model", "races"]) == "did you mean 'model'?"
    assert did_you_mean("Model", ["model"]) == "did you mean 'model'?"
    assert did_you_mean("RC12", ["rc11", "rc11-ra", "Sc"], most=2) == "did you mean 'rc11'?"
    assert did_you_mean("arm8", ["armv7", "armv8"], most=2) == "did you mean 'armv8' or 'armv7'?"
    assert did_you_mean("unlike", ["model"]) is None
    assert hint_about("unlike", ["model"], "look it up") == "look it up"
    assert hint_about("mode", ["model"], "look it up") == "did you mean 'model'? look it up"


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["chekc", "q.c"], "there is no command 'chekc'", "did you mean 'check'? the commands are: check, "),
        (["help"], "there is no command 'help'", "'mazurka --help' lists the commands, "),
        (["frobnicate"], "there is no command 'frobnicate'", "the commands are: check, "),
        (["--model", "sc", "check"], "'--model' comes before the command", "start with 'mazurka check'"),
        (["--helpp"], "unknown option or argument '--helpp'", "did you mean '--help'? 'mazurka --help'"),
        (["check", "--modle", "sc"], "unknown option or argument '--modle'", "did you mean '--model'? "),
        (["check", "-model", "sc"], "unknown option or argument '-model'", "did you mean '--model'? "),
        (["litmus", "x", "--jsn=y"], "unknown option or argument '--jsn=y'", "did you mean '--json'? "),
        (["models", "--explian"], "unknown option or argument '--explian'", "did you mean '--explain'? "),
        (["check", "-std=c11"], "unknown option or argument '-std=c11'", "put compiler flags at"),
        (["replay", "-x", "y"], "unknown option or argument '-x'", "'mazurka replay --help' lists"),
        (["models", "sc", "tso"], "there is one argument too many: 'tso'", "'mazurka models --help' lists"),
        (
            ["check", "--cflags", "-O2"],
            "unknown option or argument '--cflags'",
            "put compiler flags at",
        ),
        (["check", "-Wall"], "unknown option or argument '-Wall'", "put compiler flags at the end"),
        (["check", "-j", "4"], "unknown option or argument '-j'", "did you mean '--workers'? "),
        (["tune", "--bound=4"], "unknown option or argument '--bound=4'", "did you mean '--unroll'? "),
        (["prove", "-j", "4"], "unknown option or argument '-j'", "'mazurka prove --help' lists"),
        (["check", "--time-limit", "5m"], "argument --time-limit: '5m' is not a number", "'mazurka check"),
        (["check", "--workers", "2.5"], "argument --workers: '2.5' is not a whole number", "'mazurka check"),
        (["check", "--strict=3"], "argument --strict: it takes no value, but is given '3'", "'mazurka check"),
    ],
)
def test_what_was_meant(words: list[str], message: str, hint: str) -> None:
    error = error_of(*words)
    assert error.message == message
    assert (error.hint or "").startswith(hint)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", ""], "an argument is empty"),
        (["prove", "weaker", "", "sc"], "an argument is empty"),
        (["explain", ""], "an argument is empty"),
        (["check", "q.c", "--model", ""], "the value of --model is empty"),
        (["check", "q.c", "--json="], "the value of --json is empty"),
        (["check", "q.c", "-I", ""], "the value of -I is empty"),
    ],
)
def test_an_empty_word_is_that_of_a_variable_that_is_not_set(words: list[str], message: str) -> None:
    error = error_of(*words)
    assert error.message == message
    assert error.hint == "is a variable of your shell not set?"


def test_words_that_end_in_an_equals_sign() -> None:
    assert parse_arguments(["check", "q.c", "--expect-outcome="]).expect_outcome == ""
    assert parse_arguments(["check", "q.c", "--stub=f="]).stubs == ["f="]
    assert parse_arguments(["check", "q.c", "-DX=", "--", "-DY=", ""]).cflags == ["-DX=", "-DY=", ""]


@pytest.mark.parametrize(
    ("name", "command"), [("queue.c", "check"), ("sb.litmus", "litmus"), ("claims.kat", "prove")]
)
def test_a_file_in_place_of_a_command(
    name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("", encoding="utf-8")
    assert error_of(name).hint == f"say what to do, such as: mazurka {command} {name}"


def once(command: str) -> list[str]:
    """The options of a command that have one value."""
    _, commands = _parser(command, comes_first=True)
    actions = [one for one in commands[command]._actions if isinstance(one, _Once)]
    return [action.option_strings[0] for action in actions if action.option_strings]


VALUES = {"--progress": "never", "--symmetry": "off"}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_with_one_value_is_given_once(command: str) -> None:
    assert once(command) or command in ("replay", "explain"), "these have no such options"
    for option in once(command):
        value = VALUES.get(option, "1")
        words = [command, "a", option, value, f"{option}={value}"]
        error = error_of(*words)
        assert error.code == ErrorCode.USAGE
        assert error.message == f"{option} was given more than once"
        assert error.hint
        parse_arguments(words[:-1])


def test_options_that_may_be_repeated() -> None:
    words = "check a.c -Ia -Ib -DX --stub f=zero --stub g=zero --quiet --quiet"
    options = parse_arguments(words.split())
    assert options.stubs == ["f=zero", "g=zero"]
    assert options.cflags == ["-Ia", "-Ib", "-DX"]


def test_the_command_line_wins_over_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # a project's checks run in its folder
    (tmp_path / "fine.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    project = tmp_path / "mazurka.toml"
    project.write_text('[[program]]\nfiles = ["fine.c"]\ntime-limit = 100\n', encoding="utf-8")
    assert main(["check", str(project), "--time-limit", "200"]) == 0
    assert main(["check", str(project), "--time-limit", "200", "--time-limit", "300"]) == 2
    assert "--time-limit was given more than once" in capsys.readouterr().err
