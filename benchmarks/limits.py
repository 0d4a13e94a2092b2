"""What the project promises about its figures: each promise with its value, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from benchmarks.command import check_row, first_check, seconds_to_plan, warm_check
from benchmarks.endless import MIB, SECONDS, Naming
from benchmarks.genmc import Rivalry
from benchmarks.hardware.tables import HmcFigure
from benchmarks.prover import Proof, claim_rows
from benchmarks.rows import COMPARISONS, PROGRAMS, ROWS
from benchmarks.runner import Measurement, times_as_long
from benchmarks.sizes.tables import SizeFigures
from benchmarks.workers import WORKERS, SpeedUp

YARDSTICK = ("fib_bench(6)", 3.0)  # times the yardstick, per execution
CHECK_SECONDS = 0.35
WARM_SECONDS = (
    0.15  # of the processor, a check whose program and plan are kept; most is the interpreter's start
)
PLAN_SECONDS = 1.0  # of the processor, planning all shipped models with nothing kept
SMALL_PROGRAM = PROGRAMS / "twenty_lines.c"
LARGE_GLOBAL, LARGE_BYTES = PROGRAMS / "large_global.c", 64_000_000
LARGE_SECONDS, LARGE_MIB = 0.1, 20.0  # more than small globals take
LONG_ROWS = ("long(20003)", "long(20003) rc11")
LONG_SECONDS, LONG_MIB = 10.0, 1024.0
GROWTH_MIB = 50.0  # of a process by exploring
GROWTH_WITH_COUNT = 1.05  # peak over what a larger parameter explains, see `_growth_with_count`
GENMC_MEAN, GENMC_LEAST = 10.0, 3.0
SPEED_UP = 1.8  # of two workers over one
KATER_SUM = 3.0  # times our seconds, all rows that it was measured on
PROOF_SECONDS = 5.0
FORCED_MEAN = 1.5  # times as long byte by byte, programs of one size
# Rows of HMC with SC fences or SC accesses, and how many times as long as under rc11 one may take under imm.
HMC_LIMITED, HMC_MOST = ("peterson(30)", "szymanski(3)", "lamport(3)", "DQ/211-2-1"), 1.3
LOCKREF, LOCKREF_SECONDS = "lockref(4)", 0.5


@dataclass(frozen=True)
class Limit:
    """A promise: an upper (or lower) bound on a value."""

    what: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the promise is kept."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        side = "at least" if self.at_least else "at most"
        missed = "" if self.kept else "  MISSED"
        return f"{self.what}: {self.value:.3f} ({side} {self.limit:g}){missed}"


def of_rows(found: Mapping[str, Measurement]) -> Iterator[Limit]:
    """Of the figures of rows."""
    name, most = YARDSTICK
    if name in found and (ratio := found[name].ratio) is not None:
        yield Limit(f"{name} over the yardstick", ratio, most)
    if found:
        largest = max(found.values(), key=lambda m: m.memory.growth_kib)
        yield Limit(
            f"MiB of exploration, largest: {largest.row.name}", largest.memory.growth_kib / 1024, GROWTH_MIB
        )
    families: dict[tuple[str, str, bool], list[Measurement]] = {}
    for m in found.values():
        families.setdefault((m.row.program, m.row.model, m.row.reads_from), []).append(m)
    for family in families.values():
        yield from _growth_with_count(family)


def _growth_with_count(family: Sequence[Measurement]) -> Iterator[Limit]:
    """Of the rows of one program under one model, those with fewest and with most executions.

    What exploring takes may grow as the program's parameter does, but not as the number of executions does.
    """
    small, large = (choose(family, key=lambda m: m.executions) for choose in (min, max))
    if small.executions < large.executions:
        scale = max(1.0, large.row.n / small.row.n)
        explained = small.memory.start_kib + small.memory.growth_kib * scale
        ratio = large.memory.peak_kib / explained
        yield Limit(
            f"peak memory {large.row.name} over {small.row.name} scaled by N", ratio, GROWTH_WITH_COUNT
        )


def of_models(measured: set[str], repetitions: int) -> Iterator[Limit]:
    """The ratios between rows that were both measured."""
    rows = {row.name: row for row in ROWS}
    for pair in COMPARISONS:
        if {pair.row, pair.base} <= measured:
            ratio = times_as_long(rows[pair.row], rows[pair.base], repetitions, same=pair.same)
            yield Limit(f"{pair.row} over {pair.base}", ratio, pair.most)


def of_commands() -> Iterator[Limit]:
    """Of whole ``mazurka check`` processes."""
    small = warm_check(SMALL_PROGRAM)
    yield Limit(f"seconds of 'mazurka check {SMALL_PROGRAM.name}'", small.wall, CHECK_SECONDS)
    yield Limit(f"CPU seconds of 'mazurka check {SMALL_PROGRAM.name}'", small.cpu, WARM_SECONDS)
    yield Limit("CPU seconds of planning all shipped models", seconds_to_plan(), PLAN_SECONDS)
    yield from _of_large_globals()
    for row in (row for row in ROWS if row.name in LONG_ROWS):
        run = check_row(row)
        yield Limit(f"seconds of 'mazurka check', {row.name}", run.wall, LONG_SECONDS)
        yield Limit(f"MiB of 'mazurka check', {row.name}", run.peak_kib / 1024, LONG_MIB)


def _of_large_globals() -> Iterator[Limit]:
    """Limits for large arrays of which almost nothing is used."""
    small, large = first_check(LARGE_GLOBAL), first_check(LARGE_GLOBAL, f"-DN={LARGE_BYTES}")
    what = f"of globals of {LARGE_BYTES} bytes over small ones"
    yield Limit(f"CPU seconds {what}", large.cpu - small.cpu, LARGE_SECONDS)
    yield Limit(f"MiB {what}", (large.peak_kib - small.peak_kib) / 1024, LARGE_MIB)


def of_genmc(rivals: Sequence[Rivalry]) -> Iterator[Limit]:
    """Of the comparison with GenMC."""
    if rivals:
        least = min(rivals, key=lambda rival: rival.ratio)
        mean = geometric_mean(rival.ratio for rival in rivals)
        yield Limit("GenMC's seconds over ours, geometric mean", mean, GENMC_MEAN, at_least=True)
        yield Limit(f"GenMC's seconds over ours, {least.row.name}", least.ratio, GENMC_LEAST, at_least=True)


def of_workers(found: Sequence[SpeedUp]) -> Iterator[Limit]:
    """Of the rows that take long."""
    for one in found:
        yield Limit(f"{WORKERS} workers over one, {one.row.name}", one.ratio, SPEED_UP, at_least=True)


def of_prover(proofs: Sequence[Proof]) -> Iterator[Limit]:
    """Of the thesis's table; sums are compared if the whole of it was decided."""
    if not proofs:
        return
    compared = [(proof.row.kater, proof.seconds) for proof in proofs if proof.row.kater is not None]
    if len(proofs) == len(claim_rows()):
        kater, ours = (sum(column) for column in zip(*compared, strict=True))
        yield Limit(
            f"Kater's seconds over ours, sum of {len(compared)} rows", kater / ours, KATER_SUM, at_least=True
        )
    slowest = max(proofs, key=lambda proof: proof.seconds)
    yield Limit(f"seconds to prove, slowest row: {slowest.row.name}", slowest.seconds, PROOF_SECONDS)


