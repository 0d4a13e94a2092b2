"""What is measured: a program, its parameter, a model, and the number of executions there must be.

The counts are the papers' (``source``) or follow from the program; a run that finds another number fails.
Where no count is known from elsewhere there is none, and the tests compare smaller parameters with the
reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from pathlib import Path

from mazurka.kat.load import MODELS

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"


@dataclass(frozen=True)
class Row:
    """One program with one parameter under one model; every row has no blocked execution."""

    program: str
    n: int
    complete: int | None
    source: str
    model: str = "sc"
    reads_from: bool = False

    @property
    def name(self) -> str:
        """As the papers write it, ``fib_bench(5)``, with the model unless it is sc, and ``rf``."""
        words = [f"{self.program}({self.n})", *[self.model] * (self.model != "sc"), *["rf"] * self.reads_from]
        return " ".join(words)

    @property
    def path(self) -> Path:
        """The C file."""
        return PROGRAMS / f"{self.program}.c"

    @property
    def model_path(self) -> Path:
        """The model's file: a shipped one, or one of ours here."""
        shipped = MODELS / f"{self.model}.kat"
        return shipped if shipped.is_file() else HERE / "models" / f"{self.model}.kat"


@dataclass(frozen=True)
class Comparison:
    """An execution of one row may take at most so many times as long as one of another.

    ``same``: they must have the same number of executions.
    """

    row: str
    base: str
    most: float
    same: bool = False


def _rows(program: str, source: str, counts: dict[int, int | None], *models: str) -> tuple[Row, ...]:
    """A program under sc, or some models, with some parameters."""
    return tuple(Row(program, n, c, source, model) for n, c in counts.items() for model in models or ("sc",))


ROWS: tuple[Row, ...] = (
    *_rows("fib_bench", "thesis T10.14", {3: 1698, 4: 19605, 5: 218243, 6: 2364418}),
    *_rows("lastzero", "TruSt T1", {10: 3328, 15: 147456}),
    *_rows("exp-mem", "TruSt T1: 2 N!", {n: 2 * factorial(n) for n in (7, 8, 9)}),
    *_rows("readers", "HMC T1: 2^N", {15: 2**15}),
    *_rows("ainc", "HMC T3: N!", {n: factorial(n) for n in range(3, 9)}),
    *_rows("binc", "HMC T3: (N!)^2", {n: factorial(n) ** 2 for n in range(3, 7)}),
    *_rows("nwrites-loc", "HMC T1: N!", {7: factorial(7), 8: factorial(8)}),
    *_rows("N-writers", "(N+1)! (N+2)", {n: factorial(n + 1) * (n + 2) for n in (4, 7)}),
    *_rows("indexer", "8^(N-11), see the program", {n: 8 ** (n - 11) for n in range(12, 16)}),
    # Other models, and other equivalences.
    *_rows("fib_bench", "GenMC 0.11", {5: 525630}, "tso", "rc11", "rc11-ra"),
    *_rows("lastzero", "GenMC 0.11", {15: 147456}, "rc11"),
    Row("nwrites-loc", 8, 1, "HMC T1: 1", "sc", reads_from=True),
    Row("nwrites-loc", 8, factorial(8), "HMC T1: N!", "rc11"),
    Row("nwrites-loc", 8, 1, "HMC T1: 1", "rc11", reads_from=True),
    *_rows("fib_bench", "none", {5: None}, "tso-no-forwarding"),
    *_rows("peterson", "none, our client", {2: None}, "sc", "rc11"),
    *_rows("dekker", "none, our client", {2: None}, "sc", "rc11"),
    *_rows("lamport", "none, our client", {2: None, 3: None}, "sc", "rc11"),
)

COMPARISONS: tuple[Comparison, ...] = (
    *(Comparison(f"fib_bench(5) {model}", "fib_bench(5)", 2.0) for model in ("tso", "rc11", "rc11-ra")),
    Comparison("fib_bench(5) tso-no-forwarding", "fib_bench(5) tso", 1.3),
    Comparison("lastzero(15) rc11", "lastzero(15)", 1.5),
    # Free of races, with SC accesses otherwise: as under sc (DRF-SC).
    *(
        Comparison(f"{lock} rc11", lock, 3.0, same=True)
        for lock in ("peterson(2)", "dekker(2)", "lamport(3)")
    ),
)

# The rows of the short pass: every program once, with a parameter that takes well under a second.
SHORT = {
    *("fib_bench(4)", "lastzero(10)", "exp-mem(7)", "readers(15)", "ainc(6)", "binc(4)"),
    *("nwrites-loc(7)", "nwrites-loc(8) rc11 rf", "N-writers(4)", "indexer(13)"),
    *("peterson(2)", "peterson(2) rc11", "dekker(2)", "dekker(2) rc11", "lamport(2)", "lamport(2) rc11"),
}
