"""Where the parts of a drawing go: one column per thread, boxes downwards in po, curves between them.

A curve is bent just enough to keep off the boxes of other events, and its label is placed where there is
room on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mazurka.counterexamples.edges import DrawnEdge, drawn_events, edges, label
from mazurka.counterexamples.execution import Counterexample

COLUMN, ROW, HEIGHT = 190.0, 92.0, 30.0
HEADING = 46.0  # from a thread's name down to its first event
CHARACTER = 8.0  # its width
_BENDS = (0, 26, -26, 44, -44, 64, -64, 90, -90, 120, -120, 160, -160)
_DOWN = (0.5, 0.42, 0.58, 0.34, 0.66)  # where the label of a curve may be, if both ends are in one thread
_ACROSS = (0.36, 0.64, 0.5, 0.28, 0.72)  # and otherwise: curves cross in the middle


class Point(NamedTuple):
    """A point of the drawing."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle by its centre and size."""

    centre: Point
    width: float
    height: float

    def contains(self, point: Point, margin: float = 0.0) -> bool:
        """Whether a point lies in it, or within a margin around it."""
        return (
            abs(point.x - self.centre.x) <= self.width / 2 + margin
            and abs(point.y - self.centre.y) <= self.height / 2 + margin
        )

    def meets(self, other: Box) -> bool:
        """Whether two rectangles overlap."""
        return (
            abs(self.centre.x - other.centre.x) < (self.width + other.width) / 2
            and abs(self.centre.y - other.centre.y) < (self.height + other.height) / 2
        )


class Curve(NamedTuple):
    """A quadratic curve."""

    start: Point
    control: Point
    end: Point

    def at(self, t: float) -> Point:
        """The point at a fraction of the curve."""
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        x = a * self.start.x + b * self.control.x + c * self.end.x
        return Point(x, a * self.start.y + b * self.control.y + c * self.end.y)


@dataclass(frozen=True)
class Layout:
    """The places of everything."""

    boxes: dict[int, Box]
    columns: tuple[Point, ...]
    curves: tuple[tuple[DrawnEdge, Curve, Box], ...]  # with the box of the label
    frame: Box  # around all of it


def lay_out(example: Counterexample) -> Layout:
    """The layout of a drawing."""
    boxes = _boxes(example)
    heads = [boxes[events[0]].centre for events in example.threads]
    top = min((point.y for point in heads), default=0.0) - HEADING
    columns = tuple(Point(point.x, top) for point in heads)
    names = [Box(point, 4 * CHARACTER, 20) for point in columns]
    placer = _Curves(boxes, list(names))
    drawn = sorted(edges(example), key=lambda edge: (edge.name not in ("po", "rmw"), not edge.marked))
    curves = tuple((edge, *placer.place(edge)) for edge in drawn)
    points = [Box(curve.at(n / 8), 4, 4) for _, curve, _ in curves for n in range(9)]
    frame = _around([*boxes.values(), *names, *points, *(box for _, _, box in curves)])
    return Layout(boxes, columns, curves, frame)


def _around(boxes: list[Box]) -> Box:
    """The smallest rectangle around some rectangles."""
    left = min(box.centre.x - box.width / 2 for box in boxes)
    right = max(box.centre.x + box.width / 2 for box in boxes)
    top = min(box.centre.y - box.height / 2 for box in boxes)
    bottom = max(box.centre.y + box.height / 2 for box in boxes)
    return Box(Point((left + right) / 2, (top + bottom) / 2), right - left, bottom - top)


def _boxes(example: Counterexample) -> dict[int, Box]:
    width = max((CHARACTER * len(label(example, e)) + 18 for e in drawn_events(example)), default=0.0)
    column = max(COLUMN, width + 90)
    longest = max(map(len, example.threads), default=0)
    first = width / 2
    boxes = {}
    initial = [event for event in drawn_events(example) if event in example.initial]
    for number, event in enumerate(initial):
        boxes[event] = Box(Point(first + number * column, 0.0), width, HEIGHT)
    top = ROW * 1.2 if initial else 0.0
    for number, events in enumerate(example.threads):
        lower = ROW * (longest - 1) / 2 if len(events) == 1 else 0.0  # a lone event is in the middle
        for index, event in enumerate(events):
            boxes[event] = Box(Point(first + number * column, top + lower + index * ROW), width, HEIGHT)
    return boxes


