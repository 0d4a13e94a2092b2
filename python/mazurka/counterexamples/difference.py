"""Runs a counterexample's program under the two models that it tells apart.

The engine runs the models of ``mazurka models``; for models that are only for proofs, the verdict says so.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from mazurka.checking.check import check
from mazurka.errors import ErrorCode, MazurkaError


@dataclass(frozen=True)
class ModelVerdict:
    """Whether a program's outcome happens under a model; if that is unknown, the reason."""

    model: str
    happens: bool | None
    why: str

    def __str__(self) -> str:
        said = {True: "the outcome happens", False: "the outcome does not happen", None: "not known"}
        return f"{self.model}: {said[self.happens]} ({self.why})"


@dataclass(frozen=True)
class ModelDifference:
    """The two verdicts on one program."""

    allowing: ModelVerdict
    forbidding: ModelVerdict

    def __str__(self) -> str:
        return f"{self.allowing}\n{self.forbidding}"

    @property
    def shown(self) -> bool:
        """Whether both models were run, and differ as they should."""
        return self.allowing.happens is True and self.forbidding.happens is False

    @property
    def contradicted(self) -> bool:
        """Whether a model was run that contradicts the counterexample."""
        return self.allowing.happens is False or self.forbidding.happens is True


def difference(program: str, *, allowing: str, forbidding: str) -> ModelDifference:
    """Checks a program's text under a model that allows its outcome, and under one that forbids it."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "counterexample.c"
        path.write_text(program, encoding="utf-8")
        return ModelDifference(_verdict(path, allowing), _verdict(path, forbidding))


def _verdict(path: Path, model: str) -> ModelVerdict:
    try:
        outcome = check(path, model=model, workers=1)
    except MazurkaError as error:
        missing = error.code is ErrorCode.UNKNOWN_MODEL
        return ModelVerdict(model, None, f"the engine does not run {model}" if missing else error.message)
    if outcome.verdict == "verified":
        return ModelVerdict(model, False, f"verified, {outcome.complete} executions")
    if outcome.violation is not None and outcome.violation.kind == "assertion":
        return ModelVerdict(model, True, outcome.violation.message)
    other = outcome.verdict if outcome.violation is None else outcome.violation.kind
    return ModelVerdict(model, None, f"the check ended with another result: {other}")
