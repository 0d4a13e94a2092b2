"""One page for browsers, without a network: pictures beside the source, with switches, steps and filters.

The page has no other files, and its pictures are the SVG that is also written alone. Without JavaScript it
shows its first picture. ``page/`` has its text, its style and its script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from mazurka.pictures.c_source import marked_lines
from mazurka.pictures.colours import DEPENDENCIES, TONE_OF, TONES
from mazurka.pictures.picture import Picture
from mazurka.pictures.svg import dark_style, svg

_FOLDER = Path(__file__).parent / "page"
_FIRST = ("po", "rf", "co", "fr")
_BESIDE = ("hb", "sw", *DEPENDENCIES)  # relations that have their switch among the first ones, too


@dataclass(frozen=True)
class Sheet:
    """A picture of an execution; its ``variant`` is ``full`` or ``folded``."""

    picture: Picture
    execution: int = 0
    variant: str = "full"


@dataclass(frozen=True)
class Page:
    """What a page shows. ``outcomes`` has, for each execution, the value of each facet."""

    title: str
    heading: str
    messages: tuple[tuple[str, str], ...]  # pairs of a class and a text
    sheets: tuple[Sheet, ...]
    sources: Mapping[str, str] = field(default_factory=dict)
    facets: tuple[str, ...] = ()
    outcomes: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()  # those that have a switch even if no picture has an edge of them


def html(page: Page) -> str:
    """The page as one file."""
    parts = {
        "TITLE": escape(page.title),
        "STYLE": _read("page.css").replace("@@SWATCHES@@", "\n".join(_swatches())) + dark_style(),
        "LAYOUT": " ".join(_layout(page)),
        "HEADING": escape(page.heading),
        "MESSAGES": "\n".join(f'<p class="{kind}">{escape(text)}</p>' for kind, text in page.messages),
        "SWITCHES": "".join(_switches(page)),
        "BROWSER": "\n".join(_browser(page)) if page.outcomes else "",
        "SOURCE": "\n".join(_sources(page.sources)),
        "SHEETS": "\n".join(_sheets(page)),
        "NOTES": "\n".join(f"<p>{escape(note)}</p>" for note in page.notes),
        "KEYS": ", <kbd>n</kbd> <kbd>p</kbd> next and previous execution" if page.outcomes else "",
        "SCRIPT": _read("page.js"),
    }
    # The page is taken apart once, so that nothing in a part is taken for the name of another one.
    pieces = _read("page.html").split("@@")
    return "".join(parts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


def _layout(page: Page) -> Iterator[str]:
    """Classes that say which parts a page does not have."""
    yield "page"
    if not page.sources:
        yield "without-source"
    if not any(sheet.picture.order for sheet in page.sheets):
        yield "without-steps"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _swatches() -> Iterator[str]:
    for name, tone in TONES.items():
        yield f".switches .tone-{name} {{ color: {tone.light}; accent-color: {tone.light} }}"
    yield "@media screen and (prefers-color-scheme: dark) {"
    for name, tone in TONES.items():
        yield f".switches .tone-{name} {{ color: {tone.dark}; accent-color: {tone.dark} }}"
    yield "}"


def _switches(page: Page) -> Iterator[str]:
    """A switch for each relation that some picture has: the usual ones, and others behind a fold."""
    tones = {edge.name: edge.tone for sheet in page.sheets for edge in sheet.picture.edges}
    shown = {edge.name for sheet in page.sheets for edge in sheet.picture.edges if edge.shown}
    usual = [name for name in (*_FIRST, *_BESIDE) if name in tones or name in page.relations]
    usual += [name for name in tones if name in shown and name not in usual]
    others = [name for name in tones if name not in usual]
    yield from (_switch(name, tones.get(name), name in shown) for name in usual)
    if any(sheet.variant == "folded" for sheet in page.sheets):
        yield '<label title="Fold steps that do not matter">'
        yield '<input type="checkbox" data-fold checked>fold</label>'
    if others:
        yield "<details><summary>more relations of the model</summary><div>"
        yield from (_switch(name, tones[name], False) for name in others)
        yield "</div></details>"


def _switch(name: str, tone: str | None, on: bool) -> str:
    if tone is None:
        why = "No pairs here except those that po has, too" if name in ("hb", "sw") else "No pairs here"
        return (
            f'<label class="tone-{TONE_OF[name]}" title="{why}">'
            f'<input type="checkbox" disabled>{escape(name)}</label>'
        )
    checked = " checked" if on else ""
    return (
        f'<label class="tone-{tone}"><input type="checkbox" data-relation="{escape(name)}"{checked}>'
        f"{escape(name)}</label>"
    )


def _sources(sources: Mapping[str, str]) -> Iterator[str]:
    for file, text in sources.items():
        yield f"<h2>{escape(file)}</h2>"
        for number, line in enumerate(marked_lines(text), 1):
            yield (
                f'<div class="line" data-file="{escape(file)}" data-line="{number}">'
                f'<span class="number">{number}</span><span class="who"></span>'
                f"<code>{line or ' '}</code></div>"
            )


def _sheets(page: Page) -> Iterator[str]:
    for number, sheet in enumerate(page.sheets):
        hidden = " hidden" if number else ""
        yield f'<article data-execution="{sheet.execution}" data-variant="{sheet.variant}"{hidden}>'
        yield svg(sheet.picture, on_page=True)
        yield "</article>"


def _browser(page: Page) -> Iterator[str]:
    """The list of executions, and the filters."""
    yield '<section class="browser" aria-label="Executions">'
    yield '<div class="filters">'
    for number, facet in enumerate(page.facets):
        own = sorted({outcome[number] for outcome in page.outcomes}, key=lambda v: (len(v), v))
        buttons = " ".join(
            f'<button type="button" aria-pressed="false" data-facet="{number}" data-value="{escape(value)}">'
            f"{escape(value)}</button>"
            for value in own
        )
        yield f'<div><span class="name">{escape(facet)}</span> {buttons}</div>'
    yield "</div>"
    yield '<p class="count"><output></output>'
    yield '<button type="button" data-browse="-1">previous</button>'
    yield '<button type="button" data-browse="1">next</button></p>'
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("execution", *page.facets))
    yield f"<table><thead><tr>{heads}</tr></thead><tbody>"
    for number, outcome in enumerate(page.outcomes):
        cells = "".join(f"<td>{escape(value)}</td>" for value in (str(number + 1), *outcome))
        values = escape(json.dumps(outcome))
        yield f'<tr data-execution="{number}" data-values="{values}" aria-selected="false">{cells}</tr>'
    yield "</tbody></table></section>"
