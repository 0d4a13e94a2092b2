"""The built-in predicates of the model language: which events of a graph pass a test.

An initial write passes W, INIT, LOC and NEXCL, and no predicate about access modes. Fences have modes but are
never non-atomic. ``ACQ`` and ``REL`` mean at least that mode, ``RLX`` exactly that one. ``UX`` is an
addition: the read of a read-modify-write instruction that did not write, because of what it read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mazurka.kat.meaning import terms
from mazurka.program import Mode
from mazurka.reference.bases import is_initial
from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind, ReferenceUnsupported


class Facts(NamedTuple):
    """What predicates are about; an initial write and events that order nothing have no mode."""

    kind: Kind
    mode: Mode | None = None
    half: bool = False  # of a read-modify-write that wrote, or is about to
    failed: bool = False  # the read of one that does not write
    initial: bool = False


def facts(graph: Graph, event: EventId) -> Facts:
    """The facts about an event of a graph, or about an initial write."""
    if is_initial(event):
        return Facts(Kind.WRITE, initial=True)
    label = graph.labels[event]
    match label.kind:
        case Kind.READ:
            failed = graph.is_failed(event)
            return Facts(Kind.READ, graph.read_mode(event), label.exclusive and not failed, failed)
        case Kind.WRITE:
            return Facts(Kind.WRITE, label.mode, label.exclusive)
        case Kind.FENCE:
            return Facts(Kind.FENCE, label.mode)
        case _:
            return Facts(label.kind)


def _is_access(event: Facts) -> bool:
    return event.kind in (Kind.READ, Kind.WRITE)


def _is_acquire(event: Facts) -> bool:
    reads = (Mode.ACQ, Mode.AQRL, Mode.LOCK, Mode.SC)
    modes = {Kind.READ: reads, Kind.FENCE: (Mode.ACQ, Mode.ACQ_REL, Mode.SC)}
    return event.mode in modes.get(event.kind, ())


def _is_release(event: Facts) -> bool:
    writes = (Mode.REL, Mode.AQRL, Mode.UNLOCK, Mode.SC)
    modes = {Kind.WRITE: writes, Kind.FENCE: (Mode.REL, Mode.ACQ_REL, Mode.SC)}
    return event.mode in modes.get(event.kind, ())


def _has(*modes: Mode) -> Callable[[Facts], bool]:
    return lambda event: event.mode in modes


def _never(event: Facts) -> bool:
    return False


PREDICATES: dict[str, Callable[[Facts], bool]] = {
    "R": lambda e: e.kind is Kind.READ,
    "W": lambda e: e.kind is Kind.WRITE,
    "F": lambda e: e.kind is Kind.FENCE,
    "INIT": lambda e: e.initial,
    "UR": lambda e: e.kind is Kind.READ and e.half,
    "UW": lambda e: e.kind is Kind.WRITE and e.half,
    "UX": lambda e: e.failed,
    "EXCL": lambda e: e.half,
    "NEXCL": lambda e: _is_access(e) and not e.half,
    "NA": lambda e: e.mode is Mode.NA and _is_access(e),
    "RLX": lambda e: e.mode is Mode.RLX,
    "ACQ": _is_acquire,
    "REL": _is_release,
    "SC": lambda e: e.mode is Mode.SC,
    "ACQPC": _has(Mode.ACQ_PC),
    "AQ": lambda e: _is_access(e) and e.mode in (Mode.ACQ, Mode.AQ, Mode.AQRL),
    "RL": lambda e: _is_access(e) and e.mode in (Mode.REL, Mode.RL, Mode.AQRL),
    "NORET": _has(Mode.NORET),
    "SUCCESS": _has(Mode.SUCCESS),
    "F.r-r": _has(Mode.R_R),
    "F.r-w": _has(Mode.R_W),
    "F.w-r": _has(Mode.W_R),
    "F.w-w": _has(Mode.W_W),
    "F.w-rw": _has(Mode.W_RW),
    "F.rw-r": _has(Mode.RW_R),
    "F.i": _has(Mode.INSTR),
    "LOCK": _has(Mode.LOCK),
    "UNLOCK": _has(Mode.UNLOCK),
    "F.before-atomic": _has(Mode.BEFORE_ATOMIC),
    "F.after-atomic": _has(Mode.AFTER_ATOMIC),
    "F.after-spinlock": _has(Mode.AFTER_SPINLOCK),
    "F.after-unlock-lock": _has(Mode.AFTER_UNLOCK_LOCK),
    "F.rcu-lock": _has(Mode.RCU_LOCK),
    "F.rcu-unlock": _has(Mode.RCU_UNLOCK),
    "F.rcu-sync": _has(Mode.RCU_SYNC),
    "F.srcu-lock": _has(Mode.SRCU_LOCK),
    "F.srcu-unlock": _has(Mode.SRCU_UNLOCK),
    "F.srcu-sync": _has(Mode.SRCU_SYNC),
    "TC": lambda e: e.kind is Kind.CREATE,
    "TJ": lambda e: e.kind is Kind.JOIN,
    "BARRIER": lambda e: e.kind in (Kind.ARRIVE, Kind.DEPART),
    "ALLOC": lambda e: e.kind is Kind.ALLOC,
    "FREE": lambda e: e.kind is Kind.FREE,
    "LOC": _is_access,
    **dict.fromkeys(("TB", "TE", "TK", "HPRET", "HPPROT", "NOTHPPROT"), _never),  # there are no such events
}


def passes(event: Facts, test: terms.Test) -> bool:
    """Whether an event passes a test."""
    match test:
        case terms.Anything():
            return True
        case terms.Primitive(name):
            if name not in PREDICATES:
                raise ReferenceUnsupported(f"the predicate {name}")
            return PREDICATES[name](event)
        case terms.Not(body):
            return not passes(event, body)
        case terms.Both(left, right):
            return passes(event, left) and passes(event, right)
        case terms.Either(left, right):
            return passes(event, left) or passes(event, right)
