"""Monotonicity, by inspection of a model's terms (thesis §3.8).

A change makes a program stronger if it can only enlarge the relations whose cycles or pairs the axioms forbid
(between the old events), and can only shrink the conflicts of error rules. Three changes are considered: a
fence is added, an access gets a stronger mode, two threads are merged (the events of one after those of the
other). The relations that a term names must then grow, or shrink to the right of a difference.
Departs 1: tests are compared by the kinds of events that pass them, not by their text, so the complement of a
predicate does no harm where it means the same as a positive test. Departs 2: ``rfi`` does no harm, because it
grows when threads are merged; ``rfe`` shrinks.
I1: inspection can show that a model is monotone, never that it is not: if the argument fails, the answer is
Unknown. I2: terms that must not grow are considered as a whole: a composition grows with its parts, and also
by a new event between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from mazurka.kat.language.load import named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.builtins import RELATIONS
from mazurka.kat.meaning.classes import FENCES
from mazurka.kat.meaning.conditions import refuse_conditions
from mazurka.kat.meaning.facts import ends
from mazurka.kat.meaning.parts import parts
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.show import show
from mazurka.kat.meaning.terms import Model, Relation
from mazurka.prover.questions.topics import Question, Topic
from mazurka.prover.theory.answers import Answer, Proved, Unknown
from mazurka.prover.theory.events import BUILT_IN, EventKind, primitives
from mazurka.prover.theory.graphs import passes

_STRONGER = {
    "R": (("na", "rlx"), ("rlx", "acq"), ("acq", "sc")),
    "W": (("na", "rlx"), ("rlx", "rel"), ("rel", "sc")),
    "F": (("rlx", "acq"), ("rlx", "rel"), ("acq", "acqrel"), ("rel", "acqrel"), ("acqrel", "sc")),
}
_SHRINK_WITH_A_FENCE = frozenset(("po-imm",))
# Steps through a new fence are one past it; in same-thread there may be none, as they may lead back.
_TRANSITIVE = frozenset(("po", "any"))
_TRANSITIVE_IF_REFLEXIVE = _TRANSITIVE | {"same-thread"}
_CHANGE_WITH_FEWER_THREADS = frozenset(("detour", "tc", "tj", "po-imm"))
_GROW_WITH_FEWER_THREADS = _CHANGE_WITH_FEWER_THREADS | {
    *("po", "po-loc", "same-thread", "rfi", "coi", "fri", "ctrl")
}
_SHRINK_WITH_FEWER_THREADS = _CHANGE_WITH_FEWER_THREADS | {"rfe", "coe", "fre"}


def is_monotone(given: str) -> Topic:
    """Whether changes that should make a program stronger do so under a model."""
    model = named_model(given)
    refuse_conditions(model)
    questions = (
        _inspected(model, "fences", "adding a fence allows no new execution", _WithAFence),
        _inspected(model, "modes", "a stronger access mode allows no new execution", _WithAStrongerMode),
        _inspected(model, "threads", "merging two threads allows no new execution", _WithFewerThreads),
    )
    return Topic(f"{model.name} is monotone", questions)


def _inspected(model: Model, name: str, text: str, change: type[_Change]) -> Question:
    missing = []
    for axiom in model.axioms:
        found = change(model.views).broken(axiom.relation, grows=True)
        missing += [f"{axiom.name}: {reason}" for reason in dict.fromkeys(found)]
    for rule in (rule for rule in model.errors if not rule.warning):
        found = change(model.views).new_errors(rule.constraint)
        missing += [f"{rule.name}: {reason}" for reason in dict.fromkeys(found)]
    reason = "the terms alone do not show it"
    answer: Answer = Unknown(reason, tuple(missing), None, 0.0) if missing else Proved(0.0, 0)
    return Question(name, text, None, answer=answer)


@dataclass
class _Change:
    """A change of programs, and where the argument fails that terms grow (or do not grow) by it."""

    views: Mapping[str, Relation]
    _seen: set[tuple[str, bool]] = field(default_factory=set)

    def broken(self, term: Relation, *, grows: bool) -> Iterator[str]:
        """Where a term that must grow may shrink, or the other way round."""
        match term:
            case terms.View(name):
                if (name, grows) not in self._seen:
                    self._seen.add((name, grows))
                    yield from self.broken(self.views[name], grows=grows)
            case terms.Difference(left, right):
                yield from self.broken(left, grows=grows)
                yield from self.broken(right, grows=not grows)
            case terms.Rotation():
                yield "nothing is known about rot"
            case terms.Fixpoint():
                yield "nothing is known about fixpoints"
            case terms.Base() if term.name not in RELATIONS:
                yield f"nothing is known about the relation {term.name}"
            case terms.Base():
                yield from self.relation(term.name, grows=grows)
            case terms.Guard():
                yield from self.guard(term, grows=grows)
            case _:
                for part in parts(term):
                    yield from self.broken(part, grows=grows)
                if not grows:
                    yield from self._composed(term)

    def _composed(self, term: Relation) -> Iterator[str]:
        match term:
            case terms.Sequence(left, right):
                yield from self.between(left, right)
            case terms.Plus(terms.Base(name)) if name in _TRANSITIVE:
                return
            case terms.Star(terms.Base(name)) if name in _TRANSITIVE_IF_REFLEXIVE:
                return
            case terms.Plus(body) | terms.Star(body):
                yield from self.between(body, body)

    def new_errors(self, rule: terms.Inclusion) -> Iterator[str]:
        """Where a change may make a program break an error rule."""
        yield from self.broken(rule.left, grows=False)
        yield from self.broken(rule.right, grows=True)

    def relation(self, name: str, *, grows: bool) -> Iterator[str]:
        """What is wrong with a built-in relation, as for ``broken``."""
        return iter(())

    def guard(self, term: terms.Guard, *, grows: bool) -> Iterator[str]:
        """What is wrong with a test."""
        return iter(())

    def between(self, left: Relation, right: Relation) -> Iterator[str]:
        """Where a composition may grow though its parts do not."""
        return iter(())


@dataclass
class _WithAFence(_Change):
    _known: dict[tuple[str, bool], int] = field(default_factory=dict)

    def relation(self, name: str, *, grows: bool) -> Iterator[str]:
        if grows and name in _SHRINK_WITH_A_FENCE:
            yield f"a fence in between breaks {name}"

    def between(self, left: Relation, right: Relation) -> Iterator[str]:
        if self._fences(left, last=True) & self._fences(right, last=False):
            yield f"{show(left)} ; {show(right)} must not grow, but a fence in between makes it grow"

    def new_errors(self, rule: terms.Inclusion) -> Iterator[str]:
        yield from super().new_errors(rule)
        if self._fences(rule.left, last=True) or self._fences(rule.left, last=False):
            yield f"{show(rule.left)} may relate the fence to other events"

    def _fences(self, term: Relation, *, last: bool) -> int:
        """The classes of fences that the first or last event of a pair may have, at most."""
        match term:
            case terms.Empty():
                return 0
            case terms.Base(name):
                return ends(name)[last] & FENCES
            case terms.Guard(test):
                return sum(1 << number for number in _fences_passing(test))
            case terms.View(name):
                if (name, last) not in self._known:
                    self._known[name, last] = self._fences(self.views[name], last=last)
                return self._known[name, last]
            case terms.Inverse(body):
                return self._fences(body, last=not last)
            case terms.Plus(body):
                return self._fences(body, last=last)
            case terms.Difference(left, _):
                return self._fences(left, last=last)
            case terms.Union(left, right):
                return self._fences(left, last=last) | self._fences(right, last=last)
            case terms.Intersection(left, right):
                return self._fences(left, last=last) & self._fences(right, last=last)
            case terms.Sequence(left, right):
                outer, inner = (right, left) if last else (left, right)
                found = self._fences(outer, last=last)
                is_test = isinstance(outer, terms.Guard)
                return found & self._fences(inner, last=last) if is_test else found
            case _:
                return FENCES


def _fences_passing(test: terms.Test) -> Iterator[int]:
    for number in (number for number in range(len(CLASSES)) if FENCES >> number & 1):
        if any(passes(EventKind(number, extra).predicates, test) for extra in _extras(test)):
            yield number


class _WithAStrongerMode(_Change):
    def guard(self, term: terms.Guard, *, grows: bool) -> Iterator[str]:
        for weak, strong in _strengthened():
            for extra in _extras(term.test):
                before, after = (
                    passes(EventKind(kind, extra).predicates, term.test) for kind in (weak, strong)
                )
                if (before and not after) if grows else (after and not before):
                    what = f"a {CLASSES[weak]} {'passes' if before else 'fails'} {show(term)}"
                    yield f"{what} and a {CLASSES[strong]} does not"
                    return


class _WithFewerThreads(_Change):
    def relation(self, name: str, *, grows: bool) -> Iterator[str]:
        if grows and name in _SHRINK_WITH_FEWER_THREADS:
            yield f"{name} is lost when its events end up in one thread"
        if not grows and name in _GROW_WITH_FEWER_THREADS:
            yield f"{name} grows to the right of \\"


def _strengthened() -> Iterator[tuple[int, int]]:
    """Classes of events, each with the class of the next stronger mode."""
    for number, name in enumerate(CLASSES):
        kind, *rest = name.split(".")
        for weak, strong in _STRONGER.get(kind, ()):
            if rest[0] == weak:
                yield number, CLASSES.index(".".join((kind, strong, *rest[1:])))


def _extras(test: terms.Test) -> Iterator[frozenset[str]]:
    """Sets of the predicates in a test that the class of an event does not decide."""
    names = primitives(test) - BUILT_IN.keys()
    for size in range(len(names) + 1):
        yield from map(frozenset, combinations(sorted(names), size))
