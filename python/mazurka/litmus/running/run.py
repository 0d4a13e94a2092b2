"""Runs one litmus test under a model."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any

from mazurka._engine import Explored, RawFinding
from mazurka.cache.plans import ChosenModel, ReadyPlan, choose_model, flags_for, plan_for
from mazurka.checking.exploring import run_engine
from mazurka.checking.options import check_number, memory_limit_of
from mazurka.checking.refusals import refusal_of
from mazurka.errors import ErrorCode, MazurkaError, Place, SourceError, UsageError
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.kat.planning.program_classes import classes_of
from mazurka.litmus.meaning.test import Language, LitmusTest
from mazurka.litmus.running.foreseen import foreseen_loads
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from mazurka.litmus.running.retries import refuse_endless
from mazurka.litmus.running.states import Verdict, judge
from mazurka.models.registry import find_any
from mazurka.program import Op, Program

# The models that say what a language means; the first is the usual one. C can be run under all.
MODELS = {
    Language.C11: ("rc11-cpp11",),
    Language.X86: ("tso", "x86", "sc"),
    Language.X86_64: ("tso", "x86", "sc"),
    Language.AARCH64: ("armv8", "sc"),
    Language.PPC: ("power", "sc"),
    Language.RISCV: ("riscv", "riscv-tso", "sc"),
    Language.KERNEL: ("lkmm", "sc"),
}
_OF_MACHINES = ("armv8", "power", "riscv", "riscv-tso")  # only litmus tests are run under these so far
FLAG = "data-race"  # what executions are flagged for
_MOST_EVENTS = 1_000  # of an execution: more are those of a loop without end
_CURES = {
    ErrorCode.ENDLESS_LOOP: "bound the rounds of loops with --unroll N",
    ErrorCode.MIXED_SIZE: "use one size for all accesses of a location",
}
_CURES_OF_FAULTS = {"division-by-zero": "divide by a number that is never 0"}
_NO_EXECUTION = "no execution runs to its end"
_NO_LOCATION = "accesses must be to locations that the test names, and inside their arrays"


def check_unroll(rounds: int | None) -> None:
    """Refuses a bound that is out of range or not a number."""
    check_number("unroll", rounds)
    if rounds is not None and not 0 <= rounds < 1 << 32:
        hint = f"give --unroll a number from 0 to {(1 << 32) - 1}"
        raise UsageError(ErrorCode.BAD_VALUE, f"a bound of {rounds} rounds is out of range", hint=hint)


def run_test(
    test: LitmusTest,
    *,
    model: str | None = None,
    unroll: int | None = None,
    time_limit: float | None = None,
    unchecked_model: bool = False,
    draws: bool = False,
) -> Verdict:
    """The states in which executions of the test can end under a model, and what its condition says of them.

    ``unchecked_model`` runs a model for which the exploration is not shown to be complete; ``draws`` draws an
    execution that decides the condition.
    A litmus test asks about values: races are looked for only if the model flags executions that have some.
    """
    check_unroll(unroll)
    chosen = model_of(test, model, unchecked_model)
    layout = Layout(test)
    program = to_program(test, layout, "" if chosen.own else chosen.name)
    if chosen.mapping and test.language is Language.C11:
        program = apply_mapping(program, chosen.mapping)
    if unroll is None:
        refuse_endless(program)
    impossible = _is_impossible(test, layout, program, chosen, time_limit, draws=draws)
    if impossible is not None:
        return impossible
    found, plan = _explore(program, chosen, unroll, time_limit)
    if found.status == "refused":
        refusal = refusal_of(program, found, chosen.keeps_rounds, plan.gaps, "co")
        refusal.hint = _CURES.get(refusal.code, refusal.hint)
        raise refusal
    if found.finding is not None:
        raise _failed(test, program, found.finding)
    if found.status == "interrupted":
        raise SourceError(
            ErrorCode.TOO_LARGE,
            f"the test was not finished: {'memory' if found.out_of_memory else 'time'} ran out",
            place=Place(test.file, 1, 1),
            hint=f"{_cure_of_size(program, unroll)}, or raise --time-limit",
        )
    is_bounded = bool(found.cuts)
    warnings = chosen.warnings if found.graphs or is_bounded else (*chosen.warnings, _NO_EXECUTION)
    verdict = judge(test, layout, program, found.graphs, chosen.name, is_bounded=is_bounded, draws=draws)
    flags = (FLAG,) if found.flagged else ()
    return replace(verdict, flags=flags, warnings=warnings)


def _cure_of_size(program: Program, unroll: int | None) -> str:
    """How to make a test smaller that has too many executions."""
    has_loops = any(instr.op is Op.LOOP for function in program.functions for instr in function.code)
    if has_loops and unroll is None:
        return "bound its loops with --unroll N"
    return "lower --unroll" if has_loops else "use fewer threads or accesses"


def _explore(
    program: Program, model: ChosenModel, unroll: int | None, time_limit: float | None
) -> tuple[Explored, ReadyPlan]:
    """All executions; byte by byte if accesses of several sizes are met, and the model allows that."""
    options: dict[str, Any] = {"collect": True, "liveness": False, "unroll": unroll, "time_limit": time_limit}
    options |= {"memory_limit": memory_limit_of(None), "event_limit": _MOST_EVENTS}
    plan = plan_for(model, classes_of(program), looks_for_errors=False)
    flags, leaves_sizes = _flags(program, model), plan.tells_sizes
    found = run_engine(program.encode(), plan.code, leaves_sizes=leaves_sizes, flags=flags, **options)
    met = (
        found.status == "refused" and found.finding is not None and found.finding.kind == ErrorCode.MIXED_SIZE
    )
    if met and plan.tells_sizes:
        plan = plan_for(model, None, mixed_sizes=True, looks_for_errors=False)
        options |= {"mixed_sizes": True, "zero_net_effect": False}
        found = run_engine(program.encode(), plan.code, **options)
    return found, plan


def _flags(program: Program, model: ChosenModel) -> bytes | None:
    """The Plan by which executions are flagged; None if no access is plain, or the model has no flags."""
    plan = flags_for(model, classes_of(program))
    return None if plan is None else plan.code


def _is_impossible(
    test: LitmusTest,
    layout: Layout,
    program: Program,
    model: ChosenModel,
    time_limit: float | None,
    *,
    draws: bool,
) -> Verdict | None:
    """The verdict that a test of many loads has no witness, from executions that could be one (``foreseen``).

    None if it has one, or if the question is another: then all executions are explored.
    """
    foreseen = foreseen_loads(test, layout, program) if _flags(program, model) is None else ()
    plan = plan_for(model, classes_of(program), looks_for_errors=False) if foreseen else None
    if plan is None or not plan.gaps:
        return None
    options: dict[str, Any] = {"collect": True, "liveness": False, "time_limit": time_limit}
    found = run_engine(program.encode(), plan.code, foreseen=foreseen, **options)
    if found.status != "finished" or found.finding is not None:
        return None
    verdict = judge(test, layout, program, found.graphs, model.name, draws=draws)
    return None if verdict.positive else replace(verdict, only_witnesses=True)


def _failed(test: LitmusTest, program: Program, finding: RawFinding) -> SourceError:
    """The error about a test that does what only programs with mistakes do."""
    code = program.functions[finding.function].code[finding.pc]
    has_place = code.position < len(program.positions)
    position = program.positions[code.position] if has_place else None
    return SourceError(
        ErrorCode.BAD_LITMUS,
        f"an execution of this test fails: {finding.message}",
        place=Place(*astuple(position)) if position else Place(test.file),
        hint=_CURES_OF_FAULTS.get(finding.kind, _NO_LOCATION),
    )


def _code_of(language: Language) -> str:
    if language is Language.KERNEL:
        return "the kernel's C means"
    return f"{language.value} instructions mean"


def model_of(test: LitmusTest, given: str | None, unchecked: bool = False) -> ChosenModel:
    """The model that is named, or that of the language; it must say what the instructions mean."""
    allowed = MODELS[test.language]
    try:
        name = allowed[0] if given is None else given
        file = find_any(name) if name in _OF_MACHINES else None
        chosen = choose_model(name, unchecked=unchecked, looks_for_errors=False, file=file)
    except MazurkaError as error:
        if given is not None or error.code is not ErrorCode.UNKNOWN_MODEL:
            raise
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"there is no model yet that can run {test.language.value} tests",
            place=Place(test.file, 1, 1),
            hint="--model sc runs the test without reorderings",
        ) from error
    if test.language is not Language.C11 and not chosen.own and chosen.name not in allowed:
        raise UsageError(
            ErrorCode.BAD_VALUE,
            f"the model '{chosen.name}' does not say what {_code_of(test.language)}",
            place=Place(test.file, 1, 1),
            hint=f"use one of: {', '.join(allowed)}",
        )
    return chosen
