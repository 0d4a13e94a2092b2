"""The command: which rows and tables are measured, and whether the limits are kept.

``python -m benchmarks [--once | --genmc | --prover | --endless | --waiting |
--mixed-size | --hardware | --estimates | --compare REV] [--json PATH] [NAME…]``
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import endless, limits, report, waiting, yardstick
from benchmarks.compare import BuildError, CannotRunError, compare, duel_json
from benchmarks.endless import Naming
from benchmarks.endless_shapes import SHAPES, Shape
from benchmarks.estimates import table as estimates
from benchmarks.genmc import Rivalry, figures, rivalries
from benchmarks.hardware import tables as hardware
from benchmarks.hardware.rows import HMC_ROWS, HmcRow
from benchmarks.hardware.tables import HmcFigure
from benchmarks.limits import Limit
from benchmarks.processes import WrongAnswerError
from benchmarks.prover import ClaimRow, Proof, claim_rows, prove_row
from benchmarks.report import Figures
from benchmarks.rows import ROWS, SHORT, Row
from benchmarks.runner import Measurement, WrongCountError, measure
from benchmarks.sizes import tables
from benchmarks.sizes.tables import NO_SIZES, Chosen, SizeFigures
from benchmarks.waiting import WAITING, Waited, WaitingRow
from benchmarks.workers import SpeedUp, speed_ups

BEST_OF = 3


def main() -> int:
    """Exit status: 0 fine, 1 a wrong count or answer or (except with --once) a missed limit, 2 bad usage."""
    options = _parser().parse_args()
    rows = _select(options.names, options.once)
    claims = _select_claims(options.names)
    shapes = endless.select(options.names, short=options.once)
    waits = waiting.select(options.names, short=options.once)
    sizes = tables.select(options.names, short=options.once)
    machines = hardware.select(options.names, short=options.once)
    kinds = (
        (options.prover, claims, claim_rows()),
        (options.endless, shapes, SHAPES),
        (options.waiting, waits, WAITING),
        (options.mixed_size, sizes, tables.everything()),
        (options.hardware, machines, HMC_ROWS),
        (options.estimates, estimates.select(options.names), estimates.select(())),
    )
    chosen, known = next(((some, all_) for is_asked, some, all_ in kinds if is_asked), (rows, ROWS))
    if not chosen:
        return _complain(f"no such benchmark; there are: {', '.join(row.name for row in known)}", 2)
    try:
        if options.compare:
            return _compare(options, rows)
        if options.estimates:
            return _estimate(options)
        return _measure(options, rows, claims, shapes, waits, sizes, machines)
    except WrongCountError as wrong:
        return _complain(f"WRONG COUNT: {wrong}", 1)
    except WrongAnswerError as wrong:
        return _complain(f"WRONG ANSWER: {wrong}", 1)
    except (BuildError, CannotRunError) as error:
        return _complain(f"--compare: {error}", 2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Counts and times, row by row.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a program (fib_bench) or a row ('fib_bench(5)'); "
        "with --prover a file of claims (eco) or a row; "
        "with --waiting a program or a row; "
        "with --mixed-size a program, 'lockref', a shape ('words') or a row; "
        "with --hardware a program or a row; "
        "with --endless a shape ('wait and count') or a row ('wait and count rf')",
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--once", action="store_true", help="small parameters, one repetition: the CI pass")
    mode.add_argument("--genmc", action="store_true", help="only the comparison with GenMC")
    mode.add_argument("--prover", action="store_true", help="only the prover, on table 10.1 of the thesis")
    mode.add_argument(
        "--endless", action="store_true", help="only loops that never end: what naming them takes"
    )
    mode.add_argument("--waiting", action="store_true", help="only programs that wait in loops")
    mode.add_argument("--mixed-size", action="store_true", help="only accesses of several sizes")
    mode.add_argument("--hardware", action="store_true", help="only HMC's tables, under models of machines")
    mode.add_argument("--estimates", action="store_true", help="only estimates, and the time that is left")
    mode.add_argument("--compare", metavar="REV", help="run rows with another revision's build, too")
    parser.add_argument("--json", metavar="PATH", type=Path, help="write the figures here too")
    return parser


def _select(names: list[str], once: bool) -> list[Row]:
    rows = [row for row in ROWS if not once or row.name in SHORT]
    return [row for row in rows if not names or row.program in names or row.name in names]


def _select_claims(names: list[str]) -> list[ClaimRow]:
    return [row for row in claim_rows() if not names or {row.name, *row.files} & set(names)]


def _complain(message: str, status: int) -> int:
    print(message, file=sys.stderr)
    return status


def _compare(options: argparse.Namespace, rows: Sequence[Row]) -> int:
    duels = compare(options.compare, rows, BEST_OF)
    _write(options.json, {"revision": options.compare, "compare": [duel_json(duel) for duel in duels]})
    return 0


def _estimate(options: argparse.Namespace) -> int:
    print(report.line((*estimates.HEADER, *estimates.HEADER_OF_TIME)))
    found = []
    for one in estimates.measure(estimates.select(options.names)):
        print(report.line(estimates.cells(one)), flush=True)
        found.append(one)
    promises = [] if options.names else list(estimates.limits(found))
    for promise in promises:
        print(promise)
    _write(options.json, {"estimates": [estimates.as_json(one) for one in found]})
    return 0 if all(promise.kept for promise in promises) else 1


def _measure(
    options: argparse.Namespace,
    rows: Sequence[Row],
    claims: Sequence[ClaimRow],
    shapes: Sequence[tuple[Shape, str]],
    waits: Sequence[WaitingRow],
    sizes: Chosen,
    machines: Sequence[HmcRow],
) -> int:
    """Everything but --compare. The full run has all tables and all limits."""
    without_rows = any(
        (options.prover, options.endless, options.waiting, options.mixed_size, options.hardware)
    )
    one_table = options.genmc or without_rows
    full = not (options.once or options.names or one_table)
    repetitions = 1 if options.once else BEST_OF
    measured: list[Measurement] = []
    rivals: list[Rivalry] = []
    if not without_rows:
        with tempfile.TemporaryDirectory() as directory:
            rival = yardstick.build_yardstick(Path(directory))
            if rival is None:
                print(yardstick.MISSING, file=sys.stderr)
                if options.genmc:
                    return 2
            measured = [] if options.genmc else _measure_rows(rows, repetitions, rival)
            rivals = _measure_genmc(rows, rival) if rival and (full or options.genmc) else []
    several = _measure_workers(measured)
    everything = not (options.names or one_table)
    proofs = _measure_prover(claims, repetitions) if everything or options.prover else []
    namings = _measure_endless(shapes) if everything or options.endless else []
    waited = _measure_waiting(waits, plain=not options.once) if everything or options.waiting else []
    mixed = _measure_sizes(sizes, repetitions) if everything or options.mixed_size else NO_SIZES
    tables_of_hmc = _measure_hardware(machines, repetitions) if everything or options.hardware else []
    found = Figures(measured, rivals, several, proofs, namings, waited, mixed, tables_of_hmc)
    promises = _limits(found, repetitions, full)
    _write(options.json, report.as_json(found, promises))
    return 0 if options.once or all(promise.kept for promise in promises) else 1


def _measure_rows(rows: Sequence[Row], repetitions: int, rival: Path | None) -> list[Measurement]:
    print(report.line(report.ROWS_HEADER))
    measured = []
    for row in rows:
        measured.append(measure(row, repetitions, rival))
        print(report.line(report.row_cells(measured[-1])), flush=True)
    return measured


def _measure_genmc(rows: Sequence[Row], rival: Path) -> list[Rivalry]:
    print(report.line(report.GENMC_HEADER))
    measured = []
    for one in rivalries([figure for figure in figures() if figure.row in rows], BEST_OF, rival):
        measured.append(one)
        print(report.line(report.genmc_cells(one)), flush=True)
    return measured


def _measure_workers(measured: Sequence[Measurement]) -> list[SpeedUp]:
    found: list[SpeedUp] = []
    for one in speed_ups(measured):
        if not found:
            print(report.line(report.WORKERS_HEADER))
        print(report.line(report.workers_cells(one)), flush=True)
        found.append(one)
    return found


def _measure_prover(claims: Sequence[ClaimRow], repetitions: int) -> list[Proof]:
    print(report.line(report.PROVER_HEADER))
    measured = []
    for row in claims:
        measured.append(prove_row(row, repetitions))
        print(report.line(report.prover_cells(measured[-1])), flush=True)
    return measured


def _measure_endless(shapes: Sequence[tuple[Shape, str]]) -> list[Naming]:
    print(report.line(report.ENDLESS_HEADER))
    measured = []
    for one in endless.name_loops(shapes):
        measured.append(one)
        print(report.line(report.endless_cells(one)), flush=True)
    endless.insist(measured)
    return measured


def _measure_waiting(rows: Sequence[WaitingRow], plain: bool) -> list[Waited]:
    print(report.line(report.WAITING_HEADER))
    measured = []
    for one in waiting.wait(rows, plain):
        measured.append(one)
        print(report.line(report.waiting_cells(one)), flush=True)
    return measured


def _measure_sizes(sizes: Chosen, repetitions: int) -> SizeFigures:
    return tables.measure(sizes, repetitions, lambda cells: print(report.line(cells), flush=True))


def _measure_hardware(rows: Sequence[HmcRow], repetitions: int) -> list[HmcFigure]:
    return hardware.measure(rows, repetitions, lambda cells: print(report.line(cells), flush=True))


def _limits(found: Figures, repetitions: int, full: bool) -> list[Limit]:
    """Prints the promises that these figures show kept or missed."""
    rows = {m.row.name: m for m in found.rows}
    promises = []
    for one in chain(
        limits.of_rows(rows),
        limits.of_models(set(rows), repetitions),
        limits.of_genmc(found.genmc),
        limits.of_workers(found.workers),
        limits.of_prover(found.prover),
        limits.of_endless(found.endless),
        limits.of_sizes(found.sizes),
        limits.of_hardware(found.hardware),
        limits.of_commands() if full else (),
    ):
        print(one, flush=True)
        promises.append(one)
    return promises


def _write(path: Path | None, figures: dict[str, Any]) -> None:
    if path is not None:
        path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
