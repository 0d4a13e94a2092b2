"""A program of several threads, each of which is a Python function."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from mazurka.checking.execution import Graph
from mazurka.errors import ErrorCode
from mazurka.program import Program
from mazurka.program.passes import passes_without, run_passes
from mazurka.tracing.building import Builder, Traced, nodes
from mazurka.tracing.places import caller, mistake
from mazurka.tracing.recording import position_of, trace
from mazurka.tracing.tree import Act, LoopBegin, LoopEnd, Node, Place, Question, Returned
from mazurka.tracing.values import evaluate, signed


class Threads:
    """Threads that start together; ``after`` runs when all have ended, and gets what they returned.

    Each thread is a function without parameters over variables of ``mazurka.atomic`` and its kin. What it
    returns, a value or a tuple of values, is in ``Execution.results``. An ``assert`` that fails in some
    execution is a violation.
    """

    def __init__(self, *functions: Callable[[], Any], after: Callable[..., Any] | None = None) -> None:
        if not functions:
            raise mistake("there are no threads", "mazurka.Threads(left, right)", ErrorCode.USAGE)
        for function in (*functions, *([] if after is None else [after])):
            if not callable(function):
                message = f"{function!r} is not a function"
                raise mistake(message, "give functions: mazurka.Threads(left, right)")
        for function in functions:
            _refuse_parameters(function)
        self._where = caller()
        self._threads = [Traced(_name(f, i), position_of(f), trace(f)) for i, f in enumerate(functions)]
        self._after = self._traced_after(after) if after is not None else None
        self._check_names()
        builder = Builder(self._threads, self._after, self._where)
        self._program = replace(builder.program(), sources=_sources({p.file for p in builder.positions}))

    def _traced_after(self, after: Callable[..., Any]) -> Traced:
        count = len(self._threads)
        wanted = next((number for number in (count, 0) if _takes(after, number)), None)
        if wanted is None:
            message = f"'{_name(after, 0)}' does not take {_values(count)}, one for each thread"
            hint = "let it take what each thread returns, or nothing"
            raise mistake(message, hint, ErrorCode.USAGE, position_of(after))
        if wanted and any(len(end.values) > 1 for one in self._threads for end in _returns(one.tree)):
            message = f"'{_name(after, 0)}' takes one value per thread, but a thread returns several"
            hint = "return one value, or let it load variables instead"
            raise mistake(message, hint, ErrorCode.UNSUPPORTED, position_of(after))
        given = [_returns_value(one) for one in self._threads] if wanted else []
        return Traced("main", position_of(after), trace(after, given, first_result=count))

    def _check_names(self) -> None:
        """Refuses two variables of one name: reports could not tell them apart."""
        known: dict[str, Place] = {}
        for one in (*self._threads, *([self._after] if self._after else [])):
            for node in nodes(one.tree):
                place = node.step.place if isinstance(node.step, Act) else None
                if place is not None and known.setdefault(place.name, place) != place:
                    message = f"two variables are called '{place.name}'"
                    assert isinstance(node.step, Act), "it has a place"
                    hint = "give each a name of its own"
                    raise mistake(message, hint, ErrorCode.DEFINED_TWICE, node.step.where)

    def to_program(self, without: Collection[str] = ()) -> Program:
        """The bytecode that the engine runs, ``without`` some passes.

        Choices are not narrowed: one that is left without alternatives makes no event, and ``results`` are
        read from events.
        """
        passes = [one for one in passes_without(without) if one.name != "open-values"]
        return run_passes(self._program, passes)

    def results(self, program: Program, graph: Graph) -> tuple[object, ...]:
        """What each thread returned in an execution; None for one that did not return."""
        return tuple(
            _result(thread.tree, _read(program, graph, number))
            if number < len(graph.threads) and graph.threads[number].status == "done"
            else None
            for number, thread in enumerate(self._threads, 1)
        )


def _read(program: Program, graph: Graph, thread: int) -> dict[int, int]:
    """What a thread read last in each step, by the step's number."""
    found: dict[int, int] = {}
    for event in graph.threads[thread].events:
        if event.kind in ("R", "CHOOSE"):
            found[program.functions[event.function].code[event.pc].position] = event.value
    return found


def _result(tree: Node, read: dict[int, int]) -> object:
    """What a function returned: its steps are followed with what they read, in the last round of loops."""
    results: dict[int, int] = {}
    node = tree
    while node.end is None:
        step = node.step
        if isinstance(step, Question) and not evaluate(step.value, results):
            assert node.otherwise is not None, "a question has two answers"
            node = node.otherwise
            continue
        if isinstance(step, Act) and step.has_result:
            bits = step.place.bits if step.place else 64
            results[len(results)] = signed(read[node.number], bits)
        assert isinstance(step, Act | Question | LoopBegin | LoopEnd), "the function has not ended"
        assert node.after is not None, "a step has something behind it"
        node = node.after
    assert isinstance(node.end, Returned), "a thread that is done has returned"
    values = tuple(evaluate(value, results) for value in node.end.values)
    return values[0] if len(values) == 1 else values or None


def _returns_value(thread: Traced) -> bool:
    """Whether a thread returns a value. Functions that take it cannot tell a value from none."""
    found = {bool(end.values) for end in _returns(thread.tree)}
    if len(found) > 1:
        message = f"'{thread.name}' returns a value on some ways and nothing on others, and after=… takes it"
        hint = "return a number on each way, such as -1 for nothing"
        raise mistake(message, hint, ErrorCode.UNSUPPORTED, thread.where)
    return found == {True}


def _returns(tree: Node) -> Iterator[Returned]:
    return (node.end for node in nodes(tree) if isinstance(node.end, Returned))


def _name(function: Callable[..., Any], number: int) -> str:
    name = getattr(function, "__name__", "")
    return name if name.isidentifier() else f"thread{number + 1}"


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return count == 0  # it was not written in Python, and does not say what it takes
    return True


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"


def _refuse_parameters(function: Callable[..., Any]) -> None:
    """Refuses a function that needs arguments: threads get none."""
    try:
        inspect.signature(function).bind()
    except TypeError as error:
        message = f"'{_name(function, 0)}' cannot be called without arguments: {error}"
        hint = "a thread is a function without parameters; use a lambda or functools.partial to give it some"
        raise mistake(message, hint, ErrorCode.USAGE, position_of(function)) from error
    except ValueError:
        return  # it was not written in Python, and does not say what it takes


def _sources(files: Collection[str]) -> dict[str, str]:
    """The texts of the user's files, for reports; a notebook's cells are known to ``linecache``."""
    found = {}
    for file in files:
        lines = linecache.getlines(file) or linecache.getlines(str(Path.cwd() / file))
        if lines:
            found[file] = "".join(lines)
    return found
