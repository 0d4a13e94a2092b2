"""The execution of a refuted claim as lines of text: one column per thread, and what the columns do not show.

The values of a location's writes count up in coherence order from the initial 0, so they show co, and the
value of a read shows rf. Events have letters where a relation is listed below the columns.
"""

from __future__ import annotations

import textwrap
from itertools import chain, zip_longest

from mazurka.counterexamples import Counterexample
from mazurka.counterexamples.word import event_name
from mazurka.report.paint import Paint

_GAP = " │ "
_UNBROKEN = "\N{NO-BREAK SPACE}"
# Relations that columns and values show, or that follow from these.
_SAID = frozenset(
    (
        *("po", "po-loc", "po-imm", "same-thread", "loc-overlap", "any", "tc", "tj", "alloc", "free"),
        *("rf", "rfe", "rfi", "co", "coe", "coi", "fr", "fre", "fri", "rmw", "detour"),
    )
)


def other_relations(example: Counterexample) -> dict[str, list[tuple[int, int]]]:
    """The pairs of dependencies and declared relations, which neither columns nor values show."""
    found = {name: example.pairs(name) for name in sorted(example.graph.relations) if name not in _SAID}
    return {name: pairs for name, pairs in found.items() if pairs}


def event_text(example: Counterexample, event: int) -> str:
    """An event in a few words, such as ``W.rel x = 1``."""
    shown = example.events[event]
    text = event_name(example, event)
    return f"{text} {shown.place} = {shown.value}" if shown.place else text


def columns(example: Counterexample, width: int, paint: Paint) -> list[str]:
    """The execution, and below it the relations that it does not show, in lines of some width."""
    others = other_relations(example)
    letters = _letters(example) if others else {}
    cells = [
        [f"{letters[e]}: {event_text(example, e)}" if letters else event_text(example, e) for e in thread]
        for thread in example.threads
    ]
    titles = [f"T{number}" for number in range(1, len(cells) + 1)]
    widths = [max(map(len, [title, *column])) for title, column in zip(titles, cells, strict=True)]
    head = _GAP.join(paint("head", title.ljust(w)) for title, w in zip(titles, widths, strict=True))
    lines = [head.rstrip(), "─┼─".join("─" * w for w in widths)]
    for row in zip_longest(*cells, fillvalue=""):
        lines.append(_GAP.join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
    for relation, pairs in others.items():
        edges = [f"{letters.get(a, 'init')} → {letters.get(b, 'init')}" for a, b in pairs]
        lines += _listed(relation, edges, width)
    return lines


def _listed(relation: str, edges: list[str], width: int) -> list[str]:
    """The edges of a relation; no edge is broken across lines."""
    text = f"{relation}: {', '.join(edge.replace(' ', _UNBROKEN) for edge in edges)}"
    lines = textwrap.wrap(text, max(width, 20), subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace(_UNBROKEN, " ") for line in lines]


def _letters(example: Counterexample) -> dict[int, str]:
    events = chain.from_iterable(example.threads)
    return {event: chr(ord("a") + n) if n < 26 else f"e{n}" for n, event in enumerate(events)}
