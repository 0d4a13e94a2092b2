"""Which access modes a random test uses: few kinds at a time, so that cycles of one kind are common.

If each access chose freely, a test whose accesses are all SC, or all relaxed, would hardly ever be drawn,
and most differences between models need such tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

from mazurka.program import Mode

_LEVELS = {
    "na": ((Mode.NA,), (Mode.NA,), (Mode.RLX,), ()),
    "rlx": ((Mode.RLX,), (Mode.RLX,), (Mode.RLX,), ()),
    "ra": ((Mode.ACQ,), (Mode.REL,), (Mode.ACQ, Mode.REL, Mode.ACQ_REL), (Mode.ACQ, Mode.REL, Mode.ACQ_REL)),
    "sc": ((Mode.SC,), (Mode.SC,), (Mode.SC,), (Mode.SC,)),
}
_ATOMIC = ("rlx", "ra", "sc", "rlx ra", "rlx sc", "ra sc", "rlx ra sc", "rlx ra sc")
_ANY = (*_ATOMIC, *_ATOMIC, "na rlx", "na rlx ra", "na ra sc", "na rlx ra sc")


@dataclass(frozen=True)
class Palette:
    """The modes that a test's accesses and fences may have."""

    loads: tuple[Mode, ...]
    stores: tuple[Mode, ...]
    updates: tuple[Mode, ...]
    fences: tuple[Mode, ...]

    @property
    def failures(self) -> tuple[Mode, ...]:
        """The modes of a compare-exchange that fails: those of loads, but it is atomic."""
        return tuple(mode for mode in self.loads if mode is not Mode.NA) or (Mode.RLX,)


@cache
def palettes(non_atomic: bool) -> st.SearchStrategy[Palette]:
    """A palette; with non-atomic accesses in a part of the tests, if they may have any."""
    return st.sampled_from([_palette(words) for words in (_ANY if non_atomic else _ATOMIC)])


def _palette(words: str) -> Palette:
    levels = [_LEVELS[word] for word in words.split()]
    loads, stores, updates, fences = (tuple(m for level in levels for m in level[i]) for i in range(4))
    # A relaxed fence has no effect of its own: without other fences, all stronger ones may be drawn.
    return Palette(loads, stores, updates, fences or (Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC))
