"""What the reference tracks of dependencies, on bytecode written by hand, and its relations for them."""

from __future__ import annotations

import pytest
from mazurka.kat.meaning import terms
from mazurka.program import (
    CONST,
    FrameObject,
    Function,
    Global,
    Instr,
    Mode,
    Op,
    Program,
    Region,
    RmwOp,
    SwitchTable,
    address,
)
from mazurka.reference import Graph, Machine, ReferenceUnsupported
from mazurka.reference.bases import initial_write
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import Dependencies, Ending, EventId, Fate, Given, Kind, Label, Late
from mazurka.reference.running.processor import Start

X = address(Region.GLOBAL, 4096)
POOL = (0, 1, X, X + 16, address(Region.CODE, 32), 8)
ZERO, ONE, AT_X, AT_Y, CODE_2, EIGHT = (CONST | number for number in range(len(POOL)))
FIRST, BOTH = frozenset([0]), frozenset([0, 1])


def read(dst: int, a: int = AT_X) -> Instr:
    return Instr(Op.LOAD, dst=dst, a=a, width=32, mode=Mode.RLX)


def write(b: int, a: int = AT_Y) -> Instr:
    return Instr(Op.STORE, a=a, b=b, width=32, mode=Mode.RLX)


def program(*code: Instr) -> Program:
    """Main, a thread's function with this code, and one that returns its first argument and 1 more."""
    twice = (Instr(Op.ADD, dst=2, a=0, b=ONE), Instr(Op.RET, c=1))
    bodies = [
        ("main", 0, (Instr(Op.RET, c=0),)),
        ("thread", 1, (*code, Instr(Op.RET, c=0))),
        ("next", 2, twice),
    ]
    return Program(
        functions=tuple(
            Function(name, n, 8, 16, (FrameObject(8, 8, "f"),), body) for name, n, body in bodies
        ),
        entry=0,
        globals=tuple(Global(name, X + 16 * n, 4, (), False) for n, name in enumerate("xy")),
        constants=POOL,
        lists=((ZERO,), (2,), (1, 3)),
        switches=(SwitchTable(((7, 2),), 2),),
    )


def run(*code: Instr, answers: tuple[Given, ...] = (5, 6, 0, 0)) -> list[Label | Ending]:
    """What the thread asks for, event by event, if its reads get these answers."""
    machine = Machine(program(*code), tracks=True)
    found: list[Label | Ending] = []
    for count in range(len(answers) + 1):
        found.append(machine.resume(Start(1, 1, (0,)), answers[:count]))
        if isinstance(found[-1], Ending):
            break
    return found


def last(*code: Instr) -> Dependencies | None:
    """What the last event of the thread depends on."""
    labels = [step for step in run(*code) if isinstance(step, Label)]
    return labels[-1].depends


