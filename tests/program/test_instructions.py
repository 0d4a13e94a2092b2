"""The table of instructions has a row for each, and agrees with what the engine knows."""

from __future__ import annotations

from mazurka import _engine
from mazurka.program import Op
from mazurka.program.instructions import FACTS, TERMINATORS, Flow


def test_every_instruction_has_a_row() -> None:
    assert FACTS.keys() == set(Op)


def test_the_engine_ends_code_where_the_table_does() -> None:
    never_goes_on = [op.name for op in Op if FACTS[op].flow is not Flow.NEXT]
    assert sorted(_engine.terminators()) == sorted(never_goes_on)


def test_what_stops_a_thread_does_not_end_a_block() -> None:
    assert {op for op in Op if FACTS[op].flow is Flow.STOPS}.isdisjoint(TERMINATORS)


def test_pure_instructions_have_results() -> None:
    assert all(FACTS[op].results for op in Op if FACTS[op].is_pure)
