"""Reads what a test program expects of itself, from the comments in its first lines.

    // mazurka: --unroll 3
    // expect[sc,rc11]: verified complete=4 blocked=0
    // expect[sc]: violation=assertion line=17
    // expect[rc11]: violation=race lines=17,25
    // expect[sc]: bounded
    // twin[sc] release->relaxed: violation=race
    // twin[sc] `if (x)` -> `if (1)`: violation=assertion

Reading is strict: a line that looks like one of these and is not, a model or a kind of violation that does
not exist, or a program without an expectation, is an ``ExpectationError``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mazurka.errors import ErrorCode, MazurkaError, ModelError, Place, UsageError
from mazurka.models.registry import find_runnable
from mazurka.pages import kinds
from mazurka.spelling import hint_about

if TYPE_CHECKING:
    from mazurka.checking.outcome import Outcome

VERDICTS = ("verified", "violation", "bounded")
NUMBERS = ("complete", "blocked", "line")

# Lines that say something, even if one of their words is mistyped.
_DIRECTIVE = re.compile(
    r"^\s*//\s*(?:(?:expect|twin)\w*\s*\[|mazurka\s*(?::|\s-)|"
    r"\w+\s*\[[\w,\s-]*\].*(?:\]|:)\s*(?:verified|bounded|violation)\b)",
    re.IGNORECASE,
)
# Options that are about one run of the command, and not about a program.
OF_A_RUN = (
    *("json", "junit", "sarif", "html", "svg", "dot", "witness", "explain", "verbose", "calls", "help"),
    *("no-cache", "quiet", "progress", "model", "all-executions", "expect-outcome"),
)

_OPTIONS = re.compile(r"^// mazurka: (?P<options>\S.*)$")
_EXPECT = re.compile(r"^// expect\[(?P<models>[\w,-]+)\]: (?P<result>\S.*)$")
_TWIN = re.compile(
    r"^// twin\[(?P<models>[\w,-]+)\] "
    r"(?:`(?P<quoted_old>[^`]+)` ?-> ?`(?P<quoted_new>[^`]*)`|(?P<old>[^\s`]+?)->(?P<new>[^\s`:]+)): "
    r"(?P<result>\S.*)$"
)
_SUCH_AS = "// expect[rc11]: verified"
_VERDICTS = "verified, bounded, violation=KIND"
_LINES = re.compile(r"lines=(\d+),(\d+)")


class ExpectationError(UsageError):
    """What is expected of a program cannot be read."""

    def __init__(self, message: str, *, place: Place | None = None, hint: str | None = None) -> None:
        super().__init__(ErrorCode.BAD_EXPECTATION, message, place=place, hint=hint)


@dataclass(frozen=True)
class Result:
    """The expected result of a check; a number that is None is not checked."""

    verdict: str
    kind: str | None = None
    complete: int | None = None
    blocked: int | None = None
    line: int | None = None
    lines: tuple[int, ...] | None = None  # of the events of a violation, in ascending order

    def __str__(self) -> str:
        words = [f"violation={self.kind}" if self.verdict == "violation" else self.verdict]
        words += [f"{name}={number}" for name in NUMBERS if (number := getattr(self, name)) is not None]
        return " ".join([*words, *([f"lines={','.join(map(str, self.lines))}"] if self.lines else [])])

    def observed_in(self, outcome: Outcome) -> Result:
        """The answer of a check, as far as this expectation speaks of it."""
        found = outcome.violation
        places = (found.location, found.other_location) if found else ()
        numbers = {
            "complete": outcome.complete,
            "blocked": outcome.blocked,
            "line": found.location.line if found and found.location else None,
            "lines": tuple(sorted(place.line for place in places if place)),
        }
        claimed: dict[str, Any] = {name: numbers[name] for name in numbers if getattr(self, name) is not None}
        return Result(outcome.verdict, found.kind if found else None, **claimed)


@dataclass(frozen=True)
class Claim:
    """One program, or a twin of it, under one model."""

    path: Path
    model: str
    result: Result
    options: tuple[str, ...] = ()
    twin: tuple[str, str] | None = None

    def source(self) -> str:
        """The text to check: a twin has the first occurrence of its text in the code replaced."""
        text = _text(self.path)
        if self.twin is None:
            return text
        old, new = self.twin
        header = len(text) - len(_code(text))
        if old not in text[header:]:
            message = f"the twin's text `{old}` is not in the code"
            hint = "a twin replaces text that comes after the first lines"
            raise ExpectationError(message, place=Place(str(self.path)), hint=hint)
        return text[:header] + text[header:].replace(old, new, 1)


def says_something(text: str) -> bool:
    """Whether a line looks like one about what is expected, even if it cannot be read."""
    return any(_DIRECTIVE.match(line) for line in text.splitlines())


def claims(path: Path, read_options: Callable[[list[str]], object] | None = None) -> list[Claim]:
    """Every claim of a program, expectations first; ``read_options`` refuses options that do not exist."""
    text = _text(path)
    header = text[: len(text) - len(_code(text))].splitlines()
    for number, line in enumerate(text.splitlines(), 1):
        if number > len(header) and _DIRECTIVE.match(line):
            message = "expectations belong in the first lines, before any code"
            hint = "move this line to the top of the file"
            raise ExpectationError(message, place=Place(str(path), number), hint=hint)
    found = _Header(path, read_options)
    for number, line in enumerate(header, 1):
        if _DIRECTIVE.match(line):
            found.read(line, Place(str(path), number))
    if not found.expected:
        hint = f"begin the file with a line such as: {_SUCH_AS}"
        raise ExpectationError("no expectation", place=Place(str(path)), hint=hint)
    return found.claims()


class _Header:
    """What the first lines of a program say."""

    def __init__(self, path: Path, read_options: Callable[[list[str]], object] | None) -> None:
        self.path = path
        self.read_options = read_options
        self.options: tuple[str, ...] = ()
        self.expected: list[Claim] = []
        self.twins: list[Claim] = []
        self.places: list[Place] = []  # of the claims, twins last

    def read(self, line: str, place: Place) -> None:
        """Reads a line that says something."""
        try:
            if match := _OPTIONS.match(line):
                self._add_options(match["options"])
            elif match := _EXPECT.match(line):
                self.expected += self._for_models(match, None)
            elif match := _TWIN.match(line):
                twin = (match["quoted_old"] or match["old"], match["quoted_new"] or match["new"] or "")
                self.twins += self._for_models(match, twin)
            else:
                raise ExpectationError(f"cannot read: {line}", hint=f"write a line such as: {_SUCH_AS}")
        except UsageError as error:
            raise ExpectationError(error.message, place=place, hint=error.hint) from error

    def claims(self) -> list[Claim]:
        """All claims, with the options of all lines."""
        return [replace(claim, options=self.options) for claim in (*self.expected, *self.twins)]

    def _add_options(self, text: str) -> None:
        try:
            found = shlex.split(text)
        except ValueError as error:
            raise ExpectationError(
                f"cannot read the options: {error}", hint="close each quotation mark"
            ) from error
        for option in found[: found.index("--") if "--" in found else None]:
            if option.startswith("--") and option[2:].partition("=")[0] in OF_A_RUN:
                message = f"{option} applies to a single run, not to the program"
                raise ExpectationError(message, hint=f"give {option} on the command line")
        self.options = (*self.options, *found)
        if self.read_options is not None:
            self.read_options(list(self.options))

    def _for_models(self, match: re.Match[str], twin: tuple[str, str] | None) -> list[Claim]:
        models = match["models"].split(",")
        for model in models:
            _check_model(model)
        result = parse_result(match["result"], models)
        return [Claim(self.path, model, result, (), twin) for model in models]


def _check_model(name: str) -> None:
    try:
        find_runnable(name)
    except ModelError as error:
        raise ExpectationError(error.message, hint=error.hint) from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        message = "this file is not UTF-8 text"
        raise ExpectationError(message, place=Place(str(path)), hint="save it as UTF-8") from error


def _code(text: str) -> str:
    """The text after the leading comment lines."""
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "".join(lines[first:])


def parse_result(text: str, models: Iterable[str] = ()) -> Result:
    """Reads ``verified complete=4``, ``violation=assertion line=3``, ``violation=race lines=3,5`` ….

    A violation is of a kind that is documented, or has the name of an error rule of one of the ``models``.
    """
    first, *rest = text.split() or [""]
    verdict, _, kind = first.partition("=")
    if verdict not in VERDICTS or (verdict == "violation") != bool(kind):
        raise ExpectationError(f"cannot read the verdict of: {text}", hint=f"write one of: {_VERDICTS}")
    if kind:
        _check_kind(kind, models)
    numbers: dict[str, int] = {}
    lines: tuple[int, ...] | None = None
    for item in rest:
        key, _, value = item.partition("=")
        if (match := _LINES.fullmatch(item)) and lines is None:
            lines = tuple(sorted((int(match[1]), int(match[2]))))
            continue
        if key not in NUMBERS or key in numbers or not (value.isascii() and value.isdigit()):
            hint = f"give each number at most once: {'=N, '.join(NUMBERS)}=N, lines=N,N"
            hint = hint if key in NUMBERS else hint_about(key, NUMBERS, hint)
            raise ExpectationError(f"cannot read '{item}' in: {text}", hint=hint)
        numbers[key] = int(value)
    if ("line" in numbers or lines) and verdict != "violation":
        raise ExpectationError(f"only a violation has a line: {text}", hint="leave the line out")
    return Result(verdict, kind or None, **numbers, lines=lines)


def _check_kind(kind: str, models: Iterable[str]) -> None:
    known = _kinds()
    if kind in known:
        return
    try:
        rules = [rule for model in models for rule in _rules(model)]
    except (MazurkaError, OSError):
        return  # the check says what is wrong about the model
    if kind not in rules:
        names = sorted({*known, *rules})
        hint = hint_about(kind, names, f"the kinds are: {', '.join(names)}")
        raise ExpectationError(f"there is no kind of violation '{kind}'", hint=hint)


@cache
def _kinds() -> tuple[str, ...]:
    return tuple(kinds())


def _rules(model: str) -> list[str]:
    """The names of a model's error rules."""
    from mazurka.kat.language.load import load_model  # late: most kinds are documented

    return [rule.name for rule in load_model(find_runnable(model).path).errors if not rule.warning]
