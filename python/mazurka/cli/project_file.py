"""Reads ``mazurka.toml``: the programs of a project, the models to check them under, and what is expected.

The keys of a program are the options of ``mazurka check`` without their hyphens in front, so that an option
means the same in both places; ``docs/ci.md`` has the few others. Everything that is not understood is an
error with its line.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mazurka.checking.options import NO_RACES
from mazurka.cli.check_options import add_check_options, check_values
from mazurka.cli.commands import parse_arguments
from mazurka.errors import ErrorCode, ModelError, Place, SourceError, UsageError
from mazurka.expectations import OF_A_RUN, Claim, ExpectationError, Result, claims, parse_result
from mazurka.files import read_regular
from mazurka.models.registry import DEFAULT_MODEL
from mazurka.spelling import hint_about

NAME = "mazurka.toml"
IN_FILE = "in-file"
_SYNTAX = 'put lists in brackets and strings in quotes: files = ["queue.c"]'
_TOP = ("time-budget", "defaults", "program")
_OF_ONE_PROGRAM = ("html", "all-executions", "svg", "dot", "witness", "expect-outcome")
_TAKES = {"": "one", "append": "several"}
_OWN = ("name", "files", "each", "model", "models", "cflags", "expect")


class Check(NamedTuple):
    """A program to check under a model."""

    name: str
    model: str | None  # None: the default one
    arguments: tuple[str, ...]  # those of ``mazurka check``, without the model
    expected: Result | None  # None: that it is verified
    line: int  # of its entry in the project file


class Project(NamedTuple):
    """What a project file says."""

    path: str
    checks: tuple[Check, ...]
    time_budget: float | None  # seconds for all checks together


def read_project(path: str) -> Project:
    """The project that a file describes."""
    return _Reader(path).project()


def _options() -> dict[str, str]:
    """The options that a program may have: a ``switch``, or of ``one`` value or ``several``."""
    found: dict[str, str] = {}

    def add(*names: str, **how: Any) -> None:
        for name in names:
            if name.startswith("--") and name[2:] not in OF_A_RUN:
                found[name[2:]] = _TAKES.get(how.get("action", ""), "switch")

    add_check_options(lambda _: add)
    return found


class _Reader:
    """Reads one file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = os.path.dirname(path)
        self.text = self._read()
        self.options = _options()

    def _read(self) -> str:
        try:
            return read_regular(self.path).decode()
        except UnicodeDecodeError as error:
            raise SourceError(
                ErrorCode.NOT_TEXT,
                f"{self.path} is not UTF-8 text",
                hint="save it as UTF-8",
                place=Place(self.path),
            ) from error
        except OSError as error:
            raise SourceError(
                ErrorCode.MISSING_FILE,
                f"cannot read {self.path}: {error.strerror}",
                hint="check the path",
                place=Place(self.path),
            ) from error

    def project(self) -> Project:
        data = self._parsed()
        self._refuse_unknown(data, _TOP, "", 0)
        budget = data.get("time-budget")
        if budget is not None and (not _is_number(budget) or not 0 < budget < float("inf")):
            raise self.problem(
                "time-budget must be a positive number of seconds", "time-budget = 600", "time-budget"
            )
        defaults = data.get("defaults", {})
        if not isinstance(defaults, dict):
            raise self.problem("'defaults' must be a table", "write [defaults]", "defaults")
        self._refuse_unknown(defaults, (*_OWN[3:], *self.options), "defaults", 0)
        self._refuse_both(defaults, 0, "defaults")
        programs = data.get("program", [])
        if not isinstance(programs, list) or not all(isinstance(one, dict) for one in programs):
            raise self.problem("'program' must be an array of tables", "write [[program]]", "program")
        if not programs:
            raise self.problem("no programs are listed", 'add [[program]] and files = ["program.c"]', "")
        checks = [
            check for number, one in enumerate(programs) for check in self._program(one, defaults, number)
        ]
        return Project(self.path, tuple(checks), budget)

    def _parsed(self) -> dict[str, Any]:
        if sys.version_info >= (3, 11):
            import tomllib
        else:
            import tomli as tomllib
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
            end = Place(self.path, len(self.text.splitlines()))
            place = Place(self.path, int(found[1]), int(found[2])) if found else end
            problem = str(error).partition(" (at ")[0]
            message, hint = f"this is not TOML: {problem}", _SYNTAX
            if problem == "Cannot overwrite a value":
                message, hint = (
                    "the same key is given twice",
                    "keep one of them, or start another [[program]]",
                )
            raise UsageError(ErrorCode.BAD_PROJECT, message, place=place, hint=hint) from error

    def _program(self, own: dict[str, Any], defaults: dict[str, Any], number: int) -> Iterator[Check]:
        """The checks of an entry: one for each program and model."""
        self._refuse_unknown(own, (*_OWN, *self.options), "program", number)
        given = {**defaults, **own}
        self._refuse_both(own, number)
        if "model" in own:
            given.pop("models", None)
        models = self._texts(given, "models", number) or self._texts(given, "model", number) or [None]
        self._check_models(given, models, number)
        arguments = (*self._arguments(given, number), *self._flags(given, number))
        self._check_values(arguments, models, number)
        line = self._line("", number)
        for files in self._files(own, number):
            name = own.get("name", " ".join(files))
            if not isinstance(name, str) or not name.isprintable():
                raise self.problem("'name' must be a string on one line", 'name = "queue"', "name", number)
            if "each" in own and "name" in own:
                name = f"{name}: {files[0]}"  # so that no two programs have the same name
            if given.get("expect") == IN_FILE:
                yield from self._claimed(name, files, models, arguments, number)
                continue
            for model in models:
                expected = self._expected(given, model, number)
                yield Check(name, model, (*files, *arguments), expected, line)

    def _refuse_both(self, table: dict[str, Any], number: int, where: str = "program") -> None:
        if "model" in table and "models" in table:
            message = "both 'model' and 'models' are given"
            raise self.problem(message, "keep one of them", "model", number, where)

    def _check_models(self, given: dict[str, Any], models: list[str | None], number: int) -> None:
        """Refuses unknown models, and expectations under models that are not checked."""
        if given.get("models") == []:
            raise self.problem("no models are listed", 'models = ["rc11"]', "models", number)
        twice = next((one for one in models if models.count(one) > 1), None)
        if twice is not None:
            raise self.problem(f"the model '{twice}' is listed twice", "list it once", "models", number)
        expected = given.get("expect")
        if models == [None] and "property" not in given:
            models = [DEFAULT_MODEL]
        for name in expected if isinstance(expected, dict) else ():
            if name not in models:
                message = (
                    f"an outcome is expected under '{name}', but the program is not checked under that model"
                )
                named = ", ".join(f'"{model}"' for model in models if model is not None)
                hint = f'add it: models = [{named}{", " if named else ""}"{name}"]'
                raise self.problem(message, hint, "expect", number)

    def _check_values(self, arguments: Sequence[str], models: list[str | None], number: int) -> None:
        """Refuses values of options that no check can have."""
        options = [*_split(tuple(arguments))[0], *(f"--model={model}" for model in models if model)]
        for option in options:
            try:
                check_values(parse_arguments(["check", option]))
            except (UsageError, ModelError) as error:
                key = option[2:].partition("=")[0]
                words = _in_keys(error.message), _in_keys(error.hint or "")
                raise self.problem(*words, "models" if key == "model" else key, number) from error

    def _claimed(
        self, name: str, files: list[str], models: list[str | None], arguments: tuple[str, ...], number: int
    ) -> Iterator[Check]:
        """What the first lines of a file expect."""
        path = Path(self.folder, files[0])
        try:
            found = [claim for claim in claims(path, check_options) if claim.twin is None]
        except ExpectationError as error:
            if error.place is None or error.place.line:
                raise
            raise self.problem(f"{files[0]}: {error.message}", error.hint or "", "expect", number) from error
        except OSError as error:
            message = f"cannot read '{files[0]}': {error.strerror}"
            raise self.problem(message, "check the file's path", "expect", number) from error
        silent = [model for model in models if model and all(claim.model != model for claim in found)]
        if silent:
            listed = " and ".join(f"'{model}'" for model in silent)
            message = f"{files[0]} does not say what it expects under {listed}"
            hint = f"write // expect[{','.join(silent)}]: verified in its first lines, or list other models"
            raise self.problem(message, hint, "models", number)
        wanted: list[Claim] = [claim for claim in found if models == [None] or claim.model in models]
        for claim in wanted:
            own, _, cflags = _split(claim.options)
            given, _, more = _split(arguments)
            line = self._line("", number)
            yield Check(name, claim.model, (*files, *given, *own, "--", *more, *cflags), claim.result, line)

    def _expected(self, entry: Mapping[str, Any], model: str | None, number: int) -> Result | None:
        given = entry.get("expect")
        if isinstance(given, dict):
            given = given.get(model or DEFAULT_MODEL)
        if given is None:
            return None
        hint = f'expect = "verified", "violation=race", "bounded" or "{IN_FILE}", or one of these by model'
        if not isinstance(given, str):
            raise self.problem("this is not an expectation", hint, "expect", number)
        try:
            return parse_result(given, self._with_rules(entry, model))
        except ExpectationError as error:
            raise self.problem(error.message, error.hint or hint, "expect", number) from error

    def _with_rules(self, entry: Mapping[str, Any], model: str | None) -> Iterator[str]:
        """The models whose error rules are checked; those of users by their paths from here."""
        for name in (model or DEFAULT_MODEL, entry.get("races")):
            if isinstance(name, str) and name != NO_RACES:
                path = os.path.join(self.folder, name)
                yield path if os.path.isfile(path) else name

    def _files(self, own: dict[str, Any], number: int) -> Iterator[list[str]]:
        """The files of each program."""
        if ("files" in own) == ("each" in own):
            message = "a program needs either 'files' (one program) or 'each' (one program per file)"
            raise self.problem(message, 'files = ["queue.c", "main.c"], or each = "tests/*.c"', "", number)
        if "files" in own:
            files = self._texts(own, "files", number)
            if not files:
                raise self.problem("no files are listed", 'files = ["program.c"]', "files", number)
            yield list(map(_as_file, files))
            return
        for pattern in self._texts(own, "each", number):
            found = sorted(glob.glob(pattern, root_dir=self.folder or ".", recursive=True))
            if not found:
                hint = f"patterns are relative to {self.folder or '.'}; ** matches any folders"
                raise self.problem(f"no file matches '{pattern}'", hint, "each", number)
            yield from ([_as_file(file)] for file in found)

    def _arguments(self, given: Mapping[str, Any], number: int) -> Iterator[str]:
        """What is given in terms of options."""
        for name, takes in self.options.items():
            value = given.get(name)
            if value is None:
                continue
            if takes == "switch":
                if not isinstance(value, bool):
                    raise self.problem(f"'{name}' must be true or false", f"{name} = true", name, number)
                yield from [f"--{name}"] if value else []
                continue
            for one in value if takes == "several" and isinstance(value, list) else [value]:
                if isinstance(one, bool) or not isinstance(one, str | int | float):
                    message = f"'{name}' must be a string or a number"
                    raise self.problem(message, f'{name} = "…"', name, number)
                self._refuse_empty(one, name, number)
                yield f"--{name}={one}"

    def _flags(self, given: Mapping[str, Any], number: int) -> Iterator[str]:
        flags = self._texts(given, "cflags", number)
        yield from ["--", *flags] if flags else []

    def _texts(self, given: Mapping[str, Any], key: str, number: int) -> list[Any]:
        """A string, or a list of strings."""
        value = given.get(key, [])
        found = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in found):
            raise self.problem(f"'{key}' must be a list of strings", f'{key} = ["…"]', key, number)
        for one in found:
            self._refuse_empty(one, key, number)
        return found

    def _refuse_empty(self, value: object, key: str, number: int) -> None:
        if value == "":
            raise self.problem(f"'{key}' must not be empty", "fill it in, or leave it out", key, number)

    def _refuse_unknown(self, table: Iterable[str], known: Iterable[str], where: str, number: int) -> None:
        names = tuple(known)
        for key in table:
            if key not in names:
                raise self.problem(*_unknown(key, where, names), key, number, where)

    def problem(
        self, message: str, hint: str, key: str, number: int = 0, table: str = "program"
    ) -> UsageError:
        """The error about a key of the ``number``-th program, or about its entry."""
        place = Place(self.path, self._line(key, number, table))
        return UsageError(ErrorCode.BAD_PROJECT, message, place=place, hint=hint)

    def _line(self, key: str, number: int, table: str = "program") -> int:
        """The line of a key, or else of its table. TOML's reader keeps no lines, so this looks for them."""
        found, header = self._found(key, number, table)
        if found is None and table == "program":
            found, _ = self._found(key, 0, "defaults")
        return found or header or 1

    def _found(self, key: str, number: int, table: str) -> tuple[int | None, int]:
        """The line of a key, or None, and the line of its table, or 0."""
        current, seen, header = "", -1, 0
        names = "models?" if key in ("model", "models") else re.escape(key)
        for line, text in enumerate(self.text.splitlines(), 1):
            if match := re.match(r"\s*\[+\s*([\w-]+)\s*\]+", text):
                current = match[1]
                seen += current == "program"
                if current == table and (table != "program" or seen == number):
                    header = line
                if match[1] == key:
                    return line, header
            is_here = current == table and (table != "program" or seen == number)
            if key and re.match(rf"\s*[\"']?{names}[\"']?\s*[=.]", text) and (is_here or not current):
                return line, header
        return None, header