FRAME = Instr(Op.FRAMEADDR, dst=6, a=8)
CAS = Instr(Op.CAS, dst=4, a=AT_Y, b=1, c=2, width=32, mode=Mode.RLX, x=Mode.RLX)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param([read(1), write(1)], Dependencies(data=FIRST), id="data"),
        pytest.param([read(1), write(ONE)], Dependencies(), id="nothing"),
        pytest.param(
            [read(1), Instr(Op.MOV, dst=1, a=ONE), write(1)], Dependencies(), id="an overwritten register"
        ),
        pytest.param(
            [read(1), Instr(Op.AND, dst=1, a=1, b=ZERO), Instr(Op.ADD, dst=1, a=1, b=AT_Y), write(ONE, 1)],
            Dependencies(addr=FIRST),
            id="the address of a write, which does not depend on the value",
        ),
        pytest.param(
            [read(1), Instr(Op.AND, dst=1, a=1, b=ZERO), Instr(Op.ADD, dst=1, a=1, b=AT_Y), read(2, 1)],
            Dependencies(addr=FIRST),
            id="the address of a read",
        ),
        # The value that was read does not depend on how the address was computed.
        pytest.param(
            [
                *(read(1), Instr(Op.AND, dst=1, a=1, b=ZERO), Instr(Op.ADD, dst=1, a=1, b=AT_Y)),
                *(read(2, 1), write(2)),
            ],
            Dependencies(data=frozenset([1])),
            id="a value from a computed address",
        ),
        pytest.param(
            [read(1), read(2), Instr(Op.ADD, dst=3, a=1, b=2), write(3)], Dependencies(data=BOTH), id="both"
        ),
        pytest.param(
            [read(1), Instr(Op.SELECT, dst=2, a=1, b=ONE, c=ZERO), write(2)],
            Dependencies(data=FIRST),
            id="select",
        ),
        pytest.param(
            [read(1), Instr(Op.BR, a=1, b=2, c=2), write(ONE)], Dependencies(ctrl=FIRST), id="branch"
        ),
        pytest.param([read(1), Instr(Op.SWITCH, a=1, c=0), read(2)], Dependencies(ctrl=FIRST), id="switch"),
        pytest.param([read(1), Instr(Op.ASSUME, a=1), write(ONE)], Dependencies(ctrl=FIRST), id="assume"),
        pytest.param(
            [read(1), Instr(Op.BR, a=1, b=2, c=2), Instr(Op.FENCE, mode=Mode.SC)],
            Dependencies(ctrl=FIRST),
            id="fence",
        ),
        # A comparison of what was read decides as the value itself does.
        pytest.param(
            [read(1), Instr(Op.EQ, dst=1, a=1, b=ONE, width=32), Instr(Op.BR, a=1, b=3, c=3), write(ONE)],
            Dependencies(ctrl=FIRST),
            id="comparison",
        ),
        pytest.param(
            [read(1), Instr(Op.MOV, dst=3, a=ONE), Instr(Op.CALL, dst=2, a=2, c=2, x=1), write(2)],
            Dependencies(data=FIRST),
            id="an argument that is returned",
        ),
        pytest.param(
            [read(3), Instr(Op.MOV, dst=1, a=ONE), Instr(Op.CALL, dst=2, a=2, c=2, x=1), write(2)],
            Dependencies(),
            id="an argument that is not used",
        ),
        pytest.param(
            [
                *(read(1), Instr(Op.AND, dst=1, a=1, b=ZERO), Instr(Op.ADD, dst=1, a=1, b=CODE_2)),
                *(Instr(Op.CALLI, dst=2, a=1, c=0, x=1), write(ONE)),
            ],
            Dependencies(ctrl=FIRST),
            id="a call through a pointer",
        ),
        pytest.param(
            [
                read(1),
                FRAME,
                Instr(Op.STORE, a=6, b=1, width=32),
                Instr(Op.LOAD, dst=2, a=6, width=8),
                write(2),
            ],
            Dependencies(data=FIRST),
            id="private memory",
        ),
        pytest.param(
            [
                *(read(1), FRAME, Instr(Op.STORE, a=6, b=1, width=32), Instr(Op.STORE, a=6, b=ONE, width=32)),
                *(Instr(Op.LOAD, dst=2, a=6, width=32), write(2)),
            ],
            Dependencies(),
            id="private memory that is overwritten",
        ),
        # A machine has the private access in memory, too: it waits for the address, and so do later writes.
        pytest.param(
            [
                *(read(1), FRAME, Instr(Op.STORE, a=6, b=ONE, width=32), Instr(Op.AND, dst=1, a=1, b=ZERO)),
                *(Instr(Op.ADD, dst=6, a=6, b=1), Instr(Op.LOAD, dst=2, a=6, width=32), write(2)),
            ],
            Dependencies(data=FIRST, ctrl=FIRST),
            id="the address of a private read",
        ),
        pytest.param(
            [read(1), Instr(Op.RMW, dst=2, a=AT_Y, b=1, x=RmwOp.XCHG, width=32, mode=Mode.RLX)],
            Dependencies(data=FIRST),
            id="the operand of an exchange",
        ),
        pytest.param(
            [read(1), Instr(Op.RMW, dst=2, a=AT_Y, b=1, x=RmwOp.ADD, width=32, mode=Mode.RLX)],
            Dependencies(data=BOTH),
            id="both that a fetch-and-add adds",
        ),
        pytest.param(
            [Instr(Op.RMW, dst=2, a=AT_Y, b=ONE, x=RmwOp.ADD, width=32, mode=Mode.RLX), write(2)],
            Dependencies(data=FIRST),
            id="what a read-modify-write returns",
        ),
    ],
)
def test_what_the_last_event_depends_on(code: list[Instr], expected: Dependencies) -> None:
    assert last(*code) == expected


