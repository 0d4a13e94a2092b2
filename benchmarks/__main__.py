"""``python -m benchmarks [--once] [--json PATH] [NAME…]``: runs the rows and prints a table."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.rows import COMPARISONS, PROGRAMS, ROWS, SHORT, Row
from benchmarks.runner import (
    Measurement,
    WrongCountError,
    build_yardstick,
    measure,
    seconds_to_check,
    times_as_long,
)

YARDSTICK_LIMIT = ("fib_bench(6)", 5.0)  # times the yardstick
CHECK_LIMIT = 0.5  # seconds
MEMORY_LIMIT = ("exp-mem(9)", "exp-mem(7)", 1.05)  # peak of the first over peak of the second
SMALL_PROGRAM = PROGRAMS / "twenty_lines.c"

HEADER = ("program", "executions", "seconds", "exec/s", "ns/exec", "events/s", "peak MiB", "x yardstick")


def main() -> int:
    """Exit status: 0 fine, 1 a wrong count or (except with --once) a missed limit, 2 a wrong name."""
    options = _parser().parse_args()
    rows = _select(options.names, options.once)
    if not rows:
        print(f"no such benchmark; there are: {', '.join(row.name for row in ROWS)}", file=sys.stderr)
        return 2
    repetitions = 1 if options.once else 3
    with tempfile.TemporaryDirectory() as directory:
        yardstick = build_yardstick(Path(directory))
        print(_line(HEADER))
        found: dict[str, Measurement] = {}
        for row in rows:
            try:
                found[row.name] = measure(row, repetitions, yardstick)
            except WrongCountError as wrong:
                return _wrong(wrong)
            print(_line(_cells(found[row.name])), flush=True)
    if yardstick is None:
        print("yardstick: not found (MAZURKA_SHARED or ../shared, and rustc), so no comparison")
    seconds = None if options.names else seconds_to_check(SMALL_PROGRAM)
    try:
        ratios = _ratios(set(found), repetitions)
    except WrongCountError as wrong:
        return _wrong(wrong)
    limits = [*_limits(found, seconds), *ratios]
    for text, _ in limits:
        print(text)
    if options.json:
        _write(options.json, found, seconds)
    return 0 if options.once or all(kept for _, kept in limits) else 1


def _wrong(wrong: WrongCountError) -> int:
    print(f"WRONG COUNT: {wrong}", file=sys.stderr)
    return 1


def _ratios(measured: set[str], repetitions: int) -> list[tuple[str, bool]]:
    """The promised ratios between rows that were both measured, each with whether it is kept."""
    rows = {row.name: row for row in ROWS}
    limits = []
    for pair in COMPARISONS:
        if {pair.row, pair.base} <= measured:
            ratio = times_as_long(rows[pair.row], rows[pair.base], repetitions, same=pair.same)
            limits.append(_limit(f"{pair.row} over {pair.base}", ratio, pair.most))
    return limits


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Counts and times, row by row.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a program (fib_bench) or a row ('fib_bench(5)')"
    )
    parser.add_argument("--once", action="store_true", help="small parameters, one repetition: the CI pass")
    parser.add_argument("--json", metavar="PATH", type=Path, help="write the figures here too")
    return parser


def _select(names: list[str], once: bool) -> list[Row]:
    rows = [row for row in ROWS if not once or row.name in SHORT]
    return [row for row in rows if not names or row.program in names or row.name in names]


def _cells(m: Measurement) -> tuple[str, ...]:
    return (
        m.row.name,
        f"{m.complete}",
        f"{m.seconds:.3f}",
        f"{m.complete / m.seconds:.0f}",
        f"{m.ns_per_execution:.0f}",
        f"{m.events / m.seconds:.0f}",
        f"{m.peak_kib / 1024:.1f}",
        f"{m.ratio:.2f}" if m.ratio else "-",
    )


def _line(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:<31}" + "".join(f"{cell:>12}" for cell in cells[1:])


def _limits(found: dict[str, Measurement], seconds: float | None) -> list[tuple[str, bool]]:
    """What the project promises of these figures, each with whether it is kept."""
    limits = []
    name, most = YARDSTICK_LIMIT
    if name in found and (ratio := found[name].ratio) is not None:
        limits.append(_limit(f"{name} over the yardstick", ratio, most))
    large, small, most = MEMORY_LIMIT
    if large in found and small in found:
        limits.append(
            _limit(f"peak memory {large} over {small}", found[large].peak_kib / found[small].peak_kib, most)
        )
    if seconds is not None:
        limits.append(_limit(f"seconds of 'mazurka check {SMALL_PROGRAM.name}'", seconds, CHECK_LIMIT))
    return limits


def _limit(what: str, value: float, most: float) -> tuple[str, bool]:
    kept = value <= most
    return f"{what}: {value:.3f} (limit {most}){'' if kept else '  OVER THE LIMIT'}", kept


def _write(path: Path, found: dict[str, Measurement], seconds: float | None) -> None:
    figures = {"rows": [m.as_json() for m in found.values()], "check_seconds": seconds}
    path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
