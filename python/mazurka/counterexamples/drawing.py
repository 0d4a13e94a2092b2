"""Executions as pictures: SVG that needs nothing else, and DOT for graphviz.

Threads are columns, po goes downwards, and edges of the word are thick.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from mazurka.counterexamples.edges import DrawnEdge, caption, drawn_events, edges, label
from mazurka.counterexamples.execution import Counterexample
from mazurka.counterexamples.layout import CHARACTER, Box, Curve, Layout, Point, lay_out
from mazurka.counterexamples.word import word_text

MARGIN, LINE = 24.0, 20.0
_FONT = "font-family='DejaVu Sans Mono, Menlo, Consolas, monospace'"
_INK, _FAINT, _MARK = "#111827", "#d1d5db", "#fef3c7"


def svg(example: Counterexample, title: str = "") -> str:
    """The execution as an SVG file; ``title`` is a line above it."""
    layout = lay_out(example)
    heads = [line for line in (title or word_text(example), caption(example)) if line]
    text_width = CHARACTER * max(map(len, heads), default=0)
    frame = layout.frame
    left = frame.centre.x - frame.width / 2 - MARGIN
    top = frame.centre.y - frame.height / 2 - MARGIN - LINE * len(heads)
    width = max(frame.width, text_width) + 2 * MARGIN
    height = frame.height + LINE * len(heads) + 2 * MARGIN
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.0f}' height='{height:.0f}'"
            f" viewBox='{left:.0f} {top:.0f} {width:.0f} {height:.0f}' {_FONT} font-size='13'>",
            f"<title>{escape(word_text(example))}</title>",
            f"<rect x='{left:.0f}' y='{top:.0f}' width='{width:.0f}' height='{height:.0f}' fill='white'/>",
            *_heads(heads, Point(left + MARGIN, top + MARGIN)),
            *_columns(layout),
            *(line for edge, curve, _ in layout.curves for line in _path(edge, curve)),
            *(line for event, box in layout.boxes.items() for line in _box(example, event, box)),
            *(line for edge, _, box in layout.curves for line in _label(edge, box)),
            "</svg>",
            "",
        ]
    )


def _heads(lines: list[str], at: Point) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"<text x='{at.x:.0f}' y='{at.y + LINE * number + 6:.0f}' fill='{_INK}'>{escape(line)}</text>"


def _columns(layout: Layout) -> Iterator[str]:
    for number, point in enumerate(layout.columns, 1):
        yield (
            f"<text x='{point.x:.1f}' y='{point.y:.1f}' text-anchor='middle' fill='#4b5563'"
            f" font-weight='bold'>T{number}</text>"
        )


def _path(edge: DrawnEdge, curve: Curve) -> Iterator[str]:
    dashes = "" if edge.marked or edge.name.startswith("po") else " stroke-dasharray='5 3'"
    d = (
        f"M{curve.start.x:.1f},{curve.start.y:.1f} Q{curve.control.x:.1f},{curve.control.y:.1f}"
        f" {curve.end.x:.1f},{curve.end.y:.1f}"
    )
    width = 2.6 if edge.marked else 1.2
    yield f"<path d='{d}' fill='none' stroke='{edge.colour}' stroke-width='{width}'{dashes}/>"
    yield f"<polygon points='{_head(curve, 10.0 if edge.marked else 8.0)}' fill='{edge.colour}'/>"


def _head(curve: Curve, length: float) -> str:
    """The arrow head at a curve's end, as points: not every viewer rotates SVG markers."""
    dx, dy = curve.end.x - curve.control.x, curve.end.y - curve.control.y
    size = (dx * dx + dy * dy) ** 0.5 or 1.0
    x, y = dx * length / size, dy * length / size
    back = curve.end.x - x, curve.end.y - y
    corners = (curve.end, (back[0] - y * 0.45, back[1] + x * 0.45), (back[0] + y * 0.45, back[1] - x * 0.45))
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)


def _box(example: Counterexample, event: int, box: Box) -> Iterator[str]:
    marked = event in example.path
    x, y = box.centre.x - box.width / 2, box.centre.y - box.height / 2
    yield (
        f"<rect x='{x:.1f}' y='{y:.1f}' width='{box.width:.1f}' height='{box.height:.1f}' rx='5'"
        f" fill='{_MARK if marked else 'white'}' stroke='{_INK if marked else _FAINT}'/>"
    )
    yield (
        f"<text x='{box.centre.x:.1f}' y='{box.centre.y + 4.5:.1f}' text-anchor='middle'"
        f" fill='{_INK}'>{escape(label(example, event))}</text>"
    )


def _label(edge: DrawnEdge, box: Box) -> Iterator[str]:
    x, y = box.centre.x - box.width / 2, box.centre.y - box.height / 2
    yield (
        f"<rect x='{x:.1f}' y='{y:.1f}' width='{box.width:.1f}' height='{box.height:.1f}' fill='white'"
        " fill-opacity='0.9'/>"
    )
    weight = " font-weight='bold'" if edge.marked else ""
    yield (
        f"<text x='{box.centre.x:.1f}' y='{box.centre.y + 4:.1f}' text-anchor='middle'"
        f" fill='{edge.colour}'{weight} font-size='12'>{escape(edge.name)}</text>"
    )


def dot(example: Counterexample, title: str = "") -> str:
    """The execution as a DOT file; ``title`` is a line above it."""
    heads = [line for line in (title or word_text(example), caption(example)) if line]
    heading = _quoted("\n".join(heads))
    lines = [
        "digraph counterexample {",
        f"    label={heading}; labelloc=t; rankdir=TB; splines=true; nodesep=0.9; ranksep=0.7;",
        '    node [shape=box, style="rounded,filled", fillcolor=white, fontname=monospace];',
        "    edge [fontname=monospace];",
    ]
    for number, events in enumerate(example.threads, 1):
        lines += [f"    subgraph cluster_{number} {{", f'        label="T{number}"; color="{_FAINT}";']
        lines += [f"        {_node(example, event)}" for event in events]
        lines.append("    }")
    lines += [f"    {_node(example, e)}" for e in drawn_events(example) if e in example.initial]
    lines += [f"    {_arrow(edge)}" for edge in edges(example)]
    return "\n".join([*lines, "}", ""])


def _node(example: Counterexample, event: int) -> str:
    mark = f', fillcolor="{_MARK}"' if event in example.path else ""
    return f"e{event} [label={_quoted(label(example, event))}{mark}];"


def _arrow(edge: DrawnEdge) -> str:
    along = edge.name.startswith("po") or edge.name == "rmw"
    pen = "penwidth=2.6" if edge.marked else "style=solid" if along else "style=dashed"
    free = "" if along else ", constraint=false"
    return (
        f'e{edge.first} -> e{edge.second} [label={_quoted(edge.name)}, color="{edge.colour}",'
        f' fontcolor="{edge.colour}", {pen}{free}];'
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