def test_a_compare_exchange_depends_on_what_it_expects_and_writes() -> None:
    succeeded = run(read(1), read(2), CAS, write(5), answers=(5, 6, 5, 0))
    assert [step.depends for step in succeeded[2:] if isinstance(step, Label)] == [
        Dependencies(),  # its read
        Dependencies(data=BOTH),  # its write
        Dependencies(data=frozenset([0, 2])),  # of whether it succeeded
    ]
    failed = run(read(1), read(2), CAS, write(4), answers=(5, 6, 7))
    assert [step.depends for step in failed[3:] if isinstance(step, Label)] == [
        Dependencies(data=frozenset([2]))
    ]


def test_without_tracking_the_relations_are_refused() -> None:
    machine = Machine(program(read(1), write(1)))
    step = machine.resume(Start(1, 1, (0,)), ())
    assert isinstance(step, Label)
    graph = Graph().add((1, 0), step).set_rf((1, 0), None)
    for name in ("addr", "data", "ctrl"):
        with pytest.raises(ReferenceUnsupported, match="not tracked"):
            Relations(graph, {}).base(name)


# Late reads ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "needs"),
    [
        pytest.param([Instr(Op.BR, a=1, b=2, c=2)], True, id="branch"),
        pytest.param([write(ONE, 1)], True, id="address"),
        pytest.param([Instr(Op.UDIV, dst=2, a=EIGHT, b=1)], True, id="division"),
        pytest.param([Instr(Op.EXIT, a=1)], True, id="exit"),
        pytest.param([Instr(Op.EQ, dst=2, a=1, b=ONE)], False, id="comparison"),
        pytest.param([write(1)], False, id="value"),
        pytest.param([Instr(Op.CALL, dst=2, a=2, c=2, x=1)], False, id="argument"),
    ],
)
def test_what_needs_a_late_read(code: list[Instr], needs: bool) -> None:
    found = run(read(1), *code, write(ONE), answers=(Late.FAILS, 0))
    assert (Ending(Fate.NEEDS, needs=FIRST) in found) == needs


def test_a_write_awaits_the_late_reads_that_its_value_comes_from() -> None:
    _, other, label, _ = run(read(1), read(2), write(1), answers=(Late.FAILS, 3, 0))
    assert isinstance(other, Label)
    assert isinstance(label, Label)
    assert (other.awaits, label.awaits) == (frozenset(), FIRST)


# Relations ----------------------------------------------------------------------------------------------


def pairs(graph: Graph, name: str) -> set[tuple[EventId, EventId]]:
    return Relations(graph, {}).pairs(terms.Base(name))


def test_control_goes_on_into_created_threads_and_past_joins() -> None:
    branch = Dependencies(ctrl=FIRST)
    graph = Graph()
    for event, label in {
        (0, 0): Label(Kind.READ, Mode.RLX, X, 4, depends=Dependencies()),
        (0, 1): Label(Kind.CREATE, other=1, depends=branch),
        (1, 0): Label(Kind.READ, Mode.RLX, X, 4, depends=Dependencies()),
        (1, 1): Label(Kind.FENCE, Mode.SC, depends=branch),
        (0, 2): Label(Kind.JOIN, other=1, depends=branch),
    }.items():
        graph = graph.add(event, label)
    graph = graph.set_rf((0, 0), None).set_rf((1, 0), None)
    assert pairs(graph, "ctrl") == {
        *(((0, 0), after) for after in [(0, 1), (0, 2), (1, 0), (1, 1)]),
        *(((1, 0), after) for after in [(1, 1), (0, 2)]),
    }


def test_detours_and_reads_of_different_writes() -> None:
    """Thread 0 writes x and reads it twice, first what it wrote itself and then what thread 1 has written."""
    access = (Mode.RLX, X, 4)
    graph = Graph().add((0, 0), Label(Kind.WRITE, *access, 1)).set_co(None, (0, 0))
    graph = graph.add((1, 0), Label(Kind.WRITE, *access, 2)).set_co((0, 0), (1, 0))
    graph = graph.add((0, 1), Label(Kind.READ, *access)).set_rf((0, 1), (0, 0))
    graph = graph.add((0, 2), Label(Kind.READ, *access)).set_rf((0, 2), (1, 0))
    assert pairs(graph, "detour") == {((0, 0), (0, 2))}
    assert pairs(graph, "rdw") == {((0, 1), (0, 2))}
    assert (initial_write(X), (0, 2)) not in pairs(graph, "detour")
