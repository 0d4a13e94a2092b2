"""Runs a function once for each way that it can go, and notes what it does.

A question is answered with yes first. Each question of a run that was not asked in the runs before makes
another run, in which its answer is no.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from mazurka.errors import ErrorCode, UsageError
from mazurka.program import Position
from mazurka.tracing.assignments import refuse_assignments, refuse_counting
from mazurka.tracing.places import caller, mistake, shown_path
from mazurka.tracing.tree import Act, Again, End, Failed, LoopBegin, LoopEnd, Node, Question, Returned, Step
from mazurka.tracing.values import Constant, NoValue, Result, Value, number

MOST_QUESTIONS = 64  # in one run: more are those of a loop without end
MOST_RUNS = 1024
_WAIT = "wait with wait_until(lambda: …), which may go round any number of times, or loop over range(n)"
_current: list[Recorder] = []


class Recorder:
    """Notes the steps of one run of a function.

    I1: it notes no value of another run, which would be taken for another value of this one.
    I2: it notes nothing after the run has ended: what ``finally`` does, or a context manager when it is
    left, is not part of a round that waits.
    """

    def __init__(self, name: str, tree: Node, answers: Sequence[bool], first_result: int) -> None:
        self.name = name
        self.tree = tree
        self.answers = answers
        self.steps: list[Step] = []
        self.goes_round = False  # the run has ended, with a condition that is not true
        self.results = first_result
        self.asked: list[bool] = []
        self.known: dict[str, bool] = {}  # the answers, by question

    def act(self, act: Act) -> Value:
        """Notes a step; its result, if it has one."""
        for value in act.values:
            self.check_own(value)
        self.note(act)
        if not act.has_result:
            return Constant(0)
        self.results += 1
        return Result(self.results - 1, self)

    def note(self, step: Step) -> None:
        """Adds a step to the run, unless that has ended (I2)."""
        self.refuse_after_end()
        self.steps.append(step)

    def go_round(self) -> NoReturn:
        """Ends the run: the next round of a loop begins."""
        self.goes_round = True
        raise _GoesRound

    def refuse_after_end(self) -> None:
        """Leaves the function again if it goes on after the end of its run (I2)."""
        if self.goes_round:
            raise _GoesRound

    def check_own(self, value: Value, where: Position | None = None) -> None:
        """Refuses a value of another run (I1)."""
        for run in value.runs:
            if run is not self and isinstance(run, Recorder):
                message = f"this value was read in another thread, by '{run.name}'"
                hint = "store it in a shared variable; or return it, and let after=… take what threads return"
                if run.tree is self.tree:
                    message = f"this value was read in an earlier run of '{run.name}'"
                    hint = (
                        "the function is run once for each way that it can go: keep its variables inside it"
                    )
                raise mistake(message, hint, ErrorCode.UNSUPPORTED, where)

    def decide(self, value: Value) -> bool:
        """The answer to a question in this run; it stays the same, however often it is asked."""
        if isinstance(value, Constant):
            return bool(value.value)
        self.refuse_after_end()
        self.check_own(value)
        question = repr(value)
        if question in self.known:
            return self.known[question]
        if len(self.asked) >= MOST_QUESTIONS:
            message = f"more than {MOST_QUESTIONS} decisions in a row: this loop may never end"
            raise mistake(message, _WAIT, ErrorCode.ENDLESS_LOOP)
        at = len(self.asked)
        answer = self.answers[at] if at < len(self.answers) else True
        self.asked.append(answer)
        self.known[question] = answer
        self.note(Question(value, answer))
        return answer


def is_tracing() -> bool:
    """Whether a function is being traced."""
    return bool(_current)


def recorder(what: str) -> Recorder:
    """The recorder of the function that is being traced."""
    if not _current:
        message = f"{what} can only be used inside the functions of a program"
        hint = "give functions to mazurka.Threads(…), which traces them"
        raise mistake(message, hint, ErrorCode.USAGE)
    return _current[-1]


def wait_until(condition: Callable[[], Value | int]) -> Value:
    """Runs ``condition`` again and again until what it returns is not zero; returns that."""
    noted, where = recorder("wait_until"), caller()
    if not callable(condition):
        raise mistake(f"{condition!r} is not a function", "such as wait_until(lambda: x.load() == 1)")
    refuse_counting(condition)
    noted.note(LoopBegin(where))
    answer = condition()
    if answer is None:
        raise mistake("the condition returns None", "let it return what it waits for, such as x.load() == 1")
    value = number(answer)
    noted.check_own(value)
    if isinstance(value, Constant) and not value.value:
        noted.go_round()
    noted.note(LoopEnd(value))
    return value


class _GoesRound(BaseException):
    """Ends a run in which the condition of a loop is not true: what follows the loop is on other ways."""


def trace(function: Callable[..., Any], given: Sequence[bool] = (), first_result: int = 0) -> Node:
    """The tree of all ways that a function can go.

    Its arguments are the first results, or None where no value is ``given``; the results of its steps count
    from ``first_result``.
    """
    refuse_assignments(function)
    root = Node()
    waiting: list[tuple[bool, ...]] = [()]
    runs = 0
    while waiting:
        answers = waiting.pop()
        runs += 1
        if runs > MOST_RUNS:
            message = f"there are more than {MOST_RUNS} ways through '{_name(function)}'"
            hint = f"ask less often about values; {_WAIT}"
            raise mistake(message, hint, ErrorCode.TOO_LARGE, position_of(function))
        noted = Recorder(_name(function), root, answers, first_result)
        with _recording(noted):
            arguments = [Result(at, noted) if is_value else None for at, is_value in enumerate(given)]
            end = _run(function, arguments, noted)
        _insert(root, noted.steps, end, function)
        for at in range(len(answers), len(noted.asked)):
            waiting.append((*noted.asked[:at], False))
    _refuse_endless(root)
    return root


def _refuse_endless(root: Node) -> None:
    """Refuses a loop that no way through its condition ends."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node.step, LoopBegin) and not _can_end(node):
            message = "this condition is never true, so the loop never ends"
            hint = "load a variable in the condition"
            raise mistake(message, hint, ErrorCode.ENDLESS_LOOP, node.step.where)
        waiting += [one for one in (node.otherwise, node.after) if one is not None]


