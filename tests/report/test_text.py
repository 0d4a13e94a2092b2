"""The report for people: its first line, its columns, its words."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

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
from mazurka.checking.bounds import Cut
from mazurka.checking.execution import Event, Violation
from mazurka.program import (
    AllocFlag,
    Function,
    Global,
    Instr,
    Op,
    Position,
    Program,
    Region,
    TypeInfo,
    address,
    pieces_of,
)
from mazurka.program.sync_objects import LOCK
from mazurka.report import as_json, as_text
from mazurka.report.steps import tell
from mazurka.report.values import Speaker


def first_line(found: Violation | None = None, **fields: Any) -> str:
    return as_text(outcome(found, **fields)).splitlines()[0]


def test_the_first_line_is_the_verdict_with_model_counts_and_time() -> None:
    assert first_line() == (
        "Verified under sc: no violation in any execution (3 complete executions, 1 blocked; 0.03 s)"
    )
    assert first_line(verdict="bounded", complete=1).startswith(
        "Bounded under sc: no violation found, but a loop bound cut the exploration (1 complete execution, "
    )
    assert first_line(complete=0).startswith(
        "Verified under sc, but vacuously: no execution ran to its end (0 complete executions, 1 blocked; "
    )
    assert "but a loop bound cut every execution (0 " in first_line(verdict="bounded", complete=0)
    assert first_line(verdict="interrupted").startswith("Interrupted under sc: no violation so far, but")
    assert first_line(violation(None)).startswith("Violation under sc: an assertion fails (after 3")


def test_what_was_cut_is_named() -> None:
    cuts = (Cut("loop", "wait", FILE, 12, 2), Cut("recursion", "fib", FILE, 3, 1))
    text = as_text(outcome(verdict="bounded", bounds=cuts))
    assert f"{FILE}:12: the loop in wait was cut after 2 iterations: raise its bound" in text
    assert f"{FILE}:3: the recursion of fib was cut after 1 call: raise its bound" in text


def test_warnings_and_output_are_shown() -> None:
    text = as_text(outcome(warnings=("careful",), output=((0, "hel"), (0, "lo\nworld\n"), (1, "bye"))))
    assert "warning: careful" in text
    assert "main │ hello\n  main │ world\n  T1   │ bye\n" in text


def test_the_place_and_the_source_line_of_a_violation() -> None:
    lines = as_text(outcome(violation(None))).splitlines()
    assert lines[1] == f"  {FILE}:22:3: assertion 'r == 42' failed (in reader, T2)"
    assert lines[2:4] == ["     22 | line 22;", "        |   ^"]


def test_kinds_of_own_models_have_no_page() -> None:
    found = violation(None, kind="two-writers")
    assert "explain" not in as_text(outcome(found))
    assert json.loads(as_json(outcome(found)))["violation"]["help"] is None
    found = violation(None, kind="race")
    assert as_text(outcome(found)).endswith("\n\n  see 'mazurka explain race'\n")
    assert json.loads(as_json(outcome(found)))["violation"]["help"] == "docs/findings/race.md"


def test_one_column_a_thread_with_lines_values_and_origins() -> None:
    lines = as_text(outcome(violation(in_order()))).splitlines()
    start = lines.index("  The execution, one column per thread, time running down:") + 2
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
        "",
        "  see 'mazurka explain assertion'",
    ]


def test_an_initial_value_that_main_wrote_names_the_line() -> None:
    text = as_text(outcome(violation(early_read()), prologue=(initial(DATA),)))
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
    last = event("R", READER, 0, 7, address=FLAG, size=8, value=writes[-1].value, rf=(1, 4))
    graph = three_threads(creates(), [allocation, *writes], [last], [])
    story = tell(outcome(), violation(graph), graph)
    values = [s.text.split(" = ")[1] for s in story.steps if " = " in s.text and s.thread == 1]
    assert values == ["#1", "#1+8", "&data", "reader"]
    assert story.speaker.objects.legend() == ["#1: 24 bytes that T1 allocated at line 10"]


def routine_program(calls: int) -> Program:
    """The writer calls a library routine, which has no lines, from one place or from several."""
    base = program()
    caller = replace(base.functions[1], code=tuple(instr(Op.CALL, 12 + n, a=3) for n in range(calls)))
    routine = Function("strcpy", 2, 4, 0, (), (Instr(Op.STORE),))
    return replace(base, functions=(base.functions[0], caller, base.functions[2], routine))


@pytest.mark.parametrize(
    ("callers", "row", "origin"),
    [(((1, 1),), ("13", "flag = 1"), "← T1:13"), ((), ("", "flag = 1 (in strcpy)"), "← T1")],
)
def test_events_of_a_library_routine_stand_at_the_call(
    callers: tuple[tuple[int, int], ...], row: tuple[str, str], origin: str
) -> None:
    inside = event("W", 3, 0, 2, address=FLAG, size=4, value=1, callers=callers)
    graph = three_threads(creates(), [inside], [read(0, FLAG, 1, 3, (1, 0))], [(FLAG, [(1, 0)])])
    steps = tell(outcome(program=routine_program(2)), violation(graph), graph).steps
    assert next((s.line, s.text) for s in steps if s.thread == 1) == row
    assert next(s.note for s in steps if s.thread == 2) == origin


def test_heap_places_differ_where_the_addresses_do() -> None:
    heap = address(Region.SHARED, 4096, thread=1)
    allocation = event("ALLOC", 1, 0, 2, address=heap, size=24)
    reads = [read(0, heap + offset, 0, 3 + offset, None) for offset in (0, 8)]
    graph = three_threads(creates(), [allocation], reads, [])
    steps = tell(outcome(), violation(graph), graph).steps
    assert [s.text for s in steps if s.text.startswith("read")] == [
        "read flag (#1): 0",
        "read flag (#1+8): 0",
    ]


def test_a_string_literal_is_shown_as_one() -> None:
    start = 0x1000_0000_4000
    text = Global(".str.3", start, 4, pieces_of(b"cfg\0"), True)
    long = Global(".str", start + 16, 24, pieces_of(b"a rather long message\n\0\0"), True)
    speaker = Speaker(outcome(program=replace(program(), globals=(text, long))), in_order())
    assert [speaker.value(at, 8) for at in (start, start + 1, start + 16)] == [
        *('"cfg"', '"fg"', '"a rather long m…"')
    ]


def test_an_element_of_an_array_of_mutexes_is_named() -> None:
    mutex = TypeInfo("pthread_mutex_t", 40, "scalar")
    types = (mutex, TypeInfo("pthread_mutex_t[2]", 80, "array", element=0))
    locks = Global("locks", 0x1000_0000_4000, 80, (), False, type=1)
    extended = replace(program(instr(Op.SYNC, 25)), globals=(locks,), types=types, operations=(LOCK,))
    speaker = Speaker(outcome(program=extended), in_order())
    mutexes = [event("W", READER, 3, 0, address=locks.address + offset, size=4) for offset in (0, 40)]
    assert [speaker.place(mutex) for mutex in mutexes] == ["locks[0]", "locks[1]"]


@pytest.mark.parametrize(
    ("kind", "other", "line"),
    [
        ("freed", write(0, DATA, 1, 2), "and T1 accesses it at mp.c:10: line 10;"),
        ("freed", event("FREE", 1, 1, 2, address=DATA), "freed by T1 at mp.c:11: line 11;"),
        ("double-free", event("FREE", 1, 1, 2, address=DATA), "freed by T1 at mp.c:11: line 11;"),
        ("deadlock", write(1, FLAG, 1, 2), "taken by T1 at mp.c:11: line 11;"),
    ],
)
def test_the_other_event_is_named_under_the_place(kind: str, other: Event, line: str) -> None:
    graph = three_threads(creates(), [other], [read(0, FLAG, 0, 3, None)], [])
    lines = as_text(outcome(violation(graph, kind=kind, other=(1, 0)))).splitlines()
    assert lines[4] == f"    {line}"


def test_the_end_of_a_local_variable_names_its_function() -> None:
    base = program()
    writer = replace(base.functions[1], code=(instr(Op.FREE, 10, x=AllocFlag.STACK),))
    changed = replace(base, functions=(base.functions[0], writer, base.functions[2]))
    graph = three_threads(creates(), [event("FREE", 1, 0, 2, address=DATA)], [read(0, FLAG, 0, 3, None)], [])
    text = as_text(outcome(violation(graph, kind="freed", other=(1, 0)), program=changed))
    assert "    its lifetime ended when writer returned (thread T1), at mp.c:10: line 10;" in text


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


@pytest.mark.parametrize("where", [Position(FILE, 22, 3), None])
def test_callers_in_the_library_are_left_out_if_the_place_is_known(where: Position | None) -> None:
    base = program()
    starter = replace(base.functions[0], name="std::start", code=(Instr(Op.CALL),))
    changed = replace(base, functions=(starter, *base.functions[1:]))
    stack = ((READER, 2), (READER, 0), (0, 0))
    text = as_text(outcome(violation(None, stack=stack, location=where), program=changed))
    assert "called by reader at mp.c:20" in text
    assert ("called by std::start" in text) == (where is None)


def test_a_pointer_names_the_largest_object_at_its_address() -> None:
    types = (
        TypeInfo("int", 4, "scalar"),
        TypeInfo("struct node", 8, "struct", (("used", 0, 0), ("next", 4, 0))),
        TypeInfo("struct node[3]", 24, "array", element=1),
    )
    nodes = Global("nodes", 0x1000_0000_4000, 24, (), False, type=2)
    speaker = Speaker(outcome(program=replace(program(), globals=(nodes,), types=types)), in_order())
    start = nodes.address
    names = [speaker.value(start + offset, 8) for offset in (0, 8, 12)]
    assert names == ["&nodes", "&nodes[1]", "&nodes[1].next"]
