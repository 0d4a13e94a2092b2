"""Decides queries: builds both sides, saturates the larger one, and searches for a word that it lacks.

Implements thesis §3.4-3.7. An inclusion is one of languages after saturation of its larger side; that a
relation is irreflexive is an inclusion of its cyclic words in those that the assumptions forbid
(``cycles``).
Departs 1: a word that was found is only a candidate. It refutes the claim if its graph does (``refute``);
if not, facts were missing that no rule here knows, and the answer is unknown.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import islice

from mazurka.kat import terms
from mazurka.kat.terms import Inclusion, Span
from mazurka.prover.alphabet import Arc
from mazurka.prover.answers import Answer, Proved, Refuted, Step, Unknown
from mazurka.prover.automata import END, START, Nfa
from mazurka.prover.cycles import Ring, Tried
from mazurka.prover.events import TooManyPredicates
from mazurka.prover.facts import show
from mazurka.prover.graphs import CandidateGraph
from mazurka.prover.hypotheses import Hypotheses
from mazurka.prover.queries import Irreflexive, Query, Within, shapes
from mazurka.prover.refute import Path
from mazurka.prover.search import Letter, OutOfTime, Search, Steps

MOST_CANDIDATES = 8


class _Refutation(Exception):  # noqa: N818 - ends a search
    def __init__(self, path: Path, graph: CandidateGraph, side: str) -> None:
        super().__init__()
        self.path, self.graph, self.side = path, graph, side


def decide(query: Query, *, time_limit: float | None = None, allow_unused: bool = False) -> Answer:
    """Whether a claim holds; ``allow_unused`` leaves out assumptions that cannot be used."""
    began = time.monotonic()

    def seconds() -> float:
        return time.monotonic() - began

    def unknown(reason: str, *missing: str, span: Span | None = None) -> Unknown:
        return Unknown(reason, missing, span or query.span, seconds())

    try:
        decision = _Decision(query, None if time_limit is None else began + time_limit)
        unused = decision.known.unusable
        if unused and not allow_unused:
            return unknown("an assumption cannot be used", unused[0].reason, span=unused[0].span)
        decision.run()
    except TooManyPredicates as reason:
        return unknown("there are too many predicates", str(reason))
    except OutOfTime:
        return unknown("the time limit was reached")
    except _Refutation as found:
        word = _steps(found.path, decision)
        return Refuted(word, found.side, found.path.cyclic, found.graph, seconds())
    if decision.open:
        return unknown(decision.open, *dict.fromkeys(decision.missing))
    return Proved(seconds(), decision.size, decision.known.spans)


def _steps(path: Path, decision: _Decision) -> tuple[Step, ...]:
    kinds = [decision.known.events.kinds[block].predicates for block in path.blocks]
    return tuple(
        Step(name, inverse, kinds[number], kinds[(number + 1) % len(kinds)])
        for number, (name, inverse) in enumerate(path.labels)
    )


@dataclass
class _Decision:
    """The decision of one query: what is known, and what stayed open."""

    query: Query
    deadline: float | None
    size: int = 0
    open: str = ""
    missing: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.known = Hypotheses(self.query)
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
        left = smaller.build(shape.left)
        arcs = self.alphabet.exactly(left.edges)
        larger = self.known.builder(above=False)
        right = self.known.saturated(larger.build(shape.right))
        self.missing += smaller.approximated + larger.approximated
        for block in _blocks(left.nullable & ~larger.build(shape.right).nullable & self.alphabet.alive):
            self._candidate(Path((), (block,), False), claim, shape.side)
        steps = Steps(self.alphabet.within(right.edges), self.alphabet.events.everything)
        search = Search(arcs, steps, 1 << START, [1 << END], self.deadline)
        for word in islice(search.words(self.alphabet.alive, self.alphabet.alive), MOST_CANDIDATES):
            self._candidate(self._path(_chosen(word), cyclic=False), claim, shape.side)
        self.size += search.size

    # Irreflexivity --------------------------------------------------------------------------------------

    def _forbid(self, shape: Irreflexive, swap: bool) -> None:
        claim = Inclusion(terms.Intersection(shape.relation, terms.Identity()), terms.Empty())
        builder = self.known.builder(above=True, swap=swap)
        left = builder.build(shape.relation)
        self.missing += builder.approximated
        for block in _blocks(left.nullable & self.alphabet.alive):
            self._candidate(Path((), (block,), True), claim, "left")
        if self.open:
            return
        arcs = self.alphabet.exactly(left.edges)
        for total in (False, True):
            if not self._cycles(arcs, left, claim, total):
                self.open = ""  # of candidates that totality excludes
                return

    def _cycles(self, arcs: list[Arc], left: Nfa, claim: Inclusion, total: bool) -> bool:
        """Looks for cyclic words that are not forbidden; whether some candidate stayed open."""
        forbidden = self.known.forbidden(total=total)
        within = self.alphabet.within(forbidden.edges)
        tried = Tried(Ring(within, forbidden.states, self.alphabet.events.everything))
        still_open = False
        for block in _blocks(_ends(left) & self.alphabet.alive):
            still_open |= not self._from_block(arcs, tried, 1 << block, claim)
            if still_open and not total:
                return True
        return still_open

    def _from_block(self, arcs: list[Arc], tried: Tried, block: int, claim: Inclusion) -> bool:
        """Whether all cyclic words from an event of some block are forbidden."""
        again = True
        while again:
            again = False
            search = Search(arcs, *tried.product(), self.deadline)
            candidates = 0
            for word in search.words(block, block):
                chosen = _chosen(word)
                chain = tried.ring.closing(chosen)
                if chain is not None:
                    tried.add(chain)
                    again = True
                    break
                self._candidate(self._path(chosen, cyclic=True), claim, "left")
                candidates += 1
                if candidates >= MOST_CANDIDATES:
                    return False
            self.size += search.size
        return candidates == 0

    def _path(self, word: tuple[Letter, ...], *, cyclic: bool) -> Path:
        masks = [word[0].before, *(letter.after for letter in word)]
        blocks = tuple(mask.bit_length() - 1 for mask in masks)
        labels = tuple(self.alphabet.letters[letter.letter] for letter in word)
        return Path(labels, blocks[:-1] if cyclic else blocks, cyclic)

    def _candidate(self, path: Path, claim: Inclusion, side: str) -> None:
        """Raises _Refutation if the path's graph refutes the claim; else the claim stays open."""
        graph = self.known.refuter.graph(path, claim)
        if graph is not None:
            raise _Refutation(path, graph, side)
        word = " ; ".join(show(label) for label in path.labels) or "id"
        self.open = f"nothing known excludes {word}, and its graph does not refute the claim"


def _chosen(word: tuple[Letter, ...]) -> tuple[Letter, ...]:
    """One block for each event; a word's steps agree on the blocks in between, and any choice will do."""
    return tuple(Letter(s.letter, s.before & -s.before, s.after & -s.after) for s in word)


def _blocks(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def _ends(nfa: Nfa) -> int:
    """The blocks of an event at which a cyclic word may start and end."""
    first = last = 0
    for e in nfa.edges:
        if e.source == START:
            first |= e.before
        if e.target == END:
            last |= e.after
    return first & last
