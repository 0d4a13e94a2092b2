"""The colours of relations: a dark one on light paper and a light one on dark paper.

Each has a contrast of at least 4.5 to 1 with its paper, so that names of edges can be read.
"""

from __future__ import annotations

from typing import NamedTuple


class Tone(NamedTuple):
    """A colour for light paper, and the same for dark paper."""

    light: str
    dark: str


TONES = {
    "po": Tone("#6b7280", "#9ca3af"),
    "rf": Tone("#15803d", "#4ade80"),
    "co": Tone("#1d4ed8", "#7ab5ff"),
    "fr": Tone("#c2410c", "#fb923c"),
    "hb": Tone("#0e7490", "#22d3ee"),
    "sw": Tone("#a21caf", "#f0abfc"),
    "bad": Tone("#be123c", "#fb7185"),
    "dependency": Tone("#7e22ce", "#c084fc"),
    "other": Tone("#374151", "#d1d5db"),
    "own-1": Tone("#a16207", "#facc15"),
    "own-2": Tone("#be185d", "#f9a8d4"),
    "own-3": Tone("#4d7c0f", "#a3e635"),
    "own-4": Tone("#4338ca", "#a5b4fc"),
    "own-5": Tone("#0f766e", "#5eead4"),
}
DEPENDENCIES = ("addr", "data", "ctrl")
# The relations that have the same tone in every picture.
TONE_OF = {
    **{name: name for name in ("po", "rf", "co", "fr", "hb", "sw")},
    **dict.fromkeys(DEPENDENCIES, "dependency"),
}
OWN = tuple(name for name in TONES if name.startswith("own-"))
PAPER = Tone("#ffffff", "#16181d")
INK = Tone("#111827", "#e5e7eb")
FAINT = Tone("#cbd5e1", "#4b5563")
QUIET = Tone("#4b5563", "#a8b0bd")
MARK = Tone("#fef3c7", "#453a12")
FAIL = Tone("#ffe4e6", "#4c1620")
