"""A second check of an unchanged program: the same report, and little to load."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command import Ran, write
from command import mazurka as run
from profiles import some

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"
TWENTY_LINES = ROOT / "benchmarks" / "programs" / "twenty_lines.c"
SECONDS = re.compile(r"\d+\.\d+ s\b|\"(?:frontend|explore)\": [\d.e-]+")

# What a program that holds needs, and no more: a new name here makes every check slower.
WARM = {
    *("mazurka", "mazurka._engine", "mazurka.deadline", "mazurka.errors", "mazurka.files", "mazurka.machine"),
    *("mazurka.cache", "mazurka.cache.compiled", "mazurka.cache.disk", "mazurka.cache.model_key"),
    *("mazurka.cache.plans", "mazurka.cache.programs"),
    *("mazurka.checking", "mazurka.checking.check", "mazurka.checking.options", "mazurka.checking.outcome"),
    "mazurka.checking.exploring",
    *("mazurka.cli", "mazurka.cli.check_options", "mazurka.cli.commands", "mazurka.cli.terminal"),
    *("mazurka.frontend", "mazurka.frontend.c", "mazurka.frontend.c.compiler"),
    *("mazurka.checking.warnings", "mazurka.frontend.c.dialect"),
    *("mazurka.models", "mazurka.models.registry"),
    *("mazurka.report", "mazurka.report.as_json", "mazurka.report.paint", "mazurka.report.text"),
}
HEAVY = {
    *("dataclasses", "difflib", "hashlib", "inspect", "llvmlite", "pathlib", "random", "shutil", "ssl"),
    *("subprocess", "tempfile", "textwrap", "ziglang"),
}


pytestmark = pytest.mark.usefixtures("cache")


def loaded(*arguments: str) -> set[str]:
    """The modules that a check leaves loaded."""
    load = "import sys; from mazurka.cli.commands import main"
    code = f"{load}; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code, "check", *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stderr.split())


@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--model", "tso"], ["--equivalence", "rf"]])
def test_a_warm_check_loads_only_what_it_needs(options: list[str]) -> None:
    cold, warm = (loaded(*options, str(TWENTY_LINES)) for _ in range(2))
    assert {"llvmlite", "mazurka.kat.language.parser", "mazurka.program"} <= cold
    assert {name for name in warm if name.startswith("mazurka")} == WARM
    before = set(subprocess.check_output([sys.executable, "-c", "import sys; print(*sys.modules)"]).split())
    assert not (HEAVY & warm) - {name.decode() for name in before}


def test_a_violation_needs_no_compiler_either() -> None:
    program = str(PROGRAMS / "assert_in_thread.c")
    cold, warm = (loaded(program) for _ in range(2))
    assert "llvmlite" in cold
    frontend = {name for name in warm if name.startswith(("mazurka.frontend.", "mazurka.kat", "llvmlite"))}
    c = {f"mazurka.frontend.c{module}" for module in ("", ".compiler", ".dialect")}
    assert frontend == {*c, "mazurka.frontend.naming"}


def timeless(ran: Ran) -> tuple[int, str, str]:
    return ran.status, SECONDS.sub("-", ran.out), ran.err


TOLD = {
    "an assertion, names of members": ["struct_fields.c"],
    "an assertion in a thread": ["assert_in_thread.c"],
    "a race": ["race_plain_counter.c"],
    "a use after free": ["error_use_after_free.c"],
    "a local that is gone": ["error_local_gone.c"],
    "out of bounds": ["error_out_of_bounds_heap.c"],
    "a deadlock": ["mutex_opposite_orders.c"],
    "a stack of calls": ["recursion_depth.c"],
    "a weak execution": ["--model", "tso", "litmus_sb.c"],
    "a cut loop": ["--unroll", "2", "unroll_cut.c"],
    "what is printed": ["--verbose", "printing.c"],
    "a wide report": ["--json", "-", "race_on_heap.c"],
    "what is verified": ["--json", "-", "litmus_mp.c"],
}


@pytest.mark.parametrize("what", some(list(TOLD), every=10))
def test_a_report_says_the_same_cold_and_warm(what: str) -> None:
    *options, name = TOLD[what]
    program = PROGRAMS / name
    without = timeless(run("check", "--no-cache", *options, program))
    cold, warm = (timeless(run("check", *options, program)) for _ in range(2))
    assert without == cold == warm


def test_a_refusal_and_a_header_are_told_alike(tmp_path: Path) -> None:
    write(tmp_path, "static int twice(int x) {\n    return strange(2 * x);\n}\n", "twice.h")
    source = 'int strange(int);\n#include "twice.h"\nint main(void) {\n    return twice(1);\n}\n'
    program = write(tmp_path, source)
    without = run("check", "--no-cache", program)
    cold, warm = (run("check", program) for _ in range(2))
    assert without == cold == warm
    assert "twice.h:2" in warm.err


def test_a_warning_of_the_compiler_is_told_alike(tmp_path: Path) -> None:
    program = write(tmp_path, "int main(void) { int unused = 1 << 40; return 'ab'; }\n")
    flags = ["--", "-Wall", "-Wextra"]
    without = timeless(run("check", "--no-cache", program, *flags))
    cold, warm = (timeless(run("check", program, *flags)) for _ in range(2))
    assert without == cold == warm
