"""Runs one litmus test under a model."""

from __future__ import annotations

from dataclasses import astuple

from mazurka import _engine
from mazurka._engine import RawFinding
from mazurka.cache.plans import ChosenModel, choose_model, plan_for
from mazurka.checking.refusals import refusal_of
from mazurka.errors import ErrorCode, Place, SourceError, UsageError
from mazurka.kat.meaning.mapping import apply_mapping
from mazurka.litmus.meaning.test import Language, LitmusTest
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from mazurka.litmus.running.states import Verdict, judge
from mazurka.program import Program

_X86 = (Language.X86, Language.X86_64)
USUAL_MODELS = {Language.C11: "rc11-cpp11", Language.X86: "tso", Language.X86_64: "tso"}
_CURES = {
    ErrorCode.ENDLESS_LOOP: "bound the rounds of loops with --unroll N",
    ErrorCode.MIXED_SIZE: "use one size for all accesses of a location",
}
_MODELS_OF_MACHINES = ("sc",)
_MODELS_OF_X86 = ("tso", "sc")


def run_test(test: LitmusTest, *, model: str | None = None, unroll: int | None = None) -> Verdict:
    """The states in which executions of the test can end under a model, and what its condition says of them.

    Races are not looked for: a litmus test asks about values.
    """
    chosen = _model(test, model)
    layout = Layout(test)
    program = to_program(test, layout)
    if chosen.mapping and test.language is Language.C11:
        program = apply_mapping(program, chosen.mapping)
    plan = plan_for(chosen, None, looks_for_errors=False)
    found = _engine.explore(program.encode(), plan.code, collect=True, liveness=False, unroll=unroll)
    if found.status == "refused":
        refusal = refusal_of(program, found, chosen.keeps_rounds, plan.gaps, "co")
        refusal.hint = _CURES.get(refusal.code, refusal.hint)
        raise refusal
    if found.finding is not None:
        raise _failed(test, program, found.finding)
    return judge(test, layout, found.graphs, chosen.name, is_bounded=bool(found.cuts))


def _failed(test: LitmusTest, program: Program, finding: RawFinding) -> SourceError:
    """The error about a test that does what only programs with mistakes do."""
    code = program.functions[finding.function].code[finding.pc]
    has_place = code.position < len(program.positions)
    position = program.positions[code.position] if has_place else None
    return SourceError(
        ErrorCode.BAD_LITMUS,
        f"an execution of this test fails: {finding.message}",
        place=Place(*astuple(position)) if position else Place(test.file),
        hint="accesses must be to locations that the test names, and inside their arrays",
    )


def _model(test: LitmusTest, given: str | None) -> ChosenModel:
    """The model that is named, or that of the language; it must say what the instructions mean."""
    usual = USUAL_MODELS.get(test.language)
    if given is None and usual is None:
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"there is no model for {test.language.value} yet",
            place=Place(test.file, 1, 1),
            hint="--model sc runs the test without reorderings",
        )
    chosen = choose_model(given or usual or "")
    if test.language is Language.C11 or chosen.own:
        return chosen
    allowed = _MODELS_OF_X86 if test.language in _X86 else _MODELS_OF_MACHINES
    if chosen.name not in allowed:
        raise UsageError(
            ErrorCode.BAD_VALUE,
            f"the model '{chosen.name}' does not say what {test.language.value} instructions mean",
            place=Place(test.file, 1, 1),
            hint=f"use one of: {', '.join(allowed)}",
        )
    return chosen
