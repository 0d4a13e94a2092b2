"""A picture as SVG that needs nothing else; the page for browsers has the same SVG in it.

Colours are attributes, for viewers that know no style sheets, and a style sheet has those for dark paper.
Groups say what they are (``data-node``, ``data-relation`` …), so that a page can find them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape

from mazurka.pictures.colours import FAIL, FAINT, INK, MARK, PAPER, QUIET, TONES, Tone
from mazurka.pictures.layout import (
    CHARACTER,
    LINE,
    SMALL_LINE,
    STRIP,
    Box,
    Curve,
    Layout,
    Placed,
    Point,
    lay_out,
)
from mazurka.pictures.picture import Node, Picture, Strip

MARGIN, HEAD_LINE = 24.0, 20.0
_FONT = "font-family='DejaVu Sans Mono, Menlo, Consolas, monospace'"


def svg(picture: Picture, *, on_page: bool = False) -> str:
    """The picture as an SVG file; ``on_page`` as a part of a page, which has the style and the title."""
    layout = lay_out(picture)
    heads = () if on_page else picture.heads
    text_width = CHARACTER * max(map(len, heads), default=0)
    frame = layout.frame
    left, top = frame.left - MARGIN, frame.top - MARGIN - HEAD_LINE * len(heads)
    width = max(frame.width, text_width) + 2 * MARGIN
    height = frame.height + HEAD_LINE * len(heads) + 2 * MARGIN
    curves = [placed for placed in layout.curves if on_page or placed.edge.shown]
    size = (
        f"width='{width:.0f}' height='{height:.0f}' viewBox='{left:.0f} {top:.0f} {width:.0f} {height:.0f}'"
    )
    facts = dict(_node_facts(picture)) if on_page else {}
    name = "" if on_page else " xmlns='http://www.w3.org/2000/svg'"
    return "\n".join(
        [
            f"<svg{name} {size} class='picture' role='img' {_FONT} font-size='13'>",
            f"<title>{escape(picture.title)}</title>",
            *([] if on_page else [f"<style>{dark_style()}</style>"]),
            f"<rect class='paper' x='{left:.0f}' y='{top:.0f}' width='{width:.0f}' height='{height:.0f}'"
            f" fill='{PAPER.light}'/>",
            *_heads(heads, Point(left + MARGIN, top + MARGIN)),
            *_columns(picture, layout),
            *(line for placed in curves for line in _path(placed)),
            *(line for n in picture.nodes for line in _box(n, layout, facts.get(n.number, ""))),
            *(line for placed in curves for line in _label(placed)),
            "</svg>",
            "",
        ]
    )


_FILLS: dict[str, Tone] = {
    ".paper": PAPER,
    ".ink": INK,
    ".quiet": QUIET,
    ".box rect": PAPER,
    ".box.marked rect": MARK,
    ".box.fail rect": FAIL,
    ".label rect": PAPER,
    ".box .segment": FAINT,
}
_STROKES: dict[str, Tone] = {
    ".box rect": FAINT,
    ".box.marked rect": INK,
    ".box.fail rect": TONES["bad"],
    ".box .track": FAINT,
}


def dark_style() -> str:
    """The style sheet for dark paper."""
    return f"@media screen and (prefers-color-scheme: dark) {{ {' '.join(_dark_rules())} }}"


def _dark_rules() -> Iterator[str]:
    yield from (f".picture {what} {{ fill: {tone.dark} }}" for what, tone in _FILLS.items())
    yield from (f".picture {what} {{ stroke: {tone.dark} }}" for what, tone in _STROKES.items())
    for name, tone in TONES.items():
        yield f".picture .tone-{name} path {{ stroke: {tone.dark} }}"
        yield f".picture .tone-{name} polygon, .picture .tone-{name} text {{ fill: {tone.dark} }}"


def _heads(lines: tuple[str, ...], at: Point) -> Iterator[str]:
    for number, line in enumerate(lines):
        y = at.y + HEAD_LINE * number + 6
        yield f"<text class='ink' x='{at.x:.0f}' y='{y:.0f}' fill='{INK.light}'>{escape(line)}</text>"


def _columns(picture: Picture, layout: Layout) -> Iterator[str]:
    for name, point in zip(picture.columns, layout.columns, strict=True):
        for above, line in enumerate(reversed(name.split("\n"))):
            yield _text(line, point.x, point.y - LINE * above, "quiet", " font-weight='bold'")


def _path(placed: Placed) -> Iterator[str]:
    edge, curve, _ = placed
    ink = TONES[edge.tone].light
    dashes = " stroke-dasharray='5 3'" if edge.dashed and not edge.marked else ""
    d = (
        f"M{curve.start.x:.1f},{curve.start.y:.1f} C{curve.first.x:.1f},{curve.first.y:.1f}"
        f" {curve.second.x:.1f},{curve.second.y:.1f} {curve.end.x:.1f},{curve.end.y:.1f}"
    )
    width = 2.6 if edge.marked else 1.4 if edge.named else 1.2
    yield f"<g class='{_class('edge', placed)}' {_facts(placed)}>"
    yield f"<path d='{d}' fill='none' stroke='{ink}' stroke-width='{width}'{dashes}/>"
    if edge.arrow:
        yield f"<polygon points='{_head(curve, 10.0 if edge.marked else 8.0)}' fill='{ink}'/>"
    yield "</g>"


def _class(what: str, placed: Placed) -> str:
    words = [what, f"tone-{placed.edge.tone}"]
    words += ["marked"] if placed.edge.marked else []
    return " ".join(words if placed.edge.shown else [*words, "off"])


def _facts(placed: Placed) -> str:
    edge = placed.edge
    return f"data-relation='{escape(edge.name)}' data-from='{edge.first}' data-to='{edge.second}'"


def _head(curve: Curve, length: float) -> str:
    """The arrow head at a curve's end, as points: not every viewer rotates SVG markers."""
    dx, dy = curve.end.x - curve.second.x, curve.end.y - curve.second.y
    size = (dx * dx + dy * dy) ** 0.5 or 1.0
    x, y = dx * length / size, dy * length / size
    back = curve.end.x - x, curve.end.y - y
    corners = (curve.end, (back[0] - y * 0.45, back[1] + x * 0.45), (back[0] + y * 0.45, back[1] - x * 0.45))
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)


