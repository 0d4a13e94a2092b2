"""Reads what a test program expects of itself, from the comments in its first lines.

    // mazurka: --unroll 3
    // expect[sc,rc11]: verified complete=4 blocked=0
    // expect[sc]: violation=assertion line=17
    // expect[rc11]: violation=race lines=17,25
    // expect[sc]: bounded
    // twin[sc] release->relaxed: violation=race
    // twin[sc] `if (x)` -> `if (1)`: violation=assertion

Reading is strict: a line that looks like one of these and is not, or a program without an expectation,
is a ``ExpectationError``.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mazurka.checking.outcome import Outcome

VERDICTS = ("verified", "violation", "bounded")
NUMBERS = ("complete", "blocked", "line")

_DIRECTIVE = re.compile(r"^\s*//\s*(?:(?:expect|twin)\w*\s*\[|mazurka\s*:)", re.IGNORECASE)
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
_LINES = re.compile(r"lines=(\d+),(\d+)")


class ExpectationError(ValueError):
    """A program has no readable expectation."""


@dataclass(frozen=True)
class Result:
    """The expected result of a check; a number that is None is not checked."""

    verdict: str
    kind: str | None = None
    complete: int | None = None
    blocked: int | None = None
    line: int | None = None
    lines: tuple[int, ...] | None = None  # of both events of a violation that has two, in ascending order

    def __str__(self) -> str:
        words = [f"violation={self.kind}" if self.verdict == "violation" else self.verdict]
        words += [f"{name}={number}" for name in NUMBERS if (number := getattr(self, name)) is not None]
        return " ".join([*words, *([f"lines={self.lines[0]},{self.lines[1]}"] if self.lines else [])])

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
        text = self.path.read_text(encoding="utf-8")
        if self.twin is None:
            return text
        old, new = self.twin
        header = len(text) - len(_code(text))
        if old not in text[header:]:
            raise ExpectationError(f"{self.path.name}: the twin's text `{old}` is not in the code")
        return text[:header] + text[header:].replace(old, new, 1)


def claims(path: Path) -> list[Claim]:
    """Every claim of a program, expectations first."""
    text = path.read_text(encoding="utf-8")
    header = text[: len(text) - len(_code(text))].splitlines()
    if any(_DIRECTIVE.match(line) for line in _code(text).splitlines()):
        raise ExpectationError(f"{path.name}: expectations stand in the first lines, before any code")
    expected: list[Claim] = []
    twins: list[Claim] = []
    options: tuple[str, ...] = ()
    for line in header:
        if not _DIRECTIVE.match(line):
            continue
        if match := _OPTIONS.match(line):
            options = (*options, *_options(path, match["options"]))
        elif match := _EXPECT.match(line):
            expected += _for_models(path, match, None)
        elif match := _TWIN.match(line):
            twin = (match["quoted_old"] or match["old"], match["quoted_new"] or match["new"] or "")
            twins += _for_models(path, match, twin)
        else:
            raise ExpectationError(f"{path.name}: cannot read: {line}")
    if not expected:
        raise ExpectationError(f"{path.name}: no expectation")
    return [Claim(c.path, c.model, c.result, options, c.twin) for c in (*expected, *twins)]


def _options(path: Path, text: str) -> list[str]:
    """The options of a program."""
    found = shlex.split(text)
    for option in found[: found.index("--") if "--" in found else None]:
        if option.startswith("--") and option[2:].partition("=")[0] in OF_A_RUN:
            raise ExpectationError(f"{path.name}: {option} is about one run, and not about the program")
    return found


def _code(text: str) -> str:
    """The text after the leading comment lines."""
    lines = text.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "".join(lines[first:])


def _for_models(path: Path, match: re.Match[str], twin: tuple[str, str] | None) -> list[Claim]:
    result = parse_result(match["result"], path.name)
    return [Claim(path, model, result, (), twin) for model in match["models"].split(",")]


def parse_result(text: str, name: str = "") -> Result:
    """Reads ``verified complete=4``, ``violation=assertion line=3``, ``violation=race lines=3,5`` …."""
    first, *rest = text.split()
    verdict, _, kind = first.partition("=")
    if verdict not in VERDICTS or (verdict == "violation") != bool(kind):
        raise ExpectationError(f"{name}: cannot read the verdict of: {text}")
    numbers: dict[str, int] = {}
    lines: tuple[int, ...] | None = None
    for item in rest:
        key, _, value = item.partition("=")
        if match := _LINES.fullmatch(item):
            lines = (int(match[1]), int(match[2]))
            continue
        if key not in NUMBERS or key in numbers or not value.isdigit():
            raise ExpectationError(f"{name}: cannot read '{item}' in: {text}")
        numbers[key] = int(value)
    if ("line" in numbers or lines) and verdict != "violation":
        raise ExpectationError(f"{name}: only a violation has a line: {text}")
    return Result(verdict, kind or None, **numbers, lines=lines)
