"""The picture of one execution: boxes in columns, and its relations as arrows.

Rows follow the linearisation, and a box is below those that it is related to and that come earlier in it. So
if all arrows lead down, the order of the boxes is an interleaving that explains the execution.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mazurka.checking.execution import Event, EventRef, Graph, Violation, loop_position
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import Outcome
from mazurka.pictures.colours import OWN, TONE_OF
from mazurka.pictures.executions.boxes import BoxedEvents, InitialValue, boxes_of
from mazurka.pictures.executions.communication import Pair, communication
from mazurka.pictures.executions.cycle import CycleStep, shortest_cycle
from mazurka.pictures.executions.named import NamedRelation, Names
from mazurka.pictures.executions.strips import Strips
from mazurka.pictures.picture import Edge, Node, Picture
from mazurka.program import Mode, Position
from mazurka.report.order import linearise
from mazurka.report.places import Places
from mazurka.report.steps import kept_events, story_order, title
from mazurka.report.values import Speaker
from mazurka.report.wording import EventWords

ROW_GAP = 34.0
LONGEST_LABEL = 30
MOST_LINES = 4  # of a label
_ORDERS = {
    Mode.NA: "",
    Mode.RLX: "relaxed",
    Mode.ACQ: "acquire",
    Mode.REL: "release",
    Mode.ACQ_REL: "acq_rel",
    Mode.SC: "seq_cst",
}


WEAK = "No interleaving explains this"  # how the line above a picture begins that names a cycle


@dataclass(frozen=True)
class Drawn:
    """A picture, and the cycle in it that no interleaving has, if there is one."""

    picture: Picture
    cycle: tuple[CycleStep, ...]
    left_out: Mapping[str, str]  # relations of the model that are not drawn, and why


class Artist:
    """Draws executions of one outcome."""

    def __init__(
        self, outcome: Outcome, *, only_views: bool = False, numbers: Mapping[int, int] | None = None
    ) -> None:
        """With ``only_views``, fewer relations of the model are drawn; objects have their ``numbers``."""
        self.outcome = outcome
        self.numbers = numbers
        self.names = Names(outcome.model_file or outcome.model, only_views=only_views)

    def draw(self, graph: Graph, violation: Violation | None = None, *, folds: bool = True) -> Drawn:
        """The picture of an execution; with ``folds``, only of what matters for the violation or at all."""
        return _Drawing(self, graph, violation, folds=folds).drawn()


class _Drawing:
    """The work of drawing one execution."""

    def __init__(self, artist: Artist, graph: Graph, violation: Violation | None, *, folds: bool) -> None:
        outcome, self.names = artist.outcome, artist.names
        self.outcome, self.graph, self.violation = outcome, graph, violation
        file = violation.location.file if violation and violation.location else ""
        self.places = Places(outcome.program, file)
        self.speaker = Speaker(outcome, graph, artist.numbers)
        self.words = EventWords(outcome, graph, self.speaker, self.places, violation)
        order = story_order(graph, violation) if violation else linearise(graph)
        self.words.told = set(order)
        kept = set(order)
        if folds:
            kept &= kept_events(self.words, violation)
        self.boxes = boxes_of(graph, order, kept, self._failing())
        self.strips = Strips(graph)

    def _failing(self) -> list[int]:
        """The threads that end with a failure, in a box of its own; a race is shown in its accesses."""
        violation = self.violation
        if violation is None or self._race():
            return []
        stuck = [w.thread for w in violation.waits if w.loop is not None and w.thread != violation.thread]
        return [*stuck, violation.thread]

    def _race(self) -> set[EventRef]:
        """The two accesses that break an error rule."""
        violation = self.violation
        if violation is None or violation.event is None or violation.other is None:
            return set()
        return {violation.event, violation.other}

    def drawn(self) -> Drawn:
        related = communication(self.graph, self.boxes)
        cycle = shortest_cycle(related)
        named = self.names.on(self.outcome.program, self.graph, self.boxes)
        rows = self._rows(related)
        columns = {thread: number for number, thread in enumerate(self.boxes.threads())}
        cells = self._cells(related["rf"], columns)
        band = max((row + 1 for _, row in cells), default=0)
        nodes = [self._initial(*cell, value) for cell, value in zip(cells, self.boxes.initial, strict=True)]
        passed = {step.first for step in cycle}
        nodes += [
            self._node(box, columns[box.thread], band + rows[box.number], marked=box.number in passed)
            for box in self.boxes.events
        ]
        picture = Picture(
            title=self._title(),
            heads=tuple(self._heads(cycle)),
            columns=tuple(_wrapped(title(self.outcome.program, self.graph, thread)) for thread in columns),
            nodes=tuple(nodes),
            edges=tuple(self._edges(related, named, cycle)),
            row_gap=ROW_GAP,
            band=band,
            order=tuple(box.number for box in self.boxes.events),
        )
        return Drawn(picture, cycle, dict(self.names.left_out))

    def _cells(self, rf: list[Pair], columns: Mapping[int, int]) -> list[tuple[int, int]]:
        """The column and row of each initial value: above a box that reads it, or where there is room."""
        free = [(column, row) for row in range(len(self.boxes.initial)) for column in columns.values()]
        cells = []
        for value in self.boxes.initial:
            readers = [second for first, second in rf if first == value.number]
            wanted = columns[self.boxes.events[min(readers)].thread] if readers else 0
            cell = min(free, key=lambda cell: (cell[1], abs(cell[0] - wanted)))
            free.remove(cell)
            cells.append(cell)
        return cells

    def _title(self) -> str:
        violation = self.violation
        return "an execution" if violation is None else f"{violation.kind}: {violation.message}"

    def _heads(self, cycle: tuple[CycleStep, ...]) -> Iterator[str]:
        violation = self.violation
        if violation is not None:
            where = violation.location
            place = f"{where.file}:{where.line}: " if where else ""
            yield from textwrap.wrap(f"{place}{violation.message}", 110)
        if cycle:
            yield f"{WEAK}: the cycle {self.told(cycle)}"

    def told(self, cycle: tuple[CycleStep, ...]) -> str:
        """A cycle by its places: ``T1:20 po T1:22 fr T2:28``; runs of po count as one step."""
        merged = [
            step
            for number, step in enumerate(cycle)
            if not (number and step.relation == cycle[number - 1].relation == "po")
        ]
        steps = [f"{self._short(step.first)} {step.relation}" for step in merged]
        return " ".join([*steps, self._short(merged[0].first)])

    def _short(self, number: int) -> str:
        box = self.boxes.events[number]
        line = self.places.line(self._where(box))
        return f"{thread_name(box.thread)}:{line}".rstrip(":")

    def _rows(self, related: Mapping[str, list[Pair]]) -> list[int]:
        before: dict[int, list[int]] = {}
        for pairs in related.values():
            for first, second in pairs:
                if first < second < len(self.boxes.events):
                    before.setdefault(second, []).append(first)
        rows: list[int] = []
        for number in range(len(self.boxes.events)):
            rows.append(max((rows[first] + 1 for first in before.get(number, ())), default=0))
        return rows

    def _where(self, box: BoxedEvents) -> Position | None:
        if box.refs:
            return self.places.of(self.graph[box.refs[0]])
        violation = self.violation
        if violation is None:
            return None
        own = next((w for w in violation.waits if w.thread == box.thread and w.loop is not None), None)
        if own is not None and own.loop is not None and box.thread != violation.thread:
            return loop_position(self.outcome.program, own.loop)
        return violation.location

    def _node(self, box: BoxedEvents, column: int, row: int, *, marked: bool) -> Node:
        where = self._where(box)
        raced = not self._race().isdisjoint(box.refs)
        line = self.places.line(where)
        order = self._order(box)
        facts = [f"line {line}" if line.isdigit() else line, order]
        if not self.boxes.initial and box.kind == "event" and self._reads_initial(box):
            facts.append(f"← {self.words.origin(self.graph[box.refs[0]]).partition(',')[0]}")
        return Node(
            box.number,
            column,
            row,
            _wrapped(self._label(box, raced=raced)),
            note=" · ".join(filter(None, facts)) if box.kind != "fold" else "",
            kind="fail" if raced else box.kind,
            marked=marked,
            file=where.file if where and box.kind != "fold" else "",
            line=where.line if where and box.kind != "fold" else 0,
            details=tuple(self._details(box, where, order)),
            strip=self.strips.of(box.refs) if box.kind == "event" else None,
        )

    def _reads_initial(self, box: BoxedEvents) -> bool:
        event = self.graph[box.refs[0]]
        return event.kind == "R" and not event.writers and bool(event.pieces)

    def _label(self, box: BoxedEvents, *, raced: bool) -> str:
        if box.kind == "fold":
            return "… 1 step" if len(box.refs) == 1 else f"… {len(box.refs)} steps"
        if box.kind == "fail" and self.violation is not None:
            return f"✗ {self.violation.brief or self.violation.message}"
        text = self.words.text(box.refs[0])
        return f"✗ {text}" if raced else text

    def _order(self, box: BoxedEvents) -> str:
        """The memory order of an access or fence, as C names it; of both halves the stronger parts."""
        modes = {self.graph[ref].mode for ref in box.refs if self.graph[ref].kind in ("R", "W", "F")}
        if box.kind != "event" or not modes:
            return ""
        if modes == {Mode.ACQ, Mode.REL}:
            return "acq_rel"
        if len(modes) > 1:
            modes -= {Mode.RLX, Mode.NA}
        return "/".join(sorted(_ORDERS.get(mode, mode.name.lower()) for mode in modes))

    def _details(self, box: BoxedEvents, where: Position | None, order: str) -> Iterator[tuple[str, str]]:
        yield "thread", title(self.outcome.program, self.graph, box.thread)
        if box.kind == "fold":
            yield "folded", "; ".join(self.words.text(ref) for ref in box.refs[:20])
            return
        yield "step", self._label(box, raced=False)
        if where is not None:
            yield "place", f"{where.file}:{where.line}"
        if not box.refs:
            return
        first = self.graph[box.refs[0]]
        if order or first.kind in ("R", "W"):
            yield "order", order or "plain"
        if first.kind == "R" and first.pieces:
            yield "value from", self.words.origin(first)
        if first.kind in ("R", "W") and first.size:
            yield "size", "1 byte" if first.size == 1 else f"{first.size} bytes"
        path = self.places.path(first)
        if path:
            yield "through", path

    def _initial(self, column: int, row: int, value: InitialValue) -> Node:
        read: Event = value.read
        place, state = self.speaker.place(read), self.speaker.state_of(read)
        origin = self.words.origin(read)
        details = (("initial value", f"{place} = {state}"), ("from", origin))
        return Node(
            value.number,
            column,
            row,
            _wrapped(f"{place} = {state}"),
            note=origin if len(origin) < LONGEST_LABEL else "initial value",
            kind="initial",
            details=details,
        )

    def _edges(
        self,
        related: Mapping[str, list[Pair]],
        named: list[NamedRelation],
        cycle: tuple[CycleStep, ...],
    ) -> Iterator[Edge]:
        marked = set(cycle)
        for name, pairs in related.items():
            for a, b in pairs:
                is_marked = CycleStep(a, b, name) in marked
                yield Edge(a, b, name, name, is_marked, named=name != "po" or is_marked, dashed=name == "fr")
        race = sorted({self.boxes.of[ref] for ref in self._race() if ref in self.boxes.of})
        if len(race) == 2 and self.violation is not None:
            yield Edge(race[0], race[1], self.violation.kind, "bad", marked=True, arrow=False)
        own = [name for name in self.names.terms if name not in TONE_OF]
        for relation in (r for r in named if r.name not in related):
            tone = TONE_OF.get(relation.name) or OWN[own.index(relation.name) % len(OWN)]
            for a, b in relation.pairs:
                yield Edge(a, b, relation.name, tone, shown=False, dashed=True, arrow=not relation.symmetric)


def _wrapped(text: str) -> str:
    """A label in lines that are not too long, or too many."""
    lines = textwrap.wrap(text, LONGEST_LABEL, break_long_words=True)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"{lines[MOST_LINES - 1][: LONGEST_LABEL - 2].rstrip()} …"]
    return "\n".join(lines) or " "
