"""Which lines the tests run, in Python and in Rust: `make coverage`.

Builds the package with counters into a folder of its own, runs the tests and the crates' own tests with it,
and prints two tables: a row for each package of the Python code, and for each room of the crates. Arguments
go to pytest, such as ``tests/kat`` for some of the tests.

It takes several times as long as the tests. The tools that read Rust's counters come with
``rustup component add llvm-tools``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "target" / "coverage"
CRATES = ("mazurka-engine", "mazurka-automata", "mazurka-machine")
Lines = dict[str, tuple[int, int]]  # by room: lines that were run, and all


def main() -> None:
    """Measures, and prints the table; fails if a test does."""
    tools = llvm_tools()
    package = install()
    failed = run_python_tests(package, sys.argv[1:])
    binaries = [*run_rust_tests(), *package.glob("mazurka/_engine*.so")]
    print_table("Python", python_lines())
    print_table("Rust", rust_lines(tools, binaries))
    sys.exit(failed)


def llvm_tools() -> Path:
    """The folder with the tools that read the counters of the installed compiler."""
    sysroot = Path(output("rustc", "--print", "sysroot").strip())
    found = next(sysroot.glob("lib/rustlib/*/bin/llvm-profdata*"), None)
    if found is None:
        sys.exit("error: llvm-profdata is missing\n  hint: rustup component add llvm-tools")
    return found.parent


def counting() -> dict[str, str]:
    """The environment in which Rust code is built with counters, and leaves what they count in the folder."""
    return {
        **os.environ,
        "RUSTFLAGS": "-C instrument-coverage",
        "CARGO_TARGET_DIR": str(WORK / "build"),
        "LLVM_PROFILE_FILE": str(WORK / "counts" / "%p-%8m.profraw"),
    }


def install() -> Path:
    """The package, built with counters."""
    package = WORK / "package"
    for old in (WORK / "counts").glob("*"):
        old.unlink()
    options = ["--quiet", "--no-deps", "--upgrade", "--target", str(package)]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(ROOT)],
        env=counting(),
        check=True,
        cwd=WORK.parent,
    )
    return package


def run_python_tests(package: Path, arguments: Sequence[str]) -> int:
    """Runs the tests on that package, in all their processes; gives their exit status."""
    settings, hooks = WORK / "coverage.ini", WORK / "hooks"
    settings.write_text(
        f"[run]\nsource = {package / 'mazurka'}\ndata_file = {WORK / 'python'}\n"
        "parallel = true\npatch = _exit\n[report]\nexclude_also = if TYPE_CHECKING:\n"
    )
    # Python imports this module whenever it starts, so that all processes of the tests count.
    hooks.mkdir(exist_ok=True)
    hooks.joinpath("sitecustomize.py").write_text("import coverage\n\ncoverage.process_startup()\n")
    for old in WORK.glob("python*"):
        old.unlink()
    path = os.pathsep.join(map(str, (hooks, package)))
    environment = {**counting(), "PYTHONPATH": path, "COVERAGE_PROCESS_START": str(settings)}
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, env=environment, check=False, cwd=ROOT).returncode


def run_rust_tests() -> Iterator[Path]:
    """Runs the crates' own tests; gives their executables."""
    crates = [word for crate in CRATES for word in ("--package", crate)]
    built = output("cargo", "test", "--no-run", "--message-format=json", *crates, environment=counting())
    subprocess.run(["cargo", "test", "--quiet", *crates], env=counting(), check=True, cwd=ROOT)
    for line in built.splitlines():
        executable = json.loads(line).get("executable")
        if executable:
            yield Path(executable)


def python_lines() -> Lines:
    """Lines by package of the Python code."""
    environment = {**os.environ, "COVERAGE_RCFILE": str(WORK / "coverage.ini")}
    coverage = (sys.executable, "-m", "coverage")
    output(*coverage, "combine", "--quiet", environment=environment)
    report = json.loads(output(*coverage, "json", "--quiet", "-o", "-", environment=environment))
    return by_room(
        (ROOT / name, found["summary"]["covered_lines"], found["summary"]["num_statements"])
        for name, found in report["files"].items()
    )


def rust_lines(tools: Path, binaries: Iterable[Path]) -> Lines:
    """Lines by room of the crates."""
    merged = WORK / "rust.profdata"
    counts = map(str, (WORK / "counts").glob("*.profraw"))
    output(str(tools / "llvm-profdata"), "merge", "--sparse", *counts, "-o", str(merged))
    first, *others = map(str, binaries)
    objects = [word for one in others for word in ("--object", one)]
    command = (
        str(tools / "llvm-cov"),
        "export",
        "--summary-only",
        f"--instr-profile={merged}",
        first,
        *objects,
    )
    files: list[dict[str, Any]] = json.loads(output(*command))["data"][0]["files"]
    ours = (file for file in files if Path(file["filename"]).is_relative_to(ROOT / "crates"))
    return by_room(
        (Path(file["filename"]), file["summary"]["lines"]["covered"], file["summary"]["lines"]["count"])
        for file in ours
    )


def by_room(files: Iterable[tuple[Path, int, int]]) -> Lines:
    """Sums of what files have, by folder."""
    sums: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for path, covered, lines in files:
        folder = path.parent
        base = ROOT / "crates" if folder.is_relative_to(ROOT / "crates") else WORK / "package"
        room = str(folder.relative_to(base))
        sums[room] = sums[room][0] + covered, sums[room][1] + lines
    return dict(sums)


def print_table(title: str, lines: Lines) -> None:
    """One row for each room, and the sum."""
    covered, count = (sum(numbers) for numbers in zip(*lines.values(), strict=True))
    print(f"\n{title:<48}{'lines':>8}{'run':>8}")
    for room, (ran, all_lines) in sorted(lines.items()):
        print(f"{room:<48}{all_lines:>8}{share(ran, all_lines):>8}")
    print(f"{'all':<48}{count:>8}{share(covered, count):>8}")


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def output(*command: str, environment: dict[str, str] | None = None) -> str:
    """What a command prints."""
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    return run.stdout


if __name__ == "__main__":
    main()
