"""The rows of HMC's tables (ASPLOS 2020, section 5), each with what the paper says of it.

The programs are ours: where the paper gives no program, they do what its text says of it. It gives seconds
for all rows, and numbers of executions for few. ``Counts`` says where a number comes from:

- ``paper``: the paper states it, or a formula for it;
- ``thesis``: table 10.13 of the thesis does, for the program of the same name under sc;
- ``formula``: see the program;
- ``interleavings``: as under sc, where the tests count without graphs;
- ``same``: under rc11 and imm it is the same, as the paper says of most of its programs. Which number it is
  follows from smaller parameters, which the tests compare with brute force.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import factorial
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).resolve().parent
PROGRAMS, WAITING = FOLDER.parent / "programs", FOLDER.parent / "waiting"
MODELS = ("rc11", "imm", "armv8", "power")
Source = Literal["paper", "thesis", "formula", "interleavings", "same"]


@dataclass(frozen=True)
class HmcRow:
    """A row: its program, the paper's seconds for GenMC and HMC (None: over 30 minutes), and its executions.

    ``waits``: loops wait for other threads, and are cut short where nothing changes.
    """

    table: int
    name: str
    path: Path
    flags: tuple[str, ...]
    genmc: float | None
    hmc: float | None
    source: Source
    complete: int | None = None
    waits: bool = False


def _family(
    table: int,
    path: Path,
    seconds: dict[int, tuple[float | None, float | None]],
    source: Source,
    complete: dict[int, int] | None = None,
    *,
    waits: bool = False,
    name: str | None = None,
) -> tuple[HmcRow, ...]:
    """A program with some parameters."""
    return tuple(
        HmcRow(
            table,
            f"{name or path.stem}({n})",
            path,
            (f"-DN={n}",),
            *pair,
            source,
            (complete or {}).get(n),
            waits,
        )
        for n, pair in seconds.items()
    )


def _variants(
    table: int,
    stem: str,
    seconds: dict[str, tuple[float, float]],
    flag: str,
    *complete: int | None,
    waits: bool = False,
) -> tuple[HmcRow, ...]:
    """A program in two versions, the second with a flag; only the first may wait."""
    rows = []
    for number, (name, pair) in enumerate(seconds.items()):
        source: Source = "same" if complete[number] is None else "interleavings"
        flags = (flag,) if number else ()
        row = HmcRow(table, name, FOLDER / f"{stem}.c", flags, *pair, source, complete[number])
        rows.append(replace(row, waits=waits and not number))
    return tuple(rows)


_TABLE_1 = (
    *_family(
        1,
        PROGRAMS / "readers.c",
        {5: (0.02, 0.02), 10: (0.11, 0.19), 15: (3.34, 6.81)},
        "paper",
        {n: 2**n for n in (5, 10, 15)},
    ),
    *_family(  # the paper's 10 and 15 are up to reads-from, where there is one execution
        1,
        PROGRAMS / "nwrites-loc.c",
        {5: (0.01, 0.01), 7: (None, None), 8: (None, None)},
        "paper",
        {n: factorial(n) for n in (5, 7, 8)},
    ),
    *_family(
        1,
        FOLDER / "nwrites.c",
        dict.fromkeys((5, 10, 15), (0.01, 0.01)),
        "paper",
        dict.fromkeys((5, 10, 15), 1),
    ),
    *_family(
        1,
        FOLDER / "mp.c",
        {10: (0.01, 0.02), 50: (0.02, 0.02), 100: (0.02, 0.04)},
        "formula",
        {n: n + 1 for n in (10, 50, 100)},
    ),
)

_TABLE_2 = (
    *_family(
        2,
        FOLDER / "peterson.c",
        {10: (0.03, 0.05), 20: (0.06, 0.12), 30: (0.17, 0.39)},
        "interleavings",
        {n: 2 * n * n + 8 * n + 4 for n in (10, 20, 30)},
    ),
    *_family(2, FOLDER / "parker.c", {3: (0.04, 0.07), 4: (0.09, 0.18), 5: (0.14, 0.31)}, "same"),
    *_family(
        2,
        PROGRAMS / "szymanski.c",
        {1: (0.05, 0.07), 2: (82.04, 143.86), 3: (None, None)},
        "thesis",
        {1: 6, 2: 78, 3: 1068},
    ),
    *_family(
        2,
        WAITING / "lamport.c",
        {2: (0.02, 0.02), 3: (1.26, 2.55)},
        "thesis",
        {2: 16, 3: 9216},
        waits=True,
    ),
)

_TABLE_3 = (
    *_family(
        3,
        PROGRAMS / "ainc.c",
        {3: (0.01, 0.01), 4: (0.01, 0.01), 5: (0.02, 0.02)},
        "paper",
        {n: factorial(n) for n in (3, 4, 5)},
    ),
    *_family(
        3,
        PROGRAMS / "binc.c",
        {3: (0.01, 0.02), 4: (0.03, 0.04), 5: (0.43, 0.92)},
        "paper",
        {n: factorial(n) ** 2 for n in (3, 4, 5)},
    ),
    *_family(
        3,
        PROGRAMS / "indexer.c",
        {12: (0.02, 0.03), 13: (0.06, 0.09), 14: (0.36, 0.62), 15: (2.48, 4.54)},
        "formula",
        {n: 8 ** (n - 11) for n in (12, 13, 14, 15)},
    ),
)

_TABLE_4 = (
    *_variants(4, "dq", {"DQ/211-2-1": (0.11, 0.17), "DQ-opt/211-2-1": (0.11, 0.17)}, "-DOPT", 926, 926),
    *_variants(
        4, "stc", {"STC/210-011-000": (0.06, 0.06), "STC-opt/210-011-000": (0.07, 0.10)}, "-DOPT", 62, 62
    ),
    *_variants(
        4, "qu", {"QU/100-100-010": (0.05, 0.06), "QU-opt/100-100-010": (0.04, 0.06)}, "-DOPT", 128, 128
    ),
)

_TABLE_5 = (
    *_variants(
        5,
        "linuxrwlocks",
        {"linuxrwlocks": (4.87, 8.98), "linuxrwlocks-bnd": (0.47, 0.76)},
        "-DBOUND=2",
        None,
        1006,
        waits=True,
    ),
    *_variants(
        5,
        "mpmc-queue",
        {"mpmc-queue": (0.38, 0.69), "mpmc-queue-bnd": (1.84, 3.76)},
        "-DBOUND=3",
        None,
        None,
        waits=True,
    ),
)

HMC_ROWS = (*_TABLE_1, *_TABLE_2, *_TABLE_3, *_TABLE_4, *_TABLE_5)
SHORT = ("readers(5)", "nwrites(5)", "mp(10)", "peterson(10)", "ainc(3)", "DQ/211-2-1", "mpmc-queue-bnd")
