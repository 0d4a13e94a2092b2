"""Which check the engine runs for an axiom: the fastest of those that are shown to mean the same.

From fast to slow: no check, because the explorer's graphs satisfy the axiom anyway; one closure, if the
relation is a union of base relations; coherence, by comparing clocks with the order of the writes; a search
for cycles by an automaton (thesis §4.2); bit matrices for the rest.

Departs 1: an automaton with several states becomes a closure if merging its states adds no cycle
(``engine_automaton``), so that ``[W] ; po ; [F] ; po ; [R]`` is kept as two kinds of edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from mazurka.kat.automata import automaton, guarded
from mazurka.kat.automata.automaton import NOTHING, PORF, Nfa
from mazurka.kat.automata.builder import Bound, Builder
from mazurka.kat.automata.guarded import Guarded, NotRegular
from mazurka.kat.automata.inclusion import equal, included
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import has_fixpoint
from mazurka.kat.meaning.plan import (
    EVERY_CLASS,
    Automaton,
    Closure,
    Coherence,
    GuardedEdge,
    LocalClosure,
    Matrix,
    MatrixOp,
    PlanAxiom,
    PlanView,
    Symbol,
    Transition,
    Verdict,
)
from mazurka.kat.meaning.rewrite import alternatives, expand, factors, normalise, union
from mazurka.kat.meaning.terms import Base, Plus, Sequence, Union
from mazurka.kat.planning.engine_automaton import EngineAutomaton, cyclic, emitted, shrink
from mazurka.kat.planning.matrix import matrix
from mazurka.kat.planning.preserved import causal
from mazurka.kat.planning.views import NotAView, plan_view

_BETWEEN = (
    Symbol.RF,
    Symbol.RFE,
    Symbol.RFI,
    Symbol.CO,
    Symbol.COE,
    Symbol.COI,
    *(Symbol.FR, Symbol.FRE, Symbol.FRI),
)
_WITHIN_THREADS = automaton.repeat(automaton.steps(Symbol.PO, Symbol.COI, Symbol.FRI))
_ECO = Plus(Union(Union(Base("rf"), Base("co")), Base("fr")))
_ORDER_OF_LOCATIONS = Union(Union(Union(Base("po-loc"), Base("rf")), Base("co")), Base("fr"))
_CLOSED = (Symbol.PO, Symbol.PO_LOC, Symbol.RF, Symbol.RFE, Symbol.RFI)
_CLOSED_WHOLE = (Symbol.CO, Symbol.FR, Symbol.RMW)
_IMMEDIATE = (Symbol.PO_IMM, Symbol.PO_IMM_LOC, Symbol.PO_IMM_ELSEWHERE)
_WALKED = (*_CLOSED, *_CLOSED_WHOLE, *_IMMEDIATE, Symbol.TC, Symbol.TJ)
_WALKED_HALVES = (Symbol.COE, Symbol.COI, Symbol.FRE, Symbol.FRI)


@dataclass(frozen=True)
class Dropped:
    """An axiom that needs no check, and why."""

    name: str
    reason: str


@dataclass
class Views:
    """The views that a plan keeps, by name; equal views are shared."""

    definitions: dict[str, terms.Relation]
    classes: int = EVERY_CLASS  # of the events that can occur
    kept: list[PlanView] = field(default_factory=list)
    symbols: dict[str, int] = field(default_factory=dict)  # of the model's views
    transitive: frozenset[int] = frozenset()
    reasons: dict[str, str] = field(default_factory=dict)  # why a view of the model is not kept

    def plan_all(self) -> None:
        """Keeps each view of the model that can be kept."""
        for name, body in self.definitions.items():
            try:
                index = self.keep(name, body)
            except NotAView as reason:
                self.reasons[name] = str(reason)
                continue
            self.symbols[name] = Symbol.VIEW + index
            nfa = self.builder().automaton(body)
            if included(automaton.concatenate(nfa, nfa), nfa):
                self.transitive |= {Symbol.VIEW + index}

    def builder(self, span: terms.Span | None = None) -> Builder:
        """Makes automata in which views are written out."""
        return Builder(self.definitions, {}, span, self.classes)

    def keep(self, name: str, relation: terms.Relation, span: terms.Span | None = None) -> int:
        """The index of a relation as a view; NotAView if it cannot be one."""
        if isinstance(relation, terms.View):
            if relation.name in self.reasons:
                raise NotAView(self.reasons[relation.name])
            if relation.name in self.symbols:
                return self.symbols[relation.name] - Symbol.VIEW
        view = plan_view(name, relation, self.builder(span))
        for index, old in enumerate(self.kept):
            if replace(old, name=view.name) == view:
                return index
        self.kept.append(view)
        return len(self.kept) - 1


class Chooser:
    """Chooses checks for the axioms of one model."""

    def __init__(
        self,
        views: Views,
        preserved: tuple[GuardedEdge, ...] | Matrix | None = None,
        mixed_sizes: bool = False,
        *,
        is_coherent: bool = False,
    ) -> None:
        self.views = views
        self.mixed_sizes = mixed_sizes
        self.has_gaps = preserved is not None
        # Rows are kept while threads have no gaps, unless the causal order is a union of edges.
        self.keeps_rows = not isinstance(preserved, tuple)
        self.is_coherent = is_coherent  # coi and fri are within po
        self.past = (
            PORF
            if preserved is None
            else automaton.repeat(automaton.unite(causal(preserved), automaton.step(Symbol.RF)))
        )

    def choose(self, axiom: terms.Axiom) -> list[PlanAxiom] | Dropped:
        """The checks that together mean the axiom, or the reason why it needs none."""
        if is_atomicity(axiom):
            return Dropped(axiom.name, "read-modify-writes are atomic in every model")
        if self.has_gaps and has_fixpoint(axiom.relation):
            found = self._matrix(axiom, "it contains a fixpoint")
            is_empty = found.check == Matrix((int(MatrixOp.EMPTY),), found.meaning.verdict)
            return Dropped(axiom.name, "no two events are ever related in this way") if is_empty else [found]
        if axiom.kind == "coherence":
            if not self.keeps_rows:
                return [self._matrix(axiom, "no clocks can be kept when ppo is not po")]
            return self._coherence(axiom, axiom.relation)
        try:
            plain = self.views.builder(axiom.span).automaton(axiom.relation)
            nfa = replace(self.views.builder(axiom.span), symbols=self.views.symbols).automaton(
                axiom.relation
            )
        except NotRegular as reason:
            return self._by_bounds(axiom, str(reason))
        if automaton.is_empty(plain):
            return Dropped(axiom.name, "no two events are ever related in this way")
        if plain.nullable:
            return [self._matrix(axiom, "it relates events to themselves")]
        if axiom.kind == "empty":
            return [self._matrix(axiom, "there is no faster check for emptiness")]
        if included(plain, self.past):
            return self._in_the_past(axiom)
        if not self.keeps_rows:
            return [self._matrix(axiom, "there is no faster check when ppo is not po")]
        if self.has_gaps and not self._is_order_of_locations(plain) and (local := self._local(axiom)):
            return local
        if axiom.kind == "acyclic":
            return self._acyclic(axiom, self._single_steps(plain, plain) or nfa)
        return self._irreflexive(axiom, nfa)

    def _in_the_past(self, axiom: terms.Axiom) -> Dropped:
        order = "ppo" if self.has_gaps else "po"
        return Dropped(
            axiom.name, f"{order} and rf are acyclic in every graph that is built, which implies it"
        )

    def _by_bounds(self, axiom: terms.Axiom, reason: str) -> list[PlanAxiom] | Dropped:
        """The check of an axiom that is not regular, but may lie between two automata that mean the same."""
        try:
            below, above = self._bounds(axiom, {})
        except NotRegular:
            return [self._matrix(axiom, f"it contains {reason}")]
        if automaton.is_empty(above):
            return Dropped(axiom.name, "no two events are ever related in this way")
        if axiom.kind == "empty" or above.nullable:
            return [self._matrix(axiom, f"it contains {reason}")]
        if included(above, self.past):
            return self._in_the_past(axiom)
        if self.has_gaps and (local := self._local(axiom)):
            return local
        if axiom.kind == "acyclic" and not self.has_gaps:
            found = self._single_steps(below, above)
            if found is None:
                below, above = self._bounds(axiom, self.views.symbols)
                ways = automaton.repeat(above), automaton.repeat(below)
                found = below if included(*ways, self.views.transitive) else None
            if found is not None:
                return self._acyclic(axiom, found)
        return [self._matrix(axiom, f"it contains {reason}")]

    def _bounds(self, axiom: terms.Axiom, symbols: dict[str, int]) -> tuple[Nfa, Nfa]:
        builder = replace(self.views.builder(axiom.span), symbols=symbols)
        below, above = (
            replace(builder, bound=bound).automaton(axiom.relation) for bound in (Bound.BELOW, Bound.ABOVE)
        )
        return below, above

    def _single_steps(self, below: Nfa, above: Nfa) -> Nfa | None:
        """The words of one step, if every cycle of the relation is shown to be a cycle of these."""
        steps = automaton.of_guarded(automaton.one_step(below))
        found = included(automaton.repeat(above), automaton.repeat(steps))
        return steps if found else None

    def _local(self, axiom: terms.Axiom) -> list[PlanAxiom] | None:
        """The check of an acyclic union of a part of po and of edges of rf, co and fr, if rows are kept."""
        if axiom.kind != "acyclic" or not (self.keeps_rows and self.is_coherent):
            return None
        edges: Guarded = {}
        within: list[terms.Relation] = []
        for part in alternatives(normalise(expand(axiom.relation, self.views.definitions))):
            try:
                found = self.views.builder(axiom.span).guarded(part)
            except NotRegular:
                found = {}
            if found and all(name in _BETWEEN and not inverse for name, inverse in found):
                edges = guarded.unite(edges, found)
            else:
                within.append(part)
        above = replace(self.views.builder(axiom.span), bound=Bound.ABOVE)
        try:
            local = reduce(automaton.unite, (above.automaton(part) for part in within), NOTHING)
        except NotRegular:
            return None
        if not included(local, _WITHIN_THREADS):
            return None
        term = union(within) if within else terms.Empty()
        check = LocalClosure(
            matrix(term, Verdict.EMPTY, self.views.definitions, axiom.span),
            tuple(
                GuardedEdge(symbol, before, after)
                for (symbol, _), rows in sorted(edges.items())
                for before, after in guarded.rectangles(rows)
            ),
        )
        meaning = meaning_of(axiom, self.views.definitions)
        reason = "it is a part of po and edges between accesses of one location"
        return [PlanAxiom(axiom.name, check, meaning, reason)]

    def _coherence(self, axiom: terms.Axiom, relation: terms.Relation) -> list[PlanAxiom]:
        name = relation.name if isinstance(relation, terms.View | Base) else axiom.name
        try:
            index = self.views.keep(name, relation, axiom.span)
        except NotAView as reason:
            return [self._matrix(axiom, f"the relation cannot be kept as clocks: {reason}")]
        reason_text = f"the clocks of {self.views.kept[index].name} are compared with the order of the writes"
        return [
            PlanAxiom(axiom.name, Coherence(index), meaning_of(axiom, self.views.definitions), reason_text)
        ]

    def _acyclic(self, axiom: terms.Axiom, nfa: Nfa) -> list[PlanAxiom]:
        # Coherence of po. If x is po-before y of the same location but not eco-before it, then y is
        # eco-before x, or both are reads of one write. Number the writes of a location by co, and put each
        # read half a place after its write. If po ; eco is irreflexive, no edge leads back, and the edges
        # that stay in place are edges of po. Where accesses have several sizes, eco leads from one location
        # to another, and po ; eco has cycles that this order does not have.
        if not self.mixed_sizes and self._is_order_of_locations(nfa):
            found = self._coherence(axiom, Base("po"))
            reason = "events of one location are never ordered against po"
            return [replace(found[0], reason=reason)]
        machine = shrink(cyclic(nfa, self.views.classes), self.views.transitive)
        if not all(_is_walked(s) for s in machine.steps):
            return [
                self._matrix(axiom, "automata follow only po, rf, co, fr, rmw and views, and only forwards")
            ]
        edges = _edges(machine)
        if edges is not None:
            return [
                PlanAxiom(
                    axiom.name,
                    Closure(edges),
                    meaning_of(axiom, self.views.definitions),
                    "it is a union of base relations",
                )
            ]
        why = (
            "its paths take several steps"
            if machine.states > 1
            else "a closure cannot follow all of its steps"
        )
        check = Automaton(machine.states, emitted(machine.steps))
        return [
            PlanAxiom(
                axiom.name,
                check,
                meaning_of(axiom, self.views.definitions),
                f"{why}, so an automaton searches for cycles",
            )
        ]

    def _is_order_of_locations(self, nfa: Nfa) -> bool:
        order = self.views.builder().automaton(_ORDER_OF_LOCATIONS)
        return equal(automaton.repeat(nfa), automaton.repeat(order))

    def _irreflexive(self, axiom: terms.Axiom, nfa: Nfa) -> list[PlanAxiom]:
        transitive = self.views.transitive
        if included(automaton.concatenate(nfa, nfa), nfa, transitive):
            found = self._acyclic(axiom, nfa)
            return [replace(a, reason=f"the relation is transitive, and {a.reason}") for a in found]
        candidates: list[tuple[terms.Relation, int]] = [(Base("po"), Symbol.PO)]
        candidates += [(terms.View(name), symbol) for name, symbol in self.views.symbols.items()]
        for relation, symbol in candidates:
            if self._is_coherence_of(nfa, symbol):
                return self._coherence(axiom, relation)
        parts = alternatives(normalise(axiom.relation))
        if len(parts) > 1:
            split = [self.choose(replace(axiom, relation=part)) for part in parts]
            checks = [check for found in split if isinstance(found, list) for check in found]
            if not any(check.check == check.meaning for check in checks):
                return checks
        return [self._matrix(axiom, "there is no faster check for this relation")]

    def _is_coherence_of(self, nfa: Nfa, symbol: int) -> bool:
        """Whether the relation is the symbol then eco, or eco then it, possibly with more of po and rf."""
        past = automaton.repeat(automaton.steps(Symbol.PO, Symbol.RF, *self.views.symbols.values()))
        if self.has_gaps:
            past = NOTHING
        classes = self.views.classes
        order = automaton.step(symbol, classes, classes)
        eco = self.views.builder().automaton(_ECO)
        return any(
            included(words, nfa, self.views.transitive)
            and included(nfa, automaton.unite(words, past), self.views.transitive)
            for words in (automaton.concatenate(order, eco), automaton.concatenate(eco, order))
        )

    def _matrix(self, axiom: terms.Axiom, reason: str) -> PlanAxiom:
        meaning = check = meaning_of(axiom, self.views.definitions)
        if self.has_gaps:
            check = meaning_of(axiom, self.views.definitions, self.views.classes)
        return PlanAxiom(axiom.name, check, meaning, f"{reason}, so it is computed with bit matrices")


def meaning_of(axiom: terms.Axiom, views: Mapping[str, terms.Relation], classes: int = EVERY_CLASS) -> Matrix:
    """The axiom as a matrix program, for events of some classes; refuses names that graphs do not have."""
    if axiom.kind == "coherence":
        relation: terms.Relation = Sequence(axiom.relation, _ECO)
        return matrix(relation, Verdict.IRREFLEXIVE, views, axiom.span, classes)
    return matrix(axiom.relation, Verdict[axiom.kind.upper()], views, axiom.span, classes)


def _is_walked(step: Transition) -> bool:
    known = step.symbol in _WALKED or step.symbol in _WALKED_HALVES or step.symbol >= Symbol.VIEW
    return known and not step.inverse


def _edges(machine: EngineAutomaton) -> tuple[GuardedEdge, ...] | None:
    """The machine's steps as edges of a closure; None if a closure cannot have them."""
    if machine.states > 1:
        return None
    edges = []
    for s in emitted(machine.steps):
        whole = (s.before, s.after) == (EVERY_CLASS, EVERY_CLASS)
        if s.symbol not in _CLOSED and not (s.symbol in _CLOSED_WHOLE and whole):
            return None
        edges.append(GuardedEdge(int(s.symbol), s.before, s.after))
    return tuple(edges)


def is_atomicity(axiom: terms.Axiom) -> bool:
    """Whether an axiom says at most that in co no write comes between the two halves of an RMW."""
    rmw = Base("rmw")
    if axiom.kind == "irreflexive":
        parts = _turned(axiom.relation)
        return terms.Inverse(rmw) in parts and _is_between([p for p in parts if p != terms.Inverse(rmw)])
    if axiom.kind != "empty" or not isinstance(axiom.relation, terms.Intersection):
        return False
    sides = [axiom.relation.left, axiom.relation.right]
    return rmw in sides and any(_is_between(_turned(side)) for side in sides if side != rmw)


def _turned(term: terms.Relation) -> list[terms.Relation]:
    """The parts of a composition, rotated to start after an inverse of rmw, if there is one."""
    parts = factors(normalise(term))
    inverse = terms.Inverse(Base("rmw"))
    at = parts.index(inverse) + 1 if inverse in parts else 0
    return parts[at:] + parts[:at]


def _is_between(parts: list[terms.Relation]) -> bool:
    names = [part.name if isinstance(part, Base) else "" for part in parts]
    return (
        len(names) == 2
        and names[0] in ("fr", "fre", "fri")
        and names[1] in ("co", "coe", "coi", "mo", "moe", "moi")
    )
