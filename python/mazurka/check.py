"""Checks one program: front-end, engine, Outcome.

The only module that knows both ends. Findings come back as values; everything that prevents an answer is
a ``MazurkaError``, whoever is at fault (``errors.py``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mazurka.errors import (
    ErrorCode,
    InternalError,
    MazurkaError,
    ModelError,
    Place,
    UsageError,
)
from mazurka.findings import graph_of, rule_warnings, violation
from mazurka.outcome import AxiomCount, Cut, Graph, InitialObject, InitialWrite, Outcome, position
from mazurka.planning import DEFAULT_MODEL, ChosenModel, ReadyPlan, choose_model, mapped, plan_for
from mazurka.printf import render
from mazurka.program import NO_POSITION, Position, Program
from mazurka.refusals import refusal

EQUIVALENCES = ("co", "rf")
MOST_WORKERS = 1024


def check(
    path: str | os.PathLike[str],
    *,
    model: str | os.PathLike[str] = DEFAULT_MODEL,
    equivalence: str = "co",
    unchecked_model: bool = False,
    audit: bool = False,
    unroll: int | None = None,
    schedule_seed: int | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    cc: str | None = None,
    cflags: Sequence[str] = (),
    verbose: bool = False,
    collect: bool = False,
) -> Outcome:
    """Explores every execution of the C program at ``path`` under a memory model.

    ``model`` names a model of Mazurka, or a model file by its path. ``equivalence`` says which executions
    count as one: those with the same reads-from and coherence (``co``), or with the same reads-from (``rf``).
    ``unchecked_model`` runs a model for which the exploration is not shown to be complete; ``audit`` checks
    each step against what the axioms mean, slowly.
    ``unroll`` bounds the iterations of every loop; ``schedule_seed`` picks another order of exploration
    (no count depends on it); ``time_limit`` is in seconds of exploration; so many ``workers`` share the
    exploration, by default one for each core (no result depends on it); ``cc`` names a clang and
    ``cflags`` are passed to it; ``verbose`` keeps what the program prints; ``collect`` keeps the graph of
    every complete execution.
    """
    _check_equivalence(equivalence)
    _check_bounds(unroll, schedule_seed, time_limit)
    _check_workers(workers)
    with _foreseen():
        chosen = choose_model(model, unchecked=unchecked_model)
        started = time.perf_counter()
        program = mapped(_compile(path, cc, cflags), chosen)
        frontend = time.perf_counter() - started
        plan = plan_for(chosen, program, simplify=not audit)
        if equivalence == "rf" and plan.gaps:
            raise ModelError(
                ErrorCode.UNSUPPORTED,
                "reads-from equivalence is not supported for a model with a ppo of its own",
                place=Place(str(chosen.path)),
                hint="use --equivalence co, or a model whose ppo is po",
            )
        result = _explore(
            program,
            plan,
            unroll=unroll,
            schedule_seed=schedule_seed,
            time_limit=time_limit,
            workers=workers,
            collect=collect,
            reads_from=equivalence == "rf",
            audit=audit,
            verbose=verbose,
        )
        if result["status"] == "refused":
            raise refusal(program, result["finding"], graph_of(result))
        return _outcome(result, program, chosen, plan, equivalence, frontend)


def _check_equivalence(equivalence: str) -> None:
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


def _check_workers(workers: int | None) -> None:
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        hint = f"give --workers a number from 1 to {MOST_WORKERS}, or leave it out for one on each core"
        _bad_value(f"{workers} workers is out of range", hint)


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


def _explore(program: Program, plan: ReadyPlan, workers: int | None, **options: Any) -> dict[str, Any]:
    from mazurka import _engine

    return _engine.explore(program.encode(), plan.code, workers=workers or _engine.cores(), **options)


def _outcome(
    result: Mapping[str, Any],
    program: Program,
    model: ChosenModel,
    plan: ReadyPlan,
    equivalence: str,
    frontend: float,
) -> Outcome:
    bounds = tuple(_cut(program, *cut) for cut in result["cuts"])
    found = result["status"] == "violation"
    return Outcome(
        verdict=_verdict(result["status"], bounds),
        model=model.name,
        title=model.title,
        model_file=str(model.path) if model.own else None,
        equivalence=equivalence,
        complete=result["complete"],
        blocked=result["blocked"],
        violation=violation(program, result, plan.rules) if found else None,
        warnings=(*_warnings(result), *_unchecked(model), *rule_warnings(program, result, plan.rules)),
        axioms=tuple(AxiomCount(*pair) for pair in zip(plan.axioms, result["forbidden"], strict=True)),
        simplified=plan.simplified,
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


def _unchecked(model: ChosenModel) -> tuple[str, ...]:
    """What is not known of a model that is run all the same."""
    return tuple(f"unchecked model, executions may be missing or too many: {why}" for why in model.warnings)


def _at(program: Program, index: int) -> Position | None:
    return None if index == NO_POSITION else program.positions[index]


def _cut(program: Program, loop: int, function: int, pc: int) -> Cut:
    where = _at(program, program.loops[loop].position) or position(program, function, pc)
    name = program.loops[loop].function
    return Cut(name, where.file, where.line) if where else Cut(name, "", 0)
