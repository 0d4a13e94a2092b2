"""The table of instructions: the engine, the reference and the reference page agree with its rows."""

from __future__ import annotations

import re
from pathlib import Path

from mazurka import _engine
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.planning.program_classes import _events
from mazurka.program import Function, Instr, Mode, Op, Program, SwitchTable
from mazurka.program.instructions import FACTS, TERMINATORS, Effect, Flow
from mazurka.program.sync_objects import FUNCTIONS
from mazurka.reference import ReferenceUnsupported
from mazurka.reference.running.interpreter import run_thread
from mazurka.reference.running.memory import Memory
from mazurka.reference.running.processor import Start

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "bytecode.md"
ROW = re.compile(r"^\| (?P<names>`[A-Z].*?) \| (?:`(?P<shape>[^`]*)`|-) \|(?P<rest>.*)\|$", re.MULTILINE)
OPERATIONS = tuple(call.operation for calls in FUNCTIONS.values() for call in calls)
# What the reference does not run: floating point, and what no path of its programs reaches.
NOT_IN_REFERENCE = {op for op in Op if Op.FADD <= op <= Op.FROUND} | {Op.FDIGITS, Op.UNREACHABLE}


def test_the_engine_was_built_from_this_table() -> None:
    rows = [
        (op.name, [field.value for field in row.fields], row.results, row.flow is Flow.NEXT)
        for op, row in FACTS.items()
    ]
    assert _engine.instructions() == rows


def test_what_stops_a_thread_does_not_end_a_block() -> None:
    assert {op for op in Op if FACTS[op].flow is Flow.STOPS}.isdisjoint(TERMINATORS)


def test_pure_instructions_have_results_and_no_effects() -> None:
    for op, row in FACTS.items():
        assert not row.is_pure or (row.results and row.effect is Effect.NONE), op


def test_only_what_reads_or_changes_makes_events() -> None:
    makers = {op for op, row in FACTS.items() if row.events}
    assert not {op for op in makers if FACTS[op].effect in (Effect.NONE, Effect.FAILS)}
    assert {op for op, row in FACTS.items() if row.is_access} <= makers


def test_events_are_of_classes_that_plans_know() -> None:
    """All modes of C. Those of machines are of a few instructions each: ``test_machine_classes``."""
    for op in Op:
        for mode in (mode for mode in Mode if mode <= Mode.SC):
            instr = Instr(op, mode=mode, x=mode)
            for operation in OPERATIONS:
                program = Program((), 0, operations=(operation,))
                assert set(_events(program, instr)) <= set(CLASSES), op


def is_run_by_the_reference(op: Op) -> bool:
    """Whether it knows an instruction, whatever the result of one whose fields are all 1."""
    code = (Instr(op, a=1, b=1, c=1, x=1, width=32), Instr(Op.RET))
    main, callee = Function("main", 0, 4, 0, (), code), Function("f", 0, 1, 0, (), code[1:])
    tables = {"lists": ((), ()), "strings": ("", ""), "switches": (SwitchTable((), 1),) * 2}
    program = Program((main, callee), 0, **tables, operations=OPERATIONS)  # type: ignore[arg-type]
    try:
        next(run_thread(program, Start(0, 0), Memory(), lambda k: k, 1))
    except ReferenceUnsupported as problem:
        return str(problem) != f"the instruction {op.name}"
    except (StopIteration, ValueError, KeyError):
        pass
    return True


def test_the_reference_runs_every_instruction_but_a_few() -> None:
    assert {op for op in Op if not is_run_by_the_reference(op)} == NOT_IN_REFERENCE


def documented() -> list[tuple[str, str, str]]:
    """Names, shape and what comes after it, of each row of the page's tables of instructions."""
    found = ROW.finditer(PAGE.read_text(encoding="utf-8"))
    return [(name, m["shape"] or "", m["rest"]) for m in found for name in re.findall(r"`(\w+)`", m["names"])]


def test_the_page_has_every_instruction_once_with_its_fields() -> None:
    rows = documented()
    assert sorted(name for name, _, _ in rows) == sorted(Op.__members__)
    assert {name: shape for name, shape, _ in rows} == {op.name: row.shape for op, row in FACTS.items()}


def test_the_page_says_which_instructions_make_events() -> None:
    for name, _, rest in documented():
        event = rest.rpartition("|")[2].strip()
        assert (event != "no") == bool(FACTS[Op[name]].events), name
