"""Threads that help others: the engine finds what brute force does, and nothing is lost if helpers wait."""

from __future__ import annotations

from pathlib import Path

import mazurka
import pytest
from comparison import AUDITS, SEEDS, Found, assert_same, explore, plan_of, shipped
from helping_conditions import DYNAMIC, STATIC, Condition
from helping_conditions import outcome as outcome_of_form
from hypothesis import given
from mazurka.kat.planning.program_classes import classes_of
from mazurka.program import Mode, Op, Program
from mazurka.reference import annotations as notes
from mazurka.reference import enumerate_executions
from mazurka.soundness.helping import models_for_helping
from mazurka.testing import Test, to_program
from mazurka.testing.helping_strategies import helping_tests
from mazurka.testing.strategies import weighted
from profiles import examples, some
from shipped_models import NAMES

FOLDER = Path(mazurka.__file__).parent
PROGRAM = Path(__file__).parents[1] / "programs" / "annotation_helping_cas.c"
MODELS = some(NAMES, every=3)


def may_wait(program: Program, name: str) -> bool:
    """Whether helpers may wait under a shipped model."""
    return name in models_for_helping(program, classes_of(program))


def both(test: Test, name: str, seed: int | None = None) -> tuple[Found, Found]:
    """What is found if helpers may wait, and if they must not."""
    program, plan = to_program(test), plan_of(name)
    waiting = explore(program, plan, seed=seed, helping=may_wait(program, name))
    return waiting, explore(program, plan, seed=seed)


def outcomes(test: Test, found: Found) -> set[object]:
    """What is left in memory, and what threads read elsewhere than where they help."""
    functions = to_program(test).functions
    return {
        (
            tuple(
                tuple(
                    (e.stack[0][1], e.value)
                    for e in thread.events
                    if e.kind == "R"
                    and functions[e.stack[0][0]].code[e.stack[0][1] - 1].op is not Op.ANNOTATE
                )
                for thread in graph.threads
            ),
            tuple(sorted((at, graph.threads[t].events[i].value) for at, _, w in graph.co for t, i in w[-1:])),
        )
        for graph in found.graphs
    }


@pytest.mark.parametrize("name", some(MODELS, 2))
@examples(ci=60, slow=5_000)
@given(weighted(helping_tests(), helping_tests(), helping_tests(wrong=True)), SEEDS, AUDITS)
def test_brute_force_agrees(name: str, test: Test, seed: int | None, audit: bool) -> None:
    program, plan = to_program(test), plan_of(name)
    helps = may_wait(program, name)
    found = explore(program, plan, seed=seed, audit=audit, helping=helps)
    assert_same(found, enumerate_executions(program, shipped(name), helps=helps))


@pytest.mark.parametrize("name", some(MODELS, 2))
@examples(ci=60, slow=5_000)
@given(helping_tests(), SEEDS)
def test_nothing_is_lost(name: str, test: Test, seed: int | None) -> None:
    """Correct annotations: the same verdict and the same outcomes. Which finding comes first may differ."""
    waiting, every = both(test, name, seed)
    assert waiting.status == every.status
    if every.status == "finished":
        assert outcomes(test, waiting) == outcomes(test, every)


@pytest.mark.parametrize("name", some(MODELS, 2))
@examples(ci=60, slow=5_000)
@given(helping_tests(wrong=True), SEEDS)
def test_what_would_be_lost_is_reported(name: str, test: Test, seed: int | None) -> None:
    """Any annotations: they are reported, or nothing is lost."""
    waiting, every = both(test, name, seed)
    if waiting.kind != "annotation":
        assert waiting.status == every.status
        assert outcomes(test, waiting) == outcomes(test, every)


@pytest.mark.parametrize("condition", STATIC.values(), ids=STATIC.keys())
def test_conditions_on_programs_are_needed(condition: Condition) -> None:
    """If a helper waits all the same, something is lost."""
    program, plan = to_program(condition.test), plan_of(condition.model)
    assert not may_wait(program, condition.model)
    waiting, every = explore(program, plan, helping=True), explore(program, plan)
    assert waiting.status == every.status == "finished"
    assert outcomes(condition.test, waiting) < outcomes(condition.test, every)


@pytest.mark.parametrize("condition", DYNAMIC.values(), ids=DYNAMIC.keys())
def test_conditions_on_executions_are_needed(condition: Condition, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, with a specification that does not have them."""
    waiting, every = both(condition.test, condition.model)
    assert outcomes(condition.test, waiting) == outcomes(condition.test, every)
    program, model = to_program(condition.test), shipped(condition.model)
    monkeypatch.setattr(notes, "_acquires", lambda graph, read: True)
    monkeypatch.setattr(notes, "_RELEASES", tuple(Mode))
    some, all_ = (enumerate_executions(program, model, helps=helps) for helps in (True, False))
    assert not some.findings
    assert not all_.findings
    left, there = ({outcome_of_form(condition.test, f) for f in e.complete} for e in (some, all_))
    assert left < there


def test_the_switch_and_models_of_your_own(tmp_path: Path) -> None:
    """Nothing is known about a model of your own, even if it says what a shipped one says."""
    own = tmp_path / "own.kat"
    own.write_text((FOLDER / "models" / "sc.kat").read_text().replace("model sc", "model own"))
    waiting, every = (mazurka.check(PROGRAM, model="sc", helping=on) for on in (True, False))
    assert waiting.verdict == every.verdict == "verified"
    assert waiting.complete == 6 < every.complete
    with_own, every = (mazurka.check(PROGRAM, model=own, unroll=2, helping=on) for on in (True, False))
    assert with_own.complete == every.complete > 6
