"""Describes an execution as steps: one per row, in source terms, with what does not matter folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mazurka.checking.execution import (
    Event,
    EventRef,
    Graph,
    Violation,
    instruction,
    loop_position,
    operation_of,
)
from mazurka.checking.objects import allocations, thread_name
from mazurka.checking.outcome import Outcome
from mazurka.program import CONST, NO_POSITION, OFFSET_MASK, Function, Op, Position, Program
from mazurka.program.kinds import OF_THE_WHOLE
from mazurka.report.order import in_order, linearise, overtaken
from mazurka.report.places import Places
from mazurka.report.relevance import own_memory, relevant, writes_back
from mazurka.report.values import FUNCTION_STRIDE, Speaker
from mazurka.report.wording import EventWords


@dataclass(frozen=True, slots=True)
class StoryStep:
    """A row of the table: what a thread did, on which source line, and where its value came from."""

    thread: int
    line: str
    text: str
    note: str = ""
    style: str = "plain"  # plain fold fail
    where: Position | None = None  # the place that the line is of


@dataclass(frozen=True)
class Story:
    """An execution ready to be laid out."""

    steps: tuple[StoryStep, ...]
    silent: tuple[str, ...]  # the threads whose steps are all folded, one line each
    speaker: Speaker  # knows the objects that the steps mention
    disorder: tuple[str, ...] = ()  # explains rows that no interleaving has


def tell(outcome: Outcome, violation: Violation | None, graph: Graph, *, calls: bool = False) -> Story:
    """The execution of a violation, folded to what matters; with the ``calls`` that a row leaves out.

    Of an execution in which nothing goes wrong, all matters but what a thread does to memory of its own.
    """
    teller = _Teller(outcome, violation, graph, calls)
    steps = teller.steps()
    shown = {step.thread for step in steps}
    silent = tuple(
        f"{title(outcome.program, graph, t)}: {_count(len(thread.events))}, all folded"
        for t, thread in enumerate(graph.threads)
        if t not in shown and thread.events
    )
    return Story(tuple(steps), silent, teller.speaker, tuple(teller.disorder.values()))


def title(program: Program, graph: Graph, thread: int) -> str:
    """The header of a thread's column: its name and the function that it runs."""
    if not thread:
        return thread_name(thread)
    entry = _entry(program, graph, thread)
    taken = "" if entry is not None and not entry.params else "…"
    return f"{thread_name(thread)} {entry.name if entry else '?'}({taken})"


def entry_function(program: Program, graph: Graph, thread: int) -> str:
    """The name of the function that a thread was started with."""
    entry = _entry(program, graph, thread)
    return entry.name if entry else "?"


