"""Drawings of random graphs: nothing lies outside, and no two events or names of edges on each other."""

from __future__ import annotations

import random
from itertools import combinations

from mazurka.counterexamples.drawing import picture_of
from mazurka.pictures.layout import Box, lay_out
from weak_graphs import shown, weak_graph


def within(inner: Box, outer: Box) -> bool:
    """Whether a rectangle lies in another."""
    return (
        abs(inner.centre.x - outer.centre.x) <= (outer.width - inner.width) / 2 + 1e-6
        and abs(inner.centre.y - outer.centre.y) <= (outer.height - inner.height) / 2 + 1e-6
    )


def test_everything_has_its_room() -> None:
    rng = random.Random(3)
    for _ in range(15):
        layout = lay_out(picture_of(shown(weak_graph(rng, dependencies=True))))
        labels = [box for _, _, box in layout.curves if box]
        assert all(within(box, layout.frame) for box in (*layout.boxes.values(), *labels))
        ends = [point for _, curve, _ in layout.curves for point in (curve.start, curve.end)]
        assert all(layout.frame.contains(point) for point in ends)
        assert not [pair for pair in combinations(layout.boxes.values(), 2) if pair[0].meets(pair[1])]
        assert not [label for label in labels for box in layout.boxes.values() if label.meets(box)]
