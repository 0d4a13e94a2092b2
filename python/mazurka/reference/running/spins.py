"""Rounds of loops that change nothing, noticed by comparing states: the reference's definition of waiting.

A thread *spins* if it passes the edge back of a loop twice in the same state, and in between it has only read
and fenced. The state is everything that decides what the thread does next: its calls with all their
registers, and its private memory. Registers that nobody will read count, too, so a spin may be noticed a
round later than it could be. Only the count of the loop's own rounds is left out, which nothing but a bound
reads.

What a thread that spins reads in the rounds between the two states is all that it looks at: if nothing of
that can change any more, the thread waits for ever.
"""

from __future__ import annotations

from collections.abc import Hashable

from mazurka.reference.running.labels import Ending, Fate, Kind, Label


class Spins:
    """The states in which a thread has passed edges back since it last changed something."""

    def __init__(self) -> None:
        self._events = 0
        self._states: dict[Hashable, int] = {}  # and how many events it had then

    def note(self, label: Label) -> None:
        """The thread has an event."""
        self._events += 1
        if label.kind not in (Kind.READ, Kind.FENCE):
            self._states.clear()

    def ending(self, state: Hashable) -> Ending | None:
        """The thread passes an edge back; if it spins, how it ends."""
        since = self._states.setdefault(state, self._events)
        return Ending(Fate.SPINNING, since=since) if since < self._events else None


class Alone(Spins):
    """The same for a thread that runs alone from some point on: it may change memory, and change it back."""

    def __init__(self, final: dict[int, int]) -> None:
        super().__init__()
        self.is_alone = False
        self.changed: dict[int, int] = {}  # what it has written, where that is not what was there
        self._final = final

    def note(self, label: Label) -> None:
        """The thread has an event; its write takes effect at once."""
        if self.is_alone and label.kind is Kind.WRITE:
            self.changed[label.address] = label.value
            if self._final.get(label.address) == label.value:
                del self.changed[label.address]

    def ending(self, state: Hashable) -> Ending | None:
        """Ends the thread if it has been here alone, in the same state and with the same memory."""
        if not self.is_alone:
            return None
        here = state, frozenset(self.changed.items())
        if here in self._states:
            return Ending(Fate.SPINNING)
        self._states[here] = 0
        return None
