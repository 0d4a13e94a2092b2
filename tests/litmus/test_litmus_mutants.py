"""Litmus files with random changes are read, or refused with a place and a cure: never a traceback."""

from __future__ import annotations

import random

import pytest
from litmus_files import OWN
from mazurka.errors import MazurkaError
from mazurka.litmus import parse_litmus_file
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from profiles import amount

PIECES = (
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        "|",
        ":",
        ",",
        "=",
        "~",
        "*",
        "&",
        "#",
        "$",
        "%",
        '"',
        "(*",
        "*)",
        "\n",
    ),
    *("0", "-1", "0xffffffffffffffffff", "P0", "P9:", "exists", "forall", "filter", "locations", "int", "é"),
    *(
        "LSL #3",
        "!",
        "W0",
        "X31",
        "r0",
        "x0",
        "EAX",
        "%rax",
        "LOCK ",
        "\\/",
        "/\\",
        "<<",
        ">>",
        "if (",
        "else",
    ),
)
TEXTS = [path.read_text() for path in OWN]
ROUNDS = amount(ci=4_000, slow=200_000)


def mutant(seed: int) -> str:
    """One of our files with one to three random changes."""
    draw = random.Random(seed)
    text = draw.choice(TEXTS)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(text) + 1)
        to = min(len(text), at + draw.choice((0, 0, 1, 2, 5, 30)))
        kind = draw.randrange(4)
        if kind == 0:
            text = text[:at] + draw.choice(PIECES) + text[to:]
        elif kind == 1:
            text = text[:at] + text[to:]
        elif kind == 2:
            text = text[:to] + text[at:]
        else:
            lines = text.split("\n")
            other = draw.choice(TEXTS).split("\n")
            lines[draw.randrange(len(lines))] = draw.choice(other)
            text = "\n".join(lines)
    return text


def refusal(text: str) -> MazurkaError | None:
    """Why a text is not a test that can be lowered."""
    try:
        test = parse_litmus_file(text, "mutant.litmus")
        to_program(test, Layout(test)).encode()
    except MazurkaError as error:
        return error
    return None


@pytest.mark.parametrize("part", range(4))
def test_mutants_are_read_or_refused(part: int) -> None:
    for seed in range(part, ROUNDS, 4):
        try:
            error = refusal(mutant(seed))
        except Exception as bug:
            raise AssertionError(f"seed {seed}") from bug
        assert error is None or (error.place and error.hint), seed
