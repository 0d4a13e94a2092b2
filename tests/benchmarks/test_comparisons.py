"""What the benchmarks compare with: GenMC's table, other revisions, and the limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import mazurka
import pytest
from litmus_table import cells

from benchmarks.command import check_row
from benchmarks.compare import BuildError, CannotRunError, Duel, _install, _seconds
from benchmarks.genmc import MODELS, Rivalry, figures, yardstick_then
from benchmarks.hardware.rows import HMC_ROWS
from benchmarks.hardware.tables import Explored, HmcFigure
from benchmarks.limits import HMC_LIMITED, Limit, of_genmc, of_hardware, of_rows, of_workers
from benchmarks.rows import ROWS, Row
from benchmarks.runner import Measurement, Memory, WrongCountError
from benchmarks.workers import SpeedUp, speed_ups

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {row.name: row for row in ROWS}


def run_benchmarks(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def measurement(name: str, peak_mib: float, **figures: Any) -> Measurement:
    row = KNOWN[name]
    assert row.complete is not None
    memory = Memory(10 * 1024, int(peak_mib * 1024))
    return Measurement(row, row.complete, row.blocked, figures.pop("seconds", 1.0), 1, memory, **figures)


def test_every_line_of_genmcs_table_has_a_row() -> None:
    comparable = [row for row in cells("genmc-0.11-bench.tsv") if row[2] in MODELS]
    found = figures()
    assert [(f.row.program, str(f.row.n), f.row.complete) for f in found] == [
        (row[0], row[1], int(row[3])) for row in comparable
    ]
    assert {row[2] for row in cells("genmc-0.11-bench.tsv")} == MODELS.keys()


def test_the_table_says_what_the_yardstick_needed() -> None:
    assert yardstick_then() == 127


def test_a_line_that_no_row_has_is_an_error(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("ainc\t8\tsc\t40321\t0\t1.5\t93\tone too many\n", encoding="utf-8")
    with pytest.raises(KeyError):
        figures(table)
    with pytest.raises(ValueError, match="yardstick"):
        yardstick_then(table)


def test_a_whole_process_is_measured() -> None:
    run = check_row(KNOWN["mcs-lock(3)"])
    assert run.cpu > 0
    assert run.wall > 0
    assert run.peak_kib > 1024


def test_a_whole_process_must_find_the_rows_executions() -> None:
    with pytest.raises(WrongCountError, match=r"mcs-lock\(3\)"):
        check_row(Row("mcs-lock", 3, 66, "wrong on purpose", blocked=101))


def rivalry(name: str, genmc: float, cpu: float) -> Rivalry:
    return Rivalry(KNOWN[name], genmc, 1.0, cpu, cpu / 2)


def test_genmc_limits() -> None:
    mean, least = of_genmc([rivalry("ainc(8)", 40.0, 1.0), rivalry("binc(6)", 10.0, 4.0)])
    assert mean.value == pytest.approx(10.0)
    assert mean.kept
    assert (least.value, least.kept) == (2.5, False)
    assert "binc(6)" in str(least)
    assert "MISSED" in str(least)


def test_speed_up_limit() -> None:
    (limit,) = of_workers([SpeedUp(KNOWN["exp-mem(9)"], 6.0, 4.0)])
    assert (limit.value, limit.kept) == (1.5, False)


def test_a_row_that_takes_long_is_explored_by_two_workers() -> None:
    """As if it had taken long."""
    slow, quick = measurement("ainc(8)", 12.0, seconds=6.0), measurement("ainc(7)", 12.0, seconds=1.0)
    (found,) = speed_ups([slow, quick])
    assert found.row == slow.row
    assert min(found.one, found.several) > 0


def test_a_limit_is_kept_at_its_edge() -> None:
    assert Limit("most", 3.0, 3.0).kept
    assert not Limit("most", 3.1, 3.0).kept
    assert Limit("least", 3.0, 3.0, at_least=True).kept


def test_limits_of_memory() -> None:
    found = [measurement("exp-mem(7)", 12.0), measurement("exp-mem(9)", 70.0)]
    growth, with_count = of_rows({m.row.name: m for m in found})
    assert (growth.value, growth.kept) == (60.0, False)
    explained = 10 + 2 * 9 / 7  # 2 MiB for a parameter of 7
    assert with_count.value == pytest.approx(70 / explained)
    assert not with_count.kept


def test_memory_may_grow_as_the_program_does() -> None:
    found = [measurement("lastzero(10)", 12.0), measurement("lastzero(20)", 14.0)]
    _, with_count = of_rows({m.row.name: m for m in found})
    assert with_count.value == pytest.approx(1.0)
    assert with_count.kept


def test_limit_of_the_yardstick() -> None:
    found = measurement("fib_bench(6)", 12.0, seconds=2.364418, yardstick_ns=250.0)
    limit = next(of_rows({found.row.name: found}))
    assert limit.value == pytest.approx(4.0)
    assert not limit.kept


def test_limits_of_hmcs_rows() -> None:
    rows = {row.name: row for row in HMC_ROWS}
    found = {"rc11": Explored(78, 2, 8.0), "imm": Explored(78, 2, 12.0)}
    (limit,) = of_hardware([HmcFigure(rows[name], found) for name in ("szymanski(3)", "mp(10)")])
    assert limit.value == pytest.approx(1.5)
    assert not limit.kept
    assert rows.keys() >= set(HMC_LIMITED)
    assert not list(of_hardware([HmcFigure(rows["szymanski(3)"], {**found, "imm": None})]))


def test_a_duel_without_the_other_build_has_no_ratio() -> None:
    assert Duel(KNOWN["ainc(8)"], None, 1.0, "no such model").ratio is None
    assert Duel(KNOWN["ainc(8)"], 3.0, 1.5).ratio == 2.0


def test_json_has_the_documented_fields(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    run = run_benchmarks("--once", "mcs-lock", "--json", str(path))
    assert run.returncode == 0, run.stderr
    figures = json.loads(path.read_text(encoding="utf-8"))
    lists = (
        "rows",
        "genmc",
        "workers",
        "prover",
        "endless",
        "waiting",
        "forced",
        "lockref",
        "single_bytes",
        "hardware",
        "limits",
    )
    assert figures.keys() == {"version", *lists}
    (row,) = figures["rows"]
    documented = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in documented for field in [*figures, *row, *figures["limits"][0]])
    assert (row["complete"], row["blocked"]) == (1080, 0)


def test_a_revision_that_does_not_exist() -> None:
    run = run_benchmarks("--compare", "no-such-revision", "mcs-lock")
    assert run.returncode == 2
    assert "there is no revision 'no-such-revision'" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_tree_that_cannot_be_built(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"(?s)^an empty folder cannot be built:.*pyproject"):
        _install(tmp_path, tmp_path / "site", tmp_path / "target", "an empty folder")


def test_one_exploration_by_a_build_of_its_own() -> None:
    row = KNOWN["mcs-lock(3)"]
    build = Path(mazurka.__file__).resolve().parents[1]
    assert _seconds(row, build)
    with pytest.raises(CannotRunError, match=r"mcs-lock\(-1\)"):
        _seconds(replace(row, model="tso-no-forwarding", n=-1), build)
    with pytest.raises(WrongCountError):
        _seconds(replace(row, complete=65), build)


def test_a_name_that_does_not_exist() -> None:
    run = run_benchmarks("no-such-row")
    assert run.returncode == 2
    assert "mcs-lock(4)" in run.stderr


def test_without_the_yardstick_there_is_no_comparison_with_genmc(tmp_path: Path) -> None:
    run = run_benchmarks("--genmc", MAZURKA_SHARED=str(tmp_path))
    assert run.returncode == 2
    assert "yardstick: not found" in run.stderr
