"""Where fences can be added: before and after the statement of a call, and behind a call in a macro.

A statement is what stands between two of ``;``, ``{`` and ``}``. That is not always one, and a fence may then
stand where the compiler does not accept it; such a variant does not compile, and is given up.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.repair import orders
from mazurka.repair.sites import Site
from mazurka.repair.tokens import Token, streams_of


class FencePoint(NamedTuple):
    """A place for a fence in a file; ``indent`` is the white space in front of its line."""

    file: str
    offset: int
    where: str  # before, after, behind (a call in a macro)
    line: int  # of the call that it is next to
    style: str
    indent: str
    call_start: int


def fence_points(file: str, text: str, sites: list[Site]) -> list[FencePoint]:
    """All of them, for calls of loads, stores and read-modify-writes; no two are the same place."""
    tokens = streams_of(text)[0].tokens
    found: dict[int, FencePoint] = {}
    for site in sites:
        if not site.name or site.slots[0].kind == orders.FENCE:
            continue
        for point in _macro_points(file, site) if site.macro else _points(file, text, tokens, site):
            found.setdefault(point.offset, point)
    return list(found.values())


def _macro_points(file: str, site: Site) -> list[FencePoint]:
    """Behind a store: its value is not used, so a comma can join it with a fence."""
    if site.slots[0].kind != orders.STORE:
        return []
    return [FencePoint(file, site.end, "behind", site.lines[0], site.style, "", site.start)]


def _points(file: str, text: str, tokens: list[Token], site: Site) -> list[FencePoint]:
    """Before and after the statement of a call, as far as a statement can stand there."""
    at = next(i for i, token in enumerate(tokens) if token.start >= site.start)
    inside = _innermost(tokens)
    is_end = [token.text in ";{}" and inside[i] not in "([" for i, token in enumerate(tokens)]
    first = next((i + 1 for i in range(at - 1, -1, -1) if is_end[i]), 0)
    last = next((i for i in range(at, len(tokens)) if is_end[i]), len(tokens) - 1)
    begin = tokens[first].start
    start_of_line = text[text.rfind("\n", 0, begin) + 1 : begin]
    indent = start_of_line[: len(start_of_line) - len(start_of_line.lstrip())]
    line, points = site.lines[0], []
    # A while behind a brace may be the end of do.
    if tokens[first].text not in ("else", "while") or (tokens[first].text, tokens[first - 1].text) == (
        "while",
        ";",
    ):
        points.append(FencePoint(file, begin, "before", line, site.style, indent, site.start))
    follows = tokens[last + 1].text if last + 1 < len(tokens) else ""
    if tokens[last].text == ";" and tokens[first].text != "return" and follows not in ("else", "while"):
        points.append(FencePoint(file, tokens[last].end, "after", line, site.style, indent, site.start))
    return points


def _innermost(tokens: list[Token]) -> list[str]:
    """For each token the bracket that is open around it, or else a space; one that closes is outside."""
    found, is_open = [], [" "]
    for token in tokens:
        if token.text in ")]}" and len(is_open) > 1:
            is_open.pop()
        found.append(is_open[-1])
        if token.text in "([{":
            is_open.append(token.text)
    return found


def fence_call(style: str, order: str) -> str:
    """A fence, as the calls around it are written."""
    if style == "gcc":
        return f"__atomic_thread_fence(__ATOMIC_{order.upper()})"
    prefix = "std::" if style == "std" else ""
    return f"{prefix}atomic_thread_fence({prefix}memory_order_{order})"


def fence_text(point: FencePoint, order: str) -> list[tuple[int, int, str]]:
    """What is inserted where, as (start, end, text)."""
    call = fence_call(point.style, order)
    at = point.offset
    if point.where == "behind":
        return [(point.call_start, point.call_start, "("), (at, at, f", {call})")]
    if point.where == "before":
        return [(at, at, f"{call};\n{point.indent}")]
    return [(at, at, f"\n{point.indent}{call};")]