def _can_end(loop: Node) -> bool:
    """Whether some way from the beginning of a loop leads to its end; others may be inside of it."""
    waiting = [(loop.after, 1)]
    while waiting:
        node, depth = waiting.pop()
        if node is None:
            continue
        depth += isinstance(node.step, LoopBegin) - isinstance(node.step, LoopEnd)
        if not depth or isinstance(node.end, Failed):
            return True
        waiting += [(node.after, depth), (node.otherwise, depth)]
    return False


@contextmanager
def _recording(noted: Recorder) -> Iterator[None]:
    _current.append(noted)
    try:
        yield
    finally:
        _current.pop()


def _run(function: Callable[..., Any], arguments: Sequence[Value | None], noted: Recorder) -> End:
    """How a run ends: a failed assertion of the function is one of its program."""
    try:
        returned = function(*arguments)
    except (Exception, _GoesRound) as error:
        if noted.goes_round:  # whatever the function made of that, in ``except`` or ``finally``
            return Again()
        if isinstance(error, AssertionError):
            return _failed(error)
        raise
    if noted.goes_round:
        return Again()
    values = returned if isinstance(returned, tuple) else () if returned is None else (returned,)
    for value in values:
        if not isinstance(value, Value | int):
            raise mistake(*_no_result(_name(function), value), where=position_of(function))
    numbers = tuple(number(value, position_of(function)) for value in values)
    for one in numbers:
        noted.check_own(one, position_of(function))
    return Returned(numbers)


def _failed(error: AssertionError) -> Failed:
    """The end of a run whose assertion fails."""
    trace = error.__traceback__
    assert trace is not None, "what was raised has a place"
    while trace.tb_next is not None:
        trace = trace.tb_next
    file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
    text = linecache.getline(file, line).strip()
    # Not the error's own text, where the source has one: pytest rewrites assertions.
    _, _, said = f" {text}".partition(" assert ")
    said = said or str(error).partition("\n")[0]
    message = f"Assertion failed: {said}" if said else "Assertion failed"
    column = len(linecache.getline(file, line)) - len(linecache.getline(file, line).lstrip()) + 1
    return Failed(message, Position(shown_path(file), line, column))


def _no_result(name: str, value: object) -> tuple[str, str]:
    """Why a function cannot return a value, and the cure."""
    if isinstance(value, Generator | Coroutine):
        value.close()
        kind = "a generator" if isinstance(value, Generator) else "an async function"
        return f"'{name}' is {kind}", "a thread is a plain function, without yield and async"
    if value is None:
        return (
            f"'{name}' returns None beside other values",
            "leave out what has no result, such as x.store(1)",
        )
    hint = "return what was loaded, an int, or a tuple of these"
    hint = value.why_not()[1] if isinstance(value, NoValue) else hint
    return f"'{name}' returns {value!r}, which is not a number", hint


def _insert(root: Node, steps: Sequence[Step], end: End, function: Callable[..., Any]) -> None:
    """Adds a run to the tree; what it has in common with those before must be the same (I1)."""
    node = root
    for step in steps:
        if node.step is None and node.end is None:
            node.step = step
            node.after = Node()
            node.otherwise = Node() if isinstance(step, Question) else None
        elif node.step is None or not _is_same(node.step, step):
            raise _not_the_same(function)
        follows = node.after if not isinstance(step, Question) or step.answer else node.otherwise
        assert follows is not None, "a step has something behind it"
        node = follows
    if node.step is not None or node.end is not None:  # an earlier run went on from here, or ended here
        raise _not_the_same(function)
    node.end = end


def _not_the_same(function: Callable[..., Any]) -> UsageError:
    message = f"'{_name(function)}' does not do the same each time it is run"
    hint = "it is run once for each way that it can go: keep its variables inside it, and draw no "
    hint += "random numbers"
    return mistake(message, hint, ErrorCode.UNSUPPORTED, position_of(function))


def _is_same(one: Step, other: Step) -> bool:
    if isinstance(one, Act) and isinstance(other, Act):
        return one.signature() == other.signature()
    if isinstance(one, Question | LoopEnd) and isinstance(other, Question | LoopEnd):
        return type(one) is type(other) and repr(one.value) == repr(other.value)
    return one == other


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "function")


def position_of(function: Callable[..., Any]) -> Position:
    """Where a function of the user is defined; the place of the user's code if it is ours (``x.load``)."""
    code = getattr(function, "__code__", None)
    if code is None or str(getattr(function, "__module__", "")).startswith("mazurka.tracing"):
        return caller()
    return Position(shown_path(code.co_filename), code.co_firstlineno, 0)