def _entry(program: Program, graph: Graph, thread: int) -> Function | None:
    me = graph.threads[thread]
    if me.parent is None or me.created_by is None:
        return program.functions[program.entry]
    create = graph[me.parent, me.created_by]
    operand = instruction(program, create.function, create.pc).a
    started = None
    if operand & CONST:
        started = program.functions[(program.constants[operand & ~CONST] & OFFSET_MASK) // FUNCTION_STRIDE]
        if started.position != NO_POSITION:
            return started
    # Started through a function pointer, or by a library: the first events are the best witnesses.
    called = (program.functions[function] for event in me.events for function, _ in reversed(event.stack))
    return next((function for function in called if function.position != NO_POSITION), started)


def _count(steps: int) -> str:
    return "1 step" if steps == 1 else f"{steps} steps"


class _Teller:
    """Walks the linearised events once and describes each one that is kept."""

    def __init__(self, outcome: Outcome, violation: Violation | None, graph: Graph, calls: bool) -> None:
        self.outcome = outcome
        self.calls = calls
        self.violation = violation
        self.graph = graph
        self.speaker = Speaker(outcome, graph)
        self.told: set[EventRef] = set()
        self.late: dict[EventRef, EventRef] = {}
        self.early: set[EventRef] = set()  # reads that are shown before the write they read from
        self.disorder: dict[str, str] = {}
        where = violation.location if violation else None
        self.places = Places(outcome.program, where.file if where else "")
        self.words = EventWords(outcome, graph, self.speaker, self.places, violation)

    def steps(self) -> list[StoryStep]:
        violation = self.violation
        order = story_order(self.graph, violation) if violation else linearise(self.graph)
        kept = set(order) & kept_events(self.words, violation)
        shown = {t for t, _ in kept} | ({violation.thread} if violation else set())
        self.told = self.words.told = set(order)
        at = {ref: number for number, ref in enumerate(order)}
        self.early = {ref for ref in order if any(at.get(w, -1) > at[ref] for w in self.graph[ref].writers)}
        self.late = overtaken(self.graph, order)
        said = (self._say(ref, kept) for ref in order if ref[0] in shown)
        told = _merged(step for step in said if step)
        return (
            told if violation is None else [*told, *self._others_stuck(violation), self._failure(violation)]
        )

    def _say(self, ref: EventRef, kept: set[EventRef]) -> StoryStep | None:
        """The row for an event, or None if another row includes it."""
        thread, index = ref
        if ref not in kept:
            starts_run = index == 0 or (thread, index - 1) in kept
            return (
                StoryStep(thread, "", f"… {_count(self._run(ref, kept))}", style="fold")
                if starts_run
                else None
            )
        if index and writes_back(self.graph, (thread, index - 1)):
            return None
        event = self.graph[ref]
        if self._is_on_the_way(ref, event):
            return None
        note = self._note(ref, event)
        path = self.places.path(event) if self.calls else self.places.routine(event)
        text = f"{self.words.text(ref)} (in {path})" if path else self.words.text(ref)
        where = self.places.of(event)
        line = self.places.line(where)
        halves = {ref, (thread, index + 1)} if writes_back(self.graph, ref) else {ref}
        if self._races(halves):
            return StoryStep(thread, line, f"✗ {text}", note, "fail", where)
        return StoryStep(thread, line, text, note, where=where)

    def _races(self, refs: set[EventRef]) -> bool:
        """Whether one of these is an access that breaks an error rule."""
        violation = self.violation
        return bool(violation and violation.event and refs & {violation.event, violation.other})

    def _is_on_the_way(self, ref: EventRef, event: Event) -> bool:
        """Whether an event only finds out which meeting its thread comes to, as it then does."""
        instr = instruction(self.outcome.program, event.function, event.pc)
        looks = instr.op == Op.SYNC and self.outcome.program.operations[instr.c].counts_rounds
        return looks and ref[1] + 1 < len(self.graph.threads[ref[0]].events)

    def _note(self, ref: EventRef, event: Event) -> str:
        """Where a read's value comes from, and which write above it the row does not see or precedes."""
        notes = [f"← {self.words.origin(event)}"] if event.kind == "R" and event.pieces else []
        if self.words.is_unwritten(ref):
            notes = ["← never written"]
        if ref in self.early:
            notes.append("(written below)")
            self.disorder.setdefault("rf", _EARLY)
        # The halves of a read-modify-write share a row.
        late = self.late.get(ref) or (
            self.late.get((ref[0], ref[1] + 1)) if writes_back(self.graph, ref) else None
        )
        if late is not None:
            line = self.places.line(self.places.of(self.graph[late]))
            where = f"{thread_name(late[0])}:{line}".rstrip(":")
            words, meaning = _OVERTAKEN[event.kind]
            notes.append(f"({words} {where})")
            self.disorder.setdefault(event.kind, meaning.format(where))
        return " ".join(notes)

    def _run(self, ref: EventRef, kept: set[EventRef]) -> int:
        """The number of folded events from ``ref`` on."""
        thread, first = ref
        end = first
        while (thread, end) in self.told and (thread, end) not in kept:
            end += 1
        return end - first

    def _others_stuck(self, violation: Violation) -> Iterator[StoryStep]:
        """A row for each other thread that goes round a loop for ever."""
        for wait in violation.waits:
            if wait.loop is not None and wait.thread != violation.thread:
                where = loop_position(self.outcome.program, wait.loop)
                text = f"✗ {violation.brief}"
                yield StoryStep(wait.thread, self.places.line(where), text, style="fail", where=where)

    def _failure(self, violation: Violation) -> StoryStep:
        text = f"✗ {violation.brief or violation.message}"
        where = violation.location
        return StoryStep(violation.thread, self.places.line(where), text, style="fail", where=where)


def story_order(graph: Graph, violation: Violation) -> list[EventRef]:
    """The events that lead to a failure, in an order in which they can be told."""
    pair = conflict(graph, violation)
    events = graph.threads[violation.thread].events
    ends_there = events and violation.other is None and violation.kind not in OF_THE_WHOLE
    return linearise(graph, pair, (violation.thread, len(events) - 1) if ends_there else None)


def conflict(graph: Graph, violation: Violation) -> tuple[EventRef, EventRef] | None:
    """The two events that a story ends with, if any.

    The end of an object's lifetime and an access to it, shown in the wrong order; or two accesses that
    the model leaves unordered, next to each other.
    """
    if violation.event is not None and violation.other is not None:
        return in_order(graph, violation.other, violation.event)
    events = graph.threads[violation.thread].events
    if violation.kind != "freed" or violation.other is None or not events:
        return None
    last = (violation.thread, len(events) - 1)
    free_is_last = graph[last].kind == "FREE"
    wrong = (last, violation.other) if free_is_last else (violation.other, last)
    return in_order(graph, *wrong)


def kept_events(words: EventWords, violation: Violation | None) -> set[EventRef]:
    """The events that a reader needs; all others are folded."""
    graph = words.graph
    if violation is None:
        return set(graph.refs()) - own_memory(graph, allocations(words.outcome.objects, graph))
    addresses = {one.address for ref in graph.refs() for one in graph[ref].accesses}
    initial = {address for address in addresses if words.speaker.prologue_write(address)}
    stuck = any(wait.loop is not None for wait in violation.waits)  # a thread goes round a loop for ever
    place = words.places.of
    kept = relevant(graph, violation.thread, violation.other, initial, of_all=stuck, place=place)
    return (kept | _signals(words, violation)) - _internal(words, violation)


def _signals(words: EventWords, violation: Violation) -> set[EventRef]:
    """What threads did to the conditions that others wait at for ever: signals that came too early."""
    graph, program = words.graph, words.program
    conditions = set()
    for wait in violation.waits:
        reads = None if wait.object is None else operation_of(program, graph[wait.object])
        if reads is None or not reads.awaits:
            continue
        for event in reversed(graph.threads[wait.thread].events):
            done = operation_of(program, event)
            if done and done.object.kind == reads.object.kind and not done.object.is_hidden:
                conditions.add(event.address)
                break
    return {
        ref
        for ref in graph.refs()
        if graph[ref].kind in ("R", "W") and graph[ref].address in conditions
        if operation_of(program, graph[ref])
    }


def _internal(words: EventWords, violation: Violation) -> set[EventRef]:
    """Steps that only find out, for Mazurka, whether the program uses an object correctly."""
    graph = words.graph
    failing = graph.failing(violation.thread, violation.function, violation.pc)
    found = set()
    for ref in graph.refs():
        done = operation_of(words.program, graph[ref]) if graph[ref].kind in ("R", "W") else None
        if done and done.is_internal and graph[ref] is not failing:
            found.add(ref)
    return found


# How a row names the write above it that it precedes, and what that means.
_OVERTAKEN = {
    "R": ("not yet", "the read marked (not yet {0}) does not see {0}, although that write is above it"),
    "W": (
        "older than",
        "the write marked (older than {0}) comes before {0} in its location's order of writes",
    ),
}
_EARLY = "a read marked (written below) sees a write that is shown below it"


def _merged(steps: Iterable[StoryStep]) -> list[StoryStep]:
    """Joins neighbouring rows that start (or join) threads from one line: ``start T1, T2, T3``."""
    out: list[StoryStep] = []
    for step in steps:
        verb, _, thread = step.text.partition(" ")
        if out and verb in ("start", "join") and _same_line(out[-1], step, verb):
            out[-1] = replace(out[-1], text=f"{out[-1].text}, {thread}")
        else:
            out.append(step)
    return out


def _same_line(first: StoryStep, second: StoryStep, verb: str) -> bool:
    return first.text.startswith(f"{verb} T") and (first.thread, first.line) == (second.thread, second.line)
