"""Random single-threaded C programs without undefined behaviour: integers, arrays, structs, control flow."""

from __future__ import annotations

import random

_TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
_VARIABLES = tuple(f"v{i}" for i in range(8))
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_PRELUDE = """
#include <stdint.h>
#include <stdio.h>
static int64_t call0(int32_t a, uint8_t b) { return (int64_t)a * 3 - b; }
static int32_t call1(int64_t a, int16_t b) { return a > b ? (int32_t)call0(b, a) : (int32_t)(a ^ b); }
static int32_t array[8];
static struct { int8_t a; uint16_t b; int64_t c; unsigned d : 11; } record;
"""


class _Generator:
    """Writes one function; signed arithmetic wraps because the programs are compiled with -fwrapv."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._loops = 0

    def function(self, name: str) -> str:
        pick = self._random
        values = {v: pick.randrange(-1000, 1000) for v in _VARIABLES}
        locals_ = " ".join(f"{pick.choice(_TYPES)} {v} = {value};" for v, value in values.items())
        body = "\n".join(self._statement(3) for _ in range(8))
        shown = ", ".join(f"(long){v}" for v in _VARIABLES)
        return (
            f"static void {name}(void) {{\n{locals_}\n"
            f"for (int round = 0; round < 2; round++) {{\n{body}\n}}\n"
            f'printf("{"%ld " * len(_VARIABLES)}\\n", {shown});\n}}\n'
        )

    def _place(self) -> str:
        roll = self._random.random()
        if roll < 0.7:
            return self._random.choice(_VARIABLES)
        if roll < 0.85:
            return f"array[{self._random.choice(_VARIABLES)} & 7]"
        return f"record.{self._random.choice('abcd')}"

    def _expression(self, depth: int) -> str:
        pick = self._random
        if depth == 0 or pick.random() < 0.15:
            return self._place() if pick.random() < 0.8 else str(pick.randrange(-200, 200))
        a, b = self._expression(depth - 1), self._expression(depth - 1)
        return pick.choice(
            (
                f"({a} {pick.choice('+-*&|^')} {b})",
                f"(({pick.choice(_TYPES)}){a})",
                f"({a} {pick.choice(_COMPARISONS)} {b})",
                f"({a} ? {b} : {self._expression(depth - 1)})",
                f"((uint32_t){a} {pick.choice(('<<', '>>'))} ({b} & 31))",
                f"({a} {pick.choice('/%')} (({b} & 15) + 1))",
                f"({a} {pick.choice(('&&', '||'))} {b})",
                f"(!{a})",
            )
        )

    def _statement(self, depth: int) -> str:
        pick = self._random
        kind = pick.randrange(8) if depth else 0
        if kind < 3:
            return f"{self._place()} {pick.choice(('=', '+=', '-=', '^='))} {self._expression(3)};"
        if kind == 3:
            return f"if ({self._expression(2)}) {{ {self._body(depth)} }} else {{ {self._body(depth)} }}"
        if kind == 4:
            return self._loop(depth)
        if kind == 5:
            cases = (
                f"case 0: {self._body(depth)} break; case 1: {self._body(depth)} case 2: {self._body(depth)}"
            )
            return f"switch ({self._expression(2)} & 3) {{ {cases} default: ; }}"
        if kind == 6:
            a, b = pick.sample(_VARIABLES, 2)
            return f"{{ int64_t t = {a}; {a} = {b}; {b} = t; }}"
        arguments = f"{self._expression(1)}, {self._expression(1)}"
        return f"{pick.choice(_VARIABLES)} = call{pick.randrange(2)}({arguments});"

    def _loop(self, depth: int) -> str:
        self._loops += 1
        i = f"i{self._loops}"
        leave = f"if ({self._expression(1)}) break;" if self._random.random() < 0.4 else ""
        times = self._random.randrange(1, 4)
        return f"for (int {i} = 0; {i} < {times}; {i}++) {{ {self._body(depth)} {leave} }}"

    def _body(self, depth: int) -> str:
        return " ".join(self._statement(depth - 1) for _ in range(self._random.randrange(1, 4)))


def random_program(seeds: range) -> str:
    """A program that runs one random function a seed and prints what it computed."""
    functions = "".join(_Generator(seed).function(f"f{seed}") for seed in seeds)
    calls = "".join(f"f{seed}();" for seed in seeds)
    final = 'for (int i = 0; i < 8; i++) printf("%d ", array[i]);'
    record = 'printf("%d %d %ld %d\\n", record.a, record.b, (long)record.c, record.d);'
    return f"{_PRELUDE}{functions}int main(void) {{ {calls} {final} {record} return 0; }}\n"
