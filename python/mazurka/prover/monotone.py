"""Monotonicity, by inspection of a model's terms (thesis §3.8).

A change of a program makes it stronger if every relation that an axiom forbids cycles or pairs of can only
grow by it. Three changes are looked at: a fence is put in, an access gets a stronger mode, two threads become
one (the events of one after those of the other). What a term names must then grow, or shrink to the right of
a difference.
Departs 1: tests are compared by the kinds of events that pass them, not by their words, so that the
complement of a predicate breaks nothing where it says the same as a positive test. Departs 2: ``rfi`` breaks
nothing, as it grows when threads become one; ``rfe`` shrinks.
I1: inspection shows that a model is monotone, never that it is not: what breaks the argument is an Unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from mazurka.kat import terms
from mazurka.kat.builtins import RELATIONS
from mazurka.kat.conditions import refuse_conditions
from mazurka.kat.parts import signed_leaves
from mazurka.kat.plan import CLASSES
from mazurka.kat.show import show
from mazurka.kat.terms import Model, Relation
from mazurka.prover.answers import Answer, Proved, Unknown
from mazurka.prover.events import BUILT_IN, Kind, primitives
from mazurka.prover.graphs import passes
from mazurka.prover.modelnames import named_model
from mazurka.prover.topics import Question, Topic

_Leaf = tuple[Relation, bool]  # a base relation or guard, and whether it must grow
_STRONGER = {
    "R": (("na", "rlx"), ("rlx", "acq"), ("acq", "sc")),
    "W": (("na", "rlx"), ("rlx", "rel"), ("rel", "sc")),
    "F": (("rlx", "acq"), ("rlx", "rel"), ("acq", "acqrel"), ("rel", "acqrel"), ("acqrel", "sc")),
}
_SHRINK_WITH_A_FENCE = frozenset(("po-imm",))
_GROW_WITH_FEWER_THREADS = frozenset(("po", "po-loc", "same-thread", "rfi", "coi", "fri"))
_SHRINK_WITH_FEWER_THREADS = frozenset(("rfe", "coe", "fre", "detour", "tc", "tj", "po-imm"))


def is_monotone(given: str) -> Topic:
    """Whether changes that should make a program stronger do, under a model."""
    model = named_model(given)
    refuse_conditions(model)
    questions = (
        _inspected(model, "fences", "putting in a fence allows nothing new", _with_a_fence),
        _inspected(model, "modes", "a stronger access mode allows nothing new", _with_a_stronger_mode),
        _inspected(model, "threads", "making one thread of two allows nothing new", _with_fewer_threads),
    )
    return Topic(f"{model.name} is monotone", questions)


def _inspected(model: Model, name: str, text: str, breaks: Callable[[_Leaf], str | None]) -> Question:
    missing = []
    for axiom in model.axioms:
        found = (breaks(leaf) for leaf in signed_leaves(axiom.relation, model.views))
        missing += [f"{axiom.name}: {reason}" for reason in dict.fromkeys(filter(None, found))]
    reason = "the terms alone do not show it"
    answer: Answer = Unknown(reason, tuple(missing), None, 0.0) if missing else Proved(0.0, 0)
    return Question(name, text, None, answer=answer)


def _with_a_fence(leaf: _Leaf) -> str | None:
    term, grows = leaf
    if isinstance(term, terms.Base) and term.name in _SHRINK_WITH_A_FENCE and grows:
        return f"{term.name} is lost where the fence comes between"
    return _declared(term)


def _with_fewer_threads(leaf: _Leaf) -> str | None:
    term, grows = leaf
    if not isinstance(term, terms.Base):
        return None
    if grows and term.name in _SHRINK_WITH_FEWER_THREADS:
        return f"{term.name} is lost when its events come into one thread"
    if not grows and term.name in _GROW_WITH_FEWER_THREADS:
        return f"{term.name} grows to the right of \\"
    return _declared(term)


def _declared(term: Relation) -> str | None:
    if isinstance(term, terms.Base) and term.name not in RELATIONS:
        return f"nothing is known of the relation {term.name}"
    return None


def _with_a_stronger_mode(leaf: _Leaf) -> str | None:
    term, grows = leaf
    if not isinstance(term, terms.Guard):
        return _declared(term)
    for weak, strong in _strengthened():
        for extra in _subsets(primitives(term.test) - BUILT_IN.keys()):
            before, after = (passes(Kind(kind, extra).predicates, term.test) for kind in (weak, strong))
            if (before and not after) if grows else (after and not before):
                what = f"a {CLASSES[weak]} {'passes' if before else 'fails'} {show(term)}"
                return f"{what} and a {CLASSES[strong]} does not"
    return None


def _strengthened() -> Iterator[tuple[int, int]]:
    """Classes of events, with those that the next stronger mode makes of them."""
    for number, name in enumerate(CLASSES):
        kind, *rest = name.split(".")
        for weak, strong in _STRONGER.get(kind, ()):
            if rest[0] == weak:
                yield number, CLASSES.index(".".join((kind, strong, *rest[1:])))


def _subsets(names: set[str]) -> Iterator[frozenset[str]]:
    for size in range(len(names) + 1):
        yield from map(frozenset, combinations(sorted(names), size))
