"""The prover on table 10.1 of the thesis: seconds of each row, beside those of Kater 0.3.

The rows, their files and Kater's seconds are in ``models/claims/TABLE.tsv``. Ours are CPU seconds in this
process: reading the files of a row, and deciding all that they assert. Kater's were measured on a machine of
the same kind, and are not scaled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from mazurka.models.registry import FOLDER_OF_CLAIMS
from mazurka.prover import Answer, Proved, Refuted, prove_file

from benchmarks.processes import WrongAnswerError

CLAIMS = Path(FOLDER_OF_CLAIMS)
TABLE = CLAIMS / "TABLE.tsv"
OURS = "-"  # stands for the row of claims that are not in the thesis
UNMEASURED = "-"


@dataclass(frozen=True)
class ClaimRow:
    """A row of the thesis's table: files whose claims are all proved, or of which one is refuted."""

    name: str
    files: tuple[str, ...]
    expected: str
    kater: float | None  # seconds of the whole row


@dataclass(frozen=True)
class Proof:
    """A row that was decided as expected."""

    row: ClaimRow
    claims: int
    seconds: float


def claim_rows(table: Path = TABLE) -> list[ClaimRow]:
    """The rows of the thesis's table; a row with several files has one line for each."""
    found: dict[str, ClaimRow] = {}
    for line in table.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, file, _, _, _, expected, seconds = line.split("\t")
        if name == OURS:
            continue
        kater = None if seconds == UNMEASURED else float(seconds)
        before = found.get(name, ClaimRow(name, (), expected, kater))
        if before.expected != expected:
            raise ValueError(f"{table}: the files of {name} are to have different answers")
        found[name] = ClaimRow(name, (*before.files, file), expected, before.kater)
    return list(found.values())


def prove_row(row: ClaimRow, repetitions: int) -> Proof:
    """Decides all claims of a row, some times; seconds are the median."""
    times, claims = [], 0
    for _ in range(repetitions):
        start = process_time()
        answers = [answer for file in row.files for answer in prove_file(CLAIMS / f"{file}.kat")]
        times.append(process_time() - start)
        insist(row, answers)
        claims = len(answers)
    return Proof(row, claims, median(times))


def insist(row: ClaimRow, answers: Sequence[Answer]) -> None:
    """Complains unless the answers are those that the row expects."""
    kinds = {type(answer) for answer in answers}
    right = kinds == {Proved} if row.expected == "proved" else Refuted in kinds
    if not right:
        found = ", ".join(sorted(kind.__name__.lower() for kind in kinds))
        raise WrongAnswerError(f"{row.name}: expected {row.expected}, found {found or 'no claim'}")