class _Curves:
    """Places curves and labels one after the other, each clear of those before it."""

    def __init__(self, boxes: dict[int, Box], labels: list[Box]) -> None:
        self.boxes = boxes
        self.labels = labels
        self.used: list[Curve] = []
        self.samples: list[list[Point]] = []  # of the used curves

    def place(self, edge: DrawnEdge) -> tuple[Curve, Box]:
        """The curve of an edge and the box of its label."""
        ends = self.boxes[edge.first], self.boxes[edge.second]
        best = None
        for bend in _BENDS:
            cost = self._cost(edge, bend)
            if best is None or cost < best[0]:
                best = cost, bend
            if not cost:
                break
        assert best is not None, "there are bends to try"
        curve = _curve(*ends, best[1])
        self.used.append(curve)
        self.samples.append(_samples(curve))
        label_box = self._label(edge, curve)
        self.labels.append(label_box)
        return curve, label_box

    def _cost(self, edge: DrawnEdge, bend: int) -> int:
        """How much of the curve lies on a box, or along another curve; crossing one does no harm."""
        curve = _curve(self.boxes[edge.first], self.boxes[edge.second], bend)
        points = [curve.at(n / 24) for n in range(1, 24)]
        others = [box for event, box in self.boxes.items() if event not in (edge.first, edge.second)]
        hits = sum(6 for point in points for box in others if box.contains(point, 8.0))
        hits += sum(3 for point in points for box in self.labels if box.contains(point, 2.0))
        own = _samples(curve)
        return hits + sum(4 * _alongside(own, other) for other in self.samples)

    def _label(self, edge: DrawnEdge, curve: Curve) -> Box:
        width = CHARACTER * len(edge.name) + 6
        taken = [*self.boxes.values(), *self.labels]
        down = self.boxes[edge.first].centre.x == self.boxes[edge.second].centre.x
        choices = [Box(curve.at(t), width, 16) for t in (_DOWN if down else _ACROSS)]
        costs = [sum(choice.meets(box) for box in taken) for choice in choices]
        crossed = [
            sum(choice.contains(other.at(n / 24)) for other in self.used[:-1] for n in range(25))
            for choice in choices
        ]
        _, best = min((10 * a + b, n) for n, (a, b) in enumerate(zip(costs, crossed, strict=True)))
        return choices[best]


def _samples(curve: Curve) -> list[Point]:
    return [curve.at(n / 8) for n in range(1, 8)]


def _alongside(one: list[Point], two: list[Point]) -> int:
    """At how many places two curves are too close to be told apart; one is a crossing."""
    close = sum(any(_near(point, other) for other in two) for point in one)
    return max(0, close - 2)


def _near(one: Point, two: Point) -> bool:
    return abs(one.x - two.x) < 16 and abs(one.y - two.y) < 12


def _curve(first: Box, second: Box, bend: int) -> Curve:
    """The curve between two boxes, bent to its left, from border to border."""
    dx, dy = second.centre.x - first.centre.x, second.centre.y - first.centre.y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    middle = Point((first.centre.x + second.centre.x) / 2, (first.centre.y + second.centre.y) / 2)
    control = Point(middle.x + 2 * bend * dy / length, middle.y - 2 * bend * dx / length)
    return Curve(_border(first, control), control, _border(second, control, gap=3.0))


def _border(box: Box, towards: Point, gap: float = 0.0) -> Point:
    """Where the line from a box's centre to a point leaves the box."""
    dx, dy = towards.x - box.centre.x, towards.y - box.centre.y
    across = (box.width / 2 + gap) / abs(dx) if dx else float("inf")
    along = (box.height / 2 + gap) / abs(dy) if dy else float("inf")
    part = min(across, along, 1.0)
    return Point(box.centre.x + dx * part, box.centre.y + dy * part)
