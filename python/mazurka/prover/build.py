"""Automata of terms, for as much of the language as has automata; the rest is bounded from one side.

Departs from ``kat.builder`` in what relations and predicates there are, and in that it never refuses: what is
not regular (``&`` between relations that may overlap, ``\\`` of compositions) is replaced by more words on
the smaller side of an inclusion and by fewer on the larger one. An answer "proved" stays right by that;
``approximated`` says what was replaced.
"""

from __future__ import annotations

from collections.abc import Mapping

from mazurka.kat import terms
from mazurka.kat.terms import Relation
from mazurka.prover import automata
from mazurka.prover.alphabet import Alphabet
from mazurka.prover.automata import END, NOTHING, START, Edge, Nfa
from mazurka.prover.facts import IRREFLEXIVE, ONE_LOCATION, NotKnown, contains, label, meet
from mazurka.prover.locations import one_location


class Builder:
    """Builds automata of terms; ``above`` says on which side of the term their words may err."""

    def __init__(
        self, alphabet: Alphabet, views: Mapping[str, Relation], *, above: bool, swap: bool = False
    ) -> None:
        self.alphabet = alphabet
        self.views = views
        self.above = above
        self.swap = swap  # which operand of an intersection stands for it, on the smaller side
        self.approximated: list[str] = []
        # By identity, as names share what they stand for; the term is kept, so that no other gets it.
        self._known: dict[tuple[int, bool], tuple[Relation, Nfa]] = {}

    def build(self, term: Relation, inverse: bool = False) -> Nfa:
        """The automaton of a term, or of its inverse."""
        key = (id(term), inverse)
        if key not in self._known:
            self._known[key] = term, self._build(term, inverse)
        return self._known[key][1]

    def _build(self, term: Relation, inverse: bool) -> Nfa:
        alive = self.alphabet.alive
        match term:
            case terms.Empty():
                return NOTHING
            case terms.Identity():
                return automata.test(alive)
            case terms.Guard(test):
                return automata.test(self.alphabet.events.mask(test) & alive)
            case terms.Base(name):
                which = label(name, inverse)
                one = automata.step(which, *self.alphabet.domain(which))
                return Nfa(one.states, one.edges, alive) if name == "any" else one
            case terms.View(name):
                return self.build(self.views[name], inverse)
            case terms.Inverse(body):
                return self.build(body, not inverse)
            case terms.Union(left, right):
                return automata.unite(self.build(left, inverse), self.build(right, inverse))
            case terms.Sequence(left, right):
                first, second = (right, left) if inverse else (left, right)
                return automata.concatenate(self.build(first, inverse), self.build(second, inverse))
            case terms.Plus(body):
                return automata.repeat(self.build(body, inverse))
            case terms.Star(body):
                once = automata.repeat(self.build(body, inverse))
                return Nfa(once.states, once.edges, alive)
            case terms.Maybe(body):
                once = self.build(body, inverse)
                return Nfa(once.states, once.edges, alive)
            case terms.Rotation(body):
                return automata.rotate(self.build(body, inverse))
            case terms.Intersection(left, right):
                return self._intersection(self.build(left, inverse), self.build(right, inverse))
            case terms.Difference(left, right):
                return self._difference(left, right, inverse)

    # Intersections --------------------------------------------------------------------------------------

    def _intersection(self, left: Nfa, right: Nfa) -> Nfa:
        for one, two in ((left, right), (right, left)):
            if not one.edges:
                return self._with_test(two, one.nullable)
            if _is_one_location(one):
                return self._same_location(two, one)
        if left.states == 2 and right.states == 2:
            try:
                return self._meet(left, right)
            except NotKnown as reason:
                return self._either(left, right, str(reason))
        return self._either(left, right, "an intersection of relations")

    def _either(self, left: Nfa, right: Nfa, what: str) -> Nfa:
        self.approximated.append(what)
        if not self.above:
            return automata.test(left.nullable & right.nullable)
        return right if self.swap else left

    def _with_test(self, nfa: Nfa, blocks: int) -> Nfa:
        """What is in the relation and between an event of some blocks and itself."""
        loops = nfa.nullable
        single = all(e.label[0] in IRREFLEXIVE for e in nfa.edges if (e.source, e.target) == (START, END))
        if nfa.edges and not (single and nfa.states == 2):
            self.approximated.append("an intersection with id")
            if self.above:
                starts = _union(e.before for e in nfa.edges if e.source == START)
                loops |= starts & _union(e.after for e in nfa.edges if e.target == END)
        return automata.test(loops & blocks)

    def _same_location(self, nfa: Nfa, location: Nfa) -> Nfa:
        """What is in the relation and between accesses of one location (thesis §3.6.1)."""
        first, second = self.alphabet.domain(("loc-overlap", False))
        guards = [(e.before & first, e.after & second) for e in location.edges]
        if self.above:
            same = one_location(nfa)
            if any(e.label[0] not in ONE_LOCATION for e in same.edges) or same.states > 2:
                self.approximated.append("an intersection with loc-overlap")
        else:
            one_step = [e for e in nfa.edges if (e.source, e.target) == (START, END)]
            same = Nfa(2, frozenset(e for e in one_location(Nfa(2, frozenset(one_step))).edges if _keeps(e)))
            if same.edges != nfa.edges:
                self.approximated.append("an intersection with loc-overlap")
        restricted = [
            automata.concatenate(automata.concatenate(automata.test(before), same), automata.test(after))
            for before, after in guards
        ]
        parts = automata.unite(*restricted)
        return Nfa(parts.states, parts.edges, nfa.nullable & location.nullable)

    def _meet(self, left: Nfa, right: Nfa) -> Nfa:
        edges = set()
        for e in left.edges:
            for f in right.edges:
                for one in self.alphabet.parts(e.label):
                    for two in self.alphabet.parts(f.label):
                        edges |= self._met(e, f, meet(one, two), one, two)
        nullable = left.nullable & right.nullable
        for first, second in ((left, right), (right, left)):
            reflexive = any(e.label[0] not in IRREFLEXIVE for e in second.edges)
            if reflexive and first.nullable & ~second.nullable:
                raise NotKnown("an intersection with id")
        return Nfa(2, frozenset(edges), nullable)

    def _met(self, e: Edge, f: Edge, met: object, *labels: object) -> set[Edge]:
        if met is None:
            return set()
        before, after = e.before & f.before, e.after & f.after
        for which in (met, *labels):
            assert isinstance(which, tuple)
            first, second = self.alphabet.domain(which)
            before, after = before & first, after & second
        assert isinstance(met, tuple)
        return {Edge(START, met, END, before, after)} if before and after else set()

    # Differences ----------------------------------------------------------------------------------------

    def _difference(self, left: Relation, right: Relation, inverse: bool) -> Nfa:
        whole = self.build(left, inverse)
        # What is taken away is bounded from the other side.
        other = Builder(self.alphabet, self.views, above=not self.above)
        gone = other.build(right, inverse)
        self.approximated += other.approximated
        if not gone.edges and not whole.edges:
            return automata.test(whole.nullable & ~gone.nullable)
        try:
            return self._without(whole, gone)
        except NotKnown as reason:
            self.approximated.append(str(reason))
            return whole if self.above else NOTHING

    def _without(self, whole: Nfa, gone: Nfa) -> Nfa:
        if whole.states > 2 or gone.states > 2:
            raise NotKnown("a difference of compositions")
        edges = [e._replace(label=part) for e in whole.edges for part in self.alphabet.parts(e.label)]
        for f in gone.edges:
            left: list[Edge] = []
            for e in edges:
                if contains(f.label, e.label):
                    first, second = self.alphabet.domain(f.label)
                    before, after = f.before & first, f.after & second
                    left += [e._replace(before=e.before & ~before), e._replace(after=e.after & ~after)]
                elif self._overlap(e, f):
                    raise NotKnown("a difference of relations of which neither contains the other")
                else:
                    left.append(e)
            edges = [e for e in left if e.before and e.after]
        if gone.nullable and any(e.label[0] not in IRREFLEXIVE for e in edges):
            raise NotKnown("a difference with id")
        if any(e.label[0] not in IRREFLEXIVE for e in gone.edges) and whole.nullable:
            raise NotKnown("a difference with id")
        return Nfa(2, frozenset(edges), whole.nullable & ~gone.nullable)

    def _overlap(self, e: Edge, f: Edge) -> bool:
        if not (e.before & f.before and e.after & f.after):
            return False
        return any(meet(e.label, part) is not None for part in self.alphabet.parts(f.label))


def _is_one_location(nfa: Nfa) -> bool:
    return nfa.states == 2 and bool(nfa.edges) and all(e.label[0] == "loc-overlap" for e in nfa.edges)


def _keeps(edge: Edge) -> bool:
    return edge.label[0] in ONE_LOCATION


def _union(masks: object) -> int:
    found = 0
    for mask in masks:  # type: ignore[attr-defined]
        found |= mask
    return found
