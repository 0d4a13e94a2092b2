"""Every violation of ``tests/programs`` and ``examples`` can be replayed: the same execution and report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mazurka.cli.commands import main
from mazurka.expectations import Claim
from profiles import some
from test_programs import RUNNABLE, name, place
from test_programs import folder as folder

VIOLATED = [claim for claim in RUNNABLE if claim.result.kind and "--property" not in claim.options]


@pytest.mark.parametrize("claim", some(VIOLATED, every=24, ci=12), ids=name)
def test_replay(claim: Claim, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options, cflags = list(claim.options), ["-I", str(claim.path.parent)]
    if "--" in options:
        split = options.index("--")
        options, cflags = options[:split], cflags + options[split + 1 :]
    path, witness = place(claim, folder), tmp_path / "witness.json"
    asked = ["check", str(path), "--model", claim.model, "--witness", str(witness), *options, "--", *cflags]
    assert main(asked) == 1
    checked = capsys.readouterr().out.removesuffix(f"written: {witness}\n")
    assert main(["replay", str(witness)]) == 1
    assert _of_one_execution(capsys.readouterr().out) == _of_one_execution(checked)


def _of_one_execution(report: str) -> str:
    """A report without what it says about other executions, or about what was printed."""
    report = re.sub(r"\((?:after|replayed).*? s\)\n", "\n", report)
    report = re.sub(r"\n\n  The program printed:\n(?:  .*\n)*", "\n", report)
    others = r"^  (?:(?:warning|forbidden by|simplified|no axiom).*|\S+:\d+: .* was cut after .*)\n"
    return re.sub(others, "", report, flags=re.MULTILINE)
