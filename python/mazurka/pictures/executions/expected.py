"""Pictures of expected outcomes: an execution that ends this way, or one that would and its forbidden cycle.

What is forbidden has no order in which it could happen: its boxes are below those that come before them in
their threads, and the steps of the cycle are marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.pictures.columns import Arrow, Box, Listed, ReadPart
from mazurka.pictures.executions.drawing import Artist
from mazurka.pictures.executions.pages import folded_sheets, names_of, sources_of
from mazurka.pictures.html import Page, Sheet, html
from mazurka.pictures.picture import Picture
from mazurka.reference.bases import initial_write
from mazurka.reference.running.labels import EventId, Kind
from mazurka.why_not.programs.expected import Answer, Forbidden


def picture_of_answer(outcome: Outcome, answer: Answer) -> Picture | None:
    """The picture of what is known about an expected outcome; None if there is nothing to draw."""
    if answer.graph is not None:
        return Artist(outcome).draw(answer.graph).picture
    if answer.why is None:
        return None
    return _Forbidden(answer.why).picture(answer)


def answer_page(outcome: Outcome, answer: Answer) -> str | None:
    """The same as a page for browsers."""
    if answer.graph is not None:
        drawn, sheets = folded_sheets(Artist(outcome), answer.graph, None)
        picture: Picture | None = drawn.picture
    else:
        picture = picture_of_answer(outcome, answer)
        sheets = [Sheet(picture)] if picture is not None else []
    if picture is None:
        return None
    ends, tone = ("No execution", "message") if answer.graph is None else ("An execution", "count")
    said = ((tone, f"{answer.reason[0].upper()}{answer.reason[1:]}."), *_heads(picture, answer))
    return html(
        Page(
            title=f"expected outcome: {names_of(outcome)}",
            heading=f"{ends} of {names_of(outcome)} under {outcome.model} ends with {answer.condition}",
            messages=said,
            sheets=tuple(sheets),
            sources=sources_of(outcome, (sheet.picture for sheet in sheets)),
            relations=("po", "rf", "co", "fr"),
        )
    )


def _heads(picture: Picture, answer: Answer) -> Iterator[tuple[str, str]]:
    if answer.graph is not None:
        yield from (("cycle", f"{head}.") for head in picture.heads)
    elif answer.limit:
        yield "more", f"Another execution may be closer to being allowed: {answer.limit}."


class _Forbidden:
    """An execution of the reference: what it shows, and how its events are numbered."""

    def __init__(self, why: Forbidden) -> None:
        self.why = why
        self.teller, self.graph = why.teller, why.candidate.graph
        wanted = set(self.teller.shown) | {e for step in why.cycle for e in (step.before, step.after)}
        self.boxes = {event: n for n, event in enumerate(e for e in self.graph.order if e in wanted)}
        self.columns = {thread: n for n, thread in enumerate(sorted({event[0] for event in self.boxes}))}

    def picture(self, answer: Answer) -> Picture:
        """The picture, with the cycle."""
        reads = list(self._reads())
        listed = Listed(
            columns=[thread_name(thread) for thread in self.columns],
            boxes=[self._box(event) for event in self.boxes],
            po=list(dict.fromkeys(self._program_order())),
            reads=reads,
            chains={cell: self._numbers(writes) for cell, writes in self.graph.co.items()},
            initial={part.place: self._initial(part) for part in reads if part.source is None},
        )
        numbers = {**self.boxes, **{initial_write(cell): n for cell, n in listed.initial_boxes().items()}}
        steps = [step for step in self.why.cycle if step.before in numbers and step.after in numbers]
        cycle = [Arrow(numbers[step.before], numbers[step.after], step.name) for step in steps]
        return listed.picture(
            f"forbidden: {answer.condition}", [f"{answer.condition}: {answer.reason}"], cycle
        )

    def _numbers(self, events: tuple[EventId, ...]) -> list[int]:
        return [self.boxes[event] for event in events if event in self.boxes]

    def _box(self, event: EventId) -> Box:
        where = self.teller.position(event)
        file, line = (where.file, where.line) if where else ("", 0)
        note = f"{file.rpartition('/')[2]}:{line}" if where else ""
        return Box(self.columns[event[0]], self.teller.access(event), note, file, line)

    def _initial(self, part: ReadPart) -> str:
        read = next(event for event, number in self.boxes.items() if number == part.read)
        return f"{self.teller.place(self.graph.labels[read].address)}={self.teller.value(read)}"

    def _program_order(self) -> Iterator[tuple[int, int]]:
        """Neighbours in a thread; what is before a thread is started, and after it is joined."""
        own = {thread: [n for e, n in self.boxes.items() if e[0] == thread] for thread in self.columns}
        for numbers in own.values():
            yield from pairwise(numbers)
        for (thread, index), label in self.graph.labels.items():
            other = own.get(label.other, []) if label.kind in (Kind.CREATE, Kind.JOIN) else []
            around = [(e[1], n) for e, n in self.boxes.items() if e[0] == thread]
            if label.kind is Kind.CREATE and other:
                yield from ((n, other[0]) for _, n in [pair for pair in around if pair[0] <= index][-1:])
            elif other:
                yield from ((other[-1], n) for _, n in [pair for pair in around if pair[0] >= index][:1])

    def _reads(self) -> Iterator[ReadPart]:
        for event, number in self.boxes.items():
            for cell in self.graph.cells(event) if event in self.graph.rf else ():
                source = self.graph.source(event, cell)
                if source is None or source in self.boxes:
                    yield ReadPart(number, cell, None if source is None else self.boxes[source])
