"""Every program of ``tests/programs`` and ``examples`` gives what its first lines say."""

from __future__ import annotations

import json
import os
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from mazurka.cli.commands import EXIT_STATUS, main
from mazurka.expectations import Claim, ExpectationError, Result, claims
from mazurka.models.registry import runnable_models
from profiles import some

ROOT = Path(__file__).resolve().parent.parent
REAL = ROOT / "tests" / "programs" / "real"
EVERY_REAL = {"c": 192, "cpp": 384}  # the quick profile checks one claim in so many; C++ compiles for long
SVCOMP = ROOT / "tests" / "programs" / "svcomp"  # test_svcomp_programs.py
PROGRAMS = [path for path in sorted(ROOT.glob("tests/programs/**/*.c")) if path.parent not in (REAL, SVCOMP)]
PROGRAMS += sorted(ROOT.glob("examples/**/*.c"))
MODELS = runnable_models()
LEAST_CLAIMS = {
    **dict.fromkeys(("sc", "tso", "pso", "rc11", "rc11-cpp11"), 100),
    **dict.fromkeys(("rc11-ra", "ra", "rc11-genmc"), 40),
}


def collect(programs: list[Path]) -> tuple[list[Claim], list[str]]:
    """The claims of all programs, and the complaints about those that cannot be read."""
    found: list[Claim] = []
    unreadable: list[str] = []
    for path in programs:
        try:
            found += claims(path)
        except ExpectationError as problem:
            unreadable.append(str(problem))
    return found, unreadable


CLAIMS, UNREADABLE = collect(PROGRAMS)
REAL_CLAIMS = {suffix: collect(sorted(REAL.glob(f"*.{suffix}"))) for suffix in EVERY_REAL}
REAL_UNREADABLE = [problem for _, problems in REAL_CLAIMS.values() for problem in problems]
REAL_SAMPLE = [
    *some(REAL_CLAIMS["c"][0], EVERY_REAL["c"]),
    *some(REAL_CLAIMS["cpp"][0], EVERY_REAL["cpp"], ci=12),
]
# Text by text, so that each is compiled once: a worker takes neighbours, and the cache drops old programs.
RUNNABLE = sorted(
    CLAIMS,
    key=lambda claim: (claim.path, claim.twin or ("", ""), claim.model),
)


def name(claim: Claim) -> str:
    twin = f"-twin-{claim.twin[0][:20]}" if claim.twin else ""
    return f"{claim.path.stem}-{claim.model}{twin}"


def place(claim: Claim, folder: Path) -> Path:
    """The file of a claim's program."""
    return place_text(claim.source(), claim.path.name, folder)


def place_text(source: str, name: str, folder: Path) -> Path:
    """The file of a program, one for all models, so that what is compiled is kept for the next one."""
    path = folder / sha256(source.encode()).hexdigest()[:16] / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_name(f"{os.getpid()}{path.suffix}")
        written.write_text(source, encoding="utf-8")
        written.replace(path)
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs, one for all workers of a run."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "programs"


def run(claim: Claim, path: Path, directory: Path) -> tuple[int, dict[str, Any]]:
    """Checks the program of a claim from the command line, in this process."""
    options, cflags = list(claim.options), ["-I", str(claim.path.parent)]
    if "--" in options:
        split = options.index("--")
        options, cflags = options[:split], cflags + options[split + 1 :]
    result = directory / "result.json"
    status = main(
        ["check", str(path), "--model", claim.model, "--json", str(result), *options, "--", *cflags]
    )
    return status, json.loads(result.read_text(encoding="utf-8"))


def observed(result: dict[str, Any], expected: Result) -> Result:
    """The parts of the result that the claim mentions."""
    violation = result["violation"]
    numbers: dict[str, Any] = {
        "complete": result["executions"]["complete"],
        "blocked": result["executions"]["blocked"],
        "line": violation["location"]["line"] if violation else None,
    }
    if expected.lines and violation:
        places = (violation["location"], violation["other"] or {})
        numbers["lines"] = tuple(sorted(place["line"] for place in places if place.get("line")))
    claimed = {key: value for key, value in numbers.items() if getattr(expected, key) is not None}
    return Result(result["verdict"], violation["kind"] if violation else None, **claimed)


@pytest.mark.parametrize("claim", some(RUNNABLE, every=40), ids=name)
def test_program(claim: Claim, folder: Path, tmp_path: Path) -> None:
    check(claim, folder, tmp_path)


@pytest.mark.parametrize("claim", REAL_SAMPLE, ids=name)
def test_real_program(claim: Claim, folder: Path, tmp_path: Path) -> None:
    """``tests/programs/real`` is written as production code is; its README says what each program is."""
    check(claim, folder, tmp_path)


def check(claim: Claim, folder: Path, tmp_path: Path) -> None:
    status, result = run(claim, place(claim, folder), tmp_path)
    assert "error" not in result, result["error"]
    assert observed(result, claim.result) == claim.result
    allowed = "--allow-bounded" in claim.options and claim.result.verdict == "bounded"
    assert status == (0 if allowed else EXIT_STATUS[claim.result.verdict])


def test_every_expectation_can_be_read() -> None:
    assert not UNREADABLE + REAL_UNREADABLE


@pytest.mark.parametrize("model", MODELS)
def test_each_shipped_model_has_claims(model: str) -> None:
    counts = Counter(claim.model for claim in CLAIMS)
    assert counts[model] >= LEAST_CLAIMS[model]
