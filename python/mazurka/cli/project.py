"""``mazurka check`` without files: checks all programs of a ``mazurka.toml``, and sums up.

Paths in the file are relative to its folder, so that is the working directory of the checks; those of the
outputs are relative to the user's. Options of the command line come after those of the file, and win.

Exit status: 1 if a violation was found, or an expectation is not met, else 2 if some check had no answer,
else 3 if some exploration was not complete, else 0. A bug in Mazurka is 70 before all else.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

from mazurka.checking.outcome import Outcome, Stop
from mazurka.cli.ci import write_ci_files
from mazurka.cli.commands import (
    BAD_INPUT,
    CHECK_OUTPUTS,
    EXIT_STATUS,
    OUR_BUG,
    parse_arguments,
    status_of,
    watched_check,
)
from mazurka.cli.project_file import NAME, Check, Project, read_project
from mazurka.cli.terminal import has_colour, print_text, refuse_overwriting, width, write_text
from mazurka.errors import ErrorCode, InternalError, MazurkaError, UsageError, foreseen
from mazurka.models.registry import DEFAULT_MODEL
from mazurka.report import as_json, as_text, error_as_json
from mazurka.report.ci import Case
from mazurka.report.paint import Paint

_SEVERITY = (70, 1, 2, 3, 0)  # what counts first
_OUTPUTS = ("json", "junit", "sarif")
_ENDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def find_project(options: argparse.Namespace) -> Project | None:
    """The project that is asked for: the named file, or the nearest one; None if files are named instead."""
    if options.files:
        if len(options.files) > 1:
            hint = f"name either {options.files[-1]} alone, or the files of one program"
            raise UsageError(
                ErrorCode.USAGE, "a project file cannot be checked together with source files", hint=hint
            )
        return read_project(options.files[0])
    if options.compile_commands is not None:
        return None
    folder = os.getcwd()
    while not os.path.isfile(os.path.join(folder, NAME)):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return read_project(os.path.relpath(os.path.join(folder, NAME)))


def run_project(project: Project, options: argparse.Namespace) -> int:
    """Checks all programs of a project."""
    several = (name for name in (*CHECK_OUTPUTS, "expect_outcome") if name not in _OUTPUTS)
    single = next((name for name in several if getattr(options, name) is not None), None)
    if single is not None:
        message = f"--{single.replace('_', '-')} applies to a single program, but a project lists several"
        hint = "name the files of one program, or use --json, --junit or --sarif"
        raise UsageError(ErrorCode.USAGE, message, hint=hint)
    refuse_overwriting(options, _OUTPUTS, _needed(project))
    is_quiet = "-" in (getattr(options, name) for name in _OUTPUTS)
    for name in _OUTPUTS:
        path = getattr(options, name)
        setattr(options, name, path if path in (None, "-") else os.path.abspath(path))
    os.chdir(os.path.dirname(project.path) or ".")
    checks = _under(project.checks, options.model)
    table = _Table(checks, Paint(has_colour(sys.stdout)))
    show = _ignore if is_quiet else print_text
    show(table.head())
    cases = []
    for one, case in zip(checks, _answers(checks, project.time_budget, options), strict=True):
        cases.append(case)
        show(table.row(one, case))
    show("".join(_details(cases, options)))
    show(_summary(cases))
    status = next((one for one in _SEVERITY if any(case.status == one for case in cases)), 0)
    if options.json is not None:
        write_text(options.json, _as_json(checks, cases))
    write_ci_files(cases, options, status)
    return status


def _needed(project: Project) -> Iterator[tuple[str, str]]:
    """The files of a project, and what each is."""
    yield project.path, "the project file"
    folder = os.path.dirname(project.path)
    for one in project.checks:
        for file in _own_files(one):
            yield os.path.join(folder, file), "a file of the project"


def _own_files(one: Check) -> Iterator[str]:
    """The files of a check, which come before its options."""
    return takewhile(lambda word: not word.startswith("-"), one.arguments)


def _ignore(_: str) -> None:
    """What is shown if standard output is used for something else."""


def _under(checks: Sequence[Check], model: str | None) -> list[Check]:
    """The checks under the model of the command line, if one is given: each program once."""
    if model is None:
        return list(checks)
    chosen: dict[tuple[str, tuple[str, ...]], Check] = {}
    for one in checks:
        key = one.name, one.arguments
        same = one if one.model == model else one._replace(model=model, expected=None)
        if key not in chosen or one.model == model:
            chosen[key] = same
    return list(chosen.values())


def _answers(checks: Sequence[Check], budget: float | None, options: argparse.Namespace) -> Iterator[Case]:
    """The answers, as they are found."""
    deadline = None if budget is None else time.monotonic() + budget
    with _ends_noted() as ended:
        for one in checks:
            left = None if deadline is None else deadline - time.monotonic()
            if ended:
                yield _not_started(one, "interrupted", Stop("signal"))
            elif left is not None and left <= 0:
                used_up = Stop("time-budget", budget)
                yield _not_started(one, f"{used_up} was used up", used_up)
            else:
                case = _answer(one, left, options)
                yield case if left is None or budget is None else _by_budget(case, left, budget)


@contextmanager
def _ends_noted() -> Iterator[list[int]]:
    """Signals that end a check also end the checks after it: those that came."""
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in _ENDED}

    def note(number: int, frame: Any) -> None:
        came.append(number)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    noted = [number for number in _ENDED if callable(before[number])]
    for number in noted:
        signal.signal(number, note)
    try:
        yield came
    finally:
        for number in noted:
            signal.signal(number, before[number])


def _by_budget(case: Case, left: float, budget: float) -> Case:
    """The answer of a check that could take as long as was ``left`` of the budget."""
    outcome = case.outcome
    if outcome is None or outcome.stopped_by != Stop("time-limit", left):
        return case
    return case._replace(outcome=outcome._replace(stopped_by=Stop("time-budget", budget)))


def _not_started(one: Check, why: str, stop: Stop) -> Case:
    outcome = Outcome(
        verdict="interrupted",
        model=one.model or DEFAULT_MODEL,
        equivalence="co",
        complete=0,
        blocked=0,
        violation=None,
        warnings=(f"this check was not started: {why}",),
        bounds=(),
        seconds_frontend=0.0,
        seconds_explore=0.0,
        output=(),
        compiled=None,
        stopped_by=stop,
    )
    status = EXIT_STATUS[outcome.verdict]
    return Case(one.name, outcome.model, outcome, None, status, _expected(one), file=_first_file(one))


def _answer(one: Check, left: float | None, options: argparse.Namespace) -> Case:
    """One check, with the options of the file and then those of the command line."""
    try:
        with foreseen():
            chosen = parse_arguments(_arguments(one, options), last_counts=True)
            if left is not None:
                chosen.time_limit = min(left, chosen.time_limit or left)
            outcome = watched_check(chosen)
    except MazurkaError as error:
        status = OUR_BUG if isinstance(error, InternalError) else BAD_INPUT
        case = Case(one.name, one.model or DEFAULT_MODEL, None, error, status, _expected(one))
        return case._replace(file=_first_file(one))
    case = Case(one.name, outcome.model, outcome, None, 0, _expected(one), file=_first_file(one))
    if one.expected is None:
        return case._replace(status=status_of(outcome, chosen))
    found = one.expected.observed_in(outcome)
    if found == one.expected:
        return case
    status = EXIT_STATUS[outcome.verdict] or EXIT_STATUS["violation"]
    return case._replace(status=status, complaint=f"expected {one.expected}, found {found}")


def _arguments(one: Check, options: argparse.Namespace) -> list[str]:
    """The command line of a check."""
    own, cflags = _parted(list(one.arguments))
    given, more = _parted([word for word in options.arguments[1:] if word not in options.files])
    model = [] if one.model is None else ["--model", one.model]
    return ["check", *own, *model, *given, "--", *cflags, *more]


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """Words before and after ``--``."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def _first_file(one: Check) -> str:
    return next(iter(_own_files(one)), "")


