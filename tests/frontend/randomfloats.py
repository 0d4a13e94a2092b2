"""Parts of random programs: floats and doubles, conversions, comparisons, and the classes of numbers."""

from __future__ import annotations

import random

_CONSTANTS = (
    "0.0",
    "-0.0",
    "1.5",
    "-2.25",
    "1e300",
    "1e-310",
    "3e38",
    "1e-40",
    "0.1",
    "1 / (double)zero",
    "7",
)
_CLASSES = (
    *("isinf", "isnan", "isfinite", "isnormal", "signbit", "fpclassify", "__builtin_isinf_sign"),
    *("__builtin_issubnormal", "__builtin_iszero", "__builtin_isnan", "__builtin_isfinite"),
)
_FUNCTIONS = ("fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint")
_PAIRS = ("fmod", "fdim", "fmin", "fmax")
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
_ORDERS = ("isless", "isgreater", "isunordered", "islessgreater")
_VARIABLES = ("x", "y", "z", "f", "k")


class Floats:
    """Writes the statements of one part."""

    def __init__(self, pick: random.Random) -> None:
        self._pick = pick

    def body(self) -> str:
        pick = self._pick
        doubles = ", ".join(f"{name} = {pick.choice(_CONSTANTS)}" for name in "xyz")
        floats = ", ".join(f"{name} = {pick.choice(_CONSTANTS)}" for name in "fk")
        lines = [f"double {doubles}; float {floats}; int64_t n = {pick.randrange(-99, 99)};"]
        lines += [self._statement() for _ in range(pick.randrange(3, 8))]
        lines += [f"note_double({name});" for name in "xyz"] + [f"note_float({name});" for name in "fk"]
        return "\n".join(lines) + "\nnote((uint64_t)n);\n"

    def _number(self, depth: int) -> str:
        pick = self._pick
        if depth == 0:
            return pick.choice((*_VARIABLES, *_VARIABLES, f"({pick.choice(_CONSTANTS)})", "n"))
        a, b = self._number(depth - 1), self._number(depth - 1)
        choices = (
            lambda: f"({a} {pick.choice('+-*')} {b})",
            lambda: f"({a} / (double){b})",
            lambda: f"({pick.choice(('float', 'double'))}){a}",
            lambda: f"(-{a})",
            lambda: f"{pick.choice(_FUNCTIONS)}{pick.choice(('', 'f'))}({a})",
            lambda: f"__builtin_copysign({a}, {b})",
            lambda: (
                f"(0.0 + {pick.choice(_PAIRS)}{pick.choice(('', 'f'))}({a}, {b}))"
            ),  # -0 or 0, where either may be
            lambda: f"ldexp({a}, {pick.randrange(-1100, 1100)})",
            lambda: f"({a} < {b} ? {b} : {a})",
            lambda: f"(double)({pick.choice(('int32_t', 'uint64_t', 'int8_t', 'uint32_t'))})whole({a})",
        )
        return pick.choice(choices)()

    def _statement(self) -> str:
        pick = self._pick
        mask = pick.randrange(1024)
        variable = pick.choice("xyz")
        choices = (
            lambda: f"{pick.choice(_VARIABLES)} = {self._number(2)};",
            lambda: f"{pick.choice(_VARIABLES)} {pick.choice(('+=', '-=', '*='))} {self._number(1)};",
            lambda: f"n += whole({self._number(1)});",
            lambda: f"n = n * 3 + ({self._number(1)} {pick.choice(_COMPARISONS)} {self._number(1)});",
            lambda: f"n = n * 3 + {self._class(pick.choice(_VARIABLES))};",
            lambda: f"n = n * 3 + {self._class(pick.choice(_VARIABLES))};",
            lambda: f"n = n * 2 + __builtin_isfpclass({pick.choice(_VARIABLES)}, {mask});",
            lambda: f"n += {pick.choice(_ORDERS)}({variable}, {pick.choice('xyz')});",
            lambda: f"n += {variable} != {variable};",
        )
        return pick.choice(choices)()

    def _class(self, variable: str) -> str:
        """The sign of a NaN depends on how it was computed: it is not compared."""
        test = self._pick.choice(_CLASSES)
        if test == "signbit":
            return f"({variable} == {variable} && signbit({variable}))"
        return f"{'!!' if test != 'fpclassify' else ''}{test}({variable})"