def of_endless(namings: Sequence[Naming]) -> Iterator[Limit]:
    """Of endless loops: the slowest one, and the one that takes most memory."""
    if namings:
        slowest = max(namings, key=lambda naming: naming.seconds)
        yield Limit(f"CPU seconds to name an endless loop, slowest: {slowest.name}", slowest.seconds, SECONDS)
        largest = max(namings, key=lambda naming: naming.mib)
        yield Limit(f"MiB to name an endless loop, largest: {largest.name}", largest.mib, MIB)


def of_sizes(found: SizeFigures) -> Iterator[Limit]:
    """Of exploring byte by byte."""
    if found.forced:
        mean = geometric_mean(one.ratio for one in found.forced)
        yield Limit("byte by byte over plain seconds, geometric mean", mean, FORCED_MEAN)
    for one in found.lockrefs:
        if one.name == LOCKREF:
            yield Limit(f"seconds of exploring {LOCKREF}", one.seconds, LOCKREF_SECONDS)


def of_hardware(figures: Sequence[HmcFigure]) -> Iterator[Limit]:
    """Of HMC's tables: an execution under imm over one under rc11."""
    for figure in figures:
        imm, base = figure.found["imm"], figure.found["rc11"]
        if figure.row.name in HMC_LIMITED and imm is not None and base is not None:
            ratio = imm.seconds_each / base.seconds_each
            yield Limit(f"{figure.row.name} imm over rc11", ratio, HMC_MOST)
