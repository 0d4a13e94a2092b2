"""Executions made by hand, for tests of the reports: no compiler and no engine is involved.

``message_passing`` is the classic failure: the reader sees the flag and then stale data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mazurka.cache.compiled import Compiled
from mazurka.checking.execution import Chain, Event, EventRef, Graph, Thread, Violation
from mazurka.checking.outcome import InitialWrite, Outcome
from mazurka.program import CONST, Function, Global, Instr, Mode, Op, Position, Program, Region, address

DATA = address(Region.GLOBAL, 0x100)
FLAG = address(Region.GLOBAL, 0x104)
FILE = "mp.c"
SOURCE = "\n".join(f"line {n};" for n in range(1, 40))

MAIN, WRITER, READER = range(3)


def instr(op: Op, line: int, **fields: Any) -> Instr:
    return Instr(op, position=line - 1, **fields)


def program(*extra: Instr) -> Program:
    """Main starts a writer (lines 10, 11) and a reader (lines 20, 21, 22); ``extra`` extends the reader."""
    code = {
        MAIN: (instr(Op.CREATE, 30, a=CONST), instr(Op.CREATE, 31, a=CONST | 1), instr(Op.STORE, 29)),
        WRITER: (instr(Op.STORE, 10, expr="data"), instr(Op.STORE, 11, expr="flag")),
        READER: (
            instr(Op.LOAD, 20, expr="flag"),
            instr(Op.LOAD, 21, expr="data"),
            instr(Op.FAIL, 22),
            *extra,
        ),
    }
    names = {MAIN: "main", WRITER: "writer", READER: "reader"}
    return Program(
        functions=tuple(Function(names[f], 1, 4, 0, (), code[f]) for f in (MAIN, WRITER, READER)),
        entry=MAIN,
        globals=(
            Global("data", DATA, 4, (), False),
            Global("flag", FLAG, 4, (), False),
        ),
        constants=(address(Region.CODE, 16 * WRITER), address(Region.CODE, 16 * READER)),
        positions=tuple(Position(FILE, line, 3) for line in range(1, 40)),
        sources={FILE: SOURCE},
    )


def event(kind: str, function: int, pc: int, stamp: int, **fields: Any) -> Event:
    return Event(kind, Mode.NA, function, pc, stamp, **fields)


def creates(stamp: int = 0) -> tuple[Event, ...]:
    return (event("CREATE", MAIN, 0, stamp, other=1), event("CREATE", MAIN, 1, stamp + 1, other=2))


def read(pc: int, where: int, value: int, stamp: int, rf: EventRef | None) -> Event:
    return event("R", READER, pc, stamp, address=where, size=4, value=value, rf=rf)


def write(pc: int, where: int, value: int, stamp: int) -> Event:
    return event("W", WRITER, pc, stamp, address=where, size=4, value=value)


def three_threads(
    main: Sequence[Event],
    writer: Sequence[Event],
    reader: Sequence[Event],
    co: Sequence[tuple[int, Sequence[EventRef]]],
) -> Graph:
    return Graph(
        (
            Thread(None, None, "done", tuple(main)),
            Thread(0, 0, "done", tuple(writer)),
            Thread(0, 1, "failed", tuple(reader)),
        ),
        tuple(Chain(where, 4, tuple(writes)) for where, writes in co),
    )


def message_passing() -> Graph:
    """The reader reads flag = 1 from the writer, then data = 0 from initial memory (not an SC execution)."""
    return three_threads(
        creates(),
        [write(0, DATA, 42, 2), write(1, FLAG, 1, 3)],
        [read(0, FLAG, 1, 4, (1, 1)), read(1, DATA, 0, 5, None)],
        [(DATA, [(1, 0)]), (FLAG, [(1, 1)])],
    )


def in_order() -> Graph:
    """The reader sees the flag and the data: what sequential consistency allows."""
    return three_threads(
        creates(),
        [write(0, DATA, 42, 2), write(1, FLAG, 1, 3)],
        [read(0, FLAG, 1, 4, (1, 1)), read(1, DATA, 42, 5, (1, 0))],
        [(DATA, [(1, 0)]), (FLAG, [(1, 1)])],
    )


def early_read() -> Graph:
    """The same program, but the reader comes first and sees nothing."""
    return three_threads(
        creates(),
        [write(0, DATA, 42, 2), write(1, FLAG, 1, 3)],
        [read(0, FLAG, 0, 4, None), read(1, DATA, 0, 5, None)],
        [(DATA, [(1, 0)]), (FLAG, [(1, 1)])],
    )


def violation(graph: Graph | None, **fields: Any) -> Violation:
    values: dict[str, Any] = {
        "kind": "assertion",
        "message": "assertion 'r == 42' failed",
        "location": Position(FILE, 22, 3),
        "thread": 2,
        "function": READER,
        "pc": 2,
        "stack": ((READER, 2),),
        "other": None,
        "graph": graph,
    }
    return Violation(**{**values, **fields})


def outcome(found: Violation | None = None, **fields: Any) -> Outcome:
    values: dict[str, Any] = {
        "verdict": "verified" if found is None else "violation",
        "model": "sc",
        "equivalence": "co",
        "complete": 3,
        "blocked": 1,
        "violation": found,
        "warnings": (),
        "bounds": (),
        "seconds_frontend": 0.02,
        "seconds_explore": 0.01,
        "output": (),
        "prologue": (),
    }
    checked = fields.pop("program", None) or program()
    return Outcome(**{**values, **fields, "compiled": Compiled(b"", 0, lambda: checked)})


def initial(where: int) -> InitialWrite:
    """A write by main, on line 29, before the threads."""
    return InitialWrite(where, 4, MAIN, 2)
