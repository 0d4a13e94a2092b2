"""Executions of the prover as pictures: threads are columns, po goes down, edges of the word are thick."""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.counterexamples.edges import caption, drawn_events, edges, label
from mazurka.counterexamples.execution import Counterexample
from mazurka.counterexamples.realise import Unrealizable
from mazurka.counterexamples.sources import c_program
from mazurka.counterexamples.word import word_text
from mazurka.pictures.dot import dot as dot_of
from mazurka.pictures.html import Page, Sheet
from mazurka.pictures.html import html as html_of
from mazurka.pictures.picture import Node, Picture
from mazurka.pictures.svg import svg as svg_of

_BELOW_INITIAL = 1.2  # rows


def picture_of(example: Counterexample, title: str = "") -> Picture:
    """The picture of an execution; ``title`` is a line above it, instead of the word."""
    return Picture(
        title=word_text(example),
        heads=tuple(line for line in (title or word_text(example), caption(example)) if line),
        columns=tuple(f"T{number}" for number, _ in enumerate(example.threads, 1)),
        nodes=tuple(_nodes(example)),
        edges=tuple(edges(example)),
    )


def svg(example: Counterexample, title: str = "") -> str:
    """The execution as an SVG file; ``title`` is a line above it."""
    return svg_of(picture_of(example, title))


def dot(example: Counterexample, title: str = "") -> str:
    """The execution as a DOT file; ``title`` is a line above it."""
    return dot_of(picture_of(example, title), "counterexample")


def html(example: Counterexample, title: str = "") -> str:
    """The execution as a page for browsers, beside the C program that has it, if there is one."""
    try:
        sources = {"the execution as a program": c_program(example, title)}
    except Unrealizable:
        sources = {}
    picture = picture_of(example, title)
    messages = [("cycle", line) for line in (word_text(example), caption(example)) if line]
    heading = title or "An execution"
    return html_of(Page(heading, heading, tuple(messages), (Sheet(picture),), sources))


def _nodes(example: Counterexample) -> Iterator[Node]:
    initial = [event for event in drawn_events(example) if event in example.initial]
    for number, event in enumerate(initial):
        yield Node(event, number, 0, label(example, event), kind="initial", marked=event in example.path)
    top = _BELOW_INITIAL if initial else 0.0
    longest = max(map(len, example.threads), default=0)
    for number, events in enumerate(example.threads):
        lower = (longest - 1) / 2 if len(events) == 1 else 0.0  # a lone event is in the middle
        for row, event in enumerate(events):
            text = label(example, event)
            yield Node(event, number, top + lower + row, text, marked=event in example.path)
