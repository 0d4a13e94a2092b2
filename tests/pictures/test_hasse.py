"""Hasse diagrams: every line of the order is drawn, and none else."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree

import pytest
from mazurka.pictures.hasse import Edge, as_dot, as_svg, drawn

_JOINS = {
    "│": "ud", "└": "ur", "┘": "ul", "┌": "dr", "┐": "dl", "├": "udr", "┤": "udl", "─": "lr", "┴": "ulr",
    "┬": "dlr", "┼": "udlr",
}  # fmt: skip
_STEPS = {"u": (-1, 0, "d"), "d": (1, 0, "u"), "l": (0, -1, "r"), "r": (0, 1, "l")}


def reachable_below(picture: str, name: str) -> set[str]:
    """The names that lines lead to from below a name, whatever way is taken where lines meet."""
    lines = picture.splitlines()
    row = next(number for number, line in enumerate(lines) if name in line.split())
    start = re.search(rf"(?<!\S){name}(?!\S)", lines[row])
    assert start is not None
    waiting = [(row + 1, column, "u") for column in range(start.start(), start.end())]
    found, seen = set(), set()
    while waiting:
        line, column, came = waiting.pop()
        character = lines[line][column : column + 1] if line < len(lines) else ""
        if character.isalnum() and came == "u":
            found |= {m[0] for m in re.finditer(r"\w+", lines[line]) if m.start() <= column < m.end()}
        if came not in _JOINS.get(character, "") or (line, column, came) in seen:
            continue
        seen.add((line, column, came))
        for way in _JOINS[character].replace(came, ""):
            down, right, back = _STEPS[way]
            if way != "u":
                waiting.append((line + down, column + right, back))
    return found


def random_order(seed: int) -> tuple[dict[str, str], list[Edge]]:
    """Names, and lines between them of which none follows from others."""
    draw = random.Random(seed)
    names = [f"m{number}" for number in range(draw.randrange(1, 8))]
    less = {(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if draw.random() < 0.35}
    for between in names:
        less |= {(a, d) for a, b in less for c, d in less if b == c == between}
    covers = [(a, c) for a, c in sorted(less) if not any((a, b) in less and (b, c) in less for b in names)]
    return {name: name for name in names}, covers


CHAIN = {"b": "b", "a": "a"}, [("b", "a")]


def test_a_chain() -> None:
    assert drawn(*CHAIN) == "b\n│\na\n"


def test_a_diamond() -> None:
    names = {name: name for name in ("top", "left", "right", "below")}
    edges = [("top", "left"), ("top", "right"), ("left", "below"), ("right", "below")]
    picture = drawn(names, edges)
    assert picture.splitlines()[0].strip() == "top"
    assert picture.splitlines()[-1].strip() == "below"
    assert reachable_below(picture, "top") == {"left", "right"}
    assert reachable_below(picture, "left") == reachable_below(picture, "right") == {"below"}


def test_what_is_not_compared_stands_side_by_side() -> None:
    assert drawn({"a": "a", "b": "b"}, []) == "a    b\n"


@pytest.mark.parametrize("seed", range(60))
def test_every_line_is_drawn(seed: int) -> None:
    names, edges = random_order(seed)
    picture = drawn(names, edges)
    assert sorted(re.findall(r"\w+", picture)) == sorted(names)
    for above, below in edges:
        here, there = (
            next(number for number, line in enumerate(picture.splitlines()) if name in line.split())
            for name in (above, below)
        )
        assert here < there
        assert below in reachable_below(picture, above)


@pytest.mark.parametrize("seed", range(20))
def test_the_picture_has_each_name_and_line(seed: int) -> None:
    names, edges = random_order(seed)
    tree = ElementTree.fromstring(as_svg(names, edges))
    spaced = "{http://www.w3.org/2000/svg}"
    assert sorted(text.text or "" for text in tree.iter(f"{spaced}text")) == sorted(names)
    assert len(list(tree.iter(f"{spaced}line"))) >= len(edges)
    width, height = float(tree.attrib["width"]), float(tree.attrib["height"])
    for text in tree.iter(f"{spaced}text"):
        assert 0 <= float(text.attrib["x"]) <= width
        assert 0 <= float(text.attrib["y"]) <= height


def test_dot() -> None:
    text = as_dot(*CHAIN)
    assert text.startswith("digraph models {\n")
    assert '  "b" -> "a" [arrowhead=none];\n' in text


def test_names_are_escaped_in_the_picture() -> None:
    assert "a &lt; b" in as_svg({"a": "a < b"}, [])
