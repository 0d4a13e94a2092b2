"""An address outside every object is described relative to the nearest one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from executions import creates, event, instr, program, three_threads
from mazurka.checking.objects import (
    Allocation,
    allocations,
    bad_access,
    bad_free,
    bad_private_access,
    bad_private_free,
    part_of,
)
from mazurka.checking.outcome import InitialObject
from mazurka.program import AllocFlag, FrameObject, Global, Op, Region, address

CELLS = address(Region.GLOBAL, 0x400)
HEAP = address(Region.SHARED, 4096, thread=1)
PROGRAM = replace(
    program(
        instr(Op.ALLOC, 25),
        instr(Op.ALLOC, 26, x=AllocFlag.STACK, expr="row"),
        instr(Op.ALLOC, 27, x=AllocFlag.STACK | AllocFlag.ZERO, expr="own"),
    ),
    globals=(
        Global("cells", CELLS, 12, (), False),
        Global(".str.3", CELLS + 4096, 4, (), True),
    ),
)
BLOCK = Allocation(HEAP, 16, "T1", 2, 3)
LOCAL = Allocation(HEAP + 4096, 8, "T2", 2, 4)
THREAD_LOCAL = Allocation(HEAP + 8192, 8, "T2", 2, 5)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (CELLS + 12, "access of 4 bytes, just past the end of cells (12 bytes)"),
        (CELLS + 16, "access of 4 bytes, 4 bytes past the end of cells (12 bytes)"),
        (CELLS + 10, "access of 4 bytes, 2 of them past the end of cells (12 bytes)"),
        (CELLS - 1, "access of 4 bytes, 1 byte before the start of cells (12 bytes)"),
        (HEAP + 16, "access of 4 bytes, just past the end of the 16 bytes that T1 allocated at line 25"),
        (
            HEAP + 4096 - 8,
            "access of 4 bytes, 8 bytes before the start of local variable row of T2 at line 26 (8 bytes)",
        ),
        (
            HEAP + 8200,
            "access of 4 bytes, just past the end of thread-local variable own of T2 at line 27 (8 bytes)",
        ),
        (CELLS + 4100, "access of 4 bytes, just past the end of a string literal (4 bytes)"),
        (CELLS, None),
        (CELLS + 12 + 257, None),
        (0, None),
    ],
)
def test_accesses(where: int, expected: str | None) -> None:
    assert bad_access(PROGRAM, where, 4, [BLOCK, LOCAL, THREAD_LOCAL]) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (CELLS, "free of the global variable cells"),
        (CELLS + 4, "free of the address 4 bytes into cells"),
        (HEAP, "delete instead of free: the 16 bytes that T1 allocated at line 25"),
        (HEAP + 4, "free of the address 4 bytes into the 16 bytes that T1 allocated at line 25"),
        (HEAP + 4096, "free of local variable row of T2 at line 26 (8 bytes)"),
        (HEAP + 8192, "free of thread-local variable own of T2 at line 27 (8 bytes)"),
        (CELLS + 4096, "free of a string literal"),
        (CELLS + 4097, "free of the address 1 byte into a string literal"),
        (HEAP + 100, None),
    ],
)
def test_frees(where: int, expected: str | None) -> None:
    objects = [BLOCK, LOCAL, THREAD_LOCAL]
    assert bad_free(PROGRAM, where, objects, "delete instead of free") == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (HEAP + 4096 + 4, "part of row"),
        (HEAP + 4, "memory (in the 16 bytes that T1 allocated at line 25)"),
        (HEAP + 100, "memory"),
    ],
)
def test_parts(where: int, expected: str) -> None:
    """The two accesses of a race in a container have no names of their own."""
    assert part_of(PROGRAM, where, [BLOCK, LOCAL]) == expected


START = address(Region.FRAME, 64)
FRAMES = replace(
    PROGRAM,
    functions=(
        replace(PROGRAM.functions[0], objects=(FrameObject(0, 16, "row"), FrameObject(16, 8, "i"))),
        replace(PROGRAM.functions[1], objects=(FrameObject(0, 8, "j"),)),
        *PROGRAM.functions[2:],
    ),
)


@pytest.mark.parametrize(
    ("functions", "extent", "expected"),
    [
        ([0, 1], (START, START + 16), "access of 4 bytes, just past the end of row (16 bytes)"),
        (
            [0, 1, 0],
            (START + 8, START + 16),
            "access of 4 bytes, just past the end of a local variable of 8 bytes",
        ),
        ([1], (START + 20, START + 28), "access of 4 bytes, 4 bytes before the start of j (8 bytes)"),
    ],
)
def test_a_local_variable_is_named_if_its_size_tells_it_from_the_others(
    functions: list[int], extent: tuple[int, int], expected: str
) -> None:
    assert bad_private_access(FRAMES, START + 16, 4, functions, extent) == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (START, "free of row (16 bytes), which malloc did not return"),
        (START + 4, "free of the address 4 bytes into row (16 bytes)"),
        (START + 16, "free of the address just past the end of row (16 bytes)"),
        (START - 1, "free of the address 1 byte before the start of row (16 bytes)"),
    ],
)
def test_frees_of_private_memory(where: int, expected: str) -> None:
    assert bad_private_free(FRAMES, where, [0, 1], (START, START + 16)) == expected


def test_objects_come_from_main_and_from_the_graph() -> None:
    graph = three_threads(creates(), [event("ALLOC", 2, 3, 2, address=HEAP, size=16)], [], [])
    found = allocations([InitialObject(HEAP + 64, 8, 2, 4)], graph)
    assert found == [Allocation(HEAP + 64, 8, "main", 2, 4), BLOCK]
