"""Words and steps of automata as people write them in the model language."""

from __future__ import annotations

from collections.abc import Sequence

from mazurka.kat.automata.inclusion import Word
from mazurka.kat.meaning.classes import describe, domain
from mazurka.kat.meaning.plan import Symbol, view_of

# Relations that have no name in the language.
_WRITTEN_OUT: dict[int, str] = {
    Symbol.PO_IMM_LOC: "(po-imm & po-loc)",
    Symbol.PO_IMM_ELSEWHERE: "(po-imm \\ po-loc)",
}


def symbol_name(symbol: int, inverse: bool = False, views: Sequence[str] = ()) -> str:
    """A relation's name; ``views`` are the names of a plan's views."""
    index = view_of(symbol)
    if index is not None:
        name = views[index] if index < len(views) else f"view {index}"
        name = f"({name} & loc-overlap)" if symbol >= Symbol.VIEW_LOC else name
    elif symbol in _WRITTEN_OUT:
        name = _WRITTEN_OUT[symbol]
    else:
        name = Symbol(symbol).name.lower().replace("_", "-")
    return f"{name}^-1" if inverse else name


def guard_text(classes: int, possible: int) -> str:
    """A guard as text; empty if it lets through every class that is possible there."""
    return "" if classes & possible == possible else describe(classes)


def step_text(symbol: int, before: int, after: int, inverse: bool = False, views: Sequence[str] = ()) -> str:
    """A step with its guards."""
    first, second = domain(symbol, inverse)
    parts = (guard_text(before, first), symbol_name(symbol, inverse, views), guard_text(after, second))
    return " ; ".join(part for part in parts if part)


def show_word(word: Word, closed: bool = False) -> str:
    """A word as text. If it is ``closed``, a cycle, its last event is its first and is not repeated."""
    if not word:
        return "id"
    parts: list[str] = []
    for index, step in enumerate(word):
        first, second = domain(step.symbol, step.inverse)
        possible = domain(word[index - 1].symbol, word[index - 1].inverse)[1] if index else first
        guard = guard_text(step.before, possible)
        if guard:
            parts.append(guard)
        parts.append(symbol_name(step.symbol, step.inverse))
        if index == len(word) - 1 and not closed:
            guard = guard_text(step.after, second)
            if guard:
                parts.append(guard)
    return " ; ".join(parts)
