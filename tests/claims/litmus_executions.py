"""Reads one execution from a line, such as ``Wrlx x 1; Fsc; Wrlx y 1 || Rrlx y 1; addr:Rrlx x 0``.

``||`` separates threads and ``;`` events. A read says the value that it obtains: it reads from the write of
that value, or from the initial write if it is 0. Writes of a location have different values and stand in co
in that order. ``U<mo> x 1>2`` is a read-modify-write, with halves of modes as in C. ``addr:``, ``data:``,
``ctrl:`` and ``isync:`` (a branch and an isync) before an event say that it depends on the nearest read
before it; a branch goes for all that follows, too.
"""

from __future__ import annotations

import re

from mazurka.program import Mode
from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind, Label
from random_executions import DEPENDENCIES, Dependencies, Execution

_MODES = {
    "na": Mode.NA,
    "rlx": Mode.RLX,
    "acq": Mode.ACQ,
    "rel": Mode.REL,
    "acqrel": Mode.ACQ_REL,
    "sc": Mode.SC,
}
_EVENT = re.compile(
    r"(?:(?P<dependency>addr|data|ctrl|isync):)?"
    r"(?P<kind>[RWFU])(?P<mode>[a-z]+)(?: (?P<place>\w) (?P<values>[\d>]+))?"
)
_READ_HALF = {Mode.REL: Mode.RLX, Mode.ACQ_REL: Mode.ACQ}
_WRITE_HALF = {Mode.ACQ: Mode.RLX, Mode.ACQ_REL: Mode.REL}


def read_execution(text: str) -> Execution:
    """The execution of a line."""
    reader = _Reader()
    for thread, part in enumerate(text.split("||")):
        reader.thread(thread, part)
    return reader.execution()


class _Reader:
    def __init__(self) -> None:
        self.labels: dict[EventId, Label] = {}
        self.dependencies: Dependencies = {name: set() for name in DEPENDENCIES}

    def thread(self, thread: int, text: str) -> None:
        index = 0
        for word in text.split(";"):
            match = _EVENT.fullmatch(word.strip())
            assert match, f"not an event: {word}"
            if match["dependency"]:
                self._depend(match["dependency"], (thread, index))
            for label in _labels(match):
                self.labels[thread, index] = label
                index += 1

    def _depend(self, name: str, event: EventId) -> None:
        """Notes a dependency; those of branches are completed in ``execution``."""
        thread, index = event
        earlier = [(thread, i) for i in range(index) if self.labels[thread, i].kind is Kind.READ]
        self.dependencies["ctrl-isync" if name == "isync" else name].add((earlier[-1], event))

    def execution(self) -> Execution:
        found = self.dependencies
        for name in ("ctrl", "ctrl-isync"):
            found[name] = {
                (read, later)
                for read, event in found[name]
                for later in self.labels
                if later[0] == event[0] and later[1] >= event[1]
            }
        found["ctrl"] |= found["ctrl-isync"]
        co: dict[int, tuple[EventId, ...]] = {}
        writes = [
            (label.address, label.value, e) for e, label in self.labels.items() if label.kind is Kind.WRITE
        ]
        for address, _, event in sorted(writes):
            co[address] = (*co.get(address, ()), event)
        rf = {e: self._source(label) for e, label in self.labels.items() if label.kind is Kind.READ}
        return Execution(Graph(tuple(sorted(self.labels)), self.labels, rf, co), found)

    def _source(self, read: Label) -> EventId | None:
        if read.value == 0:
            return None
        found = [
            event
            for event, label in self.labels.items()
            if label.kind is Kind.WRITE and (label.address, label.value) == (read.address, read.value)
        ]
        assert len(found) == 1, f"one write of {read.value} is needed, there are {len(found)}"
        return found[0]


def _labels(match: re.Match[str]) -> list[Label]:
    mode = _MODES[match["mode"]]
    if match["kind"] == "F":
        return [Label(Kind.FENCE, mode)]
    address = 8 * ord(match["place"])
    if match["kind"] == "U":
        old, new = map(int, match["values"].split(">"))
        return [
            Label(Kind.READ, _READ_HALF.get(mode, mode), address, 8, value=old, exclusive=True),
            Label(Kind.WRITE, _WRITE_HALF.get(mode, mode), address, 8, value=new, exclusive=True),
        ]
    kind = Kind.READ if match["kind"] == "R" else Kind.WRITE
    return [Label(kind, mode, address, 8, value=int(match["values"]))]
