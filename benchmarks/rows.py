"""What is measured: a program, its parameter and the number of executions it must have.

The counts are the papers' (``source``) or follow from the program; a run that finds another number fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True)
class Row:
    """One program with one parameter; every row has no blocked execution."""

    program: str
    n: int
    complete: int
    source: str

    @property
    def name(self) -> str:
        """As the papers write it: ``fib_bench(5)``."""
        return f"{self.program}({self.n})"

    @property
    def path(self) -> Path:
        """The C file."""
        return PROGRAMS / f"{self.program}.c"


def _rows(program: str, source: str, counts: dict[int, int]) -> tuple[Row, ...]:
    return tuple(Row(program, n, complete, source) for n, complete in counts.items())


ROWS: tuple[Row, ...] = (
    *_rows("fib_bench", "thesis T10.14", {3: 1698, 4: 19605, 5: 218243, 6: 2364418}),
    *_rows("lastzero", "TruSt T1", {10: 3328, 15: 147456}),
    *_rows("exp-mem", "TruSt T1: 2 N!", {n: 2 * factorial(n) for n in (7, 8, 9)}),
    *_rows("readers", "HMC T1: 2^N", {15: 2**15}),
    *_rows("ainc", "HMC T3: N!", {n: factorial(n) for n in range(3, 9)}),
    *_rows("binc", "HMC T3: (N!)^2", {n: factorial(n) ** 2 for n in range(3, 7)}),
    *_rows("nwrites-loc", "HMC T1: N!", {7: factorial(7)}),
    *_rows("N-writers", "(N+1)! (N+2)", {n: factorial(n + 1) * (n + 2) for n in (4, 7)}),
    *_rows("indexer", "8^(N-11), see the program", {n: 8 ** (n - 11) for n in range(12, 16)}),
)

# The rows of the short pass: every program once, with a parameter that takes well under a second.
SHORT = {
    *("fib_bench(4)", "lastzero(10)", "exp-mem(7)", "readers(15)", "ainc(6)", "binc(4)"),
    *("nwrites-loc(7)", "N-writers(4)", "indexer(13)"),
}
