"""Requirement (a): a model's axioms forbid every cycle of po and rf. The prover has to show it.

A cycle of po and rf changes threads along rfe, because po and rfi only go forwards in a thread. So it is a
cycle of ``[R] ; po ; [W] ; rfe``, and the axioms must imply that there is none. If the model has a ppo, which
is not transitive, a path of its steps, rmw and rfi takes the place of po (``kat.planning.preserved`` I1).

Departs 1: each axiom is tried alone first, the shortest first, because one axiom suffices in most models.
I1: a model is refused unless this is proved. The path in the message is part of an execution that all axioms
allow, if one was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import TypeAlias

from mazurka.deadline import look, seconds_left
from mazurka.errors import ErrorCode, ModelError
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import EVENTS, READS, WRITES, describe, place_of
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.rewrite import expand, leaves
from mazurka.kat.planning.preserved import preserved_of
from mazurka.prover import (
    CandidateGraph,
    Evaluator,
    Proved,
    Query,
    Refuted,
    Theory,
    Unknown,
    claim_of,
    decide,
    unusable,
)

SECONDS = 20.0  # per question; far more than any shipped model needs

_STORES = WRITES & EVENTS  # without initial writes
_Uniform: TypeAlias = tuple[int, int]  # the class of all reads of a graph, and of all writes


def unmet_by_axioms(model: terms.Model) -> list[ModelError]:
    """The error that refuses a model, unless its axioms are shown to forbid the cycles."""
    ppo = None if preserved_of(model) is None else model.ppo
    cycles = _cycles(ppo)
    by_length = sorted(model.axioms, key=lambda axiom: len(leaves(expand(axiom.relation, model.views))))
    for axiom in by_length if len(by_length) > 1 else ():
        if isinstance(_answer(model, cycles, (axiom,)), Proved):
            return []
    answer = _answer(model, cycles, model.axioms)
    if isinstance(answer, Proved):
        return []
    if isinstance(answer, Refuted):
        if ppo is not None:  # a path of ppo alone is preferred, if there is one
            simpler = _answer(model, _cycles(ppo, whole=False), model.axioms)
            answer = simpler if isinstance(simpler, Refuted) else answer
        found = _AllowedExecution(answer, model)
        why, span = f"no axiom forbids {found.path()}", found.nearest()
    else:
        # What cannot be used says more than what was missed for that.
        said = unusable(_query(model, cycles, model.axioms)) or answer
        why = "; ".join([f"the prover cannot tell: {said.reason}", *said.missing])
        span = said.span or (model.axioms[0].span if model.axioms else None)
    order = "po" if ppo is None else "ppo"
    return [
        ModelError(
            ErrorCode.BAD_MODEL,
            f"cycles of {order} and rf are not shown to be forbidden: {why}",
            place=place_of(span),
            hint=f"add the axiom acyclic {order} | rf; "
            "--unchecked-model leaves out executions with such cycles",
        )
    ]


def _cycles(ppo: terms.Relation | None, *, whole: bool = True) -> terms.Relation:
    """The relation of which the explorer never builds a cycle; ``whole`` adds rmw and rfi to a ppo."""
    within: terms.Relation = terms.Base("po")
    if ppo is not None:
        beside = (terms.Base("rmw"), terms.Base("rfi")) if whole else ()
        within = terms.Plus(reduce(terms.Union, beside, ppo))
    read, write = (terms.Guard(terms.Primitive(name)) for name in "RW")
    return reduce(terms.Sequence, (read, within, write, terms.Base("rfe")))


def _answer(
    model: terms.Model, cycles: terms.Relation, axioms: tuple[terms.Axiom, ...]
) -> Proved | Refuted | Unknown:
    """Whether some axioms forbid the cycles; those that the prover cannot use are left out."""
    answer = decide(_query(model, cycles, axioms), time_limit=seconds_left(SECONDS), allow_unused=True)
    look()  # an answer that the user's time limit cut off does not count
    return answer


def _query(model: terms.Model, cycles: terms.Relation, axioms: tuple[terms.Axiom, ...]) -> Query:
    assumed = tuple(terms.Statement(claim_of(axiom), axiom.span) for axiom in axioms)
    claim = terms.Inclusion(terms.Intersection(terms.Plus(cycles), terms.Identity()), terms.Empty())
    return Query("causality", claim, Theory(assumed, model.disjoint, model.views))


class _AllowedExecution:
    """An execution that the axioms allow, generalised to the kinds of accesses that it can have."""

    def __init__(self, answer: Refuted, model: terms.Model) -> None:
        self._answer = answer
        self._model = model
        self._reads, self._writes = self._widened()

    def path(self) -> str:
        """The cycle; a repeated part is shown once if all repetitions are alike."""
        steps = [step.relation for step in self._answer.word]
        if not self._reads:  # accesses of different kinds are needed
            return " ; ".join(f"[{_kind(step.before)}] ; {step.relation}" for step in self._answer.word)
        period = next(n for n in range(1, len(steps) + 1) if steps == steps[:n] * (len(steps) // n))
        guards = {name: describe(mask) for name, mask in (("R", self._reads), ("W", self._writes))}
        kinds = [_letter(step.before) for step in self._answer.word]
        return " ; ".join(
            f"{guards[kind]} ; {step}" if kind in guards else step
            for kind, step in zip(kinds[:period], steps[:period], strict=True)
        )

    def nearest(self) -> terms.Span | None:
        """The place of the axiom that forbids most of such executions."""

        def forbids(axiom: terms.Axiom) -> int:
            return sum(not self._holds(axiom, one) for one in product(_bits(READS), _bits(_STORES)))

        return max(self._model.axioms, key=forbids).span if self._model.axioms else None

    def _widened(self) -> tuple[int, int]:
        """Classes of reads and of writes: any one of each, for all accesses, gives an allowed execution."""
        for first in self._uniform():
            reads, writes = 1 << first[0], 1 << first[1]
            for write in _bits(_STORES):
                writes |= self._allowed((first[0], write)) << write
            for read in _bits(READS):
                reads |= all(self._allowed((read, write)) for write in _bits(writes)) << read
            return reads, writes
        return 0, 0

    def _uniform(self) -> Iterator[_Uniform]:
        if any(step.relation == "rmw" for step in self._answer.word):
            return iter(())
        return (one for one in product(_bits(READS), _bits(_STORES)) if self._allowed(one))

    def _allowed(self, one: _Uniform) -> bool:
        return all(self._holds(axiom, one) for axiom in self._model.axioms)

    def _holds(self, axiom: terms.Axiom, one: _Uniform) -> bool:
        graph = _with_classes(self._answer.graph, *one)
        return Evaluator(graph, self._model.views).holds(claim_of(axiom))


def _with_classes(graph: CandidateGraph, read: int, write: int) -> CandidateGraph:
    """The graph with all reads of one class and all writes of another."""
    classes = [
        read if READS >> kind.number & 1 else write if _STORES >> kind.number & 1 else kind.number
        for kind in graph.kinds
    ]
    kinds = (kind._replace(number=number) for kind, number in zip(graph.kinds, classes, strict=True))
    return replace(graph, kinds=tuple(kinds))


def _bits(mask: int) -> list[int]:
    return [number for number in range(len(CLASSES)) if mask >> number & 1]


def _letter(predicates: frozenset[str]) -> str:
    return next((name for name in "RWF" if name in predicates), "")


def _kind(predicates: frozenset[str]) -> str:
    modes = [name for name in ("SC", "REL", "ACQ", "RLX", "NA") if name in predicates]
    return "&".join([_letter(predicates), *modes[:1]])
