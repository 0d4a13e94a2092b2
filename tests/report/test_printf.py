"""What a program prints is shown as C's printf would print it."""

from __future__ import annotations

import ctypes
import random
import struct

import pytest
from mazurka.program import Global, Program, Region, address, pieces_of
from mazurka.program.printf import render

FORMAT = address(Region.GLOBAL, 0x100)
NAME = address(Region.GLOBAL, 0x800)
MINUS_ONE = (1 << 64) - 1


def bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def shown(text: str, *arguments: int) -> str:
    data = text.encode() + b"\0"
    strings = (
        Global("fmt", FORMAT, len(data), pieces_of(data), True),
        Global("name", NAME, 6, pieces_of(b"queue\0"), True),
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
        ("%.*d|", ((1 << 32) - 1, 5), "5|"),
        ("%.*s|", ((1 << 32) - 1, NAME), "queue|"),
        ("%99999999999d", (1,), " " * 65535 + "1"),
    ],
)
def test_directives(text: str, arguments: tuple[int, ...], expected: str) -> None:
    assert shown(text, *arguments) == expected


def test_a_string_that_the_program_may_change_is_named_by_its_address() -> None:
    buffer = Global("buffer", NAME, 6, pieces_of(b"old\0\0\0"), False)
    text = Global("fmt", FORMAT, 3, pieces_of(b"%s\0"), True)
    program = Program(functions=(), entry=0, globals=(text, buffer))
    assert render(program, [FORMAT, NAME]) == f"<{NAME:#x}>"
    assert render(program, [NAME]) == f"<format at {NAME:#x}>"


def test_a_format_that_the_program_made_is_named_by_its_address() -> None:
    assert render(Program(functions=(), entry=0), [64]) == "<format at 0x40>"


def random_directive(pick: random.Random) -> tuple[str, list[int]]:
    """A directive, and its arguments as registers hold them."""
    conversion = pick.choice("diouxXeEfFgGaAcs")
    flags = "".join(pick.sample("-+ #0", pick.choice((0, 0, 1, 2, 3))))
    if conversion in "cs":
        flags = flags.replace("0", "").replace("#", "").replace("+", "").replace(" ", "")
    arguments: list[int] = []
    text = "%" + flags
    if pick.random() < 0.5:
        text += _count(pick, arguments, -12, 12, "")
    if pick.random() < 0.5 and conversion != "c":
        text += _count(pick, arguments, -3, 20, ".")
    if conversion in "diouxX":
        text += pick.choice(("", "hh", "h", "l", "ll", "j", "z", "t"))
        arguments.append(
            pick.choice((0, 1, 7, 255, 1 << 31, MINUS_ONE, pick.getrandbits(pick.randrange(1, 65))))
        )
    elif conversion in "cs":
        arguments.append(pick.randrange(33, 127) if conversion == "c" else NAME)
    else:
        numbers = (0.0, -0.0, 1.0, 0.5, 9.5, 1e15, 1e-5, float("inf"), float("-inf"), float("nan"))
        arguments.append(
            bits(
                pick.choice(
                    (*numbers, pick.gauss(0, 100), pick.gauss(0, 1) * 10 ** pick.randrange(-300, 300))
                )
            )
        )
    return text + conversion, arguments


def _count(pick: random.Random, arguments: list[int], least: int, most: int, before: str) -> str:
    number = pick.randrange(least, most)
    if pick.random() < 0.5:
        arguments.append(number & 0xFFFF_FFFF)
        return before + "*"
    return f"{before}{abs(number) or ''}"


def native(text: str, arguments: list[int]) -> str:
    """What the C library of this machine prints."""
    buffer = ctypes.create_string_buffer(4096)
    floating = text[-1] in "eEfFgGaA"
    passed: list[object] = [ctypes.c_uint64(argument) for argument in arguments]
    if floating:
        passed[-1] = ctypes.c_double(struct.unpack("<d", struct.pack("<Q", arguments[-1]))[0])
    if text[-1] == "s":
        passed[-1] = ctypes.c_char_p(b"queue")
    ctypes.CDLL(None).snprintf(buffer, ctypes.c_size_t(4096), text.encode(), *passed)
    return buffer.value.decode()


@pytest.mark.parametrize("seed", range(4))
def test_random_directives_print_as_the_c_library_prints_them(seed: int) -> None:
    pick = random.Random(seed)
    for _ in range(500):
        text, arguments = random_directive(pick)
        assert shown(text, *arguments) == native(text, arguments), (text, arguments)
