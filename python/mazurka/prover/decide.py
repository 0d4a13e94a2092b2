"""Decides queries: builds both sides, saturates the larger one, and searches for a word that it lacks.

Implements thesis §3.4-3.7. An inclusion is one of languages after saturation of its larger side; that a
relation is irreflexive is an inclusion of its cyclic words in those that the assumptions forbid
(crates/automata, ``cycles``).
Departs 1: a word that was found is only a candidate. It refutes the claim if its graph does (``refute``);
if not, facts were missing that no rule here knows, and the answer is unknown.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import islice

from mazurka._engine import Guard, Nfa, OutOfTime
from mazurka.kat import terms
from mazurka.kat.classes import FENCES
from mazurka.kat.terms import Inclusion
from mazurka.prover.abstraction import abstracted
from mazurka.prover.answers import Answer, Proved, Refuted, Step, Unknown
from mazurka.prover.events import Kind
from mazurka.prover.facts import WHOLE, Label, show
from mazurka.prover.forbidden import EFFORTS, Forbidden
from mazurka.prover.graphs import CandidateGraph
from mazurka.prover.hypotheses import Hypotheses, Unusable
from mazurka.prover.queries import Irreflexive, Query, Within, names_in, shapes
from mazurka.prover.refute import Path

MOST_CANDIDATES = 8
MOST_CYCLES = 8, 16  # by effort: candidates after which more facts are tried, or none is looked at any more


class _Refutation(Exception):  # noqa: N818 - ends a search
    def __init__(self, path: Path, graph: CandidateGraph, side: str) -> None:
        super().__init__()
        self.path, self.graph, self.side = path, graph, side


def unusable(query: Query) -> Unknown | None:
    """The first assumption of a query that cannot be used, as the answer that says so."""
    began = time.monotonic()
    unused = Hypotheses(query).unusable
    return _not_used(unused[0], time.monotonic() - began) if unused else None


def _not_used(unused: Unusable, seconds: float) -> Unknown:
    return Unknown("an assumption cannot be used", (unused.reason,), unused.span, seconds)


def decide(query: Query, *, time_limit: float | None = None, allow_unused: bool = False) -> Answer:
    """Whether a claim holds; ``allow_unused`` leaves out assumptions that cannot be used."""
    began = time.monotonic()

    def seconds() -> float:
        return time.monotonic() - began

    def unknown(reason: str, *missing: str) -> Unknown:
        return Unknown(reason, missing, query.span, seconds())

    def left() -> float | None:
        return None if time_limit is None else max(time_limit - seconds(), 0.0)

    try:
        decision = _Decision(query, time_limit)
        unused = decision.known.unusable
        if unused and not allow_unused:
            return _not_used(unused[0], seconds())
        simpler = abstracted(query, lambda small: _proved(small, left()) is not None)
        proof = None if simpler is None else _proved(simpler, left())
        if proof is None:
            decision.run()
    except OutOfTime:
        return unknown("the time limit was reached")
    except _Refutation as found:
        word = _steps(found.path, query)
        return Refuted(word, found.side, found.path.cyclic, found.graph, seconds())
    if proof is None and decision.open:
        return unknown(decision.open, *dict.fromkeys(decision.missing))
    left_out = {each.span for each in unused}
    used = tuple(span for span in decision.known.spans if span not in left_out)
    return Proved(seconds(), (proof or decision).size, used)


def _proved(query: Query, time_limit: float | None) -> _Decision | None:
    """The decision of a query, if it is proved."""
    decision = _Decision(query, time_limit)
    try:
        decision.run()
    except _Refutation:
        return None
    return None if decision.open else decision


def _steps(path: Path, query: Query) -> tuple[Step, ...]:
    """The steps of a word by the relations that the claim names; of rf the half says more."""
    claim, views = query.claim, query.theory.views
    named = {name for side in (claim.left, claim.right) for name in names_in(side, views)[0]}
    kinds = [kind.predicates for kind in path.kinds]
    steps = []
    for number, (name, inverse) in enumerate(path.labels):
        if name not in named and WHOLE.get(name, "rf") != "rf":
            name = WHOLE[name]
        steps.append(Step(name, inverse, kinds[number], kinds[(number + 1) % len(kinds)]))
    return tuple(steps)


@dataclass
class _Decision:
    """The decision of one query: what is known, and what stayed open."""

    query: Query
    time_limit: float | None
    size: int = 0
    open: str = ""
    missing: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = Hypotheses(self.query, self.time_limit)
        self.kernel = self.known.kernel
        self.forbidden = Forbidden(self.known)
        self.fences = self.known.events.of_classes(FENCES)
        self.alphabet = self.known.alphabet

    def run(self) -> None:
        """Raises _Refutation, or leaves ``open`` empty if all is proved."""
        for shape in shapes(self.query.claim):
            for swap in (False, True):
                self.open, missing = "", list(self.missing)
                self.missing.clear()
                if isinstance(shape, Within):
                    self._include(shape, swap)
                else:
                    self._forbid(shape, swap)
                approximated = list(self.missing)
                self.missing[:0] = missing
                # Another operand of an intersection may do where one did not.
                if not self.open or not approximated:
                    break
            if self.open:
                return

    # Inclusions -----------------------------------------------------------------------------------------

    def _include(self, shape: Within, swap: bool) -> None:
        claim = Inclusion(shape.left, shape.right)
        smaller = self.known.builder(above=True, swap=swap)
        left = self.known.smaller(smaller.build(shape.left))
        self.kernel.add_letters(left)
        larger = self.known.builder(above=False)
        whole = larger.build(shape.right)
        right = self.known.saturated(whole)
        self.missing += smaller.approximated + larger.approximated
        reflexive = left.nullable & ~whole.nullable & self.alphabet.alive
        if reflexive:
            self._candidate([], [reflexive], claim, shape.side, cyclic=False)
        words = self.kernel.words(left, right, self.alphabet.alive)
        for labels, events in islice(words, MOST_CANDIDATES):
            self._candidate(labels, events, claim, shape.side, cyclic=False)
        self.size += words.size

    # Irreflexivity --------------------------------------------------------------------------------------

    def _forbid(self, shape: Irreflexive, swap: bool) -> None:
        claim = Inclusion(terms.Intersection(shape.relation, terms.Identity()), terms.Empty())
        builder = self.known.builder(above=True, swap=swap)
        left = self.known.smaller(builder.build(shape.relation))
        self.missing += builder.approximated
        reflexive = left.nullable & self.alphabet.alive
        if reflexive:
            self._candidate([], [reflexive], claim, "left", cyclic=True)
        if self.open:
            return
        self.kernel.add_letters(left)
        for effort in range(EFFORTS):
            if not self._cycles(left, claim, effort):
                self.open = ""  # of candidates that more facts exclude
                return

    def _cycles(self, left: Nfa, claim: Inclusion, effort: int) -> bool:
        """Looks for cyclic words that are not forbidden; whether some candidate stayed open."""
        words = self.kernel.cyclic_words(left, self.forbidden.cycles(effort), self.alphabet.alive)
        candidates = 0
        for labels, events in islice(words, MOST_CYCLES[effort]):
            self._candidate(labels, events, claim, "left", cyclic=True)
            candidates += 1
        self.size += words.size
        return candidates > 0

    def _candidate(
        self, labels: list[Label], events: list[Guard], claim: Inclusion, side: str, *, cyclic: bool
    ) -> None:
        """Raises _Refutation if a word's graph refutes the claim; else the claim stays open."""
        for kinds in dict.fromkeys((self._kinds(events), self._kinds(events, self.fences))):
            self.kernel.look()
            path = Path(tuple(labels), kinds, cyclic)
            graph = self.known.refuter.graph(path, claim)
            if graph is not None:
                raise _Refutation(path, graph, side)
        word = " ; ".join(show(label) for label in labels) or "id"
        self.open = f"no fact excludes the path {word}, and no execution with it is found to refute the claim"

    def _kinds(self, events: list[Guard], preferred: Guard | None = None) -> tuple[Kind, ...]:
        """What the events of a word are; of those preferred if they can be, as these need less of a graph."""
        chosen = [(preferred and guard & preferred) or guard for guard in events]
        return tuple(self.known.events.kind(guard.example()) for guard in chosen)
