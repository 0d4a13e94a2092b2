"""What more an automaton accepts by the facts that hold in every graph.

The graphs meant are those that the explorer builds: well-formed, with po and rf acyclic together. In these,
po and co are transitive, ``rf ; fr`` is within co, ``fr ; co`` within fr, rmw within po-imm and po-loc, rfi
within po-loc, and views contain po. ``saturate`` lets an automaton accept by these facts: where it steps by
po it may then step by po several times, and so on. So ``included(a, saturate(b))`` shows that a's relation is
within b's; that it fails shows nothing.
"""

from __future__ import annotations

from mazurka.kat.automata.automaton import Nfa
from mazurka.kat.automata.guarded import HALVES
from mazurka.kat.automata.inclusion import included
from mazurka.kat.meaning.classes import domain
from mazurka.kat.meaning.plan import EVERY_CLASS, Symbol, Transition, view_of

_WITHIN_PO_LOC = (Symbol.PO_LOC, Symbol.PO_IMM_LOC, Symbol.RMW, Symbol.RFI)
_WITHIN_PO = (
    *(Symbol.PO, Symbol.PO_IMM, Symbol.PO_IMM_ELSEWHERE, Symbol.TC, Symbol.TJ),
    *_WITHIN_PO_LOC,
)
_WITHIN_PO_IMM = (Symbol.PO_IMM_LOC, Symbol.PO_IMM_ELSEWHERE, Symbol.RMW)
_REPEATED = {Symbol.PO: _WITHIN_PO, Symbol.PO_LOC: _WITHIN_PO_LOC}


def equal(left: Nfa, right: Nfa, transitive: frozenset[int] = frozenset()) -> bool:
    """Whether two automata are shown to be of the same relation."""
    return included(left, saturate(right, transitive)) and included(right, saturate(left, transitive))


def saturate(nfa: Nfa, transitive: frozenset[int] = frozenset()) -> Nfa:
    """The automaton with the words that the facts put within its words; ``transitive``: views that are."""
    return Saturation(nfa, transitive).result()


class Saturation:
    """An automaton with the steps that the facts add, and which of its own steps each is there for."""

    def __init__(self, nfa: Nfa, transitive: frozenset[int] = frozenset()) -> None:
        self.nfa = nfa
        self.states = nfa.states
        self.steps: dict[Transition, list[tuple[Transition, ...]]] = {s: [(s,)] for s in nfa.steps}
        self._reason: tuple[Transition, ...] = ()
        self._followers: dict[Transition, set[Transition]] = {s: {s} for s in nfa.steps}
        self._between: dict[tuple[object, int, int], int] = {}
        self._saturate(transitive)

    def result(self) -> Nfa:
        """The automaton with all steps."""
        return Nfa(self.states, frozenset(self.steps), self.nfa.nullable)

    def lost(self, gone: frozenset[Transition]) -> frozenset[Transition]:
        """The steps that are not there if some of the automaton's own are not."""
        touched = {step for own in gone for step in self._followers[own]}
        return frozenset(s for s in touched if not any(gone.isdisjoint(r) for r in self.steps[s]))

    def _saturate(self, transitive: frozenset[int]) -> None:
        for s in self.nfa.steps:
            self._reason = (s,)
            if s.inverse:
                continue
            if s.symbol in _REPEATED:
                self._repeat(s, _REPEATED[Symbol(s.symbol)])
            elif s.symbol == Symbol.PO_IMM:
                self._also(s, _WITHIN_PO_IMM)
            elif s.symbol == Symbol.PO_IMM_LOC:
                self._also(s, (Symbol.RMW,))
            else:
                self._saturate_view(s, transitive)
        for whole in (Symbol.CO, Symbol.FR):
            self._saturate_whole(whole)

    def _saturate_view(self, s: Transition, transitive: frozenset[int]) -> None:
        """A view contains po, and its pairs of one location contain po-loc."""
        view = view_of(s.symbol)
        if view is None:
            return
        local = int(Symbol.VIEW_LOC) + view
        within = _WITHIN_PO_LOC if s.symbol == local else (local, *_WITHIN_PO)
        if Symbol.VIEW + view in transitive:
            self._repeat(s, (s.symbol, *within))
        else:
            self._also(s, within)

    def _also(self, s: Transition, symbols: tuple[int, ...]) -> None:
        for symbol in symbols:
            self._step(s.source, symbol, s.target, s.before, s.after)

    def _saturate_whole(self, symbol: int) -> None:
        """Wherever both halves of a relation lead from one state to another, all of it does."""
        external, internal = HALVES[symbol]
        inner = [s for s in self.nfa.steps if s.symbol == internal and not s.inverse]
        for s in self.nfa.steps:
            if s.symbol != external or s.inverse:
                continue
            for t in inner:
                if (s.source, s.target) == (t.source, t.target):
                    self._reason = (s, t)
                    whole = Transition(s.source, symbol, s.target, s.before & t.before, s.after & t.after)
                    self._order(whole)

    def _order(self, s: Transition) -> None:
        """co is (co | rf ; fr)+, and fr is fr ; (co | rf ; fr)*."""
        middle, read = self._state("order", s), self._state("read", s)
        if s.symbol == Symbol.CO:
            self._step(s.source, Symbol.CO, middle, s.before)
            self._step(s.source, Symbol.RF, read, s.before)
        else:
            self._step(s.source, Symbol.FR, middle, s.before)
        self._step(middle, Symbol.CO, middle)
        self._step(middle, Symbol.RF, read)
        self._step(read, Symbol.FR, middle)
        self._step(middle, Symbol.CO, s.target, after=s.after)
        self._step(read, Symbol.FR, s.target, after=s.after)

    def _repeat(self, s: Transition, symbols: tuple[int, ...]) -> None:
        middle = self._state(symbols, s)
        for symbol in symbols:
            self._step(s.source, symbol, s.target, s.before, s.after)
            self._step(s.source, symbol, middle, s.before)
            self._step(middle, symbol, middle)
            self._step(middle, symbol, s.target, after=s.after)

    def _state(self, use: object, s: Transition) -> int:
        """A state on the way to where a step leads; steps that end alike share it."""
        key = (use, s.target, s.after)
        if key not in self._between:
            self._between[key] = self.states
            self.states += 1
        return self._between[key]

    def _step(
        self, source: int, symbol: int, target: int, before: int = EVERY_CLASS, after: int = EVERY_CLASS
    ) -> None:
        for part in HALVES.get(symbol, (symbol,)):
            first, second = domain(part)
            if first & before and second & after:
                step = Transition(source, part, target, first & before, second & after)
                self.steps.setdefault(step, []).append(self._reason)
                for own in self._reason:
                    self._followers[own].add(step)
