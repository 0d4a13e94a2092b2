"""Which model is weaker than which: the file, compared with executions."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations

import pytest
from claim_files import is_allowed
from claim_table import PAIRS, Pair
from cycle_executions import cycle_execution
from litmus_executions import read_execution
from mazurka.reference.consistency import is_atomic

NAMES = ("sc", "tso", "pso", "ra", "rc11-ra", "rc11", "rc11-genmc", "imm")
PROVED = {(pair.weaker, pair.stronger) for pair in PAIRS if pair.expected == "proved"}


def test_every_pair_is_there() -> None:
    assert [(pair.weaker, pair.stronger) for pair in PAIRS] == list(permutations(NAMES, 2))
    assert {pair.expected for pair in PAIRS} == {"proved", "refuted"}


def test_weaker_is_transitive() -> None:
    assert not [
        (a, c) for a, b in PROVED for other, c in PROVED if b == other and a != c and (a, c) not in PROVED
    ]


@pytest.mark.parametrize(
    "pair",
    [pair for pair in PAIRS if pair.expected == "refuted"],
    ids=lambda pair: f"{pair.weaker} {pair.stronger}",
)
def test_an_execution_refutes(pair: Pair) -> None:
    _, _, text = pair.why.partition(": ")
    execution = read_execution(text)
    assert is_allowed(execution, pair.stronger)
    assert not is_allowed(execution, pair.weaker)


@cache
def verdicts() -> list[dict[str, bool]]:
    """What each model says of executions around cycles, always the same ones."""
    rng = random.Random(2)
    found = (cycle_execution(rng, sc) for sc in (0.0, 0.3, 0.8) for _ in range(400))
    return [{name: is_allowed(each, name) for name in NAMES} for each in found if is_atomic(each.graph)]


@pytest.mark.parametrize(("weaker", "stronger"), sorted(PROVED))
def test_no_execution_refutes_what_is_to_be_proved(weaker: str, stronger: str) -> None:
    assert not [each for each in verdicts() if each[stronger] and not each[weaker]]
