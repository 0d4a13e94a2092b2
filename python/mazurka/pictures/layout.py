"""Where the parts of a picture go: one column per thread, boxes downwards, curves between them.

A curve is bent just enough to keep off the boxes of other nodes, and its label is placed where there is
room on it. Curves that are always shown are placed before those that a reader may switch on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from mazurka.pictures.picture import Edge, Node, Picture

HEIGHT, LINE, SMALL_LINE, STRIP = 30.0, 16.0, 14.0, 20.0
GAP = 90.0  # between the boxes of neighbouring columns
HEADING = 46.0  # from a column's name down to its first node
CHARACTER, SMALL_CHARACTER = 8.0, 6.8  # their widths
BYTE = 22.0  # the width of a byte in a strip
_BENDS = (0, 26, -26, 44, -44, 64, -64, 90, -90, 120, -120, 160, -160, 210, -210)
_FEW_BENDS = (0, 30, -30, 56, -56, 96, -96, 150, -150)  # for curves that are not shown at first
_DOWN = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74)  # where labels may be if both ends are in one column
_ACROSS = (0.36, 0.64, 0.5, 0.28, 0.72, 0.2, 0.8)  # and otherwise: curves cross in the middle


class Point(NamedTuple):
    """A point of the drawing."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle by its centre and size."""

    centre: Point
    width: float
    height: float

    @property
    def left(self) -> float:
        """Its smallest x."""
        return self.centre.x - self.width / 2

    @property
    def top(self) -> float:
        """Its smallest y."""
        return self.centre.y - self.height / 2

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
    """A cubic curve."""

    start: Point
    first: Point  # the two control points
    second: Point
    end: Point

    def at(self, t: float) -> Point:
        """The point at a fraction of the curve."""
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        return Point(
            a * self.start.x + b * self.first.x + c * self.second.x + d * self.end.x,
            a * self.start.y + b * self.first.y + c * self.second.y + d * self.end.y,
        )


class Placed(NamedTuple):
    """An edge, its curve, and the box of its name, if that is shown."""

    edge: Edge
    curve: Curve
    label: Box | None


@dataclass(frozen=True)
class Layout:
    """The places of everything."""

    boxes: dict[int, Box]
    columns: tuple[Point, ...]
    curves: tuple[Placed, ...]
    frame: Box  # around all of it


def lay_out(picture: Picture) -> Layout:
    """The layout of a picture."""
    boxes = _boxes(picture)
    columns = tuple(_heading(picture, boxes, number) for number in range(len(picture.columns)))
    names = [_name(point, name) for point, name in zip(columns, picture.columns, strict=True)]
    placer = _Curves(boxes, list(names))
    drawn = sorted(picture.edges, key=lambda e: (not e.shown, e.name not in ("po", "rmw"), not e.marked))
    curves = tuple(placer.place(edge) for edge in drawn)
    points = [Box(curve.at(n / 8), 4, 4) for _, curve, _ in curves for n in range(9)]
    frame = _around([*boxes.values(), *names, *points, *(box for _, _, box in curves if box)])
    return Layout(boxes, columns, curves, frame)


def _name(last: Point, name: str) -> Box:
    """The rectangle of a column's name, whose ``last`` line stands at a point; others are above it."""
    lines = name.split("\n")
    above = LINE * (len(lines) - 1)
    return Box(Point(last.x, last.y - above / 2), max(4.0, *map(len, lines)) * CHARACTER, 20 + above)


def _around(boxes: list[Box]) -> Box:
    """The smallest rectangle around some rectangles."""
    left = min((box.left for box in boxes), default=0.0)
    right = max((box.left + box.width for box in boxes), default=0.0)
    top = min((box.top for box in boxes), default=0.0)
    bottom = max((box.top + box.height for box in boxes), default=0.0)
    return Box(Point((left + right) / 2, (top + bottom) / 2), right - left, bottom - top)


def _boxes(picture: Picture) -> dict[int, Box]:
    sizes = {node.number: size_of(node) for node in picture.nodes}
    centres = _centres(picture, sizes)
    heights = _heights(picture, sizes)
    return {
        node.number: Box(Point(centres[int(node.column)], _between(heights, node.row)), *sizes[node.number])
        for node in picture.nodes
    }


def size_of(node: Node) -> tuple[float, float]:
    """The width and the height of a node's box."""
    lines = node.label.split("\n")
    width = max(CHARACTER * max(map(len, lines)), SMALL_CHARACTER * len(node.note)) + 18
    height = HEIGHT + LINE * (len(lines) - 1) + (SMALL_LINE if node.note else 0.0)
    if node.strip is None:
        return width, height
    return max(width, BYTE * node.strip.size + 18), height + STRIP


