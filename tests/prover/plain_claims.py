"""Random claims and models, in the shapes that provers get wrong, as plain terms.

Intersections with a reflexive same-location relation; differences with words to the right of ``\\``; names
that other files define; relations that assumptions confine, turned around or not; words through initial
writes, backwards along co, rf and fr. Most claims are near to one that holds: a term on one side, and on the
other what a few rewritings make of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from plain_graphs import Graph, Pair
from plain_terms import (
    Term,
    claim_text,
    having,
    holds,
    lets,
    meaning,
    parts,
    rel,
    repeated,
    seq,
    text,
    turned,
)

_BASES = (
    *("po", "po", "po", "rf", "rf", "co", "co", "fr", "fr", "po-loc", "po-imm", "rfe", "rfi", "coe", "coi"),
    *("fre", "fri", "rmw", "same-thread", "loc-overlap", "any", "ctrl", "addr", "data", "detour", "tc", "tj"),
)
_DECLARED = ("r", "s")
_PREDICATES = ("R", "W", "F", "R", "W", "F", "SC", "ACQ", "REL", "NA", "LOC", "UR", "UW", "EXCL", "A", "B")
_WIDER = {
    **{"rfe": "rf", "rfi": "rf", "coe": "co", "coi": "co", "fre": "fr", "fri": "fr", "po-loc": "po"},
    **{"rmw": "po-imm", "po-imm": "po", "po": "same-thread", "rf": "loc-overlap", "co": "loc-overlap"},
    **{"fr": "loc-overlap", "tc": "po", "tj": "po", "loc-overlap": "any", "same-thread": "any"},
    **{"ctrl": "po", "addr": "po", "data": "po", "detour": "po-loc", "rfi": "po-loc", "r": "s"},
}
ID: Term = ("id",)
DECLARED = "declared.kat"


@dataclass(frozen=True)
class Claim:
    """A claim under assumptions; names in its terms stand in a file that is included."""

    claim: Term
    assumptions: tuple[Term, ...] = ()

    def files(self) -> dict[str, str]:
        """The files by name; "claim.kat" has the assertion."""
        terms = (self.claim, *self.assumptions)
        lines = [*declarations(terms), *(f"assume {claim_text(one)}" for one in self.assumptions)]
        return _files(terms, [*lines, f"assert {claim_text(self.claim)}"], "claim.kat")

    def fails(self, graph: Graph) -> bool:
        """Whether a graph satisfies the assumptions and not the claim."""
        return not holds(self.claim, graph) and all(holds(one, graph) for one in self.assumptions)


@dataclass(frozen=True)
class Model:
    """Axioms under assumptions."""

    axioms: tuple[Term, ...]
    assumptions: tuple[Term, ...] = ()

    def files(self, name: str) -> dict[str, str]:
        """The files by name; what is declared stands in one that models share."""
        terms = (*self.axioms, *self.assumptions)
        lines = [f"assume {claim_text(one)}" for one in self.assumptions]
        for number, (kind, body) in enumerate(self.axioms):
            lines.append(f"{kind} {text(body)} as axiom{number}")
        library = [f"let {known} = {text(body)}" for known, body in lets(terms).items()]
        shared = f'include "{DECLARED}"'
        return {
            DECLARED: "relation r relation s predicate A predicate B\n",
            f"names-of-{name}.kat": "\n".join([shared, "let nothing = 0", *library]) + "\n",
            f"{name}.kat": "\n".join([f"model {name}", shared, f'include "names-of-{name}.kat"', *lines])
            + "\n",
        }

    def has_relations(self) -> bool:
        """Whether there are declared relations in it."""
        return any(line.startswith("relation") for line in declarations((*self.axioms, *self.assumptions)))

    def allows(self, graph: Graph) -> bool:
        """Whether the axioms and assumptions hold in a graph."""
        return all(holds(one, graph) for one in (*self.axioms, *self.assumptions))


def declarations(terms: Iterable[Term]) -> list[str]:
    """What has to be declared for some terms."""
    found = {part for term in terms for part in parts(term) if len(part) > 1}
    relations = {part[1] for part in found if part[0] in ("rel", "total")} & set(_DECLARED)
    predicates = {part[1] for part in found if part[0] == "is"} & {"A", "B"}
    return [f"relation {name}" for name in sorted(relations)] + [
        f"predicate {name}" for name in sorted(predicates)
    ]


def _files(terms: Iterable[Term], lines: list[str], main: str) -> dict[str, str]:
    names = lets(terms)
    if not names:
        return {main: "\n".join(lines) + "\n"}
    included = [
        *declarations(names.values()),
        *(f"let {name} = {text(body)}" for name, body in names.items()),
    ]
    shared = set(included)
    own = [line for line in lines if line not in shared]
    library = f"names-of-{main}"
    return {
        library: "\n".join(included) + "\n",
        main: "\n".join([f'include "{library}"', *own]) + "\n",
    }


class Drawn:
    """Random claims and models from a seed."""

    def __init__(self, seed: object) -> None:
        self.draw = random.Random(str(seed))
        self._declared = self.draw.random() < 0.35
        self._bases = (*_BASES, *_DECLARED * 4) if self._declared else _BASES
        self._names = 0

    def claim(self) -> Claim:
        """A claim under up to two assumptions."""
        claim = self._claim()
        assumed = [*self._confined()] if self._declared else []
        for _ in range(self.draw.choice((0, 0, 0, 1, 1, 2))):
            assumed.append(self._assumption(claim))
        return Claim(claim, tuple(assumed))

    def model(self, near: Model | None = None, most: int = 2) -> Model:
        """A model, or one that is near another."""
        if near is not None and self.draw.random() < 0.8:
            axioms = [(kind, self._near(body)) for kind, body in near.axioms]
        else:
            kinds = ("acyclic", "irreflexive", "empty")
            axioms = [(self.draw.choice(kinds), self._word()) for _ in range(self.draw.randint(1, most))]
        return Model(tuple(axioms), tuple(self._confined()) if self._declared else ())

    # Claims ---------------------------------------------------------------------------------------------

    def _claim(self) -> Term:
        if self.draw.random() < 0.15:
            return self._claim_of_a_location()
        one = self._word()
        near = self._near(one) if self.draw.random() < 0.85 else self._word()
        kind = self.draw.choice(("<=", "<=", ">=", "=", "empty", "irreflexive", "acyclic", "ends"))
        match kind:
            case "<=" | "=":
                return (kind, one, near)
            case ">=":
                return ("<=", near, one)
            case "ends":
                ends = (self._guard(), rel("any"))
                return ("<=", one, seq(*(ends if self.draw.random() < 0.5 else ends[::-1])))
            case "empty":
                return ("empty", self.draw.choice((one, seq(self._guard(), one), ("\\", one, near))))
        return (kind, one)

    def _claim_of_a_location(self) -> Term:
        """A claim that holds of different events of a location, and not of an event and itself."""
        one = ("&", self._round() if self.draw.random() < 0.8 else self._any(2), self._location())
        access, other = having(*self.draw.choice((("R", "W"), ("LOC",), ("R",), ("W",)))), self._guard()
        guard = self.draw.choice((having("F"), having("F"), having("W"), other))
        return self.draw.choice(
            (
                ("empty", seq(guard, one)),
                ("acyclic", seq(guard, one)),
                ("irreflexive", seq(one, guard)),
                ("<=", one, seq(access, rel("any"))),
                ("<=", one, seq(rel("any"), access)),
                ("<=", one, self._near(one)),
                ("<=", one, self._near(one[1])),
            )
        )

    def _confined(self) -> Iterable[Term]:
        """Assumptions that confine the declared relations."""
        for name in _DECLARED:
            bound = self._word(1)
            forms: tuple[Term, ...] = (
                ("<=", rel(name), bound),
                ("<=", ("^-1", rel(name)), bound),
                ("<=", ("^-1", rel(name)), turned(bound)),
                ("=", rel(name), bound),
                ("<=", bound, rel(name)),
                ("<=", rel(name), rel(self.draw.choice(("rf", "co", "fr", "po", "rmw", "loc-overlap")))),
                ("<=", ("^-1", rel(name)), ("^-1", rel(self.draw.choice(("rf", "co", "fr", "po"))))),
                ("<=", seq(rel(name), rel(name)), rel(name)),
                ("total", name, ("is", self.draw.choice("RFW"))),
            )
            if self.draw.random() < 0.7:
                yield self.draw.choice(forms)

    def _assumption(self, claim: Term) -> Term:
        terms = [part for part in claim[1:] if isinstance(part, tuple)]
        near = self._near(self.draw.choice(terms)) if self.draw.random() < 0.6 else self._word(1)
        kind = self.draw.choice(("irreflexive", "acyclic", "acyclic", "empty", "<=", "="))
        if kind in ("<=", "="):
            return (kind, self._word(1), near)
        return (kind, seq(near, self._guard()) if kind == "empty" else near)

    # Terms ----------------------------------------------------------------------------------------------

    def _word(self, depth: int = 2) -> Term:
        """A term, in one of the shapes that are easily got wrong, or in any."""
        shape = self.draw.random()
        term = self._any(depth)
        if shape < 0.3:
            pair = (self._round() if self.draw.random() < 0.5 else term, self._location())
            one, two = pair if self.draw.random() < 0.7 else pair[::-1]
            term = ("&", one, two)
            around = self.draw.random()
            if around < 0.25:
                term = seq(self._guard(), term)
            elif around < 0.4:
                term = seq(term, self._any(1))
        elif shape < 0.5:
            term = ("\\", term, self._any(2))
        elif shape < 0.55:
            term = ("&", term, self._any(1))
        return self._named(term)

    def _round(self) -> Term:
        """A word that may come back to where it began."""
        one = self._any(1)
        other = one if self.draw.random() < 0.5 else self._any(1)
        return self.draw.choice((seq(one, turned(other)), seq(turned(one), other), ("+", ("|", one, other))))

    def _location(self) -> Term:
        """A reflexive relation of accesses to the same location, or nearly."""
        location = rel("loc-overlap")
        return self.draw.choice(
            (
                *[self._named(("?", location), always=True)] * 3,
                ("?", location),
                ("|", location, ID),
                ("|", ID, location),
                ("|", location, self._guard()),
                ("&", ("?", location), rel("any")),
                location,
                ("*", location),
                seq(self._guard(), ("?", location)),
            )
        )

    def _named(self, term: Term, *, always: bool = False) -> Term:
        if not always and self.draw.random() > 0.15:
            return term
        self._names += 1
        return ("let", f"name{self._names}", term)

    def _any(self, depth: int) -> Term:
        if depth == 0 or self.draw.random() < 0.15:
            return self._leaf()
        one, two = self._any(depth - 1), self._any(depth - 1)
        roll = self.draw.random()
        if roll < 0.38:
            return (";", one, two)
        if roll < 0.55:
            return ("|", one, two)
        if roll < 0.65:
            return ("+", self.draw.choice((one, ("|", one, two))))
        if roll < 0.7:
            return (self.draw.choice("?*"), one)
        if roll < 0.8:
            return self.draw.choice((seq(self._guard(), one), seq(one, self._guard())))
        if roll < 0.85:
            return ("&", one, two)
        if roll < 0.9:
            return ("\\", one, two)
        return seq(self._base(), turned(self._base()))

    def _leaf(self) -> Term:
        roll = self.draw.random()
        if roll < 0.06:
            return ID
        if roll < 0.15:
            return self._guard()
        return turned(self._base()) if roll < 0.28 else self._base()

    def _base(self) -> Term:
        return rel(self.draw.choice(self._bases))

    def _guard(self) -> Term:
        one, two = self.draw.sample(_PREDICATES, 2)
        tests = (
            ("is", one),
            ("is", two),
            ("&", ("is", one), ("is", two)),
            ("|", ("is", one), ("is", two)),
            ("\\", ("is", one), ("is", two)),
            ("\\", ("all",), ("is", one)),
        )
        return ("test", self.draw.choice(tests))

    # Rewritings -----------------------------------------------------------------------------------------

    def _near(self, term: Term) -> Term:
        for _ in range(self.draw.choice((1, 1, 2))):
            term = self._rewritten(term)
        return term

    def _rewritten(self, term: Term) -> Term:
        """The term with one of its parts replaced: mostly by something larger."""
        inside = self.draw.random() < 0.65
        match term:
            case ("let", _, body):
                return self._rewritten(body)
            case ((";" | "|" | "&" | "\\") as operator, one, two) if inside:
                if self.draw.random() < 0.5:
                    return (operator, self._rewritten(one), two)
                return (operator, one, self._rewritten(two))
            case (("+" | "*" | "?" | "^-1") as operator, body) if inside and body[0] == "rel":
                return (operator, self._wider(body))
            case (("+" | "*" | "?") as operator, body) if inside:
                return (operator, self._rewritten(body))
            case (";", ("test", _), body) | (";", body, ("test", _)):
                unguarded: Term = body
                return unguarded
            case (";", one, two):
                return self.draw.choice(((";", two, one), one, two, (";", ("?", one), two)))
            case ("|", one, two):
                return self.draw.choice((one, ("|", two, one), ("|", term, self._base())))
            case ("&" | "\\", one, two):
                return self.draw.choice((one, one, two))
            case ("rel", _):
                return self._wider(term)
        return self.draw.choice((("|", term, self._base()), ("?", term), term))

    def _wider(self, term: Term) -> Term:
        name: str = term[1]
        return self.draw.choice(
            (
                *[rel(_WIDER.get(name, name))] * 4,
                ("+", term),
                ("|", term, self._base()),
                seq(term, self._guard()),
                ("?", term),
                ("&", term, self._location()),
            )
        )


# Declared relations for a graph -------------------------------------------------------------------------


def chosen_relations(
    draw: random.Random, graph: Graph, assumptions: Iterable[Term]
) -> dict[str, frozenset[Pair]]:
    """Declared relations that the assumptions are likely to allow; whether they do is to be looked at."""
    chosen: dict[str, frozenset[Pair]] = {}
    assumed = tuple(assumptions)
    share = draw.choice((0.0, 0.3, 0.7, 1.0))
    for name in _DECLARED:
        every = graph.relation("any")
        pairs = frozenset(pair for pair in sorted(every) if draw.random() < min(share, 0.4))
        known = graph.with_declared({**dict.fromkeys(_DECLARED, frozenset()), **chosen})
        for one in assumed:
            match one:
                case ("<=" | "=", ("rel", other), bound) if other == name:
                    pairs = frozenset(p for p in sorted(meaning(bound, known)) if draw.random() < share)
                    pairs = meaning(bound, known) if one[0] == "=" else pairs
                case ("<=", ("^-1", ("rel", other)), bound) if other == name:
                    back = sorted(meaning(bound, known))
                    pairs = frozenset((b, a) for a, b in back if draw.random() < share)
                case ("<=", (";", ("rel", other), ("rel", again)), ("rel", last)) if (
                    other == again == last == name
                ):
                    pairs = repeated(pairs)
                case ("<=", bound, ("rel", other)) if other == name:
                    pairs = pairs | meaning(bound, known)
                case ("total", other, test) if other == name:
                    inside = [e for e, _ in sorted(meaning(("test", test), graph))]
                    draw.shuffle(inside)
                    pairs = frozenset((a, b) for i, a in enumerate(inside) for b in inside[i + 1 :])
        chosen[name] = pairs
    return chosen
