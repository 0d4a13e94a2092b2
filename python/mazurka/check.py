"""Checks one program: front-end, engine, Outcome.

The only module that knows both ends. Findings come back as values; everything that prevents an answer is
a ``MazurkaError``, whoever is at fault (``errors.py``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mazurka.errors import (
    ErrorCode,
    InternalError,
    MazurkaError,
    ModelError,
    Place,
    UsageError,
)
from mazurka.objects import access_size, allocations, bad_access, bad_free
from mazurka.outcome import Cut, Graph, InitialObject, InitialWrite, Outcome, Violation, location, position
from mazurka.plan import PLANS, Plan
from mazurka.printf import render
from mazurka.program import NO_POSITION, Position, Program
from mazurka.refusals import refusal

DEFAULT_MODEL = "sc"
EQUIVALENCES = ("co", "rf")


def check(
    path: str | os.PathLike[str],
    *,
    model: str = DEFAULT_MODEL,
    equivalence: str = "co",
    unroll: int | None = None,
    schedule_seed: int | None = None,
    time_limit: float | None = None,
    cc: str | None = None,
    cflags: Sequence[str] = (),
    verbose: bool = False,
    collect: bool = False,
) -> Outcome:
    """Explores every execution of the C program at ``path`` under a memory model.

    ``unroll`` bounds the iterations of every loop; ``schedule_seed`` picks another order of exploration
    (no count depends on it); ``time_limit`` is in seconds of exploration; ``cc`` names a clang and
    ``cflags`` are passed to it; ``verbose`` keeps what the program prints; ``collect`` keeps the graph of
    every complete execution.
    """
    plan = _plan(model)
    _check_equivalence(equivalence)
    _check_bounds(unroll, schedule_seed, time_limit)
    with _foreseen():
        started = time.perf_counter()
        program = _compile(path, cc, cflags)
        frontend = time.perf_counter() - started
        result = _explore(
            program,
            plan,
            unroll=unroll,
            schedule_seed=schedule_seed,
            time_limit=time_limit,
            collect=collect,
            verbose=verbose,
        )
        if result["status"] == "refused":
            raise refusal(program, result["finding"], _graph(result))
        return _outcome(result, program, plan, equivalence, frontend)


def _plan(model: str) -> Plan:
    if model in PLANS:
        return PLANS[model]
    known = ", ".join(sorted(PLANS))
    if Path(model).suffix in (".kat", ".cat"):
        raise ModelError(
            ErrorCode.BAD_MODEL,
            "model files are not supported yet",
            place=Place(model),
            hint=f"use a built-in model: {known}",
        )
    raise ModelError(ErrorCode.UNKNOWN_MODEL, f"there is no model '{model}'", hint=f"the models are: {known}")


def _check_equivalence(equivalence: str) -> None:
    if equivalence == "rf":
        raise UsageError(
            ErrorCode.UNSUPPORTED, "equivalence rf is not yet supported", hint="use --equivalence co"
        )
    if equivalence not in EQUIVALENCES:
        raise UsageError(
            ErrorCode.BAD_VALUE,
            f"there is no equivalence '{equivalence}'",
            hint=f"the equivalences are: {', '.join(EQUIVALENCES)}",
        )


def _check_bounds(unroll: int | None, schedule_seed: int | None, time_limit: float | None) -> None:
    if unroll is not None and not 1 <= unroll < 1 << 32:
        _bad_value(f"a loop bound of {unroll} is out of range", "give --unroll a number from 1 to 4294967295")
    if schedule_seed is not None and not 0 <= schedule_seed < 1 << 64:
        _bad_value(f"schedule seed {schedule_seed} is out of range", "give a number from 0 to 2^64 - 1")
    if time_limit is not None and not 0 < time_limit < float("inf"):
        _bad_value(f"a time limit of {time_limit:g} s is out of range", "give a positive number of seconds")


def _bad_value(message: str, hint: str) -> None:
    raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


@contextmanager
def _foreseen() -> Iterator[None]:
    """Turns an exception that nobody foresaw into an InternalError that keeps its cause."""
    try:
        yield
    except (MazurkaError, KeyboardInterrupt, SystemExit):
        raise
    # A Rust panic arrives as a BaseException that is not an Exception.
    except BaseException as error:
        raise InternalError(f"{type(error).__name__}: {error}", hint=_report_hint()) from error


def _report_hint() -> str:
    from mazurka import __version__  # late: the package imports this module

    return (
        f"this is a bug of Mazurka {__version__}, not of your program: "
        "please report it with the program and the options"
    )


def _compile(path: str | os.PathLike[str], cc: str | None, cflags: Sequence[str]) -> Program:
    # Imported late: it loads LLVM, which --help and --version do without.
    from mazurka.frontend import compile_program

    return compile_program(path, cc=cc, cflags=cflags)


def _explore(program: Program, plan: Plan, **options: Any) -> dict[str, Any]:
    from mazurka import _engine

    return _engine.explore(program.encode(), plan.encode(), **options)


def _outcome(
    result: Mapping[str, Any], program: Program, plan: Plan, equivalence: str, frontend: float
) -> Outcome:
    bounds = tuple(_cut(program, *cut) for cut in result["cuts"])
    return Outcome(
        verdict=_verdict(result["status"], bounds),
        model=plan.name,
        equivalence=equivalence,
        complete=result["complete"],
        blocked=result["blocked"],
        violation=_violation(program, result) if result["status"] == "violation" else None,
        warnings=_warnings(result),
        bounds=bounds,
        seconds_frontend=frontend,
        seconds_explore=result["seconds"],
        output=tuple((thread, render(program, operands)) for thread, operands in result["output"]),
        program=program,
        objects=tuple(InitialObject(*item) for item in result["objects"]),
        prologue=tuple(InitialWrite(*write) for write in result["prologue"]),
        graphs=tuple(Graph.from_engine(graph) for graph in result["graphs"]),
    )


def _verdict(status: str, bounds: tuple[Cut, ...]) -> str:
    if status == "finished":
        return "bounded" if bounds else "verified"
    return status


def _warnings(result: Mapping[str, Any]) -> tuple[str, ...]:
    if result["status"] == "finished" and not result["complete"] and not result["cuts"]:
        return ("no execution ran to its end: every one was blocked, so nothing after that was checked",)
    return ()


def _graph(result: Mapping[str, Any]) -> Graph | None:
    return None if result["graph"] is None else Graph.from_engine(result["graph"])


def _violation(program: Program, result: Mapping[str, Any]) -> Violation:
    finding, other, graph = result["finding"], result["finding"]["other"], _graph(result)
    return Violation(
        kind=finding["kind"],
        message=_message(program, result, graph),
        location=location(program, finding),
        thread=finding["thread"],
        function=finding["function"],
        pc=finding["pc"],
        stack=tuple((function, pc) for function, pc in finding["stack"]),
        other=None if other is None else (other[0], other[1]),
        graph=graph,
    )


def _message(program: Program, result: Mapping[str, Any], graph: Graph | None) -> str:
    """The engine's message; an address that it names is said in terms of the objects around it."""
    finding = result["finding"]
    address, kind = finding.get("address"), finding["kind"]
    near = None
    if address is not None and kind in ("unallocated", "invalid-free"):
        objects = allocations((InitialObject(*item) for item in result["objects"]), graph)
        size = finding.get("size") or access_size(program, finding["function"], finding["pc"])
        if kind == "unallocated":
            near = bad_access(program, address, size, objects)
        else:
            near = bad_free(program, address, objects)
    return str(near or finding["message"])


def _at(program: Program, index: int) -> Position | None:
    return None if index == NO_POSITION else program.positions[index]


def _cut(program: Program, loop: int, function: int, pc: int) -> Cut:
    where = _at(program, program.loops[loop].position) or position(program, function, pc)
    name = program.loops[loop].function
    return Cut(name, where.file, where.line) if where else Cut(name, "", 0)
