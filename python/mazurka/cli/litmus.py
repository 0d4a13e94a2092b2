"""The command ``mazurka litmus``: runs litmus tests, one after another or several at once.

A test that cannot be read or run is reported, and the others still run. Exit status: 1 if a verdict is not
the one that an ``expected.tsv`` names, else 2 if some test could not be run, else 3 if executions of some are
missing because of the bound of a loop, else 0. A bug in Mazurka is 70 before all else.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mazurka._engine import cores
from mazurka.checking.options import check_numbers, check_workers
from mazurka.cli.terminal import complain, print_text, refuse_overwriting, write_text
from mazurka.errors import ErrorCode, InternalError, MazurkaError, UsageError, foreseen
from mazurka.litmus import read_litmus
from mazurka.litmus.running.expected import agrees, find_table, read_table
from mazurka.litmus.running.log import as_log, as_object
from mazurka.litmus.running.run import check_unroll, run_test
from mazurka.models.registry import find_runnable

MISMATCH = 1
BAD_INPUT = 2
BOUNDED = 3
OUR_BUG = 70
_OUTPUTS = ("json", "dot", "junit")
_FEW = 4  # tests that are not worth starting processes for
_WIDTH = 30  # of the bar that shows how many tests are done
_MOST_NAMED = 20  # tests that a summary names


class _Task(NamedTuple):
    """A test to run, and what is expected of it."""

    path: str
    model: str | None
    unchecked: bool
    unroll: int | None
    time_limit: float | None
    expected: str | None
    draws: bool
    why_not: str | None


class _Answer(NamedTuple):
    """The result of a test: its log and data, or an error."""

    task: _Task
    log: str
    data: dict[str, object]
    error: str | None
    is_mismatch: bool = False
    is_bug: bool = False
    is_bounded: bool = False
    drawing: str | None = None


def run_litmus(options: argparse.Namespace) -> int:
    """Runs the tests that are named, and those in the folders that are named."""
    if options.why_not is not None:
        _refuse_beside_why_not(options)
    outputs = [name for name in _OUTPUTS if getattr(options, name) == "-"]
    is_quiet = bool(outputs)
    if len(outputs) > 1:
        hint = f"give {' or '.join(f'--{name}' for name in outputs)} a file"
        raise UsageError(ErrorCode.USAGE, "only one output may use standard output", hint=hint)
    check_numbers(None, options.time_limit)
    check_workers(options.workers)
    check_unroll(options.unroll)
    if options.model is not None:
        find_runnable(options.model)  # reported once, not for each test
    given = options.model, options.unchecked_model, options.unroll, options.time_limit
    tasks = [
        _Task(path, *given, None if options.why_not else expected, options.dot is not None, options.why_not)
        for path, expected in _tests(options.files)
    ]
    refuse_overwriting(options, _OUTPUTS, ((task.path, "a litmus test") for task in tasks))
    answers: list[_Answer] = []
    bar = _Bar(len(tasks))
    for answer in _answers(tasks, options.workers or cores()):
        answers.append(answer)
        bar.clear()
        if not is_quiet:
            _show(answer, names_file=len(tasks) > 1 or answer.task.path not in options.files)
        elif answer.error is not None:
            complain(answer.error)
        bar.draw(len(answers), sum(one.is_mismatch or one.error is not None for one in answers))
    bar.clear()
    if options.json is not None:
        write_text(options.json, json.dumps([answer.data for answer in answers], indent=2) + "\n")
    if options.dot is not None:
        _draw(answers, options.dot)
    if options.junit is not None:
        write_text(options.junit, _as_junit(answers), "--junit")
    if len(tasks) > 1 and not is_quiet:
        print_text(_summary(answers))
    if any(answer.is_bug for answer in answers):
        return OUR_BUG
    if any(answer.is_mismatch for answer in answers):
        return MISMATCH
    if any(answer.error for answer in answers):
        return BAD_INPUT
    return BOUNDED if any(answer.is_bounded for answer in answers) else 0


def _refuse_beside_why_not(options: argparse.Namespace) -> None:
    """Refuses outputs about verdicts: a question about one outcome has none."""
    given = next((name for name in ("dot", "junit") if getattr(options, name) is not None), None)
    if given is not None:
        message = f"--{given} cannot be used with --why-not"
        raise UsageError(ErrorCode.USAGE, message, hint=f"leave out --{given}")


def _draw(answers: list[_Answer], path: str) -> None:
    """Writes the execution that decides the first test that has one."""
    drawing = next((answer.drawing for answer in answers if answer.drawing is not None), None)
    if drawing is None:
        complain("mazurka: no execution to draw: none decides the condition")
    else:
        write_text(path, drawing, "--dot")


def _as_junit(answers: list[_Answer]) -> str:
    """Tests that are not as expected are failures, and so are those with a loop that was cut."""
    from mazurka.report.ci.junit import JunitTest, junit_of

    tests = []
    for answer in answers:
        result, kind, message = "passed", "", ""
        if answer.error is not None:
            result, kind, message = "error", "error", answer.error.splitlines()[0]
        elif answer.is_mismatch:
            message = f"expected {answer.task.expected}, observed {answer.data['observation']}"
            result, kind = "failure", "mismatch"
        elif answer.is_bounded:
            result, kind, message = "failure", "bounded", "executions beyond a loop bound are left out"
        group = f"mazurka.{answer.data.get('model', 'litmus')}"
        text = answer.error or answer.log
        tests.append(JunitTest(group, answer.task.path, 0.0, result, kind, message, text))
    return junit_of(tests)


def _tests(given: list[str]) -> Iterator[tuple[str, str | None]]:
    """The files of tests, each with what is expected of it."""
    for path in given:
        if not os.path.isdir(path):
            yield path, None
            continue
        table = find_table(path)
        expected = read_table(table, path) if table else {}
        found = sorted(str(file) for file in Path(path).rglob("*.litmus"))
        if not found:
            hint = "name a folder that contains .litmus files"
            raise UsageError(ErrorCode.USAGE, f"there are no litmus tests in {path}", hint=hint)
        for file in found:
            yield file, expected.get(os.path.realpath(file))


def _answers(tasks: list[_Task], workers: int) -> Iterator[_Answer]:
    """The answers, in the order of the tasks."""
    if len(tasks) <= _FEW or workers == 1:
        yield from map(_answer, tasks)
        return
    with multiprocessing.get_context("fork").Pool(min(workers, len(tasks)), _leave_signals) as pool:
        yield from pool.imap(_answer, tasks, chunksize=4)
        pool.close()
        pool.join()


def _leave_signals() -> None:
    """Leaves it to the parent process to react to Ctrl-C, and to end this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _answer(task: _Task) -> _Answer:
    how: dict[str, Any] = {"model": task.model, "unroll": task.unroll, "time_limit": task.time_limit}
    try:
        with foreseen():
            if task.why_not is not None:
                return _reason(task, task.why_not, how)
            test = read_litmus(task.path)
            verdict = run_test(test, **how, unchecked_model=task.unchecked, draws=task.draws)
    except MazurkaError as error:
        from mazurka.cli.complaints import show_line  # late: it is only needed for errors

        data: dict[str, object] = {"name": None, "file": task.path}
        data["error"] = {
            "code": error.code.value,
            "message": error.message,
            "location": error.place._asdict() if error.place else None,
            "hint": error.hint,
        }
        show_line(error)
        said = str(error) if error.place else f"{task.path}: {error}"
        return _Answer(task, "", data, said, is_bug=isinstance(error, InternalError))
    data = as_object(verdict)
    is_mismatch = task.expected is not None and not agrees(verdict, task.expected)
    if task.expected is not None:
        data |= {"expected": task.expected, "as_expected": not is_mismatch}
    log, is_bounded, drawing = as_log(verdict), verdict.is_bounded, verdict.drawing
    return _Answer(task, log, data, None, is_mismatch, is_bounded=is_bounded, drawing=drawing)