def _unknown(key: str, where: str, known: tuple[str, ...]) -> tuple[str, str]:
    """What is wrong about a key, and what to write instead."""
    place = f"[{where}]" if where == "defaults" else f"[[{where}]]" if where else "the file itself"
    message = f"{place} has no key '{key}'"
    if key in _OF_ONE_PROGRAM:
        return message, f"it applies to a single program: mazurka check FILE… --{key} …"
    if key in OF_A_RUN:
        return message, f"give --{key} on the command line"
    if not where and key not in _TOP:
        others = f"the keys are: {', '.join(_TOP)}; options belong under [defaults] or [[program]]"
        return message, hint_about(key, _TOP, others)
    own = ", ".join(name for name in _OWN if name in known)
    others = f"the keys are {own}, and the options of 'mazurka check'"
    return message, hint_about(key.replace("_", "-"), known, others)


def _in_keys(text: str) -> str:
    """A message about an option as one about a key: their names are the same without hyphens."""
    if text == "'mazurka check --help' lists the options and arguments":
        return "'mazurka check --help' lists the options, which are the keys here"
    return re.sub(r"(?:argument )?--([a-z][a-z-]*[a-z])", r"\1", text)


def _as_file(name: str) -> str:
    """The name, in a form that no command takes for an option."""
    return f"./{name}" if name.startswith("-") else name


def check_options(words: list[str]) -> None:
    """Refuses options in a file that ``mazurka check`` does not have, or that are given twice."""
    files = parse_arguments(["check", *words]).files
    if files:
        hint = "these lines describe only the file that they are in: list several files in a mazurka.toml"
        raise UsageError(ErrorCode.USAGE, f"'{files[0]}' is not an option", hint=hint)


def _split(arguments: tuple[str, ...]) -> tuple[tuple[str, ...], bool, tuple[str, ...]]:
    """Arguments before and after ``--``."""
    if "--" not in arguments:
        return arguments, False, ()
    at = arguments.index("--")
    return arguments[:at], True, arguments[at + 1 :]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
