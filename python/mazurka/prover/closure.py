"""What more an automaton accepts by the built-in facts (thesis Prop. 2, 4 and 6).

Each step is replaced by the words that the facts put within its relation: where an automaton steps by po it
may then step by po several times, where by co also by ``rf ; fr``, and so on. A relation's words are a small
automaton, so every fact is used as often as it can be.
I1: a word that the result accepts denotes, in every graph, a part of what the original denotes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from mazurka.prover.alphabet import Alphabet
from mazurka.prover.automata import END, START, Edge, Nfa, merged_guards, reduced, uncovered
from mazurka.prover.facts import HALVES, TRANSITIVE, WHOLE, Label, contains

_S, _T = "start", "end"
_Words: TypeAlias = list[tuple[str, Label, str]]


def _repeated(first: str, again: str) -> _Words:
    """``first ; again*``."""
    one, more = (first, False), (again, False)
    return [(_S, one, _T), (_S, one, "m"), ("m", more, "m"), ("m", more, _T)]


def _advance(source: str, targets: tuple[str, ...], co: str, rf: str, fr: str) -> _Words:
    """A step forward in the order of one location: ``co | rf ; fr``, where fr is also ``rf^-1 ; co``."""
    reading, written = f"{source}.{rf}.{fr}", f"{source}.{rf}.{fr}.w"
    words: _Words = [(source, (rf, False), reading), (reading, (rf, True), written)]
    for target in targets:
        words += [
            (source, (co, False), target),
            (reading, (fr, False), target),
            (written, (co, False), target),
        ]
    return words


def _order(co: str, rf: str) -> _Words:
    """co within a thread or in all: ``(co | rf ; fr)+``."""
    fr = {"co": "fr", "coi": "fri"}[co]
    return [*_advance(_S, ("m", _T), co, rf, fr), *_advance("m", ("m", _T), co, rf, fr)]


def _from_reads(co: str, rf: str) -> _Words:
    """fr within a thread or in all: ``(fr | rf^-1 ; co) ; (co | rf ; fr)*``."""
    fr = {"co": "fr", "coi": "fri"}[co]
    words: _Words = [(_S, (fr, False), _T), (_S, (fr, False), "m"), (_S, (rf, True), "w")]
    words += [("w", (co, False), "m"), ("w", (co, False), _T)]
    return words + _advance("m", ("m", _T), co, rf, fr)


def _leave(source: str, targets: tuple[str, ...]) -> _Words:
    """A step forward to another thread: one of its parts leaves the thread."""
    words: _Words = []
    for target in targets:
        words += [(source, ("coe", False), target), (f"{source}.e", ("fri", False), target)]
        words += [(f"{source}.i", ("fre", False), target)]
    words += [(source, ("rfe", False), f"{source}.e"), (source, ("rfi", False), f"{source}.i")]
    return words


def _stay(source: str, targets: tuple[str, ...]) -> _Words:
    return _advance(source, targets, "coi", "rfi", "fri")


def _external_order() -> _Words:
    """coe: in one thread, then to another, then in that one."""
    return [
        *_stay(_S, ("p",)),
        *_stay("p", ("p",)),
        *_leave(_S, ("m", _T)),
        *_leave("p", ("m", _T)),
        *_stay("m", ("m", _T)),
    ]


def _external_from_reads() -> _Words:
    words: _Words = [(_S, ("fre", False), _T), (_S, ("fre", False), "m"), (_S, ("fri", False), "p")]
    return [*words, *_stay("p", ("p",)), *_leave("p", ("m", _T)), *_stay("m", ("m", _T))]


_WORDS: dict[str, _Words] = {
    **{name: _repeated(name, name) for name in TRANSITIVE},
    "ctrl": _repeated("ctrl", "po"),
    "co": _order("co", "rf"),
    "coi": _order("coi", "rfi"),
    "coe": _external_order(),
    "fr": _from_reads("co", "rf"),
    "fri": _from_reads("coi", "rfi"),
    "fre": _external_from_reads(),
    "any": _repeated("any", "any"),
}


def relevant(nfa: Nfa, alphabet: Alphabet) -> Nfa:
    """The automaton without steps that no letter can make."""
    edges = frozenset(e for e in nfa.edges if _has_letters(e.label, alphabet))
    return reduced(Nfa(nfa.states, edges, nfa.nullable))


def _has_letters(label: Label, alphabet: Alphabet) -> bool:
    """Whether a relation, or words within it, may be made of letters."""
    name, inverse = label
    words = [(part, backwards != inverse) for _, (part, backwards), _ in _WORDS.get(name, ())]
    return any(alphabet.letters_below(part) for part in (label, *words))


class Saturated:
    """An automaton that grows by the words that facts put within its words.

    Unlike other automata it may have steps into its start and out of its end.
    """

    def __init__(self, nfa: Nfa, alphabet: Alphabet, transitive: frozenset[str] = frozenset()) -> None:
        self.states = nfa.states
        self.alphabet = alphabet
        self.edges: set[Edge] = set()
        self.nullable = nfa.nullable
        self.everything = alphabet.events.everything
        self._transitive = transitive
        self._closed: set[Edge] = set()
        self._between: dict[tuple[object, ...], int] = {}
        self.add(nfa.edges)

    def add(self, edges: Iterable[Edge]) -> bool:
        """Adds steps and what follows from them; whether any of them is new."""
        new = self._uncovered(set(edges) - self.edges)
        self.edges |= new
        for edge in [*new, *self._joined(new)]:
            name, inverse = edge.label
            words = _repeated(name, name) if name in self._transitive else _WORDS.get(name)
            if words is not None and edge not in self._closed:
                self._closed.add(edge)
                self._replace(edge, words, inverse)
        return bool(new)

    def _uncovered(self, edges: set[Edge]) -> set[Edge]:
        """The steps that no step that is there already allows."""
        if not self.edges:
            return edges
        between: dict[tuple[int, int], list[Edge]] = {}
        for e in self.edges:
            between.setdefault((e.source, e.target), []).append(e)
        left = (self._rest(e, between.get((e.source, e.target), [])) for e in edges)
        return set(merged_guards(e for e in left if e.before))

    def _rest(self, edge: Edge, beside: list[Edge]) -> Edge:
        """A step for those blocks of its first event for which others do not allow all of it."""
        wider = [(f.before, f.after) for f in beside if contains(f.label, edge.label)]
        return edge._replace(before=uncovered(edge.before, edge.after, wider))

    def add_closed(self, edges: Iterable[Edge]) -> None:
        """Adds steps from which nothing more is to follow."""
        new = set(edges)
        self.edges |= new
        self._closed |= new

    def _accept_empty(self) -> None:
        """The empty word, also where steps lead back to the start or on from the end."""
        self.add_closed(
            e._replace(target=END, after=e.after & self.nullable)
            for e in list(self.edges)
            if e.target == START
        )
        self.add_closed(
            e._replace(source=START, before=e.before & self.nullable)
            for e in list(self.edges)
            if e.source == END
        )

    def settled(self) -> Saturated:
        """The same over letters alone, with as few states as are easily found, and nothing more to follow."""
        self._accept_empty()
        letters = self.alphabet.letters
        arcs = self.alphabet.within(self.edges)
        edges = frozenset(Edge(a.source, letters[a.letter], a.target, a.before, a.after) for a in arcs)
        fewer = reduced(Nfa(self.states, edges, self.nullable))
        result = Saturated(Nfa(fewer.states, frozenset(), self.nullable), self.alphabet, self._transitive)
        result.add_closed(fewer.edges)
        return result

    def whole(self, name: str) -> list[Edge]:
        """The steps that all pairs of a relation can take."""
        joined = self._joined(self.edges)
        return [e for e in (*self.edges, *joined) if contains(e.label, (name, False))]

    def state(self, *key: object) -> int:
        """A state of one's own, the same for the same key."""
        if key not in self._between:
            self._between[key] = self.states
            self.states += 1
        return self._between[key]

    def _joined(self, new: set[Edge]) -> list[Edge]:
        """Wherever both halves of a relation lead from one state to another, all of it does."""
        found: list[Edge] = []
        between: dict[tuple[int, int, Label], list[Edge]] = {}
        for e in self.edges:
            if e.label[0] in WHOLE:
                between.setdefault((e.source, e.target, e.label), []).append(e)
        for (source, target, (name, inverse)), outer in between.items():
            whole = WHOLE[name]
            external, internal = HALVES[whole]
            if name != external:
                continue
            for e in outer:
                for f in between.get((source, target, (internal, inverse)), ()):
                    before, after = e.before & f.before, e.after & f.after
                    if before and after and (e in new or f in new):
                        found.append(Edge(source, (whole, inverse), target, before, after))
        return found

    def _replace(self, edge: Edge, words: _Words, inverse: bool) -> None:
        for source, (name, backwards), target in words:
            if inverse:
                source, target = _SWAP.get(target, target), _SWAP.get(source, source)
            label = (name, backwards != inverse)
            if not self.alphabet.letters_below(label):
                continue  # no word of the smaller side has it
            before = edge.before if source == _S else self.everything
            after = edge.after if target == _T else self.everything
            inner = Edge(self._inner(edge, source), label, self._inner(edge, target), before, after)
            self.edges.add(inner)
            self._closed.add(inner)

    def _inner(self, edge: Edge, name: str) -> int:
        """A state on the way; steps by one relation that end alike share it, as only the first is guarded."""
        if name in (_S, _T):
            return edge.source if name == _S else edge.target
        return self.state(edge.label, name, edge.target, edge.after)


_SWAP = {_S: _T, _T: _S}