def _reason(task: _Task, outcome: str, how: dict[str, Any]) -> _Answer:
    """Why the test cannot have the outcome, or that it can."""
    from mazurka.why_not.answer import why_not

    answer = why_not(task.path, outcome, **how, unchecked_model=task.unchecked)
    return _Answer(task, answer.text, answer.as_object(), None, is_bounded=answer.is_bounded)


class _Bar:
    """A line on a terminal that shows how many tests are done. It is drawn after what tests print."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.is_shown = total > _FEW and sys.stderr.isatty()

    def draw(self, done: int, bad: int) -> None:
        """Shows how many are done, and how many of these went wrong."""
        if self.is_shown:
            full = _WIDTH * done // self.total
            what = f", {bad} not as expected" if bad else ""
            bar = "#" * full + "." * (_WIDTH - full)
            sys.stderr.write(f"{bar} {done} of {self.total} tests{what}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Removes the line."""
        if self.is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _show(answer: _Answer, *, names_file: bool) -> None:
    """Prints a log. Herd's tools skip what is ahead of ``Test``, where logs of litmus7 name files, too."""
    if answer.error is not None:
        complain(answer.error)
        return
    end = "\n" if names_file and answer.task.why_not is not None else ""  # logs end with an empty line
    print_text(f"% {answer.task.path}\n{answer.log}{end}" if names_file else answer.log)
    if answer.is_mismatch:
        complain(f"{answer.task.path}: expected {answer.task.expected}")


def _summary(answers: list[_Answer]) -> str:
    errors = sum(answer.error is not None for answer in answers)
    compared = sum(answer.task.expected is not None and answer.error is None for answer in answers)
    mismatches = sum(answer.is_mismatch for answer in answers)
    run = len(answers) - errors
    text = f"{len(answers)} tests: {run} ran, {errors} could not run"
    if compared:
        text += f"; {compared - mismatches} as expected, {mismatches} not"
    wrong = [f"  {a.task.path}: expected {a.task.expected}" for a in answers if a.is_mismatch]
    more = [f"  and {len(wrong) - _MOST_NAMED} more"] if len(wrong) > _MOST_NAMED else []
    return "\n".join([text, *wrong[:_MOST_NAMED], *more, ""])
