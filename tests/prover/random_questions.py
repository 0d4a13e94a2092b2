"""Random small queries: claims that hold, and claims that nearly do.

Two random terms are seldom related, so most claims are of a term and what a few rewritings make of it. Some
rewritings are facts about graphs, some are the same facts with one thing wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Base, Inclusion, Relation, Statement
from mazurka.prover import Query, Theory
from mazurka.prover.theory.coherence import COHERENCE

_BASES = (
    *(
        "po",
        "po",
        "po-loc",
        "po-imm",
        "rf",
        "rf",
        "rfe",
        "rfi",
        "co",
        "co",
        "coe",
        "coi",
        "fr",
        "fr",
        "fre",
        "fri",
    ),
    *("rmw", "same-thread", "loc-overlap", "any", "tc", "tj"),
)
_DECLARED = ("r", "s")
_PREDICATES = ("R", "W", "F", "R", "W", "F", "REL", "ACQ", "SC", "UR", "UW", "NA", "LOC", "INIT", "A")
_WIDER = {
    **{"rfe": "rf", "rfi": "rf", "coe": "co", "coi": "co", "fre": "fr", "fri": "fr", "po-loc": "po"},
    **{"rmw": "po-imm", "po-imm": "po", "po": "same-thread", "rf": "loc-overlap", "co": "loc-overlap"},
    **{"fr": "loc-overlap", "tc": "po", "tj": "po", "loc-overlap": "any", "same-thread": "any", "r": "s"},
}
_SAME = {  # for a relation words that are within it, or nearly
    "po": ("po ; po", "rfi", "po-loc ; po", "rmw", "same-thread", "tc ; po"),
    "po-loc": ("po-loc ; po-loc", "rfi", "rmw", "po & loc-overlap", "po ; po-loc"),
    "co": ("co ; co", "rf ; fr", "co ; rf ; fr", "coe | coi", "rf ; rmw", "rf ; rf^-1 ; co"),
    "fr": ("fr ; co", "rf^-1 ; co", "fr ; rf ; fr", "fre | fri", "co^-1 ; fr"),
    "rf": ("rfe | rfi", "rf ; rf^-1 ; rf", "co ; rf", "rfi ; po"),
    "coe": ("coe ; coi", "coi ; coe", "coe ; coe", "rfe ; fri", "rfi ; fre", "rfe ; fre"),
    "fre": ("fre ; coi", "fri ; coe", "fre ; coe", "rfe^-1 ; coi", "rfi^-1 ; coe"),
    "coi": ("coi ; coi", "rfi ; fri", "co & same-thread", "rfe ; fre"),
    "fri": ("fri ; coi", "rfi^-1 ; coi", "rfe^-1 ; coe", "fr & same-thread"),
    "rfe": ("rf \\ same-thread", "rf \\ po", "rfe ; rfe^-1 ; rfe"),
    "r": ("r ; r", "s", "r | s", "s ; r"),
}


class Questions:
    """Random queries from a seed.

    ``declared`` ones have relations that are not built in, ``coherent`` ones assume coherence in some form.
    """

    def __init__(self, seed: int, *, declared: bool = False, coherent: bool = False) -> None:
        self._draw = random.Random(f"{seed} {declared}")
        self._coherent = coherent
        self._bases: Sequence[str] = (*_BASES, *_DECLARED * 4) if declared else _BASES
        self._predicates = self._draw.sample(_PREDICATES, 3)
        self._declared = declared

    def query(self) -> Query:
        """A claim under up to two assumptions."""
        claim, partner = self._claim()
        assumed = [self._assumption(partner) for _ in range(self._draw.choice((0, 0, 1, 1, 2)))]
        if sum(one.total is not None for one in assumed) > 1:
            assumed.pop()  # a relation orders one set of events
        if self._coherent:
            assumed.append(Statement(_forbids(self._draw.choice(COHERENCE)), _NOWHERE))
        return Query("random", claim, Theory(tuple(assumed)))

    def _claim(self) -> tuple[Inclusion, Relation]:
        """A claim, and a term that is near it."""
        one = self._term(2)
        two = self._near(one)
        if self._draw.random() < 0.15:
            two = self._term(2)
        kind = self._draw.choice(("within", "within", "contains", "equal", "irreflexive", "acyclic"))
        match kind:
            case "within" | "equal":
                return Inclusion(one, two, kind == "equal"), one
            case "contains":
                return Inclusion(two, one), two
        return _forbids(one if kind == "irreflexive" else terms.Plus(one)), one

    def _assumption(self, partner: Relation) -> Statement:
        """Something near the claim, or about totality or transitivity."""
        near = self._near(partner) if self._draw.random() < 0.7 else self._term(1)
        kind = self._draw.choice(
            ("irreflexive", "acyclic", "irreflexive", "within", "equal", "empty", "total")
        )
        claim: Inclusion | None = None
        match kind:
            case "irreflexive":
                claim = _forbids(near)
            case "acyclic":
                claim = _forbids(terms.Plus(near))
            case "within" | "equal":
                claim = Inclusion(self._term(1), near, kind == "equal")
            case "empty":
                claim = Inclusion(terms.Sequence(near, self._guard()), terms.Empty())
            case _ if not self._declared:
                return Statement(None, _NOWHERE, Base("co"))
            case _ if self._draw.random() < 0.5:
                claim = Inclusion(terms.Sequence(Base("r"), Base("r")), Base("r"))
            case _:
                test = terms.Guard(terms.Primitive(self._draw.choice("RF")))
                return Statement(None, _NOWHERE, terms.Sequence(terms.Sequence(test, Base("r")), test))
        return Statement(claim, _NOWHERE)

    # Terms ----------------------------------------------------------------------------------------------

    def _term(self, depth: int) -> Relation:
        if depth == 0 or self._draw.random() < 0.2:
            return self._leaf()
        one, two = self._term(depth - 1), self._term(depth - 1)
        makers: tuple[Callable[[], Relation], ...] = (
            *[lambda: terms.Sequence(one, two)] * 6,
            *[lambda: terms.Union(one, two)] * 4,
            lambda: terms.Plus(one),
            lambda: terms.Plus(terms.Union(one, two)),
            lambda: terms.Maybe(one),
            lambda: terms.Sequence(self._guard(), one),
            lambda: terms.Sequence(one, self._guard()),
            lambda: terms.Intersection(one, two),
            lambda: terms.Difference(one, two),
            lambda: terms.Inverse(Base(self._draw.choice(self._bases))),
        )
        return self._draw.choice(makers)()

    def _leaf(self) -> Relation:
        if self._draw.random() < 0.15:
            return self._draw.choice((self._guard(), terms.Identity()))
        return Base(self._draw.choice(self._bases))

    def _guard(self) -> Relation:
        one, two = (terms.Primitive(name) for name in self._draw.sample(self._predicates, 2))
        return terms.Guard(
            self._draw.choice((one, two, terms.Both(one, two), terms.Either(one, terms.Not(two))))
        )

    # Rewritings -----------------------------------------------------------------------------------------

    def _near(self, term: Relation) -> Relation:
        """A term after one or two rewritings."""
        for _ in range(self._draw.choice((1, 1, 2))):
            term = self._rewritten(term)
        return term

    def _rewritten(self, term: Relation) -> Relation:
        """A term with one of its parts replaced."""
        inside = self._draw.random() < 0.6
        match term:
            case terms.Union() | terms.Sequence() | terms.Intersection() | terms.Difference() if inside:
                if self._draw.random() < 0.5:
                    return type(term)(self._rewritten(term.left), term.right)
                return type(term)(term.left, self._rewritten(term.right))
            case terms.Plus() | terms.Maybe() if inside:
                return type(term)(self._rewritten(term.body))
            case terms.Sequence(left, right):
                return self._draw.choice((terms.Sequence(right, left), left, right, terms.Union(left, right)))
            case terms.Union(left, right):
                return self._draw.choice((left, right, terms.Union(right, left)))
            case terms.Plus(body):
                return self._draw.choice((body, terms.Sequence(term, body), terms.Union(body, term)))
            case Base(name):
                return self._renamed(name)
        return self._draw.choice((terms.Maybe(term), terms.Union(term, self._leaf()), term))

    def _renamed(self, name: str) -> Relation:
        makers: list[Callable[[], Relation]] = [
            lambda: Base(_WIDER.get(name, name)),
            lambda: terms.Plus(Base(name)),
            lambda: terms.Union(Base(name), self._leaf()),
            lambda: terms.Sequence(Base(name), self._guard()),
            lambda: terms.Sequence(self._guard(), Base(name)),
            lambda: terms.Inverse(Base(name)),
        ]
        words = [word for word in _SAME.get(name, ()) if self._declared or name not in _DECLARED]
        makers += [lambda: _read(self._draw.choice(words))] * (4 if words else 0)
        return self._draw.choice(makers)()


_NOWHERE = terms.Span("random.kat", 1, 1)
_MAKERS: dict[str, Callable[[Relation, Relation], Relation]] = {
    ";": terms.Sequence,
    "|": terms.Union,
    "&": terms.Intersection,
    "\\": terms.Difference,
}


def _forbids(term: Relation) -> Inclusion:
    return Inclusion(terms.Intersection(term, terms.Identity()), terms.Empty())


def _read(word: str) -> Relation:
    """A word of base relations; one operator, which groups to the left."""
    parts = word.split(" ")
    found = _base(parts[0])
    for operator, name in zip(parts[1::2], parts[2::2], strict=True):
        found = _MAKERS[operator](found, _base(name))
    return found


def _base(name: str) -> Relation:
    return terms.Inverse(Base(name[:-3])) if name.endswith("^-1") else Base(name)
