"""Whether a thread that cannot go on now ever will: it is run alone, with memory as it is in the end.

A fair scheduler lets a thread see every write in the end, and lets it run while the others pause. So a thread
waits in vain iff, seeing the latest write of each location, it comes back to a state in which it was, with
memory as it was, or waits for a synchronisation object. For a loop that only reads this is what the thesis
says (§9.2.3.4): all reads of the last round read co-maximally. It also speaks about loops that write, such as
an exchange that puts back what it found.
"""

from __future__ import annotations

from mazurka.reference.graph import Graph
from mazurka.reference.machine import Machine, Threads
from mazurka.reference.running.labels import Ending, Fate, Kind, ReferenceUnsupported
from mazurka.reference.running.spins import Alone

MOST_EVENTS = 200  # of a thread alone; one that makes more is taken for one that goes on
_VAIN = (Fate.SPINNING, Fate.WAITING)


def all_wait_in_vain(machine: Machine, graph: Graph) -> bool:
    """Whether some threads are not done, and none of them ever will be; none may end the program."""
    threads = Threads(machine, graph)
    steps = {thread: threads.step(thread) for thread in threads.starts}
    endings = [step.fate for step in steps.values() if isinstance(step, Ending)]
    if not set(endings) <= {Fate.DONE, Fate.WAITING, Fate.SPINNING, Fate.CUT}:
        return False
    unfinished = [
        thread
        for thread, step in steps.items()
        if isinstance(step, Ending) and step.fate in (Fate.SPINNING, Fate.CUT)
    ]
    waiting = [t for t, step in steps.items() if isinstance(step, Ending) and step.fate is Fate.WAITING]
    if any(_has_seen_an_old_state(graph, thread) for thread in waiting):
        return False
    all_done = endings.count(Fate.DONE) == len(steps)
    return not all_done and all(_waits_in_vain(machine, threads, graph, thread) for thread in unfinished)


def _has_seen_an_old_state(graph: Graph, thread: int) -> bool:
    """Whether a thread waits for an object that was changed since it looked, and so would look again."""
    last = thread, graph.length(thread) - 1
    label = graph.labels[last]
    if label.kind is not Kind.READ:
        return False
    writes = graph.co.get(label.address, ())
    return graph.sources(last)[0] != (writes[-1] if writes else None)


def _waits_in_vain(machine: Machine, threads: Threads, graph: Graph, thread: int) -> bool:
    if graph.is_mixed:
        raise ReferenceUnsupported("waiting threads, with accesses of several sizes to the same bytes")
    final = {address: graph.labels[writes[-1]].value for address, writes in graph.co.items() if writes}
    alone = Alone(final)
    length = graph.length(thread)
    alone.is_alone = length == 0
    run = machine.start(threads.starts[thread], threads.objects, None, alone)
    try:
        label = next(run)
        for event in graph.thread(thread):
            alone.is_alone = event[1] == length - 1
            label = run.send(threads.answer(event))
        for _ in range(MOST_EVENTS):
            if label.kind not in (Kind.READ, Kind.WRITE, Kind.FENCE):
                return False  # it has left the loop
            final.setdefault(label.address, machine.initial.read(label.address, label.size))
            label = run.send(alone.changed.get(label.address, final[label.address]))
    except StopIteration as stop:
        ending: Ending = stop.value
        return ending.fate in _VAIN and not alone.changed
    return False
