"""Orders in which ``trust`` may add available events: the smallest key goes first.

The paper assumes a total order on events that extends po. ``writes_first`` and ``scattered`` are not such
orders, and ``tests/reference`` shows that the set of executions does not depend on that.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeAlias

from mazurka.reference.running.labels import EventId, Kind, Label

Order: TypeAlias = Callable[[EventId, Label], tuple[float, EventId]]


def lowest_thread(event: EventId, label: Label) -> tuple[float, EventId]:
    """Each thread to its end before the next one."""
    return 0, event


def writes_first(event: EventId, label: Label) -> tuple[float, EventId]:
    """Whatever is not a read first, then the lowest thread."""
    return label.kind is Kind.READ, event


def scattered(seed: int) -> Order:
    """A random priority for each event, with no regard to program order."""
    return lambda event, label: (random.Random(repr((seed, event))).random(), event)


def interleaved(seed: int) -> Order:
    """A random total order on events that extends po."""

    def key(event: EventId, label: Label) -> tuple[float, EventId]:
        thread, index = event
        steps = random.Random(repr((seed, thread)))
        return sum(steps.random() for _ in range(index + 1)), event

    return key
