"""Hypothesis strategies that draw tests whose accesses have several sizes and share bytes.

A test first draws a few footprints, near each other in one variable of one or two words, and then operations
on these, so that most accesses overlap with others. Values differ in their bytes, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from mazurka.testing.dependency_strategies import dependency_tests
from mazurka.testing.modes import Palette, palettes
from mazurka.testing.operations import ACCESSING, Exchange, Guard, Operation, Part, Place, Store, Test
from mazurka.testing.strategies import Budget, Chunk, chunks_of, draw_test, operations_on

WORD = "x"
_VALUES = (0, 1, 0x0101, 0x0102, 0x01010101, 0x0202020202020202)
_WIDE_VALUES = (1 << 64, 0x01 << 64 | 0x0102)


@st.composite
def mixed_tests(
    draw: st.DrawFn,
    *,
    max_threads: int = 4,
    max_ops: int = 3,
    max_footprints: int = 4,
    max_events: int = 8,
    max_candidates: int = 2_000,
    sizes: tuple[int, ...] = (1, 2, 4, 8, 16),
    aligned: bool = True,
    assumes: bool = False,
    non_atomic: bool = False,
) -> Test:
    """A random test with at least two threads; accesses begin at multiples of their size if ``aligned``."""
    parts = tuple(
        draw(st.lists(footprints(sizes, aligned), min_size=2, max_size=max_footprints, unique=True))
    )
    chunks = _chunks(parts, assumes, draw(palettes(non_atomic)))
    budget = _CellBudget(parts, max_events, max_candidates)
    return draw_test(draw, (WORD,), chunks, max_threads, max_ops, budget)


@cache
def footprints(sizes: tuple[int, ...], aligned: bool) -> st.SearchStrategy[Part]:
    """Some bytes of two words; small ones are at the beginning, to overlap more often."""
    return st.sampled_from(
        [
            Part(WORD, first, size)
            for size in sizes
            for first in range(0, 16 if size == 8 else 4, size if aligned else 1)
            if first + size <= 16 and (aligned or first <= 4)
        ]
    )


@cache  # building strategies costs more than drawing from them
def _chunks(parts: tuple[Part, ...], assumes: bool, palette: Palette) -> st.SearchStrategy[Chunk]:
    places: st.SearchStrategy[Place] = st.sampled_from(parts)
    has_wide = any(part.size > 8 for part in parts)
    values = st.sampled_from(_VALUES + _WIDE_VALUES if has_wide else _VALUES)
    return chunks_of(operations_on(places, values, palette), values, mutexes=False, assumes=assumes)


class _CellBudget(Budget):
    """Counts choices for each group of bytes that the footprints tell apart."""

    def __init__(self, parts: tuple[Part, ...], max_events: int, max_candidates: int) -> None:
        self.edges = sorted({edge for part in parts for edge in (part.first, part.first + part.size)})
        super().__init__([*map(str, self.edges), WORD], max_events, max_candidates)

    def cells(self, place: Place) -> Iterable[str]:
        """The cells of a part."""
        assert isinstance(place, Part)
        return [str(edge) for edge in self.edges if place.first <= edge < place.first + place.size]


_SHAPES = ((0, 4), (0, 4), (0, 8), (0, 2), (2, 2), (4, 4))  # first byte and size
_SPREAD = 0x0101010101010101


@st.composite
def mixed_dependency_tests(draw: st.DrawFn, *, max_events: int = 7, max_candidates: int = 60) -> Test:
    """A test with dependencies (``dependency_strategies``) whose accesses have several sizes.

    Where an address is computed, four bytes are accessed. Stored numbers differ in all of their bytes.
    """
    test = draw(dependency_tests(max_events=max_events, max_candidates=max_candidates, two_compare=False))

    def resized(operation: Operation) -> Operation:
        if isinstance(operation, Guard):
            return replace(operation, body=tuple(map(resized, operation.body)))
        if isinstance(operation, Store | Exchange) and isinstance(operation.value, int):
            operation = replace(operation, value=operation.value * _SPREAD)
        if isinstance(operation, ACCESSING) and isinstance(operation.place, str):
            first, size = draw(st.sampled_from(_SHAPES))
            operation = replace(operation, place=Part(operation.place, first, size))
        return operation

    return replace(test, threads=tuple(tuple(map(resized, thread)) for thread in test.threads))