def _expected(one: Check) -> str:
    return "" if one.expected is None else str(one.expected)


class _Table:
    """A row for each check, written as soon as it has an answer."""

    def __init__(self, checks: Sequence[Check], paint: Paint) -> None:
        self.paint = paint
        self.names = max(map(len, ["program", *(one.name for one in checks)]))
        self.models = max(map(len, ["model", *(one.model or DEFAULT_MODEL for one in checks)]))

    def head(self) -> str:
        """The names of the columns."""
        return self._line("program", "model", "executions", "time", "result")

    def row(self, one: Check, case: Case) -> str:
        """The answer of a check."""
        style = "good" if case.is_good else "bad" if case.status != EXIT_STATUS["bounded"] else "unsure"
        words = self.paint(style, _result(case))
        if case.outcome is None:
            return self._line(one.name, case.model, "-", "-", words)
        counted = case.outcome.complete + case.outcome.blocked
        return self._line(one.name, case.model, str(counted), f"{case.seconds:.2f} s", words)

    def _line(self, name: str, model: str, executions: str, seconds: str, result: str) -> str:
        columns = f"{name:<{self.names}}  {model:<{self.models}}  {executions:>10}  {seconds:>8}"
        return f"{columns}  {result}\n"


def _result(case: Case) -> str:
    """The answer in a few words."""
    if case.error is not None:
        return f"error: {case.kind}"
    if case.complaint:
        return case.complaint
    words = f"violation: {case.kind}" if case.outcome and case.outcome.violation else case.kind
    return f"{words}, as expected" if case.expected else words


def _details(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """The whole reports of checks whose answers are not as expected."""
    for case in cases:
        if case.is_good:
            continue
        yield f"\n{case.name} ({case.model})\n"
        if case.error is not None:
            yield "".join(f"  {line}\n" for line in str(case.error).splitlines())
        else:
            assert case.outcome is not None, "a case has an answer or an error"
            how = {name: getattr(options, name) for name in ("verbose", "explain", "calls")}
            yield as_text(case.outcome, width=width(), colour=has_colour(sys.stdout), **how)


def _summary(cases: Sequence[Case]) -> str:
    count = f"{len(cases)} check{'s' * (len(cases) != 1)}"
    bad = sum(not case.is_good for case in cases)
    told = f"{len(cases) - bad} as expected, {bad} not" if bad else "all as expected"
    return f"\n{count}: {told}\n"


def _as_json(checks: Sequence[Check], cases: Sequence[Case]) -> str:
    """A list, one object per check: what ``--json`` writes for it alone, and what was expected."""
    found = []
    for one, case in zip(checks, cases, strict=True):
        answer = error_as_json(case.error) if case.error else as_json(case.outcome) if case.outcome else "{}"
        about = {"name": one.name, "expected": case.expected or None, "as_expected": case.is_good}
        found.append({**about, "model": case.model, **json.loads(answer)})
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"
