"""What is measured: a program, its parameter, a model, and the expected numbers of executions.

Every count has a source other than the engine, named by ``source``: a paper's table, a formula whose
argument is given in the program, or ``interleavings`` and ``reference``, methods of the tests that share no
exploration with the engine (``tests/benchmarks``). A run that finds another number fails. The one row without
a count is compared with the reference for a smaller parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial, prod
from pathlib import Path

from mazurka.models.registry import find_runnable, machine_models, runnable_models

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"


@dataclass(frozen=True)
class Row:
    """One program with one parameter under one model."""

    program: str
    n: int
    complete: int | None
    source: str
    model: str = "sc"
    reads_from: bool = False
    blocked: int = 0

    @property
    def name(self) -> str:
        """As the papers write it, ``fib_bench(5)``, with the model unless it is sc, and ``rf``."""
        words = [f"{self.program}({self.n})", *[self.model] * (self.model != "sc"), *["rf"] * self.reads_from]
        return " ".join(words)

    @property
    def is_for_machine(self) -> bool:
        """Whether the program is compiled for a machine."""
        return self.model in machine_models()

    @property
    def path(self) -> Path:
        """The C file."""
        return PROGRAMS / f"{self.program}.c"

    @property
    def cflags(self) -> list[str]:
        """What the compiler is told: the parameter."""
        return [f"-DN={self.n}"]

    @property
    def model_path(self) -> Path:
        """The model's file: a shipped one, or one of ours here."""
        return Path(find_runnable(self.model_argument).path)

    @property
    def model_argument(self) -> str:
        """What ``--model`` is given."""
        if self.is_for_machine or self.model in runnable_models():
            return self.model
        return str(HERE / "models" / f"{self.model}.kat")


@dataclass(frozen=True)
class Comparison:
    """A limit on how many times as long an execution of one row may take as one of another.

    ``same``: they must have the same number of executions.
    """

    row: str
    base: str
    most: float
    same: bool = False


# A count is a number of complete executions, or a pair with the blocked ones.
Counts = Mapping[int, "int | tuple[int, int] | None"]


def _rows(program: str, source: str, counts: Counts, *models: str) -> tuple[Row, ...]:
    """A program under sc, or some models, with some parameters."""
    rows = []
    for n, count in counts.items():
        complete, blocked = count if isinstance(count, tuple) else (count, 0)
        rows += [Row(program, n, complete, source, model, blocked=blocked) for model in models or ("sc",)]
    return tuple(rows)


