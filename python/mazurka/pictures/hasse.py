"""Draws an order as a Hasse diagram, with larger elements above: with characters, as DOT and as SVG.

The height of an element is the length of its longest path down. Where a line passes a row, it has its own
place there, so every line segment goes from one row to the next.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise, permutations, product

Edge = tuple[str, str]  # the larger and the smaller one
_GAP = 4  # characters between names
_SWEEPS = 8
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"  # by the directions in which a line leaves a cell
_MOST_TRACKS = 6  # up to this many, all orders of tracks are tried
_RUNS_INTO = 100  # crossings that are preferable to two lines that cannot be told apart
_ROW_HEIGHT, _CHARACTER, _FONT = 90, 9, 15  # of the SVG, in pixels


@dataclass
class _Layout:
    """Rows from top to bottom, of names and of places where lines pass, which are named by their edge."""

    rows: list[list[str]]
    links: list[Edge]  # between neighbouring rows
    labels: Mapping[str, str]  # of names; places have none
    centres: dict[str, int] = field(default_factory=dict)

    def width(self, node: str) -> int:
        return len(self.labels.get(node, "")) or 1


def drawn(labels: Mapping[str, str], edges: Iterable[Edge]) -> str:
    """The diagram in characters."""
    layout = _laid_out(labels, list(edges))
    lines: list[str] = []
    for number, row in enumerate(layout.rows):
        line = ""
        for node in row:
            start = layout.centres[node] - layout.width(node) // 2
            line = line.ljust(start) + layout.labels.get(node, "│")
        lines.append(line)
        if number + 1 < len(layout.rows):
            lines += _between(layout, row)
    return "\n".join(lines) + "\n"


def as_dot(labels: Mapping[str, str], edges: Iterable[Edge]) -> str:
    """The diagram in the language of Graphviz."""
    lines = [f'  "{name}" [label="{label}", shape=plaintext];' for name, label in labels.items()]
    lines += [f'  "{above}" -> "{below}" [arrowhead=none];' for above, below in edges]
    return "\n".join(("digraph models {", *lines, "}")) + "\n"


def as_svg(labels: Mapping[str, str], edges: Iterable[Edge]) -> str:
    """The diagram as a picture."""
    layout = _laid_out(labels, list(edges))
    places = {
        node: (layout.centres[node] * _CHARACTER + 2 * _FONT, number * _ROW_HEIGHT + 2 * _FONT)
        for number, row in enumerate(layout.rows)
        for node in row
    }
    right = max(places[node][0] + layout.width(node) * _CHARACTER for row in layout.rows for node in row)
    height = (len(layout.rows) - 1) * _ROW_HEIGHT + 4 * _FONT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right}" height="{height}" '
        f'viewBox="0 0 {right} {height}" font-family="monospace" font-size="{_FONT}" text-anchor="middle">',
        f'<rect width="{right}" height="{height}" fill="white"/>',
    ]
    for above, below in layout.links:
        (x1, y1), (x2, y2) = places[above], places[below]
        top, bottom = (_FONT * (node in labels) for node in (above, below))
        parts.append(f'<line x1="{x1}" y1="{y1 + top}" x2="{x2}" y2="{y2 - bottom}" stroke="black"/>')
    for name, label in labels.items():
        x, y = places[name]
        parts.append(f'<text x="{x}" y="{y + _FONT // 3}">{escape(label)}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"


# Places -------------------------------------------------------------------------------------------------


def _laid_out(labels: Mapping[str, str], edges: list[Edge]) -> _Layout:
    depths = dict.fromkeys(labels, 0)
    for _ in labels:
        for above, below in edges:
            depths[above] = max(depths[above], depths[below] + 1)
    rows: list[list[str]] = [[] for _ in range(max(depths.values(), default=0) + 1)]
    for name, depth in depths.items():
        rows[-1 - depth].append(name)
    links: list[Edge] = []
    for above, below in edges:
        here = above
        for depth in range(depths[above] - 1, depths[below], -1):
            place = f"{above}\n{below}\n{depth}"
            rows[-1 - depth].append(place)
            links.append((here, place))
            here = place
        links.append((here, below))
    layout = _Layout(rows, links, labels)
    _order(layout)
    _place(layout)
    return layout


def _order(layout: _Layout) -> None:
    """Orders each row by the positions of its neighbours, so that few lines cross."""
    best = [list(row) for row in layout.rows]
    for sweep in range(_SWEEPS):
        rows = layout.rows if sweep % 2 else layout.rows[::-1]
        for before, row in pairwise(rows):
            at = {node: index for index, node in enumerate(before)}
            seen = {node: [at[b if a == node else a] for a, b in _links(layout, node, at)] for node in row}
            row.sort(key=lambda node: sum(seen[node]) / len(seen[node]) if seen[node] else len(at))
        if _crossings(layout, layout.rows) < _crossings(layout, best):
            best = [list(row) for row in layout.rows]
    layout.rows[:] = best


def _links(layout: _Layout, node: str, others: Container[str]) -> list[Edge]:
    return [(a, b) for a, b in layout.links if (a == node and b in others) or (b == node and a in others)]


def _crossings(layout: _Layout, rows: list[list[str]]) -> int:
    at = {node: index for row in rows for index, node in enumerate(row)}
    row_of = {node: number for number, row in enumerate(rows) for node in row}
    return sum(
        row_of[a] == row_of[c] and at[a] < at[c] and at[b] > at[d]
        for (a, b), (c, d) in permutations(layout.links, 2)
    )


def _place(layout: _Layout) -> None:
    """Gives each node a column: below or above its neighbours, if there is room."""
    for _ in range(_SWEEPS):
        for row in (*layout.rows[::-1], *layout.rows):
            _place_row(layout, row)
    left = min(layout.centres[node] - layout.width(node) // 2 for row in layout.rows for node in row)
    for node in layout.centres:
        layout.centres[node] -= left


def _place_row(layout: _Layout, row: list[str]) -> None:
    free = -(10**6)
    for node in row:
        beside = [layout.centres.get(b if a == node else a, 0) for a, b in layout.links if node in (a, b)]
        wanted = sum(beside) // len(beside) if beside else 0
        half = layout.width(node) // 2
        layout.centres[node] = max(wanted, free + half)
        free = layout.centres[node] - half + layout.width(node) + _GAP


# Lines --------------------------------------------------------------------------------------------------


def _between(layout: _Layout, row: list[str]) -> list[str]:
    """The lines of characters between a row and the next."""
    ends = [(layout.centres[a], layout.centres[b]) for a, b in layout.links if a in row]
    straight = [(top, bottom) for top, bottom in ends if top == bottom]
    bent = [(top, bottom) for top, bottom in ends if top != bottom]
    # Lines that end in one place may share a track.
    targets = list(dict.fromkeys(bottom for _, bottom in bent))
    orders = permutations(targets) if len(targets) <= _MOST_TRACKS else [tuple(targets)]
    numbered = ([order.index(bottom) for _, bottom in bent] for order in orders)
    tracks = min(numbered, key=lambda tracks: _clashes(bent, tracks))
    height = max(len(targets), 1)
    cells: dict[tuple[int, int], int] = {}
    for (top, _), line in product(straight, range(height)):
        cells[line, top] = cells.get((line, top), 0) | _UP | _DOWN
    for (top, bottom), track in zip(bent, tracks, strict=True):
        _bend(cells, top, bottom, track, height)
    width = max((column for _, column in cells), default=-1) + 1
    return [
        "".join(_LINES[cells.get((line, column), 0)] for column in range(width)).rstrip()
        for line in range(height)
    ]


def _bend(cells: dict[tuple[int, int], int], top: int, bottom: int, track: int, height: int) -> None:
    """A line down to its track, along it, and down again."""

    def add(line: int, column: int, directions: int) -> None:
        cells[line, column] = cells.get((line, column), 0) | directions

    for line in range(track):
        add(line, top, _UP | _DOWN)
    for line in range(track + 1, height):
        add(line, bottom, _UP | _DOWN)
    left, right = sorted((top, bottom))
    for column in range(left + 1, right):
        add(track, column, _LEFT | _RIGHT)
    add(track, top, _UP | (_RIGHT if bottom > top else _LEFT))
    add(track, bottom, _DOWN | (_LEFT if bottom > top else _RIGHT))


def _clashes(bent: list[tuple[int, int]], tracks: list[int]) -> int:
    """How often lines without a common end meet: crossings and, worse, lines that run into each other."""
    count = 0
    for (one, first), (other, second) in permutations(zip(bent, tracks, strict=True), 2):
        left, right = sorted(one)
        top, bottom = other
        count += left < top < right and first < second
        count += left < bottom < right and first > second
        count += _RUNS_INTO * (top == one[1] and second >= first)
    return count
