"""What a program prints is shown as C's printf would print it."""

from __future__ import annotations

import struct

import pytest
from mazurka.printf import render
from mazurka.program import Global, Program, Region, address

FORMAT = address(Region.GLOBAL, 0x100)
NAME = address(Region.GLOBAL, 0x800)
MINUS_ONE = (1 << 64) - 1


def bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def shown(text: str, *arguments: int) -> str:
    data = text.encode() + b"\0"
    strings = (
        Global("fmt", FORMAT, len(data), data, True),
        Global("name", NAME, 6, b"queue\0", True),
    )
    return render(Program(functions=(), entry=0, globals=strings), [FORMAT, *arguments])


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("plain\n", (), "plain\n"),
        ("100%%", (), "100%"),
        ("%d %u", (MINUS_ONE, MINUS_ONE), "-1 4294967295"),
        ("%ld %zu %hhd", (MINUS_ONE, MINUS_ONE, 255), "-1 18446744073709551615 -1"),
        ("%05d|%-4d|%+d", (42, 7, 3), "00042|7   |+3"),
        ("%x %#X %o", (255, 255, 8), "ff 0XFF 10"),
        ("%s|%8s|%.2s", (NAME, NAME, NAME), "queue|   queue|qu"),
        ("%c%3c", (65, 66), "A  B"),
        ("%p", (4096,), "0x1000"),
        ("%.2f %g", (bits(1.5), bits(0.25)), "1.50 0.25"),
        ("%*d", (5, 1), "    1"),
        ("%*d|", ((1 << 32) - 3, 1), "1  |"),
        ("%d %d", (1,), "1 %d"),
        ("%s", (4096,), "<0x1000>"),
    ],
)
def test_directives(text: str, arguments: tuple[int, ...], expected: str) -> None:
    assert shown(text, *arguments) == expected


def test_a_string_that_the_program_may_change_is_named_by_its_address() -> None:
    buffer = Global("buffer", NAME, 6, b"old\0\0\0", False)
    text = Global("fmt", FORMAT, 3, b"%s\0", True)
    program = Program(functions=(), entry=0, globals=(text, buffer))
    assert render(program, [FORMAT, NAME]) == f"<{NAME:#x}>"
    assert render(program, [NAME]) == f"<format at {NAME:#x}>"


def test_a_format_that_the_program_made_is_named_by_its_address() -> None:
    assert render(Program(functions=(), entry=0), [64]) == "<format at 0x40>"