def _centres(picture: Picture, sizes: dict[int, tuple[float, float]]) -> list[float]:
    """The centre of each column, as wide as what stands in it; names of columns stand above them."""
    count = max([len(picture.columns), *(int(node.column) + 1 for node in picture.nodes)])
    widths = [CHARACTER * max(map(len, name.split("\n"))) for name in picture.columns]
    widths += [0.0] * (count - len(picture.columns))
    for node in picture.nodes:
        widths[int(node.column)] = max(widths[int(node.column)], sizes[node.number][0])
    centres, left = [], 0.0
    for width in widths:
        centres.append(left + width / 2)
        left += width + GAP
    return centres


def _heights(picture: Picture, sizes: dict[int, tuple[float, float]]) -> list[float]:
    """The centre of each row, as high as what stands in it, or next to it."""
    count = max((ceil(node.row) for node in picture.nodes), default=0) + 1
    rows = [HEIGHT] * count
    for node in picture.nodes:
        for row in {floor(node.row), ceil(node.row)}:
            rows[row] = max(rows[row], sizes[node.number][1])
    centres = [0.0]
    more = LINE * max((name.count("\n") for name in picture.columns), default=0)  # lines of their names
    for number, (above, below) in enumerate(pairwise(rows), 1):
        names = HEADING - HEIGHT / 2 + more if number == picture.band else 0.0
        centres.append(centres[-1] + (above + below) / 2 + picture.row_gap + names)
    return centres


def _between(centres: list[float], row: float) -> float:
    """The centre of a row that may lie between two others."""
    above, below = centres[floor(row)], centres[ceil(row)]
    return above + (below - above) * (row - floor(row))


def _heading(picture: Picture, boxes: dict[int, Box], column: int) -> Point:
    """Where the name of a column stands, or the last line of it: all of them in one line."""
    own = [n for n in picture.nodes if n.kind != "initial"] or picture.nodes
    top = min((boxes[node.number].top for node in own), default=0.0)
    mine = next((boxes[node.number].centre.x for node in own if int(node.column) == column), 0.0)
    return Point(mine, top + HEIGHT / 2 - HEADING)


class _Curves:
    """Places curves and labels one after the other, each clear of those before it.

    Curves that are not shown at first only keep off boxes, and between the same boxes off those that are
    shown, are dependencies or have the same colour: which others will be seen together is not known.
    """

    def __init__(self, boxes: dict[int, Box], labels: list[Box]) -> None:
        self.boxes = boxes
        self.labels = labels
        self.used: list[_Used] = []
        self.between: dict[frozenset[int], list[tuple[Placed, _Used]]] = {}

    def place(self, edge: Edge) -> Placed:
        """The curve of an edge and the box of its label."""
        best = None
        for curve in _candidates(self.boxes[edge.first], self.boxes[edge.second], thorough=edge.shown):
            cost = self._cost(edge, curve, best[0] if best else None)
            if best is None or cost < best[0]:
                best = cost, curve
            if not cost:
                break
        assert best is not None, "there are curves to try"
        curve = best[1]
        label = self._label(edge, curve) if edge.named else None
        placed, used = Placed(edge, curve, label), _used(curve)
        self.between.setdefault(frozenset((edge.first, edge.second)), []).append((placed, used))
        if edge.shown:
            self.used.append(used)
            self.labels += [label] if label is not None else []
        return placed

    def _rivals(self, edge: Edge) -> list[tuple[Placed, _Used]]:
        """Of the curves between the same boxes, those that one which is not shown at first keeps off."""
        between = self.between.get(frozenset((edge.first, edge.second)), [])
        return [one for one in between if one[0].edge.shown or one[0].edge.tone in ("dependency", edge.tone)]

    def _cost(self, edge: Edge, curve: Curve, best: int | None) -> int:
        """How much of the curve lies on a box, or along another curve; crossing one does no harm.

        It is not worked out to the end where it is more than the ``best`` so far.
        """
        reach = _reach(curve, 8)
        ends = edge.first, edge.second
        boxes = [box for node, box in self.boxes.items() if node not in ends and box.meets(reach)]
        labels = [box for box in self.labels if box.meets(reach)] if edge.shown else []
        points = [curve.at(n / 16) for n in range(1, 16)] if boxes or labels else []
        cost = sum(6 for point in points for box in boxes if box.contains(point, 8.0))
        cost += sum(3 for point in points for box in labels if box.contains(point, 2.0))
        if best is not None and cost >= best:
            return cost
        own = [curve.at(n / 8) for n in range(1, 8)]
        others = self.used if edge.shown else [used for _, used in self._rivals(edge)]
        near = (other.points for other in others if other.reach.meets(reach))
        return cost + sum(4 * _alongside(own, other) for other in near)

    def _label(self, edge: Edge, curve: Curve) -> Box:
        """The box of a name: where it lies on no box and no other name, and on as few curves as possible."""
        width = CHARACTER * len(edge.name) + 6
        taken = [*self.boxes.values(), *self.labels]
        if not edge.shown:
            taken += [placed.label for placed, _ in self._rivals(edge) if placed.label is not None]
        down = self.boxes[edge.first].centre.x == self.boxes[edge.second].centre.x
        best = None
        for t in _DOWN if down else _ACROSS:
            choice = Box(curve.at(t), width, 16)
            cost = 1000 * sum(choice.meets(box) for box in taken)
            if edge.shown and not cost:
                cost = sum(self._crosses(choice, other) for other in self.used)
            if best is None or cost < best[0]:
                best = cost, choice
            if not cost:
                break
        assert best is not None, "there are places to try"
        return best[1]

    def _crosses(self, label: Box, other: _Used) -> int:
        if not label.meets(other.reach):
            return 0
        return sum(label.contains(other.curve.at(n / 24)) for n in range(25))


