"""Decides queries: builds both sides, saturates the larger one, and searches for a word that it lacks.

Implements thesis §3.4-3.7. An inclusion is one of languages after saturation of its larger side; that a
relation is irreflexive is an inclusion of its cyclic words in those that the assumptions forbid
(crates/automata, ``cycles``).
Departs 1: a word that was found is only a candidate. It refutes the claim if its graph does (``refute``).
Otherwise the rules lacked some fact, and the answer is unknown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import islice

from mazurka._engine import Guard, Nfa, OutOfMemory, OutOfTime
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import FENCES, PREDICATES
from mazurka.kat.meaning.facts import WHOLE, Label, show
from mazurka.kat.meaning.terms import Inclusion
from mazurka.machine import default_memory_limit
from mazurka.prover.deciding.abstraction import abstracted
from mazurka.prover.deciding.forbidden import EFFORTS, Forbidden
from mazurka.prover.deciding.hypotheses import Hypotheses, Unusable
from mazurka.prover.refuting.refute import Path
from mazurka.prover.refuting.unfolding import Unfolding, unfoldings
from mazurka.prover.theory.answers import Answer, PathStep, Proved, Refuted, Unknown
from mazurka.prover.theory.events import EventKind
from mazurka.prover.theory.graphs import CandidateGraph
from mazurka.prover.theory.limits import NO_MEMORY, NO_TIME, Limits
from mazurka.prover.theory.queries import Irreflexive, Query, Within, names_in, shapes

NOT_USED = "an assumption cannot be used"
MOST_CANDIDATES = 8
MOST_UNFOLDED = 200  # unfoldings of a term that are tried where its words were approximated
GRAPHS_OF_AN_UNFOLDING = 100
MOST_CYCLES = 8, 16  # by effort: candidates after which more facts are tried, or the search ends


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
    return Unknown(NOT_USED, (unused.reason,), unused.span, seconds)


def decide(
    query: Query,
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    allow_unused: bool = False,
) -> Answer:
    """Whether a claim holds; ``allow_unused`` leaves out assumptions that cannot be used.

    The limits are in seconds and in bytes that the process takes: half of what it may take if none is
    given.
    """
    memory = default_memory_limit() if memory_limit is None else memory_limit
    began = time.monotonic()

    def seconds() -> float:
        return time.monotonic() - began

    def unknown(reason: str, *missing: str) -> Unknown:
        return Unknown(reason, missing, query.span, seconds())

    def left() -> Limits:
        return Limits(None if time_limit is None else max(time_limit - seconds(), 0.0), memory)

    try:
        decision = _Decision(query, left())
        unused = decision.known.unusable
        if unused and not allow_unused:
            return _not_used(unused[0], seconds())
        stated = next((s for s in query.theory.assumptions if s.claim == query.claim), None)
        if stated is not None:
            return Proved(seconds(), 0, (stated.span,))
        proof = _simply_proved(query, left)
        if proof is None:
            decision.run()
            if decision.known.refuter.undefined and decision.open:
                _Decision(_without_errors(query), left()).run()
    except OutOfTime:
        return unknown(NO_TIME)
    except (OutOfMemory, MemoryError):
        return unknown(NO_MEMORY)
    except _Refutation as found:
        word = _steps(found.path, query)
        return Refuted(word, found.side, found.path.cyclic, found.graph, seconds())
    if proof is None and decision.open:
        return unknown(decision.open, *dict.fromkeys(decision.missing))
    # A part of an assumption may have been used, even if the whole cannot be.
    return Proved(seconds(), (proof or decision).size, decision.known.spans)


def _without_errors(query: Query) -> Query:
    """The same question about executions that no error rule concerns: fewer of them refute it."""
    theory = query.theory
    assert theory.errors is not None, "else no program is undefined"
    nothing = [Inclusion(rule.left, terms.Empty()) for rule in theory.errors.rules]
    more = tuple(terms.Statement(claim, theory.assumptions[0].span) for claim in nothing)
    return replace(query, theory=replace(theory, assumptions=(*theory.assumptions, *more)))


def is_proved(query: Query, limits: Limits) -> bool:
    """Whether a claim is proved, without a search for a refutation; unusable assumptions are left out."""
    return (
        any(statement.claim == query.claim for statement in query.theory.assumptions)
        or _simply_proved(query, lambda: limits) is not None
        or _proved(query, limits) is not None
    )


def _simply_proved(query: Query, left: Callable[[], Limits]) -> _Decision | None:
    """The decision of a question with fewer letters that proves the query."""
    simpler = abstracted(query, lambda small: _proved(small, left()) is not None)
    return None if simpler is None else _proved(simpler, left())


def _proved(query: Query, limits: Limits) -> _Decision | None:
    """The decision of a query, if it is proved."""
    decision = _Decision(query, limits, refutes=False)
    decision.run()
    return None if decision.open else decision


def _steps(path: Path, query: Query) -> tuple[PathStep, ...]:
    """The steps of a word, by the relations that the claim names; for rf, the internal or external half."""
    claim, views = query.claim, query.theory.views
    named = {name for side in (claim.left, claim.right) for name in names_in(side, views)[0]}
    kinds = [kind.predicates for kind in path.kinds]
    steps = []
    for number, (name, inverse) in enumerate(path.labels):
        if name not in named and WHOLE.get(name, "rf") != "rf":
            name = WHOLE[name]
        steps.append(PathStep(name, inverse, kinds[number], kinds[(number + 1) % len(kinds)]))
    return tuple(steps)


def _irreflexive(shape: Irreflexive) -> Inclusion:
    return Inclusion(terms.Intersection(shape.relation, terms.Identity()), terms.Empty())


def _path(found: Unfolding, kinds: tuple[EventKind, ...]) -> Path:
    """The walk of an unfolding as a word."""
    events = [event for event, _ in found.walk]
    cyclic = found.at == events[0]
    visited = events if cyclic else [*events, found.at]
    return Path(tuple(step for _, step in found.walk), tuple(kinds[event] for event in visited), cyclic)


@dataclass
class _Decision:
    """The decision of one query: what is known, and what stayed open."""

    query: Query
    limits: Limits
    refutes: bool = True  # whether words that no fact excludes are tried as counterexamples
    size: int = 0
    open: str = ""
    missing: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = Hypotheses(self.query, self.limits)
        self.kernel = self.known.kernel
        self.forbidden = Forbidden(self.known)
        self.fences = self.known.events.of_classes(FENCES)
        self.atomic = self.known.events.of_classes(PREDICATES["RLX"])  # these seldom concern errors
        self.alphabet = self.known.alphabet

    def run(self) -> None:
        """Raises _Refutation, or leaves ``open`` empty if everything is proved."""
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
                # Another operand of an intersection may work where one did not.
                if not self.open or not approximated:
                    break
            if self.open:
                if self.refutes and approximated:
                    self._unfold(shape)
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
        for labels, events in islice(words, MOST_CANDIDATES if self.refutes else 1):
            self._candidate(labels, events, claim, shape.side, cyclic=False)
        self.size += words.size

    # Irreflexivity --------------------------------------------------------------------------------------

    def _forbid(self, shape: Irreflexive, swap: bool) -> None:
        claim = _irreflexive(shape)
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
                self.open = ""  # number of candidates that more facts exclude
                return

    def _cycles(self, left: Nfa, claim: Inclusion, effort: int) -> bool:
        """Looks for cyclic words that are not forbidden; whether some candidate stayed open."""
        words = self.kernel.cyclic_words(left, self.forbidden.cycles(effort), self.alphabet.alive)
        candidates = 0
        for labels, events in islice(words, MOST_CYCLES[effort] if self.refutes else 1):
            self._candidate(labels, events, claim, "left", cyclic=True)
            candidates += 1
        self.size += words.size
        return candidates > 0

    def _candidate(
        self, labels: list[Label], events: list[Guard], claim: Inclusion, side: str, *, cyclic: bool
    ) -> None:
        """Raises _Refutation if a word's graph refutes the claim; else the claim stays open."""
        self._try_graphs(labels, events, claim, side, cyclic=cyclic)
        word = " ; ".join(show(label) for label in labels) or "id"
        found = "no execution with this path was found to refute the claim"
        if self.known.refuter.undefined:
            found = "the only executions found with it belong to programs that the model calls erroneous"
        self.open = f"no fact excludes the path {word}, but {found}"

    def _try_graphs(
        self, labels: list[Label], events: list[Guard], claim: Inclusion, side: str, *, cyclic: bool
    ) -> None:
        if not self.refutes:
            return
        for kinds in self._choices(events):
            self.kernel.look()
            path = Path(tuple(labels), kinds, cyclic)
            graph = self.known.refuter.graph(path, claim)
            if graph is not None:
                raise _Refutation(path, graph, side)

    def _unfold(self, shape: Within | Irreflexive) -> None:
        """Raises _Refutation if a small graph refutes what words did not: see ``unfolding``."""
        if isinstance(shape, Within):
            term, side, claim = shape.left, shape.side, Inclusion(shape.left, shape.right)
        else:
            term, side, claim = shape.relation, "left", _irreflexive(shape)
        left = MOST_UNFOLDED
        for found in unfoldings(term, self.alphabet, self.known.views, loops=isinstance(shape, Irreflexive)):
            for kinds in self._choices(list(found.guards)):
                graph = self.known.refuter.graph_with(kinds, found.edges, claim, GRAPHS_OF_AN_UNFOLDING)
                if graph is not None:
                    raise _Refutation(_path(found, kinds), graph, side)
            left -= 1
            if not left:
                return

    def _choices(self, events: list[Guard]) -> Iterable[tuple[EventKind, ...]]:
        """Some ways to choose what the events of a sketch are."""
        choices = [self._kinds(events), self._kinds(events, self.fences)]
        if self.query.theory.errors is not None:
            choices.insert(0, self._kinds(events, self.atomic))
        return dict.fromkeys(choices)

    def _kinds(self, events: list[Guard], preferred: Guard | None = None) -> tuple[EventKind, ...]:
        """Kinds for the events of a word, preferred ones if possible, because these need smaller graphs."""
        chosen = [(preferred and guard & preferred) or guard for guard in events]
        return tuple(self.known.events.kind(guard.example()) for guard in chosen)
