"""The pytest plugin: tests with the mark ``mazurka``, and files that say what they expect.

Projects that do not use it pay nothing: it loads the rest of Mazurka when the first check runs, and it
collects files only if the option ``--mazurka`` or the setting ``mazurka_files`` asks for it, or if they are
named on the command line. ``docs/pytest.md`` shows how it is used.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from mazurka import Outcome
    from mazurka.expectations import Claim, Result

_LITMUS = ".litmus"
_PROGRAMS = (".c", ".cc", ".cpp", ".cxx")
_USUAL = ("*.litmus", *(f"*{suffix}" for suffix in _PROGRAMS))
_HEAD = 8192  # characters: expectations stand in the first lines
_WIDTH = 100
_MARK = "mazurka(*files, expect=None, model='rc11', …): check the program that the test names or returns"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option and the setting that collect files."""
    group = parser.getgroup("mazurka")
    group.addoption(
        "--mazurka",
        action="store_true",
        help="collect litmus tests, and C and C++ files that begin with what is expected of them",
    )
    parser.addini("mazurka_files", "patterns of litmus tests and C files to collect", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Declares the mark."""
    config.addinivalue_line("markers", _MARK)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects a file if that is asked for."""
    if file_path.suffix != _LITMUS and file_path.suffix not in _PROGRAMS:
        return None
    if not parent.session.isinitpath(file_path) and not _is_wanted(file_path, parent.config):
        return None
    if file_path.suffix == _LITMUS:
        return LitmusFile.from_parent(parent, path=file_path)
    from mazurka.expectations import says_something

    with open(file_path, encoding="utf-8", errors="replace") as file:
        says = says_something(file.read(_HEAD))
    is_named = parent.session.isinitpath(file_path)  # then it is an error if nothing is expected of it
    return ProgramFile.from_parent(parent, path=file_path) if says or is_named else None


def _is_wanted(path: Path, config: pytest.Config) -> bool:
    patterns = [*config.getini("mazurka_files"), *(_USUAL if config.getoption("--mazurka") else ())]
    if not patterns:
        return False
    below = os.path.relpath(path, config.rootpath)
    return any(fnmatch(below, pattern) or fnmatch(path.name, pattern) for pattern in patterns)


class LitmusFile(pytest.File):
    """A litmus test."""

    def collect(self) -> Iterator[pytest.Item]:
        """The test itself."""
        yield LitmusItem.from_parent(self, name=self.path.stem)


_OPPOSITE = {  # what a test is if it is not as expected
    **{"Allowed": "Forbidden", "Forbidden": "Allowed"},
    **{"Required(holds)": "Required(violated)", "Required(violated)": "Required(holds)"},
}


class LitmusItem(pytest.Item):
    """Passes if the condition holds, or if the verdict is the one in the nearest ``expected.tsv``."""

    def runtest(self) -> None:
        """Runs the test under the model of its language."""
        from mazurka.litmus import read_litmus
        from mazurka.litmus.running.expected import agrees, find_table, read_table
        from mazurka.litmus.running.log import as_log
        from mazurka.litmus.running.run import run_test

        with _ended_by_ctrl_c():
            verdict = run_test(read_litmus(_short(self.path)))
        table = find_table(str(self.path.parent))
        expected = read_table(table).get(os.path.realpath(self.path)) if table else None
        if expected is not None and not agrees(verdict, expected):
            found = _OPPOSITE[expected]
            pytest.fail(f"expected {expected}, found {found}:\n\n{as_log(verdict)}", pytrace=False)
        if expected is None and not verdict.is_ok:
            pytest.fail(f"the condition does not hold:\n\n{as_log(verdict)}", pytrace=False)
        if verdict.is_bounded:
            pytest.fail(f"a loop was cut at its bound:\n\n{as_log(verdict)}", pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Errors of Mazurka without a traceback."""
        return _error_text(excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """What a failure is called."""
        return self.path, 0, f"{self.path.name} (litmus test)"


class ProgramFile(pytest.File):
    """A C or C++ program that begins with what is expected of it."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each expectation and each twin, under each of its models."""
        from mazurka.cli.project_file import check_options
        from mazurka.expectations import ExpectationError, claims

        try:
            found = claims(self.path, check_options)
        except ExpectationError as error:
            if error.place is not None:
                error.place = error.place._replace(file=_short(Path(error.place.file)))
            raise self.CollectError(str(error)) from error
        for claim in found:
            twin = f" with {claim.twin[0]} -> {claim.twin[1]}" if claim.twin else ""
            yield ProgramItem.from_parent(self, name=f"{claim.model}{twin}", claim=claim)


class ProgramItem(pytest.Item):
    """Passes if the answer is the expected one."""

    def __init__(self, *, claim: Claim, **more: Any) -> None:
        super().__init__(**more)
        self.claim = claim

    def runtest(self) -> None:
        """Checks the program, or its twin."""
        from mazurka import Source
        from mazurka.checking.check import check  # whose errors name options as the file does
        from mazurka.cli.check_options import check_keywords
        from mazurka.cli.commands import parse_arguments

        words = ["check", _short(self.path), "--model", self.claim.model, *self.claim.options]
        keywords = check_keywords(parse_arguments(words))
        program: str | Source = _short(self.path)
        if self.claim.twin is not None:
            keywords["cflags"] = [*keywords["cflags"], f"-I{self.path.parent}"]
            program = Source(self.claim.source(), self.path.name)
        with _ended_by_ctrl_c():
            outcome = check(program, **keywords)
        found = self.claim.result.observed_in(outcome)
        if found != self.claim.result:
            pytest.fail(f"expected {self.claim.result}, found {found}\n\n{_report(outcome)}", pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Errors of Mazurka without a traceback."""
        return _error_text(excinfo) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """What a failure is called."""
        return self.path, 0, f"{self.path.name} under {self.name}"


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """Lets Ctrl-C end pytest: a check only ends its exploration, and the next test would run."""
    usual = signal.getsignal(signal.SIGINT)
    if not callable(usual) or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = []

    def note(number: int, frame: FrameType | None) -> object:
        pressed.append(number)
        return usual(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if pressed:
        raise KeyboardInterrupt


def _error_text(excinfo: pytest.ExceptionInfo[BaseException]) -> str | None:
    from mazurka.errors import MazurkaError

    return str(excinfo.value) if isinstance(excinfo.value, MazurkaError) else None


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """Runs a marked test: what it returns, or what the mark names, is checked."""
    mark = pyfuncitem.get_closest_marker("mazurka")
    if mark is None:
        return None
    path, line, _ = pyfuncitem.location
    where = path, (line or 0) + 1
    if sum(node is pyfuncitem for node, _ in pyfuncitem.iter_markers_with_node("mazurka")) > 1:
        hint = 'keep one; for several models, use @pytest.mark.parametrize("model", …) and mazurka_check'
        _refuse(where, "this test has the mark 'mazurka' more than once, and only one would count", hint)
    wanted = pyfuncitem._fixtureinfo.argnames
    returned = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted})
    if returned is None and not mark.args:
        hint = (
            "return one (a path, the text of a C program, mazurka.Threads(…)), or name its files in the "
            'mark, such as @pytest.mark.mazurka("queue.c")'
        )
        _refuse(where, "this test names no program", hint)
    if returned is not None and mark.args:
        named = ", ".join(map(repr, mark.args))
        message = f"this test returns a program, but its mark names one, too: {named}"
        _refuse(where, message, "keep one of them: leave out the return or what the mark names")
    program = returned if returned is not None else [*mark.args]
    checked(program, pyfuncitem.path.parent, where, **mark.kwargs)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> None:
    """Shows the test's own lines, and none of Mazurka's, if a mistake in the test is told by Mazurka."""
    errors = sys.modules.get("mazurka.errors")
    if errors is None or call.excinfo is None or not isinstance(call.excinfo.value, errors.MazurkaError):
        return
    if not isinstance(call.excinfo.value, errors.InternalError):
        error = call.excinfo.value
        call.excinfo = pytest.ExceptionInfo.from_exception(
            error.with_traceback(_without_ours(call.excinfo.tb))
        )


def _without_ours(trace: TracebackType) -> TracebackType:
    """A traceback without the frames of Mazurka."""
    entries = [trace]
    while entries[-1].tb_next is not None:
        entries.append(entries[-1].tb_next)
    mine = Path(__file__).parent
    kept = [one for one in entries if mine not in Path(one.tb_frame.f_code.co_filename).parents]
    made = None
    for one in reversed(kept):
        made = TracebackType(made, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return made or trace


def _refuse(where: tuple[str, int], message: str, hint: str) -> NoReturn:
    from mazurka.errors import ErrorCode, Place, UsageError

    pytest.fail(str(UsageError(ErrorCode.USAGE, message, place=Place(*where), hint=hint)), pytrace=False)


@pytest.fixture
def mazurka_check(request: pytest.FixtureRequest) -> Callable[..., Outcome]:
    """Checks a program, and fails the test with the counterexample if the answer is not the expected one."""

    def run(program: object, **options: Any) -> Outcome:
        __tracebackhide__ = True
        user = sys._getframe(1)
        where = os.path.relpath(user.f_code.co_filename, request.config.rootpath), user.f_lineno
        return checked(program, request.path.parent, where, **options)

    return run


def checked(
    program: object, folder: Path, where: tuple[str, int], *, expect: str | None = None, **options: Any
) -> Outcome:
    """The answer of a check, which is as expected: by default, that the program is verified.

    Errors in the question say ``where`` it is asked: the file and the line of a test.
    """
    __tracebackhide__ = True
    from mazurka import MazurkaError, check
    from mazurka.checking.options import check_arguments
    from mazurka.errors import ErrorCode, Place

    try:
        check_arguments(program, options, ["expect"])
        expected = _expected(expect, options)
        with _ended_by_ctrl_c():
            outcome = check(_placed(program, folder), **options)  # type: ignore[arg-type]
    except MazurkaError as error:
        if error.place is None or not error.place.line:
            error.place = Place(*where)
        if error.code is ErrorCode.MISSING_FILE:
            error.hint = "check the spelling; paths start from the test, or else from the working directory"
        wrong = str(error)
    else:
        wrong = _difference(expected, outcome, is_told=expect is not None)
        if not wrong:
            return outcome
    pytest.fail(wrong, pytrace=False)


def _difference(expected: Result, outcome: Outcome, *, is_told: bool) -> str:
    """What is wrong about an answer, if anything."""
    found = expected.observed_in(outcome)
    if found == expected:
        return ""
    return (f"expected {expected}, found {found}\n\n" if is_told else "") + _report(outcome)


def _expected(expect: object, options: dict[str, Any]) -> Result:
    """What is expected, which may be a violation of the rules of the model that is checked."""
    from mazurka.checking.options import NO_RACES
    from mazurka.expectations import ExpectationError, parse_result
    from mazurka.models.registry import DEFAULT_MODEL

    if expect is not None and not isinstance(expect, str):
        hint = 'such as expect="violation=race"'
        raise ExpectationError(f"what is expected must be a string, not {expect!r}", hint=hint)
    models = (options.get("model", DEFAULT_MODEL), options.get("races"))
    named = [os.fspath(one) for one in models if isinstance(one, str | os.PathLike) and one != NO_RACES]
    return parse_result("verified" if expect is None else expect, named)


def _placed(program: object, folder: Path) -> object:
    """A program with paths that start from the folder of the test, if there are such files."""
    if isinstance(program, list | tuple):
        return [_placed(one, folder) for one in program]
    from mazurka.files import is_source

    if not isinstance(program, str | os.PathLike) or (isinstance(program, str) and is_source(program)):
        return program
    here = folder / program
    return _short(here) if here.exists() else os.fspath(program)


def _short(path: Path) -> str:
    """A path as reports show it: relative, if the file is below the working directory."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


def _report(outcome: Outcome) -> str:
    from mazurka.report import as_text

    return as_text(outcome, width=_WIDTH)