class _Used(NamedTuple):
    """A curve that is placed, a rectangle around it, and some of its points."""

    curve: Curve
    reach: Box
    points: list[Point]


def _used(curve: Curve) -> _Used:
    return _Used(curve, _reach(curve, 16), [curve.at(n / 8) for n in range(1, 8)])


def _reach(curve: Curve, margin: float) -> Box:
    """A rectangle around a curve: it lies within its control points."""
    left, right = min(p.x for p in curve) - margin, max(p.x for p in curve) + margin
    top, bottom = min(p.y for p in curve) - margin, max(p.y for p in curve) + margin
    return Box(Point((left + right) / 2, (top + bottom) / 2), right - left, bottom - top)


def _alongside(one: list[Point], two: list[Point]) -> int:
    """At how many places two curves are too close to be told apart; one is a crossing."""
    close = sum(any(abs(a.x - b.x) < 16 and abs(a.y - b.y) < 12 for b in two) for a in one)
    return max(0, close - 2)


def _candidates(first: Box, second: Box, *, thorough: bool) -> Iterator[Curve]:
    """The curves that an edge may have, the plainest first."""
    bends = _BENDS if thorough else _FEW_BENDS
    yield from (_bent(first, second, bend) for bend in bends[:5])
    yield from _sideways(first, second)
    yield from (_bent(first, second, bend) for bend in bends[5:])


def _bent(first: Box, second: Box, bend: int) -> Curve:
    """The curve between two boxes, bent to its left, from border to border."""
    dx, dy = second.centre.x - first.centre.x, second.centre.y - first.centre.y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    middle = Point((first.centre.x + second.centre.x) / 2, (first.centre.y + second.centre.y) / 2)
    control = Point(middle.x + 2 * bend * dy / length, middle.y - 2 * bend * dx / length)
    start, end = _border(first, control), _border(second, control, gap=3.0)
    return Curve(start, _part(start, control), _part(end, control), end)


def _part(one: Point, two: Point) -> Point:
    """The point two thirds of the way: it makes a cubic curve of a quadratic one."""
    return Point(one.x + (two.x - one.x) * 2 / 3, one.y + (two.y - one.y) * 2 / 3)


def _sideways(first: Box, second: Box) -> Iterator[Curve]:
    """Curves that leave and enter boxes at their sides: facing ones, then both right or both left."""
    dx = second.centre.x - first.centre.x
    if dx:
        out = 1 if dx > 0 else -1
        for reach in (0.35, 0.6):
            yield _from_side(first, out, second, -out, max(40.0, abs(dx) * reach))
    for out in (1, -1):
        for reach in (46.0, 80.0, 120.0):
            yield _from_side(first, out, second, out, reach)


def _from_side(first: Box, out: int, second: Box, into: int, reach: float) -> Curve:
    """A curve from a side of a box to a side of another; sides are 1 (right) and -1 (left)."""
    start = Point(first.centre.x + out * first.width / 2, first.centre.y + 6)
    end = Point(second.centre.x + into * (second.width / 2 + 3), second.centre.y - 6)
    furthest = max(start.x * out, end.x * out) * out if out == into else 0.0
    over = (furthest if out == into else start.x) + out * reach
    back = (furthest if out == into else end.x) + into * reach
    return Curve(start, Point(over, start.y), Point(back, end.y), end)


def _border(box: Box, towards: Point, gap: float = 0.0) -> Point:
    """Where the line from a box's centre to a point leaves the box."""
    dx, dy = towards.x - box.centre.x, towards.y - box.centre.y
    across = (box.width / 2 + gap) / abs(dx) if dx else float("inf")
    along = (box.height / 2 + gap) / abs(dy) if dy else float("inf")
    part = min(across, along, 1.0)
    return Point(box.centre.x + dx * part, box.centre.y + dy * part)