def _barrier_count(n: int) -> int:
    """See the program."""
    return prod(factorial(k - 1) * k * (k + 1) // 2 for k in range(1, n + 1))


_PAPERS: tuple[Row, ...] = (
    *_rows("fib_bench", "thesis T10.14", {3: 1698, 4: 19605, 5: 218243, 6: 2364418}),
    *_rows("lastzero", "TruSt T1", {10: 3328, 15: 147456, 20: 6029312}),
    *_rows("exp-mem", "TruSt T1: 2 N!", {n: 2 * factorial(n) for n in (7, 8, 9)}),
    *_rows("exp-mem2", "TruSt T1: (N! (N+2))^2", {n: (factorial(n) * (n + 2)) ** 2 for n in (4, 5)}),
    *_rows("readers", "HMC T1: 2^N", {15: 2**15}),
    *_rows("ainc", "HMC T3: N!", {n: factorial(n) for n in range(3, 9)}),
    *_rows("binc", "HMC T3: (N!)^2", {n: factorial(n) ** 2 for n in range(3, 7)}),
    *_rows("nwrites-loc", "HMC T1: N!", {7: factorial(7), 8: factorial(8)}),
    *_rows("N-writers", "(N+1)! (N+2)", {n: factorial(n + 1) * (n + 2) for n in (4, 7, 9)}),
    *_rows("indexer", "8^(N-11), see the program", {n: 8 ** (n - 11) for n in range(12, 16)}),
    *_rows(
        "szymanski",
        "thesis T10.13; blocked: interleavings",
        {2: (78, 497), 3: (1068, 6987)},
        *("sc", "rc11", "imm"),
    ),
    *_rows("rmw-chain", "N + 1, see the program", {200: 201, 2000: 2001}),
    *_rows("long", "5, see the program", {20003: 5}, "sc", "rc11"),
)

# Blocking prevention: the numbers of complete executions are the thesis's.
_ASSUMPTIONS: tuple[Row, ...] = (
    *_rows("assume-exp", "thesis T10.13", {n: (n + 1) ** 8 for n in (2, 3, 4)}, "sc", "rc11"),
    *_rows("iriw-iter", "thesis T10.13", {42: 1}, "sc", "rc11"),
)

# Other models, and another equivalence.
_MODELS: tuple[Row, ...] = (
    *_rows("fib_bench", "GenMC 0.11", {5: 525630}, "tso", "rc11", "rc11-ra"),
    *_rows("lastzero", "GenMC 0.11", {15: 147456}, "rc11"),
    *_rows("readers", "HMC T1: 2^N", {17: 2**17}, "rc11"),
    *_rows("indexer", "8^(N-11), see the program", {16: 8**5}, "rc11"),
    *_rows("ainc", "HMC T3: N!", {9: factorial(9)}, "rc11"),
    *_rows("binc", "HMC T3: (N!)^2", {6: factorial(6) ** 2}, "rc11"),
    *_rows("N-writers", "(N+1)! (N+2)", {7: factorial(8) * 9}, "rc11"),
    Row("nwrites-loc", 8, 1, "HMC T1: 1", "sc", reads_from=True),
    Row("nwrites-loc", 8, factorial(8), "HMC T1: N!", "rc11"),
    Row("nwrites-loc", 8, 1, "HMC T1: 1", "rc11", reads_from=True),
    *_rows("fib_bench", "none", {5: None}, "tso-no-forwarding"),
)

# Models of machines, beside what they are compared with. The acquire loads and release stores of ARMv8 are
# sequentially consistent if a program has no other accesses.
_MACHINES: tuple[Row, ...] = (
    *_rows("fib_bench", "thesis T10.14: as under sc", {3: 1698, 5: 218243}, "armv8"),
    *_rows("fib_bench", "GenMC 0.11", {5: 525630}, "imm"),
    *_rows("lastzero", "GenMC 0.11", {15: 147456}, "imm"),
    *_rows("readers", "HMC T1: 2^N", {10: 2**10}, "imm"),
    *_rows("readers", "HMC T1: 2^N", {15: 2**15}, "rc11", "imm"),
    Row("nwrites-loc", 8, 1, "HMC T1: 1", "imm", reads_from=True),
    *_rows("binc", "HMC T3: (N!)^2", {4: factorial(4) ** 2, 5: factorial(5) ** 2}, "rc11", "imm"),
)

# Free of races, with SC accesses otherwise: as many executions under rc11 and imm as under sc (DRF-SC).
_EXCLUSION: tuple[Row, ...] = (
    *_rows("peterson", "interleavings", {2: 15488}, "sc", "rc11", "imm"),
    *_rows("dekker", "interleavings", {2: 6249}, "sc", "rc11", "imm"),
    *_rows("lamport", "interleavings", {2: 1974, 3: 133658}, "sc", "rc11", "imm"),
)

# No thread waits for ever, so none of these has a blocked execution.
_LOCKS: tuple[Row, ...] = (
    *_rows("ttas-lock", "(N!)^2", {n: factorial(n) ** 2 for n in (4, 5)}),
    *_rows("ttas-lock", "(N!)^2", {3: 36}, "rc11"),
    *_rows("ticket-lock", "N!", {n: factorial(n) for n in (5, 6, 7)}, "sc", "rc11"),
    *_rows("mcs-lock", "thesis T10.11", {3: 66, 4: 1080}),
    *_rows("mcs-lock", "interleavings", {5: 23640}),
    *_rows("mcs-lock", "reference", {2: 6}, "rc11"),
    *_rows("rw-lock", "interleavings", {2: 1006, 3: 570816}),
    *_rows("rw-lock", "reference", {1: 10}, "rc11"),
    *_rows("seqlock", "interleavings", {3: 2972, 4: 10669, 6: 75783}),
    *_rows("seqlock", "reference", {1: 54}, "rc11"),
    *_rows("parker", "interleavings", {3: 832, 4: 11884}),
    *_rows("parker", "reference", {2: 104}, "rc11"),
)

# Barriers; barrier-toy has their order explored.
_BARRIERS: tuple[Row, ...] = (
    *(
        row
        for program in ("barrier", "barrier2", "barrier3")
        for row in _rows(program, "thesis T10.9", dict.fromkeys((4, 5, 6), 1), "sc", "rc11")
    ),
    *_rows("barrier-toy", "thesis T10.9", {4: 24, 5: 120, 6: 720}, "sc", "rc11"),
    *_rows("barrier-det", "thesis T10.10", dict.fromkeys((3, 4, 5), 1), "sc", "rc11"),
    *_rows("barrier-transc", "thesis T10.10", dict.fromkeys((3, 4, 5), 1), "sc", "rc11"),
    *_rows("barrier-lock", "thesis T10.10", {3: 36, 4: 576, 5: 14400}, "sc", "rc11"),
    *_rows("barrier-count", "see the program", {n: _barrier_count(n) for n in (3, 4)}, "sc", "rc11"),
)

_STRUCTURES: tuple[Row, ...] = (
    *_rows("treiber-stack", "interleavings", {2: 40, 3: 25680}),
    *_rows("treiber-stack", "reference", {2: 40}, "rc11"),
    *_rows("ms-queue", "interleavings", {2: 1346, 3: 12596, 4: 110428}),
    *_rows("ms-queue", "reference", {1: 128}, "rc11"),
    *_rows("chase-lev", "interleavings", {6: 1212, 8: 2843}),
    *_rows("chase-lev", "reference", {2: 77}, "rc11"),
    *_rows("mpmc-queue", "interleavings", {2: 42, 3: 67506}),
    *_rows("mpmc-queue", "reference", {2: 54}, "rc11"),
    *_rows("ring-buffer", "interleavings", {5: 1182, 6: 6321, 7: 34232}),
    *_rows("ring-buffer", "reference", {3: 47}, "rc11"),
)

ROWS: tuple[Row, ...] = (
    *(*_PAPERS, *_ASSUMPTIONS, *_MODELS, *_MACHINES, *_EXCLUSION),
    *(*_LOCKS, *_BARRIERS, *_STRUCTURES),
)

COMPARISONS: tuple[Comparison, ...] = (
    *(Comparison(f"fib_bench(5) {model}", "fib_bench(5)", 2.0) for model in ("tso", "rc11", "rc11-ra")),
    Comparison("fib_bench(5) tso-no-forwarding", "fib_bench(5) tso", 1.3),
    Comparison("lastzero(15) rc11", "lastzero(15)", 1.5),
    Comparison("fib_bench(5) armv8", "fib_bench(5)", 3.0, same=True),
    *(
        Comparison(f"{row} imm", f"{row} rc11", 1.3, same=True)
        for row in (
            *("fib_bench(5)", "lastzero(15)", "readers(15)", "binc(5)"),
            *("peterson(2)", "dekker(2)", "lamport(3)", "szymanski(3)"),
        )
    ),
    *(
        Comparison(f"{lock} rc11", lock, 3.0, same=True)
        for lock in ("peterson(2)", "dekker(2)", "lamport(3)", "szymanski(3)")
    ),
)

# The rows of the short pass: every program once, with a parameter that takes well under a second.
SHORT = {
    *("fib_bench(4)", "lastzero(10)", "exp-mem(7)", "exp-mem2(4)", "readers(15)", "ainc(6)", "binc(4)"),
    *("nwrites-loc(7)", "nwrites-loc(8) rc11 rf", "N-writers(4)", "indexer(13)", "szymanski(2)"),
    *("peterson(2)", "peterson(2) rc11", "peterson(2) imm", "dekker(2)", "dekker(2) rc11"),
    *("lamport(2)", "lamport(2) rc11"),
    *("ttas-lock(4)", "ticket-lock(5)", "mcs-lock(4)", "rw-lock(2)", "seqlock(3)", "parker(3)"),
    *("treiber-stack(2)", "ms-queue(2)", "chase-lev(6)", "mpmc-queue(2) rc11", "ring-buffer(5)"),
    *("assume-exp(2)", "iriw-iter(42)"),
    *("long(20003)", "rmw-chain(200)"),
    *("barrier(6)", "barrier2(6)", "barrier3(6)", "barrier-toy(4)", "barrier-det(3)", "barrier-transc(3)"),
    *("barrier-lock(3)", "barrier-count(3) rc11"),
}
