"""What is said when there is no answer: the error, what is known about it, and what was probably meant.

Loaded only then: a command that goes well does not need it.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Sequence

from mazurka.cli.check_options import refuse_reporting
from mazurka.cli.commands import BAD_INPUT, OUR_BUG
from mazurka.cli.terminal import complain, write_text
from mazurka.errors import ErrorCode, InternalError, MazurkaError, Place, UsageError
from mazurka.spelling import hint_about


def print_error(error: MazurkaError, arguments: list[str], options: argparse.Namespace) -> int:
    """Prints an error, also as JSON if requested, and returns the exit status."""
    json_path, explain = getattr(options, "json", None), getattr(options, "explain", False)
    prefix = "" if error.place else "mazurka: "
    show_line(error)
    complain(f"{prefix}{error}")
    if isinstance(error, InternalError):
        import shlex

        complain(f"  replay: mazurka {shlex.join(arguments)}{_origin(error)}")
    if explain:
        _explain_refusal(error)
    if json_path is not None and error.code != ErrorCode.CANNOT_WRITE:
        from mazurka.report import error_as_json

        try:
            write_text(json_path, error_as_json(error, explain=explain))
        except UsageError as failure:
            complain(f"mazurka: {failure}")
    status = OUR_BUG if isinstance(error, InternalError) else BAD_INPUT
    if getattr(options, "command", "") == "check":
        from mazurka.cli.ci import write_error

        write_error(error, options, status)
    return status


def show_line(error: MazurkaError) -> None:
    """Adds the line at fault to an error that has a place but does not show it."""
    if error.place is not None and error.place.line and error.snippet is None:
        error.snippet = _source_line(error.place)


def _source_line(place: Place) -> str | None:
    """The line at fault, if it can be read."""
    from mazurka.excerpts import marked_line
    from mazurka.files import read_regular, with_lines_of_c

    try:
        lines = with_lines_of_c(read_regular(place.file).decode(errors="replace")).splitlines()
    except (OSError, ValueError):
        return None
    return (
        "\n".join(marked_line(place.line, lines[place.line - 1], place.column))
        if place.line <= len(lines)
        else None
    )


def _explain_refusal(error: MazurkaError) -> None:
    """Prints what is known about the loops of a program that was refused."""
    from mazurka.checking.refusals import RefusedError

    if isinstance(error, RefusedError):
        from mazurka.report.loops import loop_lines

        for line in loop_lines(error.program, error.keeps_rounds, error.loop_facts, refused=True):
            complain(line)


def _origin(error: InternalError) -> str:
    """Where in our own code the cause was raised."""
    trace = error.__cause__.__traceback__ if error.__cause__ else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"\n  raised in: {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"


_CONDITIONS = ("--expect-outcome", "--why-not")  # their readers say what is missing from an empty one


def refuse_empty(words: Sequence[str]) -> None:
    """Refuses empty words and values: a script passes them when one of its variables is not set."""
    hint = "is a variable of your shell not set?"
    for before, word in zip(("", *words), words, strict=False):
        option, is_given, value = word.partition("=")
        if (before if word == "" else option) in _CONDITIONS:
            continue
        if word == "" and not (before.startswith("-") and "=" not in before):
            raise UsageError(ErrorCode.BAD_VALUE, "an argument is empty", hint=hint)
        if word == "" or (word.startswith("--") and is_given and not value):
            message = f"the value of {before if word == '' else option} is empty"
            raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


def unknown_command(word: str, words: Sequence[str], commands: Iterable[str]) -> UsageError:
    """The error about a first word that is not a command; ``words`` is the whole command line."""
    named = next((one for one in words if one in commands), None)
    if words[0].startswith("-") and named is not None:
        message, hint = f"'{words[0]}' comes before the command", f"start with 'mazurka {named}'"
        return UsageError(ErrorCode.USAGE, message, hint=hint)
    message = f"there is no command '{word}'"
    hint = hint_about(word, commands, f"the commands are: {', '.join(commands)}")
    if word == "help":
        hint = "'mazurka --help' lists the commands, and 'mazurka COMMAND --help' the options of one"
    elif os.path.exists(word):
        means = "litmus" if word.endswith(".litmus") else "prove" if word.endswith(".kat") else "check"
        hint = f"say what to do, such as: mazurka {means} {word}"
    return UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


def without_files(command: str) -> UsageError:
    """The error about a command that needs files, unlike ``check``, and has none."""
    hint = "name the program's files, or a compilation database"
    if command != "check":
        hint += ": only 'mazurka check' takes those of a mazurka.toml"
    else:
        hint = hint.replace(", or", " or") + ", or list programs in a mazurka.toml"
    return UsageError(ErrorCode.USAGE, "no files were given", hint=hint)


_CAPITAL = re.compile("-[A-Z]")  # like -Wall, and unlike any option
_FLAGS = "put compiler flags at the end, after --: -- "
_MEANT = {  # what other tools call options
    **dict.fromkeys(("-j", "--jobs", "--threads", "--parallel"), "--workers"),
    **dict.fromkeys(("-m", "--memory-model", "--mm", "--wmm"), "--model"),
    **dict.fromkeys(("--bound", "--loop-bound", "--unwind"), "--unroll"),
    **dict.fromkeys(("-o", "--output", "--format"), "--json"),
    **{"-v": "--verbose", "-q": "--quiet", "--timeout": "--time-limit", "--seed": "--schedule-seed"},
}


def unknown_option(command: str, given: str, known: Iterable[str]) -> UsageError:
    """The error about a word that is neither an option of the command nor one of its arguments."""
    name = given.partition("=")[0]
    refuse_reporting(command, name)
    known = [one for one in known if one.startswith("--")]
    hint = f"'{f'mazurka {command}'.rstrip()} --help' lists the options and arguments"
    if os.path.exists(given):
        hint = f"if you mean the file of that name, write ./{given}"
    elif not given.startswith("-"):
        message = f"there is one argument too many: '{given}'"
        return UsageError(ErrorCode.UNKNOWN_OPTION, message, hint=hint)
    else:
        meant = "--output" if name == "-o" and "--output" in known else _MEANT.get(name)
        if meant in known:
            hint = f"did you mean '{meant}'? {hint}"
        elif "--cc" in known and name in ("--cflags", "--cxxflags", "--flags"):
            hint = f"{_FLAGS}-DN=3"
        elif "--cc" in known and not given.startswith("--"):
            hint = f"{_FLAGS}{given}"
            hint = hint if _CAPITAL.match(name) else hint_about(name, known, hint)
        else:
            hint = hint_about(name, known, hint)
    return UsageError(ErrorCode.UNKNOWN_OPTION, f"unknown option or argument '{given}'", hint=hint)


def repeated_option(command: str, name: str) -> UsageError:
    """The error about an option that is given twice, although it takes a single value."""
    hint = f"give {name} only once: it takes a single value"
    if name == "--model":
        hint = "run the command once for each model"
        hint += ', or list them in a mazurka.toml: models = ["sc", "tso"]' if command == "check" else ""
    return UsageError(ErrorCode.USAGE, f"{name} was given more than once", hint=hint)
