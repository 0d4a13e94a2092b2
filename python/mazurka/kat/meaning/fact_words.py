"""The words that the built-in facts put within each relation, as small automata (thesis Prop. 2, 4 and 6).

Where coherence is known to hold, the events of one location form a line: each write followed by the reads of
it, in the order of co. Every step along po-loc, rf, co or fr, and back along rf, stays at its write or moves
on to a later one. So a word between two writes is within co if one of its steps is known to move on; the same
holds for words from a read, and fr.
I1: in every graph (``coherent``: in every coherent one) the words of a relation denote a part of it.
"""

from __future__ import annotations

from typing import TypeAlias

from mazurka.kat.meaning.facts import ACROSS, TRANSITIVE, WITHIN, Label, label

_S, _T = "start", "end"
_Words: TypeAlias = list[tuple[str, Label, str]]


def _repeated(first: str, *again: str) -> _Words:
    """``first ; again*``."""
    one = (first, False)
    words: _Words = [(_S, one, _T), (_S, one, "m")]
    for name in again:
        words += [("m", (name, False), "m"), ("m", (name, False), _T)]
    return words


# In any graph ------------------------------------------------------------------------------------------


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
    """coe: steps in one thread, one to another thread, then steps in that thread."""
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


_ALWAYS: dict[str, _Words] = {
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

# In coherent graphs ------------------------------------------------------------------------------------

_INSIDE = ("rfi", "coi", "fri", WITHIN)
_OUTSIDE = ("rfe", "coe", "fre", ACROSS)
_ALL = ("rf", "co", "fr", "po-loc")


def _steps_on_line(
    sources: tuple[str, str], targets: tuple[str, str], names: tuple[str, ...], *, ends: bool
) -> _Words:
    """Steps along a line of events; the second source and target are for words that have moved on."""
    rf, co, fr, po_loc = names
    stay = ((rf, False), (rf, True), (po_loc, False))
    words: _Words = []
    for source, target in zip(sources, targets, strict=True):
        words += [(source, label, target) for label in stay]
    for source in sources:
        words += [(source, (name, False), targets[1]) for name in (co, fr)]
        if ends:  # a word that ends at a write: its last step along po-loc moves on, too
            words += [(source, (name, False), _T) for name in (co, fr, po_loc)]
    if ends:
        words += [(sources[1], label, _T) for label in stay]
    return words


def _words_on_line(names: tuple[str, ...]) -> _Words:
    """The words that end at a later write of the location."""
    start = [
        (_S, label, target)
        for source, label, target in _steps_on_line(_FIRST, _FIRST, names, ends=True)
        if source == _FIRST[0]
    ]
    return start + _steps_on_line(_FIRST, _FIRST, names, ends=True)


def _words_to_another_thread() -> _Words:
    """The same for words that end in another thread because one step leaves the first event's thread."""
    words = _steps_on_line(_FIRST, _FIRST, _INSIDE, ends=False)
    words += _steps_on_line(_FIRST, _SECOND, _OUTSIDE, ends=True)
    start = [(_S, label, target) for source, label, target in words if source == _FIRST[0]]
    return start + words + _steps_on_line(_SECOND, _SECOND, _INSIDE, ends=True)


_FIRST, _SECOND = ("here", "later"), ("there", "later there")


def _along(name: str, *others: str) -> _Words:
    """Program order, and the relations that are within it because coherence forbids the other direction."""
    names = (name, *others, "coi", "fri")
    words: _Words = []
    for first in names:
        words += _repeated(first, *names)
    return words


_COHERENT: dict[str, _Words] = {
    **_ALWAYS,
    "po": _along("po"),
    "po-loc": _along("po-loc", "rfi"),
    WITHIN: _along(WITHIN, "rfi"),
    "co": _words_on_line(_ALL),
    "fr": _words_on_line(_ALL),
    "coi": _words_on_line(_INSIDE),
    "fri": _words_on_line(_INSIDE),
    "coe": _words_to_another_thread(),
    "fre": _words_to_another_thread(),
}


def words_within(which: Label, transitive: frozenset[str], *, coherent: bool) -> list[tuple[int, Label, int]]:
    """The words within a relation as steps between numbered states: 0 is the start, 1 the end."""
    name, inverse = which
    known = _COHERENT if coherent else _ALWAYS
    words = _repeated(name, name) if name in transitive else known.get(name, [])
    first, last = (_T, _S) if inverse else (_S, _T)
    numbers = {first: 0, last: 1}
    steps = []
    for source, (part, backwards), target in words:
        if inverse:
            source, target = target, source
        one, two = (numbers.setdefault(state, len(numbers)) for state in (source, target))
        steps.append((one, label(part, backwards != inverse), two))
    return steps
