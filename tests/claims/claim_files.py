"""The claims that come with the package, and the models that they are about: loaded once."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from mazurka.kat import terms
from mazurka.kat.load import MODELS, load_model
from mazurka.reference.consistency import holds, is_atomic
from mazurka.reference.relations import Relations
from mazurka.rows import is_within
from random_executions import Execution

CLAIMS = MODELS / "claims"
PROVING = MODELS / "proving"


class Row(NamedTuple):
    """A line of the table of claims."""

    row: str
    file: str
    weaker: str
    axioms: str
    stronger: str
    expected: str
    kater_seconds: str


def _cells(name: str) -> list[list[str]]:
    lines = (CLAIMS / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


ROWS = [Row(*cells) for cells in _cells("TABLE.tsv")]


class Pair(NamedTuple):
    """A line of the lattice: whether all that ``weaker`` forbids is forbidden by ``stronger``."""

    weaker: str
    stronger: str
    expected: str
    why: str


PAIRS = [Pair(*cells) for cells in _cells("lattice.tsv")]


@cache
def claim(file: str) -> terms.Model:
    """A file of claims."""
    return load_model(CLAIMS / f"{file}.kat", require_axioms=False)


@cache
def model(name: str) -> terms.Model:
    """A model by its name: one that the engine runs, or one for proofs."""
    shipped = MODELS / f"{name}.kat"
    return load_model(shipped if shipped.exists() else PROVING / f"{name}.kat")


def is_allowed(execution: Execution, name: str) -> bool:
    """Whether a model allows an execution."""
    relations = execution.relations(model(name))
    return is_atomic(execution.graph) and all(holds(relations, axiom) for axiom in model(name).axioms)


def is_true(relations: Relations, claim: terms.Inclusion) -> bool:
    """Whether an assumption or assertion holds of a graph."""
    left, right = relations.rows(claim.left), relations.rows(claim.right)
    return is_within(left, right) and (not claim.equal or is_within(right, left))


def is_fact_of_model(statement: terms.Statement) -> bool:
    """Whether an assumption is of the shape of an axiom (``acyclic``, ``irreflexive``)."""
    shape = statement.claim
    return shape is not None and isinstance(shape.left, terms.Intersection) and shape.right == terms.Empty()
