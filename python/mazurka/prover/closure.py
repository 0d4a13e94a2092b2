"""The words that the built-in facts put within a relation (thesis Prop. 2, 4 and 6).

Where an automaton steps by po it may step by po several times, where by co also by ``rf ; fr``, and so on. A
relation's words are a small automaton, so every fact is used as often as it can be.
I1: a word of a relation denotes, in every graph, a part of that relation.
"""

from __future__ import annotations

from typing import TypeAlias

from mazurka.prover.facts import TRANSITIVE, Label, label

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


def words_within(which: Label, transitive: frozenset[str]) -> list[tuple[int, Label, int]]:
    """The words within a relation as steps between numbered states: 0 is the start, 1 the end."""
    name, inverse = which
    words = _repeated(name, name) if name in transitive else _WORDS.get(name, [])
    first, last = (_T, _S) if inverse else (_S, _T)
    numbers = {first: 0, last: 1}
    steps = []
    for source, (part, backwards), target in words:
        if inverse:
            source, target = target, source
        one, two = (numbers.setdefault(state, len(numbers)) for state in (source, target))
        steps.append((one, label(part, backwards != inverse), two))
    return steps
