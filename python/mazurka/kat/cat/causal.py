"""The causal order of a ``.cat`` model with dependencies: what of po the engine keeps with an event.

A ``.kat`` file states it as its ppo. Here it is read off the axioms. The word of a cycle that an axiom
forbids alternates between steps from thread to thread (rfe, coe, fre) and *segments* within a thread. The
causal order has the segments, as far as no cycle of these and rf is allowed: each is added if the words of
such cycles are words of one axiom. To these comes ``detour``, so that a store is never added after a load
behind it that has seen what overwrites it.

A relation within a thread that cannot be taken apart, such as ``po-loc \\ same-write``, is a letter here,
whatever it denotes. ``co`` and ``fr`` count as steps between threads. Their parts within a thread are left to
coherence, as in the models of machines.

I1: cycles of the causal order and rfe are forbidden by an axiom.

Nothing is proved about exploration with such an order. If an event cannot be added to a consistent graph, the
engine refuses the program (``Plan.is_assumed``), because executions may then be lost. Random models and
programs are compared with brute force (tests/property/test_cat_order.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mazurka.kat.cat.algebra import composition
from mazurka.kat.cat.words import Words, words_included
from mazurka.kat.meaning.facts import DEPENDENCIES
from mazurka.kat.meaning.parts import rebuilt, relations_in, replaced, size
from mazurka.kat.meaning.rewrite import alternatives, chain, expand, factors, leaves, union
from mazurka.kat.meaning.terms import (
    Axiom,
    Base,
    Difference,
    Empty,
    Guard,
    Identity,
    Intersection,
    Maybe,
    Model,
    Plus,
    Relation,
    Sequence,
    Star,
    Union,
)

_WITHIN = frozenset(
    ("po", "po-loc", "po-imm", "rmw", "rfi", "coi", "fri", "detour", "tc", "tj", *DEPENDENCIES)
)
_COMMUNICATION = frozenset(("rf", "co", "fr", "rfe", "rfi", "coe", "coi", "fre", "fri", "po-loc", "rmw"))
_RFE = Base("rfe")
_RF = Union(_RFE, Base("rfi"))
_IDENTITY = Identity()


def causal_order(model: Model) -> Relation | None:
    """The causal order of a model; None if its axioms are not about dependencies."""
    stated = [*(axiom.relation for axiom in model.axioms), *model.views.values()]
    if not any(relations_in(term) & DEPENDENCIES for term in stated):
        return None
    return _Derivation().order(
        (axiom, replaced(expand(axiom.relation, model.views), Base("rf"), _RF))
        for axiom in model.axioms
        if axiom.kind in ("acyclic", "irreflexive")
    )


class _Segments(NamedTuple):
    """The words of a term, cut at steps between threads; letters stand for relations within a thread."""

    whole: Relation  # the words without such a step
    first: Relation  # of the others, what comes before the first such step,
    last: Relation  # what comes after the last one,
    inner: Relation  # and what stands between two of them


_STEP = _Segments(Empty(), _IDENTITY, _IDENTITY, Empty())


@dataclass
class _Derivation:
    letters: dict[Relation, Base] = field(default_factory=dict)
    words: list[Words] = field(default_factory=list)  # of the axioms that forbid cycles

    def order(self, axioms: Iterable[tuple[Axiom, Relation]]) -> Relation:
        found: list[Relation] = []
        for axiom, term in axioms:
            if _is_of_one_location(term):
                continue
            repeated = Plus(term) if axiom.kind == "acyclic" else term
            self.words.append(Words.of(self._lettered(repeated)))
            cut = self._cut(repeated)
            for segment in (cut.whole, cut.inner, composition(cut.last, cut.first)):
                found += _candidates(segment)
        kept: list[Relation] = []
        for segment in sorted(dict.fromkeys(found), key=size):
            if not self._is_known(segment, kept) and self._is_causal([*kept, segment]):
                kept.append(segment)
        meaning: dict[Relation, Relation] = {letter: term for term, letter in self.letters.items()}
        return union([*(_spelt(segment, meaning) for segment in kept), Base("detour")])

    def _is_known(self, segment: Relation, kept: list[Relation]) -> bool:
        return words_included(Words.of(segment), Words.of(Star(union(kept)) if kept else _IDENTITY))

    def _is_causal(self, segments: list[Relation]) -> bool:
        """Whether an axiom forbids the cycles of segments and rfe (I1)."""
        cycles = Words.of(Plus(union([*segments, self._letter(_RFE)])))
        return any(words_included(cycles, words) for words in self.words)

    def _letter(self, term: Relation) -> Base:
        kind = "[" if isinstance(term, Guard) else "#"  # ``words_included`` knows guards by it
        return self.letters.setdefault(term, Base(f"{kind}{len(self.letters)}"))

    def _lettered(self, term: Relation) -> Relation:
        """The words of a term."""
        if _is_within(term):
            return self._within(term)
        match term:
            case Union() | Sequence() | Plus() | Star() | Maybe():
                return rebuilt(term, self._lettered)
        return self._letter(term)

    def _within(self, term: Relation) -> Relation:
        """A relation within a thread: a letter for each alternative, beside the tests at its ends."""
        match term:
            case Union() | Plus() | Star() | Maybe():
                return rebuilt(term, self._within)
            case Identity() | Empty():
                return term
        steps = factors(term)
        inside = [number for number, step in enumerate(steps) if not isinstance(step, Guard)]
        if not inside:
            return chain([self._letter(step) for step in steps])
        core = chain(steps[inside[0] : inside[-1] + 1])
        if isinstance(core, Sequence) or not isinstance(core, Union | Plus | Star | Maybe):
            middle: Relation = self._letter(core)
        else:
            middle = self._within(core)
        before, behind = steps[: inside[0]], steps[inside[-1] + 1 :]
        return chain([*map(self._letter, before), middle, *map(self._letter, behind)])

    def _cut(self, term: Relation) -> _Segments:
        if _is_within(term):
            return _Segments(self._within(term), Empty(), Empty(), Empty())
        match term:
            case Union(left, right):
                one, two = self._cut(left), self._cut(right)
                return _Segments(*(_or(a, b) for a, b in zip(one, two, strict=True)))
            case Sequence(left, right):
                one, two = self._cut(left), self._cut(right)
                return _Segments(
                    composition(one.whole, two.whole),
                    _or(one.first, composition(one.whole, two.first)),
                    _or(two.last, composition(one.last, two.whole)),
                    _or(_or(one.inner, two.inner), composition(one.last, two.first)),
                )
            case Plus(body):
                return _repeated(self._cut(body))
            case Star(body):
                cut = _repeated(self._cut(body))
                return cut._replace(whole=_or(_IDENTITY, cut.whole))
            case Maybe(body):
                cut = self._cut(body)
                return cut._replace(whole=_or(_IDENTITY, cut.whole))
        return _STEP


def _repeated(cut: _Segments) -> _Segments:
    between = Star(cut.whole) if cut.whole not in (Empty(), _IDENTITY) else _IDENTITY
    return _Segments(
        Plus(cut.whole) if isinstance(between, Star) else cut.whole,
        composition(between, cut.first),
        composition(cut.last, between),
        _or(cut.inner, composition(composition(cut.last, between), cut.first)),
    )


def _or(one: Relation, two: Relation) -> Relation:
    known = alternatives(one)
    return union([*known, *(part for part in alternatives(two) if part not in known)])


def _candidates(segment: Relation) -> Iterator[Relation]:
    """Segments one by one; of what is repeated, the part that is, as the causal order is transitive."""
    match segment:
        case Union(left, right):
            yield from _candidates(left)
            yield from _candidates(right)
        case Plus(body) | Star(body) | Maybe(body):
            yield from _candidates(body)
        case Identity() | Empty():
            pass
        case _:
            yield segment


def _is_within(term: Relation) -> bool:
    """Whether a relation leads only forwards in a thread, or from an event to itself."""
    match term:
        case Base(name):
            return name in _WITHIN
        case Guard() | Identity() | Empty():
            return True
        case Union(left, right) | Sequence(left, right):
            return _is_within(left) and _is_within(right)
        case Intersection(left, right):
            return _is_within(left) or _is_within(right)
        case Difference(left, _):
            return _is_within(left)
        case Plus(body) | Star(body) | Maybe(body):
            return _is_within(body)
    return False


def _is_of_one_location(term: Relation) -> bool:
    """Whether all steps of a term are between accesses of one location."""
    return all(
        isinstance(leaf, Guard | Identity | Empty) or (isinstance(leaf, Base) and leaf.name in _COMMUNICATION)
        for leaf in leaves(term)
    )


def _spelt(term: Relation, meaning: dict[Relation, Relation]) -> Relation:
    known = meaning.get(term)
    return rebuilt(term, lambda part: _spelt(part, meaning)) if known is None else known