def _node_facts(picture: Picture) -> Iterator[tuple[int, str]]:
    """What a page wants to know about each node, as attributes."""
    steps = {number: step for step, number in enumerate(picture.order)}
    for node in picture.nodes:
        words = node.label.replace("\n", " ")
        facts = {"aria-label": words, "data-tip": json.dumps(node.details, ensure_ascii=False)}
        if node.number in steps:
            name = picture.columns[int(node.column)].split()[0]
            facts |= {"data-step": str(steps[node.number]), "data-thread": name}
        if node.line:
            facts |= {"data-file": node.file, "data-line": str(node.line)}
        told = " ".join(f"{name}='{escape(value)}'" for name, value in facts.items())
        yield node.number, f" tabindex='0' {told}"


def _box(node: Node, layout: Layout, facts: str) -> Iterator[str]:
    box = layout.boxes[node.number]
    fill, stroke = PAPER.light, FAINT.light
    if node.marked:
        fill, stroke = MARK.light, INK.light
    if node.kind == "fail":
        fill, stroke = FAIL.light, TONES["bad"].light
    words = " ".join(["box", node.kind, *(["marked"] if node.marked else [])])
    yield f"<g class='{words}' data-node='{node.number}'{facts}>"
    if node.kind != "fold":
        dashes = " stroke-dasharray='3 3'" if node.kind == "initial" else ""
        yield (
            f"<rect x='{box.left:.1f}' y='{box.top:.1f}' width='{box.width:.1f}' height='{box.height:.1f}'"
            f" rx='5' fill='{fill}' stroke='{stroke}'{dashes}/>"
        )
    baseline = box.top + 19.5
    for line in node.label.split("\n"):
        yield _text(line, box.centre.x, baseline, "quiet" if node.kind == "fold" else "ink")
        baseline += LINE
    if node.note:
        yield _text(node.note, box.centre.x, baseline - LINE + SMALL_LINE + 1, "quiet", " font-size='11'")
    if node.strip is not None:
        yield from _strip(node.strip, box)
    yield "</g>"


def _text(text: str, x: float, y: float, ink: str, more: str = "") -> str:
    colour = INK.light if ink == "ink" else QUIET.light
    return (
        f"<text class='{ink}' x='{x:.1f}' y='{y:.1f}' text-anchor='middle' fill='{colour}'{more}>"
        f"{escape(text)}</text>"
    )


def _strip(strip: Strip, box: Box) -> Iterator[str]:
    """The bytes of an access: those that it has are filled, each run with its value."""
    unit = (box.width - 18) / strip.size
    left, top = box.left + 9, box.top + box.height - STRIP - 1
    yield (
        f"<rect class='track' x='{left:.1f}' y='{top:.1f}' width='{unit * strip.size:.1f}' height='16'"
        f" fill='none' stroke='{FAINT.light}'/>"
    )
    for run in strip.segments:
        x, width = left + unit * run.start, unit * run.size
        yield (
            f"<rect class='segment' x='{x:.1f}' y='{top:.1f}' width='{width:.1f}' height='16'"
            f" fill='{FAINT.light}' stroke='{INK.light}' stroke-width='0.6'/>"
        )
        yield _text(run.text, x + width / 2, top + 12, "ink", " font-size='11'")


def _label(placed: Placed) -> Iterator[str]:
    edge, _, box = placed
    if box is None:
        return
    yield f"<g class='{_class('label', placed)}' {_facts(placed)}>"
    yield (
        f"<rect x='{box.left:.1f}' y='{box.top:.1f}' width='{box.width:.1f}' height='{box.height:.1f}'"
        f" fill='{PAPER.light}' fill-opacity='0.9'/>"
    )
    weight = " font-weight='bold'" if edge.marked else ""
    yield (
        f"<text x='{box.centre.x:.1f}' y='{box.centre.y + 4:.1f}' text-anchor='middle'"
        f" fill='{TONES[edge.tone].light}'{weight} font-size='12'>{escape(edge.name)}</text>"
    )
    yield "</g>"
