"""What the events of an execution do, in source terms, and where the values that they read come from."""

from __future__ import annotations

from itertools import groupby

from mazurka.checking.execution import Event, EventRef, Graph, Part, Violation, instruction
from mazurka.checking.objects import byte_range, thread_name
from mazurka.checking.outcome import Outcome
from mazurka.program import AllocFlag, Mode, Op
from mazurka.program.kinds import ViolationKind
from mazurka.report.places import Places
from mazurka.report.relevance import writes_back
from mazurka.report.values import Speaker

INITIAL = "initial value"
_ENDS = {AllocFlag.STACK: "end of", AllocFlag.NEW: "delete", AllocFlag.ARRAY: "delete[]"}


class EventWords:
    """Describes events of a graph; of a ``violation``, if there is one."""

    def __init__(
        self, outcome: Outcome, graph: Graph, speaker: Speaker, places: Places, violation: Violation | None
    ) -> None:
        self.outcome = outcome
        self.program = outcome.program
        self.graph = graph
        self.speaker = speaker
        self.places = places
        self.violation = violation
        self.told: set[EventRef] = set(graph.refs())

    def text(self, ref: EventRef) -> str:
        """What an event does; the first half of a read-modify-write speaks for both."""
        event = self.graph[ref]
        if event.kind in ("R", "W"):
            return self._access(ref, event)
        if event.kind == "F":
            name = "" if event.mode == Mode.SC else f" ({event.mode.name.lower()})"
            return f"fence{name} of {self.speaker.address(event.address)}" if event.size else f"fence{name}"
        if event.kind == "ALLOC":
            return f"allocate {self.speaker.address(event.address)}"
        if event.kind == "FREE":
            flags = instruction(self.program, event.function, event.pc).x
            verb = next((word for flag, word in _ENDS.items() if flags & flag), "free")
            return f"{verb} {self.speaker.address(event.address)}"
        if event.kind in ("ARRIVE", "DEPART"):
            verb = "reach" if event.kind == "ARRIVE" else "go on after"
            return f"{verb} {self.speaker.place(event)}"
        if event.kind == "CHOOSE":
            return self.speaker.chosen(event)
        verb = "start" if event.kind == "CREATE" else "join"
        return f"{verb} {thread_name(event.other or 0)}"

    def _access(self, ref: EventRef, event: Event) -> str:
        instr = instruction(self.program, event.function, event.pc)
        wrote = writes_back(self.graph, ref)
        if event.section:
            after = (ref[0], ref[1] + 1)
            return self.speaker.section(event, self.graph[after] if wrote and after in self.told else None)
        if instr.op == Op.SYNC:
            operation = self.program.operations[instr.c]
            place = self.speaker.place(event)
            step = f"{operation.name} {place}"
            if event.kind != "R" or wrote or self._fails(ref):
                return step
            if operation.shows:
                return f"{step}: {self.speaker.state_of(event)}"
            if operation.still:
                return f"{operation.still} {place}"
            return f"{step}: {operation.unchanged}" if operation.unchanged else step
        if self.is_unwritten(ref):
            return f"read {self.speaker.place(event)}"
        place, value = self.speaker.place(event), self.speaker.value_of(event)
        if event.kind == "W":
            return f"{place} = {value}"
        if wrote:
            return f"{place}: {value} → {self.speaker.value_of(self.graph[ref[0], ref[1] + 1])}"
        return f"read {place}: {value}" + (" (compare fails)" if instr.op in (Op.CAS, Op.CAS_PAIR) else "")

    def _fails(self, ref: EventRef) -> bool:
        """Whether an event is what the violation is about, and not only the last step before it."""
        violation = self.violation
        if violation is None:
            return False
        failing = self.graph.failing(violation.thread, violation.function, violation.pc)
        return not violation.waits and self.graph[ref] is failing

    def is_unwritten(self, ref: EventRef) -> bool:
        """Whether an event is the read of memory that was never written."""
        if self.violation is None or self.violation.kind != ViolationKind.UNINITIALIZED:
            return False
        return self._fails(ref) and self.origin(self.graph[ref]) == INITIAL

    def origin(self, read: Event) -> str:
        """The write that a read reads from; if there are several, which bytes are from which."""
        runs = [(origin, list(run)) for origin, run in groupby(read.pieces, key=self._origin_of)]
        if len({origin for origin, _ in runs}) == 1:
            return runs[0][0]
        if read.section:
            return self._origins(read)
        told = []
        for origin, run in runs:
            which = byte_range(read, run[0].address, run[-1].address + run[-1].size)
            told.append(f"{which} initial" if origin == INITIAL else f"{which} from {origin}")
        return f"bytes {', '.join(told)}"

    def _origins(self, section: Event) -> str:
        """Which of the places that a section read come from which write."""
        places: dict[str, list[str]] = {}
        for access, part in zip(section.accesses, section.parts, strict=True):
            places.setdefault(self._origin_of(part), []).append(self.speaker.place(access))
        told = {origin: " and ".join(dict.fromkeys(names)) for origin, names in places.items()}
        return ", ".join(
            f"{names} initial" if origin == INITIAL else f"{names} from {origin}"
            for origin, names in told.items()
        )

    def _origin_of(self, part: Part) -> str:
        """The write that gave the bytes of a part."""
        if part.write is not None:
            line = self.places.line(self.places.of(self.graph[part.write]))
            return f"{thread_name(part.write[0])}:{line}".rstrip(":")
        initial = self.speaker.prologue_write(part.address)
        if initial is None:
            return INITIAL
        line = self.places.line(self.places.of(initial))
        return f"main:{line}".rstrip(":") + ", before the threads"
