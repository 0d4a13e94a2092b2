"""Parts of random programs: integers of all widths, arrays, pointers into them, switch, goto and loops."""

from __future__ import annotations

import random

TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")
_VARIABLES = tuple(f"v{i}" for i in range(5))
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


class Control:
    """Writes the statements of one part."""

    def __init__(self, pick: random.Random, prefix: str) -> None:
        self._pick = pick
        self._prefix = prefix
        self._loops = 0

    def body(self) -> str:
        pick = self._pick
        lines = [f"{pick.choice(TYPES)} {v} = {pick.randrange(-1000, 1000)};" for v in _VARIABLES]
        lines.append(f"{pick.choice(TYPES)} w[8] = {{1, 2, 3}}; static {pick.choice(TYPES)} s[8];")
        lines.append(f"{pick.choice(TYPES)} m[3][4] = {{{{1}}, {{2, 5}}}}, *r = &m[1][1];")
        lines += [self._statement(2) for _ in range(pick.randrange(2, 6))]
        shown = (*_VARIABLES, "w[1]", "s[v0 & 7]", "m[2][3]", "m[1][0]")
        lines += [f"note((uint64_t){place});" for place in shown]
        return "\n".join(lines) + "\n"

    def _place(self) -> str:
        pick = self._pick
        index = f"{pick.choice(_VARIABLES)} & {pick.choice((1, 3, 7))}"
        others = (f"w[{index}]", f"s[{index}]", f"m[{pick.choice(_VARIABLES)} & 1][{pick.randrange(4)}]")
        pointers = (
            f"r[{pick.randrange(-5, 6)}]",
            "(*r)",
            f"(w + {pick.randrange(4)})[{pick.randrange(-0, 4)}]",
        )
        return pick.choice((*_VARIABLES, *_VARIABLES, *others, *pointers))

    def _expression(self, depth: int) -> str:
        pick = self._pick
        if depth == 0 or pick.random() < 0.15:
            constant = pick.choice((pick.randrange(-200, 200), pick.getrandbits(31), "0x123456789abcdef"))
            return self._place() if pick.random() < 0.75 else f"({constant})"
        a, b = self._expression(depth - 1), self._expression(depth - 1)
        choices = (
            lambda: f"({a} {pick.choice('+-*&|^')} {b})",
            lambda: f"(({pick.choice(TYPES)}){a})",
            lambda: f"({a} {pick.choice(_COMPARISONS)} {b})",
            lambda: f"({a} ? {b} : {self._expression(depth - 1)})",
            lambda: f"(({pick.choice(('uint32_t', 'int32_t'))}){a} {pick.choice(('<<', '>>'))} ({b} & 31))",
            lambda: f"((int64_t){a} {pick.choice(('<<', '>>'))} ({b} & 63))",
            lambda: f"({a} {pick.choice('/%')} (({b} & 15) + 1))",
            lambda: f"({a} {pick.choice(('&&', '||'))} {b})",
            lambda: f"({pick.choice('!~-')}{a})",
            lambda: f"__builtin_popcountll({a})",
            lambda: f"__builtin_clz((uint32_t){a} | 1)",
            lambda: f"__builtin_ctzll({a} | 256)",
            lambda: f"__builtin_bswap{pick.choice((16, 32, 64))}({a})",
            lambda: f'__builtin_annotation((int32_t){a}, "note")',
            lambda: f"(__builtin_expect({a}, 1) + __builtin_constant_p({self._place()}))",
            lambda: f"({self._place()}++, {a})",
        )
        return pick.choice(choices)()

    def _statement(self, depth: int) -> str:
        pick = self._pick
        kind = pick.randrange(9) if depth else 0
        if kind < 3:
            return f"{self._place()} {pick.choice(('=', '+=', '-=', '^=', '|='))} {self._expression(3)};"
        if kind == 3:
            return f"if ({self._expression(2)}) {{ {self._body(depth)} }} else {{ {self._body(depth)} }}"
        if kind == 4:
            return self._loop(depth)
        if kind == 5:
            return self._switch(depth)
        if kind == 6:
            return self._goto(depth)
        if kind == 7:
            value, operation = pick.choice(_VARIABLES), pick.choice(("add", "sub", "mul"))
            type_ = pick.choice(TYPES)
            a, b = f"({type_}){self._expression(1)}", f"({type_}){self._expression(1)}"
            builtin = f"__builtin_{operation}_overflow({a}, {b}, &t)"
            return f"{{ {type_} t; {value} ^= {builtin}; note((uint64_t)t); }}"
        return f"{{ int64_t t = {self._place()}; {self._place()} = {self._place()}; {self._place()} = t; }}"

    def _switch(self, depth: int) -> str:
        pick = self._pick
        type_, mask = pick.choice((("int", 7), ("uint8_t", 255), ("int64_t", 3), ("int8_t", 255)))
        labels = pick.sample((-1, 0, 1, 2, 3, 7, 100, 127), 4)
        cases = [f"case {label}: {self._body(depth)} {pick.choice(('break;', ''))}" for label in labels]
        cases.insert(pick.randrange(4), f"default: {self._body(depth)} {pick.choice(('break;', ''))}")
        cases.append("case 20 ... 60: v1 ^= 5;")
        return f"switch (({type_})({self._expression(2)} & {mask})) {{ {' '.join(cases)} }}"

    def _goto(self, depth: int) -> str:
        """A loop that may be entered in the middle, and is left after some rounds."""
        self._loops += 1
        label = f"{self._prefix}{self._loops}"
        enter = f"if ({self._expression(1)}) goto {label}m;"
        leave = f"if (++{label}n > {self._pick.randrange(1, 4)}) goto {label}e;"
        start, middle = f"{label}s: {self._body(depth)}", f"{label}m: {self._body(depth)}"
        return (
            f"{{ int {label}n = 0; {enter} {start} {middle} {leave} "
            f"if ({self._expression(1)}) goto {label}s; else goto {label}m; {label}e: ; }}"
        )

    def _loop(self, depth: int) -> str:
        self._loops += 1
        i, times = f"i{self._loops}", self._pick.randrange(1, 4)
        leave = self._pick.choice(
            ("", f"if ({self._expression(1)}) break;", f"if ({self._expression(1)}) continue;")
        )
        body = f"{leave} {self._body(depth)}"
        if self._pick.random() < 0.3:
            return f"{{ int {i} = 0; do {{ {body} }} while (++{i} < {times}); }}"
        return f"for (int {i} = 0; {i} < {times}; {i}++) {{ {body} }}"

    def _body(self, depth: int) -> str:
        return " ".join(self._statement(depth - 1) for _ in range(self._pick.randrange(1, 3)))
