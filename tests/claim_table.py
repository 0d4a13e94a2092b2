"""The tables of claims that come with the package (``models/claims``), read in one place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mazurka.kat.meaning import terms
from mazurka.models.registry import FOLDER_OF_CLAIMS

CLAIMS = Path(FOLDER_OF_CLAIMS)


class Row(NamedTuple):
    """A line of the table of claims."""

    row: str
    file: str
    weaker: str
    axioms: str
    stronger: str
    expected: str
    kater_seconds: str


class Pair(NamedTuple):
    """A line of the lattice: whether all that ``weaker`` forbids is forbidden by ``stronger``."""

    weaker: str
    stronger: str
    expected: str
    why: str


def _cells(name: str) -> list[list[str]]:
    lines = (CLAIMS / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


ROWS = [Row(*cells) for cells in _cells("TABLE.tsv")]
PAIRS = [Pair(*cells) for cells in _cells("lattice.tsv")]


def is_fact_of_model(statement: terms.Statement) -> bool:
    """Whether an assumption has the form of an axiom (``acyclic``, ``irreflexive``)."""
    shape = statement.claim
    return shape is not None and isinstance(shape.left, terms.Intersection) and shape.right == terms.Empty()
