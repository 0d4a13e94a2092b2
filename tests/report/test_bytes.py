"""Executions in which bytes of one read come from several writes, as people and programs see them."""

from __future__ import annotations

import json
from typing import Any

from executions import (
    DATA,
    FLAG,
    MAIN,
    READER,
    WRITER,
    creates,
    event,
    initial,
    outcome,
    program,
    violation,
)
from mazurka.checking.execution import Chain, Event, EventRef, Graph, Part, Thread
from mazurka.checking.ordering import closest_way
from mazurka.checking.sizes import MixedSizes, SizedAccess
from mazurka.program import Mode, Region, address
from mazurka.report import as_json, as_text
from mazurka.report.order import linearise
from mazurka.report.steps import tell
from mazurka.report.values import Speaker


def halves(low: EventRef | None, high: EventRef | None, value: int) -> Event:
    """A read of all four bytes of ``data``, with a write for each half."""
    parts = (Part(DATA, 2, low, value & 0xFFFF), Part(DATA + 2, 2, high, value >> 16))
    return event("R", READER, 1, 6, address=DATA, size=4, value=value, rf=low or high, parts=parts)


def stored(where: int, size: int, value: int, stamp: int, **fields: Any) -> Event:
    return event("W", WRITER, 0, stamp, address=where, size=size, value=value, **fields)


def graph_of(*reads: Event) -> Graph:
    """Main writes the upper half after the threads started, the writer the lower one, and then all bytes."""
    upper = event("W", MAIN, 2, 2, address=DATA + 2, size=2, value=7)
    writer = (stored(DATA, 2, 0x102, 3), stored(DATA, 4, 0x50006, 4))
    return Graph(
        (
            Thread(None, None, "done", (*creates(), upper)),
            Thread(0, 0, "done", writer),
            Thread(0, 1, "failed", reads),
        ),
        (Chain(DATA, 2, ((1, 0), (1, 1))), Chain(DATA + 2, 2, ((0, 2), (1, 1)))),
    )


BOTH = graph_of(halves((1, 0), (0, 2), 0x70102))


def test_the_row_says_which_bytes_come_from_which_write() -> None:
    found = violation(BOTH)
    rows = [(step.text, step.note) for step in tell(outcome(found), found, BOTH).steps]
    assert ("read data: 0x7'0102", "← bytes 0-1 from T1:10, 2-3 from main:29") in rows


def test_neighbouring_bytes_of_one_origin_are_one_range() -> None:
    graph = graph_of(halves((1, 1), (1, 1), 0x50006))
    found = violation(graph)
    rows = [(step.text, step.note) for step in tell(outcome(found), found, graph).steps]
    assert ("read data: 0x5'0006", "← T1:10") in rows


def test_initial_bytes() -> None:
    graph = graph_of(halves((1, 0), None, 0x102))
    found = violation(graph)
    (read,) = [step for step in tell(outcome(found), found, graph).steps if step.text.startswith("read")]
    assert read.note == "← bytes 0-1 from T1:10, 2-3 initial"
    written = outcome(found, prologue=(initial(DATA),))
    (read,) = [step for step in tell(written, found, graph).steps if step.text.startswith("read")]
    assert read.note == "← bytes 0-1 from T1:10, 2-3 from main:29, before the threads"


def test_a_read_comes_after_all_its_writes_and_before_what_overwrites_one() -> None:
    order = linearise(BOTH)
    at = {ref: number for number, ref in enumerate(order)}
    assert at[1, 0] < at[2, 0]
    assert at[0, 2] < at[2, 0]
    assert at[2, 0] < at[1, 1]


def test_values_are_divided_where_other_accesses_start() -> None:
    speaker = Speaker(outcome(), BOTH)
    assert speaker.value_of(stored(DATA, 4, 0xABCD0000, 0)) == "0xabcd'0000"
    assert speaker.value_of(stored(DATA, 4, 0xABCD, 0)) == "0xabcd"
    assert speaker.value_of(stored(DATA, 4, 7, 0)) == "7"
    assert speaker.value_of(stored(DATA + 4, 4, 17, 0)) == "17"


def test_values_of_16_bytes_are_divided_into_halves() -> None:
    halved = Graph((), (Chain(DATA, 8, ()), Chain(DATA + 8, 8, ())))
    speaker = Speaker(outcome(), halved)
    assert speaker.value_of(stored(DATA, 16, 1 << 64 | 2, 0)) == "0x1'0000000000000002"
    assert speaker.value_of(stored(DATA, 16, 9, 0)) == "9"
    assert speaker.value_of(stored(DATA, 16, 3 << 64 | FLAG, 0)) == "{&flag, 3}"


def test_places_on_the_heap_have_their_size() -> None:
    heap = address(Region.SHARED, 4096)
    events = (stored(heap, 4, 1, 3), stored(heap, 2, 2, 4), stored(heap + 4, 4, 3, 5))
    graph = Graph((Thread(None, None, "done", events),), ())
    speaker = Speaker(outcome(), graph)
    assert [speaker.place(event) for event in events] == ["data (4 bytes)", "data (2 bytes)", "data"]


def test_a_message_may_come_from_any_of_the_writes() -> None:
    released = stored(DATA, 2, 1, 3)
    graph = Graph(
        (
            Thread(None, None, "done", creates()),
            Thread(0, 0, "done", (stored(DATA + 8, 4, 1, 2), released)),
            Thread(0, 1, "failed", (halves(None, (1, 1), 1), event("R", READER, 0, 7, address=DATA + 8))),
        ),
        (),
    )
    way = closest_way(graph, (1, 0), (2, 1))
    assert way is not None
    assert [(gap.event, gap.needed) for gap in way.gaps] == [((1, 1), Mode.REL), ((2, 0), Mode.ACQ)]


def test_json() -> None:
    met = MixedSizes((SizedAccess(4, "a.c", 3), SizedAccess(1, "a.c", 5)))
    value = json.loads(as_json(outcome(violation(BOTH), mixed_sizes=met)))
    assert value["mixed_sizes"] == {
        "accesses": [{"size": 4, "file": "a.c", "line": 3}, {"size": 1, "file": "a.c", "line": 5}],
        "sections": False,
    }
    (read,) = value["violation"]["graph"]["threads"][2]["events"]
    assert read["parts"] == [
        {"address": DATA, "size": 2, "value": 0x102, "rf": [1, 0]},
        {"address": DATA + 2, "size": 2, "value": 7, "rf": [0, 2]},
    ]


def test_the_report_says_how_it_was_explored() -> None:
    met = MixedSizes((SizedAccess(4, "a.c", 3), SizedAccess(1, "a.c", 5)))
    assert as_text(outcome(mixed_sizes=met)).splitlines()[1:] == [
        "  mixed sizes: 4 bytes at a.c:3 and 1 byte at a.c:5; explored byte by byte"
    ]
    (_, line) = as_text(
        outcome(mixed_sizes=MixedSizes((met.accesses[0], SizedAccess(1, "", 0))))
    ).splitlines()
    assert line == "  mixed sizes: 4 bytes at a.c:3 and 1 byte elsewhere; explored byte by byte"
    asked = as_text(outcome(mixed_sizes=MixedSizes())).splitlines()
    assert asked[1:] == ["  mixed sizes: explored byte by byte"]
    assert "mixed" not in as_text(outcome(program=program()))
