"""Copies cover every byte once, whatever the type, and long ones do not grow the program."""

from __future__ import annotations

import random

import pytest
from mazurka.frontend import compile_text
from mazurka.program import CONST, Op, Program

from .randomstructs import Records
from .support import compiled, function, instructions

HEADERS = "#include <stdint.h>\n#include <string.h>\n"
STATEMENTS = {
    "assignment": "x{0} = y{0};",
    "fill": "memset(&x{0}, 1, sizeof x{0});",
    "move": "memmove(&x{0}, &y{0}, sizeof x{0});",
}
BIG = """
char c[10 << 20], d[10 << 20]; struct a { long v[9000]; } a;
struct s { int v[20][100][1000]; char w; } s, t;
"""
LONG = {
    "memset": "memset(c, 1, sizeof c);",
    "memcpy": "memcpy(c, d, sizeof c);",
    "memmove": "memmove(c, c + 1, sizeof c - 1);",
    "assignment": "s = t;",
    "fill of a struct": "memset(&s, 0, sizeof s);",
    "argument": "take(a);",
}


def written(program: Program, name: str, variable: str) -> list[int]:
    """The bytes of a variable that a function stores to, in order."""
    item = next(item for item in program.globals if item.name == variable)
    found: list[int] = []
    for instr in instructions(program, name, Op.STORE):
        assert instr.a & CONST
        start = program.constants[instr.a & ~CONST] - item.address
        found += range(start, start + instr.width // 8)
    return found


@pytest.mark.parametrize("kind", STATEMENTS)
def test_each_byte_is_written_once(kind: str) -> None:
    """Of sixty random types with unions, bit-fields, padding and packed parts."""
    records = [Records(random.Random(seed), f"p{seed}_").record() for seed in range(60)]
    source = HEADERS
    for i, record in enumerate(records):
        source += f"{record.text}{record.name} x{i}, y{i};\n"
        source += f"void f{i}(void) {{ {STATEMENTS[kind].format(i)} }}\n"
    program = compile_text(source + "int main(void) { return 0; }")
    short = [i for i in range(len(records)) if not instructions(program, f"f{i}", Op.CALL)]
    assert len(short) > 20
    for i in short:
        size = next(item.size for item in program.globals if item.name == f"x{i}")
        assert written(program, f"f{i}", f"x{i}") == list(range(size)), records[i].text


@pytest.mark.parametrize("statement", LONG)
def test_long_copies_are_loops(statement: str) -> None:
    program = compiled(
        f"{BIG} void take(struct a a) {{ c[0] = a.v[5]; }} int main(void) {{ {LONG[statement]} return 0; }}"
    )
    assert len(function(program, "main").code) < 40
    assert len(function(program, "take").code) < 40


def test_a_type_without_a_byte_is_copied_by_no_access() -> None:
    declared = "struct e {} e, f; struct s { struct e e; int z[0]; } s, t; union u {} u, v;"
    program = compile_text(f"{declared} int main(void) {{ f = e; t = s; v = u; return 0; }}")
    assert not [i for function in program.functions for i in function.code if i.op in (Op.LOAD, Op.STORE)]
