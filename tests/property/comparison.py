"""The engine compared with brute force: one exploration, and what it must share with the reference.

Brute force gets the model, the engine its Plan. If brute force has findings, the engine, which stops at its
first one, must have found one of them, and its counts mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine_graphs import canonical_from_engine
from hypothesis import strategies as st
from mazurka import _engine
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.kat.planning.planner import tables_of
from mazurka.program import Program
from mazurka.reference import Executions
from mazurka.reference.canonical import Canonical, Equivalence, without_co
from shipped_models import NAMES
from shipped_models import plan_of as plan_of

WEAK = NAMES[1:]
EQUIVALENCES: tuple[Equivalence, ...] = ("co", "rf")
SEEDS = st.one_of(st.none(), st.integers(0, 2**32 - 1))
AUDITS = st.sampled_from([False, False, True])


class Found(NamedTuple):
    """What the engine found; a violated rule of the model is called by its name, as brute force does."""

    status: str
    kind: str | None
    complete: int
    blocked: int
    graphs: tuple[_engine.RawGraph, ...]
    explored: _engine.Explored


@cache
def shipped(name: str) -> Model:
    """A shipped model."""
    return named_model(name)


@cache
def mixed_plan_of(name: str) -> Plan:
    """The Plan of a shipped model for accesses of several sizes."""
    return tables_of(shipped(name), mixed_sizes=True)


def explore(
    program: Program,
    plan: Plan,
    *,
    equivalence: Equivalence = "co",
    seed: int | None = None,
    audit: bool = False,
    liveness: bool = False,
    load_annotations: bool = True,
    confirmations: bool = True,
    helping: bool = False,
    postpones: bool = True,
    unroll: int | None = None,
    mixed_sizes: bool = False,
    workers: int = 1,
) -> Found:
    """What the engine finds."""
    result = _engine.explore(
        program.encode(),
        plan.encode(),
        schedule_seed=seed,
        collect=True,
        liveness=liveness,
        load_annotations=load_annotations,
        confirmations=confirmations,
        helping=helping,
        postpones=postpones,
        audit=audit,
        unroll=unroll,
        reads_from=equivalence == "rf",
        mixed_sizes=mixed_sizes,
        workers=workers,
        eager=workers > 1,
    )
    kind = None
    if result.finding:
        rule = result.finding.rule
        kind = result.finding.kind if rule is None else plan.errors[rule].name
    return Found(result.status, kind, result.complete, result.blocked, result.graphs, result)


def assert_same(
    found: Found, expected: Executions, equivalence: Equivalence = "co", *, early: bool = False
) -> None:
    """The engine found what brute force did, each execution once; ``expected`` has co.

    ``early``: executions count in which an assumption stopped a thread early (``Frontier.early``).
    """
    if expected.findings:
        assert found.status == "violation"
        assert found.kind in expected.findings
        return
    assert found.status == "finished", found.kind
    complete, blocked = _counted(expected, equivalence, early=early)
    assert _forms(found, equivalence) == complete
    assert found.blocked == len(blocked)


def assert_between(
    found: Found, least: Callable[[], Executions], most: Executions, equivalence: Equivalence = "co"
) -> None:
    """As ``assert_same``, where it is known what the engine may miss: what only ``most`` has."""
    if most.findings or found.status != "finished":
        assert_same(found, most, equivalence, early=True)
        return
    forms = _forms(found, equivalence)
    last, stopped_at_most = _counted(most, equivalence)
    if (forms, found.blocked) == (last, len(stopped_at_most)):
        return
    first, stopped = _counted(least(), equivalence)
    assert first <= forms <= last
    assert len(stopped) <= found.blocked <= len(stopped_at_most)


def _counted(
    expected: Executions, equivalence: Equivalence, *, early: bool = True
) -> tuple[set[Canonical], set[Canonical]]:
    """The complete and the blocked executions that count."""
    complete, blocked = expected.complete, expected.blocked
    if early or equivalence == "rf":
        blocked = blocked | expected.early
    if equivalence == "rf":
        return set(map(without_co, complete)), set(map(without_co, blocked))
    return complete, blocked


def _forms(found: Found, equivalence: Equivalence) -> set[Canonical]:
    forms = [canonical_from_engine(graph, equivalence) for graph in found.graphs]
    assert len(forms) == len(set(forms)) == found.complete, "an execution was found twice"
    return set(forms)
