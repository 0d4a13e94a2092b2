"""The files of claims that come with the package, and the models that they are about: loaded once."""

from __future__ import annotations

from functools import cache

from claim_table import CLAIMS
from mazurka.kat.language.load import load_model, named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rows import is_within
from mazurka.reference.consistency import holds, is_atomic
from mazurka.reference.relations import Relations
from random_executions import Execution


@cache
def claim(file: str) -> terms.Model:
    """A file of claims."""
    return load_model(CLAIMS / f"{file}.kat", require_axioms=False)


@cache
def model(name: str) -> terms.Model:
    """A model by its name: one that the engine runs, or one for proofs."""
    return named_model(name)


def is_allowed(execution: Execution, name: str) -> bool:
    """Whether a model allows an execution."""
    relations = execution.relations(model(name))
    return is_atomic(execution.graph) and all(holds(relations, axiom) for axiom in model(name).axioms)


def is_true(relations: Relations, claim: terms.Inclusion) -> bool:
    """Whether an assumption or assertion holds of a graph."""
    left, right = relations.rows(claim.left), relations.rows(claim.right)
    return is_within(left, right) and (not claim.equal or is_within(right, left))
