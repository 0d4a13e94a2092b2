"""Numbers of executions that are known, model by model, through the planner and the engine.

``litmus.tsv`` was measured with GenMC 0.11, whose RA is our rc11-ra. The programs of the papers, and those
that GenMC was timed on (``genmc-0.11-bench.tsv``), have the same counts here. Rows for other models (IMM,
RA_MSA) and those whose client is not printed (peterson, szymanski, the locks and queues of the thesis) are
not comparable.
"""

from __future__ import annotations

from math import factorial
from pathlib import Path
from typing import Any

import pytest
from litmus_table import cells
from mazurka import _engine
from mazurka.frontend import compile_program
from mazurka.testing import parse_litmus, to_c, to_program
from profiles import some
from shipped_models import NAMES, plan_of

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("sc", "tso", "rc11-ra", "rc11-genmc")
# Their models by our names; imm is missing.
GENMC = {"sc": "sc", "tso": "tso", "ra": "rc11-ra", "rc11": "rc11-genmc"}
LONGEST = 150_000  # executions that a test explores


def explore(program: bytes, name: str, **options: Any) -> int:
    """The complete executions; there are no others, and no findings."""
    result = _engine.explore(program, plan_of(name).encode(), **options)
    assert (result.status, result.blocked) == ("finished", 0), result.finding
    complete: int = result.complete
    return complete


def test_tables_are_read_whole() -> None:
    assert len(cells("litmus.tsv")) >= 43
    assert len(cells("genmc-0.11-bench.tsv")) >= 18


@pytest.mark.parametrize("row", some(cells("litmus.tsv"), every=4), ids=lambda row: str(row[0]))
def test_litmus_table(row: list[str], tmp_path: Path) -> None:
    """As bytecode with the engine's own audit, and compiled from C."""
    test = parse_litmus(row[-1])
    built = to_program(test).encode()
    path = tmp_path / "litmus.c"
    path.write_text(to_c(test), encoding="utf-8")
    compiled = compile_program(path).encode()
    expected = {name: int(cell) for name, cell in zip(COLUMNS, row[1:5], strict=True)}
    assert {name: explore(built, name, audit=True) for name in COLUMNS} == expected
    assert {name: explore(compiled, name) for name in COLUMNS} == expected


def program(name: str, n: int) -> bytes:
    return compile_program(ROOT / "benchmarks" / "programs" / f"{name}.c", cflags=[f"-DN={n}"]).encode()


@pytest.mark.parametrize(
    "row", some(cells("genmc-0.11-bench.tsv"), every=4), ids=lambda row: "-".join(row[:3])
)
def test_what_genmc_counts(row: list[str]) -> None:
    name, n, model, complete = row[0], int(row[1]), row[2], int(row[3])
    if model not in GENMC:
        pytest.skip(f"{model} is not among our models")
    if complete > LONGEST and name != "fib_bench":
        pytest.skip("too long for a test; benchmarks count it")
    assert explore(program(name, n), GENMC[model]) == complete


# The papers' counts that hold in any model: one location, or read-modify-writes only. In lastzero every cycle
# goes by po and rf from a write to the reader, and by fr back to that write: coherence of synchronised
# accesses forbids it in all models.
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("title", "n", "co", "rf"),
    [
        ("readers", 10, 2**10, 2**10),  # HMC, table 1
        ("nwrites-loc", 8, factorial(8), 1),  # HMC, table 1
        ("ainc", 5, factorial(5), factorial(5)),  # HMC, table 3; rf of increments says all
        ("binc", 3, factorial(3) ** 2, factorial(3) ** 2),  # HMC, table 3
        ("exp-mem", 5, 2 * factorial(5), 2 * factorial(5)),  # TruSt, table 1
        ("lastzero", 10, 3328, 3328),  # TruSt, table 1
        ("N-writers", 4, factorial(5) * 6, 6),  # by rf only what the reader reads
        ("indexer", 13, 64, 64),  # Flanagan and Godefroid 2005
    ],
)
def test_counts_in_any_model(name: str, title: str, n: int, co: int, rf: int) -> None:
    encoded = program(title, n)
    assert explore(encoded, name) == co
    assert explore(encoded, name, reads_from=True) == rf


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("source", "co", "rf"),
    [
        pytest.param("Rrlx x || Wrlx x 1 || Wrlx x 2", 6, 3, id="R+W+W, TruSt §3.5-3.6"),
        pytest.param("Wrlx x 1 || Wrlx y 1 || Rrlx x; Rrlx y", 4, 4, id="W+W+RR, TruSt §2.1"),
        pytest.param("Arlx x || Arlx x", 2, 2, id="FAI/2, thesis §5.5"),
        pytest.param("Rrlx x || Wrlx x 1; Wrlx x 2", 3, 3, id="R+WW, TruSt fig. 9"),
    ],
)
def test_examples_of_the_papers(name: str, source: str, co: int, rf: int) -> None:
    encoded = to_program(parse_litmus(source)).encode()
    assert explore(encoded, name, audit=True) == co
    assert explore(encoded, name, reads_from=True, audit=True) == rf
