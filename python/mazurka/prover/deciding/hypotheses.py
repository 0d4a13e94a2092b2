"""What a query may use: its assumptions, sorted by how they are used, beside the built-in facts.

Inclusions saturate the larger side (``assumptions``), irreflexive relations forbid cycles, and an
assumption that a relation is empty forbids every word that contains a word of it. Events that an assumption
excludes are left out from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mazurka._engine import Guard, Nfa, Saturated
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.facts import ACROSS, IRREFLEXIVE, ONE_LOCATION, contains
from mazurka.kat.meaning.parts import replaced, subterms
from mazurka.kat.meaning.terms import Inclusion, Relation, Span
from mazurka.prover.deciding.assumptions import (
    RewriteRule,
    reflexive_relations,
    transitive_relations,
    useful_rules,
)
from mazurka.prover.deciding.build import QueryBuilder
from mazurka.prover.refuting.refute import Refuter
from mazurka.prover.theory.alphabet import END, START, Alphabet, edges_of
from mazurka.prover.theory.coherence import COHERENCE
from mazurka.prover.theory.events import Events, primitives
from mazurka.prover.theory.limits import Limits
from mazurka.prover.theory.queries import Irreflexive, Query, Within, names_in, shapes
from mazurka.prover.theory.updates import with_updates_split


class Unusable(NamedTuple):
    """An assumption that cannot be used, and why."""

    span: Span
    reason: str


class Hypotheses:
    """The assumptions of a query, ready for use."""

    def __init__(self, query: Query, limits: Limits | None = None) -> None:
        theory = query.theory
        self.views = theory.views
        self.spans = tuple(statement.span for statement in theory.assumptions)
        self.unusable: list[Unusable] = []
        self.shown, self._synonym = theory.shown, theory.synonym
        self.identity = (theory.assumptions, frozenset(theory.views.items()))  # of what is assumed
        claims = [s.claim for s in theory.assumptions if s.claim is not None]
        totals = [s.total for s in theory.assumptions if s.total is not None]
        sides = [side for c in (query.claim, *claims) for side in (c.left, c.right)]
        names, tests = set[str](), list[terms.Test]()
        for term in (*sides, *totals):
            more, others = names_in(term, theory.views)
            names |= more
            tests += others
        self.names = names
        named = {name for test in tests for name in primitives(test)}
        self.exclusive = "rmw" in names or bool(named & {"UR", "UW", "EXCL", "NEXCL"})
        self.events = Events(named, theory.disjoint, limits)
        self.kernel = self.events.kernel
        self.orders: dict[str, terms.Test] = {}
        for statement in theory.assumptions:
            if statement.total is not None:
                self._take_total(statement.total, statement.span)
        self._transitive = frozenset(self.orders) | transitive_relations(claims)
        reflexive = reflexive_relations(claims, theory.views)
        self._loops = {name: self.events.mask(test) for name, test in reflexive.items()}
        self.alphabet = Alphabet(
            self.events, names, self.events.everything, self._transitive, None, self._loops
        )
        self.rules: list[RewriteRule] = []
        self.irreflexive: list[Nfa] = []
        self.short_forms: list[Nfa] = []  # the same relations, with as few words as possible
        self.empty: list[Nfa] = []
        self._backwards = any(
            isinstance(term, terms.Inverse)
            for side in (query.claim.left, query.claim.right)
            for term in subterms(side)
        )
        self._leave_out(theory.assumptions)
        inclusions: list[tuple[Inclusion, Nfa | None]] = []
        for statement in theory.assumptions:
            inclusions += self._take(statement)
        self.refuter = Refuter(
            self.events,
            self.views,
            inclusions,
            self.orders,
            self._transitive,
            reflexive,
            self.kernel.look,
            theory.errors,
        )
        self.rules = [rule for rule in self.rules if not self._is_built_in(rule)]
        self.coherent = self._know_coherence(query.claim)
        self.kernel.set_letters([])
        self.alphabet.set_words(coherent=self.coherent)

    def builder(self, *, above: bool, swap: bool = False) -> QueryBuilder:
        """A builder for one side of an inclusion."""
        return QueryBuilder(self.alphabet, self.views, above=above, swap=swap)

    def _leave_out(self, assumptions: tuple[terms.Statement, ...]) -> None:
        """Leaves out events that would violate an assumption by themselves."""
        gone = self.kernel.none()
        for statement in assumptions:
            for shape in () if statement.claim is None else shapes(statement.claim):
                if isinstance(shape, Irreflexive):
                    gone |= self.builder(above=False).build(shape.relation).nullable
                else:
                    loops = self.builder(above=False).build(shape.left).nullable
                    right = self.builder(above=True).build(shape.right)
                    if not _may_loop(right):
                        gone |= loops & ~right.nullable
        alive = self.events.everything & ~gone
        narrower = self._narrower(assumptions)
        if gone or narrower:
            self.alphabet = Alphabet(self.events, self.names, alive, self._transitive, narrower, self._loops)

    def _narrower(self, assumptions: tuple[terms.Statement, ...]) -> dict[str, tuple[Guard, Guard]]:
        """What the ends of a relation can be: an order, or one that is assumed to be within another."""
        ordered = {name: self.events.mask(test) for name, test in self.orders.items()}
        found = {name: (events, events) for name, events in ordered.items()}
        for statement in assumptions:
            for shape in () if statement.claim is None else shapes(statement.claim):
                match shape:
                    case Within(terms.Base(name), right):
                        larger = self.builder(above=True).build(right)
                    case Within(terms.Inverse(terms.Base(name)), right):
                        larger = self.builder(above=True).build(right, inverse=True)
                    case _:
                        continue
                first, last = found.get(name, (self.alphabet.alive, self.alphabet.alive))
                found[name] = first & _firsts(larger), last & _lasts(larger)
        return found

    def _take(self, statement: terms.Statement) -> list[tuple[Inclusion, Nfa | None]]:
        """Sorts an assumption; what a counterexample must satisfy, with its larger side's automaton."""
        checked: list[tuple[Inclusion, Nfa | None]] = []
        for shape in () if statement.claim is None else shapes(statement.claim):
            fewer = self.builder(above=False)
            if isinstance(shape, Irreflexive):
                words = fewer.build(shape.relation)
                self.irreflexive.append(words)
                self.short_forms.append(fewer.build(self._in_short(shape.relation)))
                if self._backwards or any(e.label[1] for e in edges_of(words)):
                    # The same cycles, walked the other way.
                    self.irreflexive.append(self.kernel.reverse(words))
                same = terms.Intersection(shape.relation, terms.Identity())
                checked.append((Inclusion(same, terms.Empty()), None))
            else:
                more = self.builder(above=True)
                smaller, larger = fewer.build(shape.left), more.build(shape.right)
                self._take_inclusion(smaller, larger, shape, statement.span)
                checked.append((Inclusion(shape.left, shape.right), larger if larger.has_edges else None))
            if fewer.approximated:
                self.unusable.append(Unusable(statement.span, fewer.approximated[0]))
        return checked

    def _in_short(self, term: Relation) -> Relation:
        return term if self._synonym is None else replaced(term, *self._synonym)

    def _take_inclusion(self, smaller: Nfa, larger: Nfa, shape: Within, span: Span) -> None:
        if isinstance(shape.right, terms.Empty):
            self.empty.append(smaller.with_nullable(self.kernel.none()))
            return
        if smaller.nullable & ~larger.nullable & self.alphabet.alive:
            self.unusable.append(Unusable(span, "that an event is related to itself by other steps"))
        rule = RewriteRule(smaller.with_nullable(self.kernel.none()), larger)
        self.rules.append(rule)
        if self._backwards or any(e.label[1] for e in edges_of(smaller)):
            self.rules.append(RewriteRule(*map(self.kernel.reverse, rule)))  # the same, walked the other way

    def _take_total(self, term: Relation, span: Span) -> None:
        """``total [T] ; r ; [T]``: r is a strict total order of the events that pass T, and of no others."""
        match term:
            case terms.Base(name):
                test: terms.Test = terms.Anything()
            case terms.Sequence(terms.Sequence(terms.Guard(one), terms.Base(name)), terms.Guard(two)) if (
                one == two
            ):
                test = one
            case _:
                name, test = "", terms.Anything()
        if name in ("co", "mo"):
            return  # a built-in fact
        if not name or name in IRREFLEXIVE or name == "any":
            self.unusable.append(Unusable(span, "totality of a relation that is not declared"))
            return
        if self.orders.setdefault(name, test) != test:
            self.unusable.append(Unusable(span, "totality of one relation on two sets of events"))

    def _built_in(self, *parts: Nfa) -> list[RewriteRule]:
        """Facts that are used like assumptions.

        fr is ``rf^-1 ; co``; a read reads from one write; po-loc leaves a thread by creation, join or
        meeting.
        """
        walked = self.kernel.has_letters(("rf", True))
        backwards = walked or any(contains(("rf", True), e.label) for part in parts for e in edges_of(part))
        builder = self.builder(above=True)
        pairs: list[tuple[Relation, Relation]] = []
        rf, po = terms.Base("rf"), terms.Base("po")
        back = terms.Inverse(rf)
        if backwards:
            pairs.append((terms.Base("fr"), terms.Sequence(back, terms.Base("co"))))
        if walked:
            pairs.append((terms.Sequence(rf, back), terms.Identity()))
        if (ACROSS, False) in self.alphabet.letters:
            crossing = terms.Either(terms.Primitive("TC"), terms.Primitive("TJ"))
            leaving = terms.Guard(terms.Either(crossing, terms.Primitive("BARRIER")))
            pairs.append((terms.Base(ACROSS), terms.Sequence(terms.Sequence(po, leaving), po)))
        return [RewriteRule(builder.build(smaller), builder.build(larger)) for smaller, larger in pairs]

    def _know_coherence(self, claim: Inclusion) -> bool:
        """Whether what follows from coherence may be used (thesis §3.6.1).

        Not for an irreflexive relation of single locations: that is proved from the totality of co. Then
        coherence is all that is needed of the assumptions, unless the claim concerns only some events.
        """
        names, tests = set[str](), list[terms.Test]()
        for side in (claim.left, claim.right):
            more, others = names_in(side, self.views)
            names |= more
            tests += others
        if not names <= ONE_LOCATION or any(isinstance(shape, Within) for shape in shapes(claim)):
            return any(self._forbids(term) for term in COHERENCE)
        if self.irreflexive and self._forbids(COHERENCE[1]):
            form = self.builder(above=False).build(COHERENCE[1])
            self.irreflexive = [form, *self.irreflexive] if tests else [form]
        return False

    def _is_built_in(self, rule: RewriteRule) -> bool:
        """Whether the built-in facts imply a rule."""
        self.kernel.set_letters([])
        self.kernel.add_letters(rule.smaller)
        right = self.kernel.saturate(rule.larger, [])
        return not any(True for _ in self.kernel.words(rule.smaller, right, self.alphabet.alive))

    def _forbids(self, term: Relation) -> bool:
        """Whether irreflexive relations forbid a term's cycles, by facts alone."""
        left = self.builder(above=True).build(term)
        self.kernel.set_letters([])
        self.kernel.add_letters(left)
        right = self.kernel.saturate(self.kernel.unite(self.irreflexive), [])
        return self.all_cycles(left, right)

    def all_cycles(self, left: Nfa, forbidden: Saturated) -> bool:
        """Whether all cyclic words of an automaton are forbidden."""
        return not any(True for _ in self.kernel.cyclic_words(left, forbidden, self.alphabet.alive))

    def smaller(self, nfa: Nfa) -> Nfa:
        """The smaller side of an inclusion, in the words about which most is known."""
        return with_updates_split(nfa, self.events) if self.exclusive else nfa

    # The larger side ------------------------------------------------------------------------------------

    def saturated(self, *parts: Nfa, known: Iterable[Nfa] = ()) -> Saturated:
        """The larger side of an inclusion, with all words that assumptions and facts add.

        ``known`` are further parts, with all words that facts add.
        """
        rules = useful_rules([*self.rules, *self._built_in(*parts)], self.alphabet)
        anything = self.builder(above=False).build(terms.Base("any"))
        join = self.kernel.concatenate
        impossible = [join(join(anything, words), anything) for words in self.empty]
        nfa = self.kernel.unite([*parts, *known, *impossible])
        return self.kernel.saturate(nfa, rules)


def _may_loop(nfa: Nfa) -> bool:
    """Whether a word of at least one step may lead from an event to itself."""
    single = nfa.states == 2
    return nfa.has_edges and not (single and all(e.label[0] in IRREFLEXIVE for e in edges_of(nfa)))


def _firsts(nfa: Nfa) -> Guard:
    """What the first event of a word can be."""
    found = nfa.nullable
    for e in edges_of(nfa):
        if e.source == START:
            found |= e.before
    return found


def _lasts(nfa: Nfa) -> Guard:
    found = nfa.nullable
    for e in edges_of(nfa):
        if e.target == END:
            found |= e.after
    return found
