"""Checks one program: front-end, engine, Outcome.

The only module that knows both ends. Findings come back as values; everything that prevents an answer is
a ``MazurkaError``, no matter whose fault it is (``errors.py``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mazurka.cache.plans import (
    ChosenModel,
    ReadyPlan,
    choose_model,
    choose_rules,
    forbids_stale_reads,
    unread_model,
)
from mazurka.checking.exploring import PLANNING, Exploration, RuledModel, explore, stop_of
from mazurka.checking.options import (
    NO_RACES,
    check_distinct,
    check_equivalence,
    check_max_executions,
    check_mixed_size,
    check_numbers,
    check_types,
    check_workers,
    checked_volatile,
    leaks_sought,
    memory_limit_of,
    with_open,
)
from mazurka.checking.outcome import (
    AxiomCount,
    Explorations,
    Found,
    InitialObject,
    InitialWrite,
    LoopFacts,
    Outcome,
    Stop,
)
from mazurka.checking.warnings import warnings_of
from mazurka.deadline import within
from mazurka.errors import ErrorCode, OutOfTime, UsageError, foreseen
from mazurka.files import is_source
from mazurka.frontend.c.dialect import Dialect
from mazurka.machine import limit_of_collecting
from mazurka.models.registry import DEFAULT_MODEL

if TYPE_CHECKING:
    from typing import TypeAlias

    from mazurka._engine import Explored
    from mazurka.cache.compiled import Compiled
    from mazurka.checking.bounds import Bounds, Cut, Unroll
    from mazurka.checking.execution import Route
    from mazurka.checking.exploring import Watcher
    from mazurka.checking.properties import Property
    from mazurka.held import Held

    Checked: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Held

_NO_STEP_LIMIT = 1 << 62  # a loop that is merely long ends by itself, or by the time limit
COMPILING = "the program was still being compiled"
_ALMOST_ALL = 1 - 2**-53  # the largest number below 1, for what only rounding makes all of it


def check(
    path: Checked,
    *,
    model: str | os.PathLike[str] = DEFAULT_MODEL,
    equivalence: str = "co",
    races: str | os.PathLike[str] | None = None,
    unchecked_model: bool = False,
    audit: bool = False,
    unroll: int | str | None = None,
    spin_assume: bool = True,
    dynamic_spin_assume: bool = True,
    zero_net_effect: bool = True,
    reshape_loops: bool = True,
    liveness: bool = True,
    schedule_seed: int | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    max_executions: int | None = None,
    workers: int | None = None,
    watch: Watcher | None = None,
    cc: str | None = None,
    cflags: Sequence[str] = (),
    compile_commands: str | os.PathLike[str] | None = None,
    verbose: bool = False,
    collect: bool = False,
    load_annotations: bool = True,
    confirmations: bool = True,
    helping: bool = True,
    postpones: bool = True,
    symmetry: bool = True,
    mixed_size: str = "auto",
    strict: bool = False,
    undefined: bool = False,
    volatile: str = "plain",
    nondet: str | tuple[int, int] | None = None,
    stubs: Sequence[str] = (),
    spurious_wakeups: bool = False,
    malloc_may_fail: bool = False,
    reuse_memory: bool = False,
    leaks: bool = False,
    property_file: str | os.PathLike[str] | None = None,
    smallest: bool = True,
    route: Route | None = None,
    keep_program: bool = True,
) -> Outcome:
    """Explores every execution of the C program at ``path``, or of those files, under a memory model.

    Instead of a path, a program may be given as text: a string with a line break or a brace that names no
    file is C, and ``mazurka.Source`` says what it is. It may also be written in Python (``mazurka.Threads``).
    ``model`` names a model of Mazurka, or a model file by its path. ``equivalence`` says which executions
    count as one: those with the same reads-from and coherence (``co``), or with the same reads-from (``rf``).
    ``races`` names a model whose error rules, such as those about data races, are checked instead of the
    model's own, on what the source says, whatever it is compiled to; with ``off``, none are checked.
    ``unchecked_model`` runs a model for which the exploration is not shown to be complete; ``audit`` checks
    each step against the meaning of the axioms, which is slow.
    ``unroll`` bounds the iterations of loops: of all by a number, of some by a text such as
    ``push=3,queue.c:41=5``; ``spin_assume`` and ``dynamic_spin_assume`` stop a thread after a
    round of a loop that changed nothing, instead of exploring what further rounds would read, and
    ``reshape_loops`` rotates and merges loops where that helps; ``zero_net_effect`` also counts rounds as
    such that took back what they wrote;
    ``liveness`` reports threads that wait for ever;
    ``schedule_seed`` picks another order of exploration (no count depends on it);
    ``time_limit`` is in seconds, compiling included; ``memory_limit`` is in bytes, by default half of
    what the process may take; ``max_executions`` ends the exploration after so many; ``workers`` is the
    number of workers that share the exploration, by default one per core (no result depends on it);
    ``watch`` runs the engine and receives its progress (``mazurka.watching``); ``cc`` names a
    clang and ``cflags`` are passed to it; ``compile_commands`` names a compilation database, or the folder
    of one, that has the flags of each file, and all files if none is given; ``verbose`` keeps what the
    program prints; ``collect`` keeps the graph of every complete execution.
    Without ``load_annotations``, executions are explored and counted in
    which a thread stopped right after a read that could have seen a later write; without ``confirmations``,
    those in which a confirming compare-exchange sees another write than the load before it; without
    ``helping``, those in which a helping compare-exchange does what the helped one can do itself; without
    ``postpones``, acquisitions of mutexes that have to wait are explored, too (no count depends on it).
    Without ``symmetry``, all executions are explored that differ only in which of several threads that run
    the same did what. ``mixed_size`` says what to do about accesses of several sizes to the same bytes:
    explore byte by byte if the program makes any (``auto``) or from the start (``on``), or refuse them
    (``off``). With ``strict``, omissions that older compilers accept, such as calls of undeclared functions,
    are errors. With ``undefined``, numbers that do not fit their signed type, and shifts and conversions of
    floats that C leaves undefined, are violations. ``volatile`` says what volatile accesses are: plain
    ones, which may race, or atomic ones (``relaxed``, ``acquire-release``). ``nondet`` bounds values that
    the program leaves open, such as ``0..3``; ``stubs`` say what functions do that it calls and does not
    define, such as ``rand=nondet:0..3``. With ``spurious_wakeups``, waiting on a condition variable may end
    without a signal; with ``malloc_may_fail``, each allocation may return a null pointer; with
    ``reuse_memory``, malloc may return memory that was freed before. ``leaks`` warns about memory that is
    never freed, and to which nothing leads when the program ends. ``property_file`` is a property file
    of SV-COMP, or a name such as ``unreach-call``: only what it speaks of is a violation.
    Without ``smallest``, or with a ``schedule_seed``, the first execution is shown that was found to be
    wrong; else some other orders of exploration are tried for a smaller one. ``route``, that
    of an Outcome with a violation, leads to the same execution again, if everything else is the same.
    Without ``keep_program``, the compiled program is not kept on disk for later checks.
    """
    check_types(locals())  # which are the arguments
    check_equivalence(equivalence)
    check_mixed_size(mixed_size, equivalence)
    asked = _asked(unroll)
    check_numbers(schedule_seed, time_limit)
    check_workers(workers)
    check_max_executions(max_executions)
    most = memory_limit_of(memory_limit)
    dialect = with_open(
        Dialect(
            strict,
            undefined,
            checked_volatile(volatile),
            spurious_wakeups=spurious_wakeups,
            malloc_may_fail=malloc_may_fail,
            reuse_memory=reuse_memory,
        ),
        nondet,
        stubs,
    )
    wanted = _wanted(property_file)
    if wanted is not None:
        undefined = undefined or wanted.undefined
        dialect, liveness = dialect._replace(target=wanted.target, undefined=undefined), False
    sought = leaks_sought(leaks, wanted, equivalence, reuse_memory=reuse_memory)
    dialect = dialect._replace(leaks=sought != "ignored")
    begun = time.perf_counter()
    with foreseen():
        try:
            with within(_left(begun, time_limit), PLANNING):
                chosen = choose_model(model, unchecked=unchecked_model)
                rules = None if races in (None, NO_RACES) else choose_rules(races)
        except OutOfTime as late:
            return _nothing_explored(unread_model(model), equivalence, str(late), 0.0, time_limit)
        started = time.perf_counter()
        try:
            with within(_left(begun, time_limit), COMPILING):
                switches = {
                    "spin-assume": spin_assume,
                    "dynamic-spin-assume": dynamic_spin_assume,
                    "reshape-loops": reshape_loops,
                }
                without = _switched_off(switches, chosen)
                files = _files(path, compile_commands, cflags)
                left = _left(begun, time_limit)
                compiled = _compile(files, cc, cflags, chosen, left, without, dialect, keep_program)
        except OutOfTime as late:
            spent = time.perf_counter() - started
            return _nothing_explored(chosen, equivalence, str(late), spent, time_limit)
        frontend = time.perf_counter() - started
        bounds = _bounds(asked, compiled)
        options = {
            **(bounds._asdict() if bounds else {}),
            "schedule_seed": schedule_seed,
            "memory_limit": limit_of_collecting(most) if collect else most,
            "max_executions": max_executions,
            "workers": workers,
            "liveness": liveness,
            "collect": collect,
            "reads_from": equivalence == "rf",
            "audit": audit,
            "verbose": verbose,
            "load_annotations": load_annotations,
            "zero_net_effect": zero_net_effect,
            "step_limit": _NO_STEP_LIMIT,
            "causal": _is_causal(chosen, compiled, has_own_rules=races is None),
            "confirmations": confirmations,
            "helping": helping and races is None and not chosen.own and chosen.name in compiled.helping,
            "postpones": postpones,
            "symmetry": symmetry,
            "leaks": sought,
            "route": route,
        }
        try:
            ruled = RuledModel(chosen, rules, looks_for_errors=races != NO_RACES)
            smaller = smallest and schedule_seed is None and not audit and route is None
            explored = explore(
                ruled,
                compiled,
                mixed_size,
                lambda: _left(begun, time_limit),
                options,
                watch,
                smaller=smaller,
            )
        except OutOfTime as late:
            return _nothing_explored(chosen, equivalence, str(late), frontend, time_limit)
        result, plan = explored.result, explored.plan
        if result.status == "refused":
            from mazurka.checking.refusals import refusal_of

            refusal = refusal_of(compiled.program, result, chosen.keeps_rounds, plan.gaps, equivalence)
            if files.held is not None:
                from mazurka.held import hint_for

                refusal.hint = hint_for(files.held, refusal)
            raise refusal
        if result.out_of_memory:
            from mazurka.checking.refusals import memory_warning

            limit = None if result.system_refused else most
            grown = memory_warning(compiled.program, limit, result.grew)
        else:
            grown = None
        found = _with_limits(_found(result, compiled, plan, bounds), compiled)
        if explored.shown is not result:
            shown = _found(explored.shown, compiled, plan, bounds)
            found = found._replace(violation=shown.violation, output=shown.output)
        if explored.tracked is not None and found.violation is not None:
            from mazurka.checking.findings import with_graph

            found = found._replace(violation=with_graph(found.violation, explored.tracked))
        outcome = _outcome(explored, found, compiled, chosen, equivalence, frontend, grown)
        is_late = time_limit is not None and time.perf_counter() - begun >= time_limit
        stop = stop_of(result, options["memory_limit"], max_executions, time_limit, is_late=is_late)
        outcome = outcome._replace(stopped_by=stop)
        if route is not None and outcome.violation is None and outcome.verdict != "interrupted":
            from mazurka.checking.execution import LostRouteError

            raise LostRouteError(outcome)
        if wanted is None:
            return outcome
        from mazurka.checking.properties import judged

        return judged(outcome, wanted, chosen, plan, spared=result.spared)


def _wanted(asked: str | os.PathLike[str] | None) -> Property | None:
    if asked is None:
        return None
    from mazurka.checking.properties import read_property  # late: most checks have no property

    return read_property(asked)


def _left(begun: float, time_limit: float | None) -> float | None:
    """What is left of the time limit: at least a little, so that each step can say that it was cut."""
    return None if time_limit is None else max(time_limit - (time.perf_counter() - begun), 1e-3)


def _nothing_explored(
    model: ChosenModel, equivalence: str, why: str, frontend: float, time_limit: float | None
) -> Outcome:
    """The answer when the time limit passed before the exploration began."""
    return Outcome(
        verdict="interrupted",
        model=model.name,
        title=model.title,
        model_file=model.path if model.own else None,
        equivalence=equivalence,
        complete=0,
        blocked=0,
        violation=None,
        warnings=(f"the time limit passed before the exploration began: {why}",),
        bounds=(),
        seconds_frontend=frontend,
        seconds_explore=0.0,
        output=(),
        compiled=None,
        stopped_by=Stop("time-limit", time_limit),
    )


def _asked(unroll: int | str | None) -> Unroll | None:
    if unroll is None:
        return None
    from mazurka.checking.bounds import read_unroll  # late: most checks have no bounds

    return read_unroll(unroll)


def _bounds(asked: Unroll | None, compiled: Compiled) -> Bounds | None:
    """The bounds of this program; none if nobody asked for one."""
    if asked is None:
        return None
    from mazurka.checking.bounds import Bounds, bounds_in

    return bounds_in(compiled.program, asked) if asked.has_places else Bounds(asked.everything)


def _is_causal(model: ChosenModel, compiled: Compiled, *, has_own_rules: bool) -> bool:
    """Whether a thread that sees anything of another cannot see what that one had overwritten before.

    If threads learn of each other by ordered accesses, that rests on the model's own rule about races.
    """
    if compiled.rounds in ("", "meeting"):
        return False  # there is no loop for which it matters, or the question does not cover barriers
    return forbids_stale_reads(model, ordered=False) or (
        has_own_rules and compiled.rounds == "ordered" and forbids_stale_reads(model, ordered=True)
    )


def _switched_off(switches: dict[str, bool], model: ChosenModel) -> tuple[str, ...]:
    """What is not done to loops: what the user does not want, and what is not sound for the model."""
    asked = {name for name, is_on in switches.items() if not is_on}
    if model.keeps_rounds is not None:
        asked |= {"spin-assume", "dynamic-spin-assume"}
    elif model.own:
        asked.add("write-back")
    return tuple(sorted(asked))


class _Files(NamedTuple):
    """The files of the program, flags of their own, and warnings about these; or a program without files."""

    paths: list[str]
    flags: Mapping[str, Sequence[str]]
    warnings: tuple[str, ...]
    held: Held | None = None


def _files(path: Checked, database: str | os.PathLike[str] | None, cflags: Sequence[str]) -> _Files:
    if (isinstance(path, str) and is_source(path)) or not isinstance(path, (str, os.PathLike, Sequence)):
        return _Files([], {}, (), held=path)  # what else there is, is refused later
    paths = [os.fspath(path)] if isinstance(path, (str, os.PathLike)) else [os.fspath(one) for one in path]
    check_distinct(paths)
    if database is not None:
        from mazurka.frontend.c.database import read_database  # late: most checks have none

        return _Files(*read_database(os.fspath(database), paths, cflags))
    if not paths:
        hint = "name the program's files, or a compilation database"
        raise UsageError(ErrorCode.USAGE, "no files were given", hint=hint)
    return _Files(paths, {}, ())


def _compile(
    files: _Files,
    cc: str | None,
    cflags: Sequence[str],
    model: ChosenModel,
    seconds: float | None,
    without: Sequence[str],
    dialect: Dialect,
    keep: bool,
) -> Compiled:
    """The program with its accesses compiled as the model says, ``without`` some passes."""
    # Imported late: --help and --version do not need it.
    from mazurka.cache.programs import compile_files

    if files.held is not None:
        from mazurka.held import compile_held

        compiled = compile_held(files.held, cflags, cc, seconds, without, dialect)
    else:
        options = cflags, cc, seconds, without, dialect, files.flags
        compiled = compile_files(files.paths, *options, keep=keep)
    compiled.warnings = (*files.warnings, *compiled.warnings)
    if not model.mapping:
        return compiled
    from mazurka.kat.meaning.mapping import apply_mapping

    return compiled.of(apply_mapping(compiled.program, model.mapping))


def _outcome(
    explored: Exploration,
    found: Found,
    compiled: Compiled,
    model: ChosenModel,
    equivalence: str,
    frontend: float,
    grown: str | None,
) -> Outcome:
    result, plan = explored.result, explored.plan
    return Outcome(
        verdict=_verdict(result.status, found.bounds),
        model=model.name,
        title=model.title,
        model_file=model.path if model.own else None,
        equivalence=equivalence,
        complete=result.complete,
        blocked=result.blocked,
        fraction=result.fraction if result.status == "finished" else min(result.fraction, _ALMOST_ALL),
        explored=_explorations(result),
        violation=found.violation,
        warnings=(*warnings_of(result, compiled, model, plan, grown), *found.warnings),
        axioms=tuple(AxiomCount(*pair) for pair in zip(plan.axioms, result.forbidden, strict=True)),
        simplified=plan.simplified,
        bounds=found.bounds,
        seconds_frontend=frontend,
        seconds_explore=explored.seconds,
        output=found.output,
        compiled=compiled,
        objects=tuple(InitialObject(*item) for item in result.objects),
        prologue=tuple(InitialWrite(*write) for write in result.prologue),
        graphs=found.graphs,
        keeps_rounds=model.keeps_rounds,
        loop_facts=LoopFacts.of(result),
        mixed_sizes=explored.mixed,
        route=_route(explored.shown) if found.violation is not None else None,
    )


def _route(result: Explored) -> Route | None:
    from mazurka.checking.execution import Route  # late: most checks find nothing

    return Route.of(result)


def _explorations(result: Explored) -> Explorations | None:
    """How many executions were explored, if these stand for others."""
    explored = Explorations(result.explored_complete, result.explored_blocked)
    return None if explored == (result.complete, result.blocked) else explored


def _found(result: Explored, compiled: Compiled, plan: ReadyPlan, bounds: Bounds | None) -> Found:
    """What the engine found, in terms of the program; if it found nothing, the program is not needed."""
    if not (
        result.finding or result.warnings or result.leaks or result.cuts or result.output or result.graphs
    ):
        return Found()
    from mazurka.checking.findings import found

    return found(
        compiled.program, result, plan.rules, bounds, synchronises=plan.synchronises, rules_of=plan.rules_of
    )


def _with_limits(found: Found, compiled: Compiled) -> Found:
    """What was found, and which open values were left out."""
    if not compiled.limited:
        return found
    from mazurka.checking.bounds import Cut

    limits = (Cut("nondet", function, file, line, n) for function, file, line, n in compiled.limited)
    return found._replace(bounds=(*found.bounds, *limits))


def _verdict(status: str, bounds: tuple[Cut, ...]) -> str:
    if status == "finished":
        return "bounded" if bounds else "verified"
    return status
