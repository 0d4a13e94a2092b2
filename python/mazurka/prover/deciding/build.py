"""Automata of terms, for the part of the language that has automata; the rest is approximated from one side.

Differs from ``kat.builder`` in its relations and predicates, and in that it never refuses a term: what is
not regular (``&`` between relations that may overlap, ``\\`` of compositions) is replaced by more words on
the smaller side of an inclusion and by fewer on the larger one, so that an answer "proved" stays right.
``approximated`` says what was replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mazurka._engine import Guard, Nfa
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import IRREFLEXIVE, ONE_LOCATION, Label, NotKnown, contains, label, meet
from mazurka.kat.meaning.terms import Relation
from mazurka.prover.theory.alphabet import END, START, Alphabet, NfaStep, edges_of
from mazurka.prover.theory.locations import one_location


class QueryBuilder:
    """Builds automata of terms; ``above`` says on which side of the term their words may err."""

    def __init__(
        self, alphabet: Alphabet, views: Mapping[str, Relation], *, above: bool, swap: bool = False
    ) -> None:
        self.alphabet = alphabet
        self.kernel = alphabet.kernel
        self.nothing = alphabet.test(alphabet.kernel.none())
        self.views = views
        self.above = above
        self.swap = swap  # which operand of an intersection replaces it, on the smaller side
        self.approximated: list[str] = []
        # By identity, as names share their terms; the term is kept, so that no other one gets its identity.
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
                return self.nothing
            case terms.Identity():
                return self.alphabet.test(alive)
            case terms.Guard(test):
                return self.alphabet.test(self.alphabet.events.mask(test) & alive)
            case terms.Base(name):
                which = label(name, inverse)
                one = self.alphabet.step(which, *self.alphabet.domain(which))
                loops = self.alphabet.loops.get(name)
                return one if loops is None else one.with_nullable(loops & alive)
            case terms.View(name):
                return self.build(self.views[name], inverse)
            case terms.Inverse(body):
                return self.build(body, not inverse)
            case terms.Union(left, right):
                return self.kernel.unite([self.build(left, inverse), self.build(right, inverse)])
            case terms.Sequence(left, right):
                first, second = (right, left) if inverse else (left, right)
                return self.kernel.concatenate(self.build(first, inverse), self.build(second, inverse))
            case terms.Plus(body):
                return self.kernel.repeat(self.build(body, inverse))
            case terms.Star(body):
                return self.kernel.repeat(self.build(body, inverse)).with_nullable(alive)
            case terms.Maybe(body):
                return self.build(body, inverse).with_nullable(alive)
            case terms.Rotation(body):
                return self.kernel.rotate(self.build(body, inverse))
            case terms.Variable() | terms.Fixpoint():
                raise AssertionError("the prover refuses fixpoints before")
            case terms.Intersection(left, right):
                return self._intersection(self.build(left, inverse), self.build(right, inverse))
            case terms.Difference(left, right):
                return self._difference(left, right, inverse)

    # Intersections --------------------------------------------------------------------------------------

    def _intersection(self, left: Nfa, right: Nfa) -> Nfa:
        for one, two in ((left, right), (right, left)):
            if not one.has_edges:
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
            return self.alphabet.test(left.nullable & right.nullable)
        return right if self.swap else left

    def _with_test(self, nfa: Nfa, events: Guard) -> Nfa:
        """The pairs of the relation that relate an event of a set to itself."""
        loops = nfa.nullable
        edges = edges_of(nfa)
        single = all(e.label[0] in IRREFLEXIVE for e in edges if (e.source, e.target) == (START, END))
        if edges and not (single and nfa.states == 2):
            self.approximated.append("an intersection with id")
            if self.above:
                starts = self._union(e.before for e in edges if e.source == START)
                loops |= starts & self._union(e.after for e in edges if e.target == END)
        return self.alphabet.test(loops & events)

    def _same_location(self, nfa: Nfa, location: Nfa) -> Nfa:
        """The pairs of the relation between accesses of one location (thesis §3.6.1).

        ``location`` may also relate an event to itself: that part of the relation is a test.
        """
        first, second = self.alphabet.domain(("loc-overlap", False))
        guards = [(e.before & first, e.after & second) for e in edges_of(location)]
        if self.above:
            same = one_location(nfa, self.kernel)
            if any(not _keeps(e) for e in edges_of(same)) or same.states > 2:
                self.approximated.append("an intersection with loc-overlap")
        else:
            same = self._one_step_in_location(nfa)
            if same.edges != nfa.edges:
                self.approximated.append("an intersection with loc-overlap")
        join, test = self.kernel.concatenate, self.alphabet.test
        restricted = [join(join(test(before), same), test(after)) for before, after in guards]
        if location.nullable:
            restricted.append(self._with_test(nfa, location.nullable))
        # A part's test is the whole's: a word of no step is in ``same`` for each pair of guards.
        nullable = restricted[-1].nullable if location.nullable else self.kernel.none()
        return self.kernel.unite(restricted).with_nullable(nullable)

    def _one_step_in_location(self, nfa: Nfa) -> Nfa:
        """The words of one step that keeps the location."""
        single = [e for e in edges_of(nfa) if (e.source, e.target) == (START, END)]
        same = one_location(self._two_states(single), self.kernel)
        return self._two_states(e for e in edges_of(same) if _keeps(e))

    def _two_states(self, edges: Iterable[NfaStep], nullable: Guard | None = None) -> Nfa:
        return self.kernel.nfa(2, list(edges), nullable or self.kernel.none())

    def _meet(self, left: Nfa, right: Nfa) -> Nfa:
        edges = set()
        for e in edges_of(left):
            for f in edges_of(right):
                for one in self.alphabet.parts(e.label):
                    for two in self.alphabet.parts(f.label):
                        edges |= self._met(e, f, meet(one, two), one, two)
        for first, second in ((left, right), (right, left)):
            reflexive = any(e.label[0] not in IRREFLEXIVE for e in edges_of(second))
            if reflexive and first.nullable & ~second.nullable:
                raise NotKnown("an intersection with id")
        return self._two_states(edges, left.nullable & right.nullable)

    def _met(self, e: NfaStep, f: NfaStep, met: Label | None, *labels: Label) -> set[NfaStep]:
        if met is None:
            return set()
        before, after = e.before & f.before, e.after & f.after
        for which in (met, *labels):
            first, second = self.alphabet.domain(which)
            before, after = before & first, after & second
        return {NfaStep(START, met, END, before, after)} if before and after else set()

    # Differences ----------------------------------------------------------------------------------------

    def _difference(self, left: Relation, right: Relation, inverse: bool) -> Nfa:
        whole = self.build(left, inverse)
        # The right side of a difference is approximated from the other side.
        other = QueryBuilder(self.alphabet, self.views, above=not self.above)
        gone = other.build(right, inverse)
        self.approximated += other.approximated
        if not gone.has_edges and not whole.has_edges:
            return self.alphabet.test(whole.nullable & ~gone.nullable)
        try:
            return self._without(whole, gone)
        except NotKnown as reason:
            self.approximated.append(str(reason))
            return whole if self.above else self.nothing

    def _without(self, whole: Nfa, gone: Nfa) -> Nfa:
        if whole.states > 2 or gone.states > 2:
            raise NotKnown("a difference of compositions")
        edges = [e._replace(label=part) for e in edges_of(whole) for part in self.alphabet.parts(e.label)]
        for f in edges_of(gone):
            left: list[NfaStep] = []
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
        if any(e.label[0] not in IRREFLEXIVE for e in edges_of(gone)) and whole.nullable:
            raise NotKnown("a difference with id")
        return self._two_states(edges, whole.nullable & ~gone.nullable)

    def _overlap(self, e: NfaStep, f: NfaStep) -> bool:
        if not (e.before & f.before and e.after & f.after):
            return False
        return any(meet(e.label, part) is not None for part in self.alphabet.parts(f.label))

    def _union(self, guards: Iterable[Guard]) -> Guard:
        found = self.kernel.none()
        for guard in guards:
            found |= guard
        return found


def _is_one_location(nfa: Nfa) -> bool:
    edges = edges_of(nfa)
    return nfa.states == 2 and bool(edges) and all(e.label[0] == "loc-overlap" for e in edges)


def _keeps(edge: NfaStep) -> bool:
    return edge.label[0] in ONE_LOCATION
