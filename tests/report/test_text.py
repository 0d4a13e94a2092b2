"""The report for people: its first line, its columns, its words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from executions import (
    DATA,
    FILE,
    FLAG,
    READER,
    creates,
    early_read,
    event,
    in_order,
    initial,
    instr,
    message_passing,
    outcome,
    program,
    read,
    three_threads,
    violation,
    write,
)
from mazurka.outcome import Cut
from mazurka.program import Global, Op, Region, TypeInfo, address
from mazurka.report import as_text
from mazurka.report.steps import tell
from mazurka.report.values import Speaker


def first_line(**fields: object) -> str:
    return as_text(outcome(**fields)).splitlines()[0]


def test_the_first_line_is_the_verdict_with_model_counts_and_time() -> None:
    assert first_line() == (
        "Verified under sc: no violation in any execution (3 complete executions, 1 blocked; 0.03 s)"
    )
    assert first_line(verdict="bounded", complete=1).startswith(
        "Bounded under sc: no violation found, but a loop bound cut the exploration (1 complete execution, "
    )
    assert first_line(verdict="interrupted").startswith("Interrupted under sc: no violation so far, but")
    assert first_line(found=violation(None)).startswith("Violation under sc: an assertion fails (after 3")


def test_a_cut_loop_is_named() -> None:
    text = as_text(outcome(verdict="bounded", bounds=(Cut("wait", FILE, 12),)))
    assert f"{FILE}:12: the loop in wait was cut: raise --unroll" in text


def test_warnings_and_output_are_shown() -> None:
    text = as_text(outcome(warnings=("careful",), output=((0, "hel"), (0, "lo\nworld\n"), (1, "bye"))))
    assert "warning: careful" in text
    assert "main │ hello\n  main │ world\n  T1 │ bye\n" in text


def test_the_place_and_the_source_line_of_a_violation() -> None:
    lines = as_text(outcome(violation(None))).splitlines()
    assert lines[1] == f"  {FILE}:22:3: assertion 'r == 42' failed (in reader, T2)"
    assert lines[2:4] == ["     22 | line 22;", "        |   ^"]


def test_one_column_a_thread_with_lines_values_and_origins() -> None:
    lines = as_text(outcome(violation(in_order()))).splitlines()
    start = lines.index("  The execution, one column a thread, time running down:") + 2
    assert lines[start:] == [
        "  main         │ T1 writer(…)  │ T2 reader(…)",
        "  ─────────────┼───────────────┼─────────────────────────────────",
        "  30  start T1 │               │",
        "  31  start T2 │               │",
        "               │ 10  data = 42 │",
        "               │ 11  flag = 1  │",
        "               │               │ 20  read flag: 1  ← T1:11",
        "               │               │ 21  read data: 42  ← T1:10",
        "               │               │ 22  ✗ assertion 'r == 42' failed",
    ]


def test_an_initial_value_that_main_wrote_names_the_line() -> None:
    text = as_text(outcome(violation(early_read()), prologue=(initial(DATA, 0),)))
    assert "← main:29, before the threads" in text


@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_the_table_fits_the_terminal(width: int) -> None:
    text = as_text(outcome(violation(message_passing())), width=width)
    table = text.split("time running down:")[1]
    assert all(len(line) <= width for line in table.splitlines())
    for word in ("data = 42", "flag = 1", "T1:11"):
        assert word in table


def test_irrelevant_steps_are_folded() -> None:
    noise = [write(0, 0x1000_0000_9000 + 8 * n, n, 2 + n) for n in range(5)]
    graph = three_threads(
        creates(),
        [*noise, write(1, FLAG, 1, 7)],
        [read(0, FLAG, 1, 8, (1, 5))],
        [(FLAG, [(1, 5)])],
    )
    steps = tell(outcome(), violation(graph), graph).steps
    assert [s.text for s in steps if s.thread == 1] == ["… 5 steps", "flag = 1"]


def test_a_read_modify_write_is_one_step() -> None:
    pair = [
        event("R", READER, 3, 2, address=FLAG, size=4, value=0, exclusive=True),
        event("W", READER, 3, 3, address=FLAG, size=4, value=0xFFFF_FFFF, exclusive=True),
    ]
    graph = three_threads(creates(), [], pair, [(FLAG, [(2, 1)])])
    extended = program(instr(Op.RMW, 25, expr="flag"))
    steps = tell(outcome(program=extended), violation(graph), graph).steps
    assert next((s.text, s.note) for s in steps if s.thread == 2) == ("flag: 0 → -1", "← initial value")


def test_pointers_are_named() -> None:
    heap = address(Region.SHARED, 4096, thread=1)
    allocation = event("ALLOC", 1, 0, 2, address=heap, size=24)
    writes = [
        event("W", 1, 1, 3, address=FLAG, size=8, value=heap),
        event("W", 1, 1, 4, address=FLAG, size=8, value=heap + 8),
        event("W", 1, 1, 5, address=FLAG, size=8, value=DATA),
        event("W", 1, 1, 6, address=FLAG, size=8, value=address(Region.CODE, 16 * READER)),
    ]
    last = event("R", READER, 0, 7, address=FLAG, size=8, value=DATA, rf=(1, 3))
    graph = three_threads(creates(), [allocation, *writes], [last], [])
    story = tell(outcome(), violation(graph), graph)
    values = [s.text.split(" = ")[1] for s in story.steps if " = " in s.text and s.thread == 1]
    assert values == ["#1", "#1+8", "&data", "reader"]
    assert story.legend == ("#1: 24 bytes that T1 allocated at line 10",)


def test_colour_only_adds_escapes() -> None:
    plain = as_text(outcome(violation(message_passing())))
    coloured = as_text(outcome(violation(message_passing())), colour=True)
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split() == plain.split()


def test_a_long_call_chain_is_cut_short() -> None:
    stack = ((READER, 2),) * 100
    text = as_text(outcome(violation(None, stack=stack)))
    assert text.count("called by") == 5
    assert "… 94 more calls" in text


def test_a_pointer_names_the_largest_object_at_its_address() -> None:
    types = (
        TypeInfo("int", 4, "scalar"),
        TypeInfo("struct node", 8, "struct", (("used", 0, 0), ("next", 4, 0))),
        TypeInfo("struct node[3]", 24, "array", element=1),
    )
    nodes = Global("nodes", 0x1000_0000_4000, 24, b"", False, type=2)
    speaker = Speaker(outcome(program=replace(program(), globals=(nodes,), types=types)), in_order())
    start = nodes.address
    names = [speaker.value(start + offset, 8) for offset in (0, 8, 12)]
    assert names == ["&nodes", "&nodes[1]", "&nodes[1].next"]
