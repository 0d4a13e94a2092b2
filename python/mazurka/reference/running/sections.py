"""What a thread does in an atomic section: it reads from what it knows, and writes nothing yet.

A section is two events, a read of all bytes that it reads before it has written them, and a write of all
bytes that it writes. Which bytes these are turns out as it runs. So the label of the read has the bytes that
are known so far, none at first. Where the section needs another byte, it asks for its read again, with more
bytes, and goes no further; it is run again once the graph knows these as well (``graph.widenings``).

I1: a byte is read once; later reads of it find the same, or what the section has written there.
I2: both labels are atomic and sequentially consistent, whatever the accesses are.
"""

from __future__ import annotations

from collections.abc import Generator

from mazurka.program import Mode
from mazurka.reference.running.labels import Given, Kind, Label, ReferenceUnsupported


class Section:
    """The bytes that a section has read and written."""

    def __init__(self, given: Given) -> None:
        assert isinstance(given, tuple), "a section is given the bytes that it reads"
        self.read: dict[int, int] = dict(given)
        self.written: dict[int, int] = {}

    def access(self, label: Label) -> Generator[Label, Given, int]:
        """An access or a fence in the section; what it returns to the thread."""
        if label.kind not in (Kind.READ, Kind.WRITE, Kind.FENCE) or label.use is not None:
            raise ReferenceUnsupported(f"{label.kind.name} in an atomic section")
        if label.kind is Kind.FENCE:
            return 0
        if label.kind is Kind.WRITE:
            self.written.update({at: label.byte(at) for at in label.footprint})
            return 0
        known = {**self.read, **self.written}
        missing = [at for at in label.footprint if at not in known]
        if missing:
            yield read_label(sorted([*self.read, *missing]))
            raise AssertionError("a section that reads more is run again")
        return sum(known[at] << 8 * number for number, at in enumerate(label.footprint))

    def ending(self) -> Label | None:
        """The label of its write, if it wrote anything."""
        if not self.written:
            return None
        places = tuple(sorted(self.written))
        value = sum(self.written[at] << 8 * number for number, at in enumerate(places))
        return Label(Kind.WRITE, Mode.SC, places[0], len(places), value, scattered=places)


def read_label(places: list[int]) -> Label:
    """The label of the read of a section that has read some bytes so far."""
    first = places[0] if places else 0
    return Label(Kind.READ, Mode.SC, first, len(places), scattered=tuple(places))
