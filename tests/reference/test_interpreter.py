"""The reference interpreter, on bytecode written by hand: values, calls, the prologue, threads, findings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mazurka.program import (
    CONST,
    AllocFlag,
    FrameObject,
    Function,
    Global,
    Instr,
    Loop,
    Mode,
    Op,
    Program,
    Region,
    RmwOp,
    Rounds,
    SwitchTable,
    address,
    pieces_of,
)
from mazurka.program.sync_objects import LOCK as MUTEX_LOCK
from mazurka.program.sync_objects import MUTEX_DESTROY, TRYLOCK
from mazurka.program.sync_objects import UNLOCK as MUTEX_UNLOCK
from mazurka.reference import Graph, Machine, ReferenceUnsupported, enumerate_executions, verify
from mazurka.reference.running.arithmetic import BINARY, UNARY, funnel_shift, overflowing, signed
from mazurka.reference.running.labels import Ending, Fate, Kind, Label
from mazurka.testing.build import MUTEX_OPERATIONS, sync_instr

X = address(Region.GLOBAL, 4096)
POOL = (0, 1, 2, 3, 7, X, address(Region.CODE, 16), address(Region.CODE, 32), 5, X + 16)
ZERO, ONE, TWO, THREE, SEVEN, AT_X, CODE_1, CODE_2, FIVE, AT_Y = (CONST | i for i in range(len(POOL)))
DONE = Instr(Op.RET)


def program(main: list[Instr], *others: list[Instr]) -> Program:
    """Main and functions 1, 2… with one parameter; every function has 8 registers and may return its r0."""
    bodies = [("main", 0, main), *((f"f{i}", 1, body) for i, body in enumerate(others, 1))]
    return Program(
        functions=tuple(
            Function(name, n, 8, 16, (FrameObject(8, 8, "f"),), tuple(code)) for name, n, code in bodies
        ),
        entry=0,
        globals=(Global("x", X, 4, (), False), Global("y", X + 16, 4, pieces_of(bytes([9, 0, 0, 0])), True)),
        constants=POOL,
        lists=((0,), (FIVE,), ()),
        switches=(SwitchTable(((7, 2),), 4),),
        strings=("assertion", "it broke"),
        loops=(Loop("main", 0),),
        operations=MUTEX_OPERATIONS,
    )


def run(main: list[Instr], *others: list[Instr], unroll: int | None = None) -> Ending | Label:
    """What main asks for first, or how it ends."""
    return Machine(program(main, *others), unroll).step(Graph(), 0)


def result(*code: Instr) -> int:
    """What a straight-line main leaves in register 0."""
    ending = run([*code, DONE])
    assert isinstance(ending, Ending)
    assert ending.fate is Fate.EXITED
    return ending.value


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (Op.SDIV, -7, 2, -3),
        (Op.SREM, -7, 2, -1),
        (Op.UDIV, 200, 3, 66),
        (Op.UREM, 200, 3, 2),
        (Op.SDIV, -128, -1, -128),
        (Op.SHL, 1, 8, 0),
        (Op.SHL, 3, 7, -128),
        (Op.LSHR, -1, 4, 15),
        (Op.LSHR, -1, 9, 0),
        (Op.ASHR, -128, 20, -1),
        (Op.SLT, -1, 0, 1),
        (Op.ULT, -1, 0, 0),
        (Op.SMAX, -1, 1, 1),
        (Op.UMAX, -1, 1, -1),
        (Op.MUL, 100, 100, 16),
    ],
)
def test_binary_at_eight_bits(op: Op, a: int, b: int, expected: int) -> None:
    assert signed(BINARY[op](a & 255, b & 255, 8) & 255, 8) == expected


def test_unary_and_overflow_and_funnel_shifts() -> None:
    assert UNARY[Op.BSWAP](0x1234, 16) == 0x3412
    assert UNARY[Op.BITREV](0b00000110, 8) == 0b01100000
    assert (UNARY[Op.CTLZ](1, 8), UNARY[Op.CTTZ](0, 8), UNARY[Op.CTTZ](8, 8)) == (7, 8, 3)
    assert overflowing(Op.SADDO, 127, 1, 8) == (128, True)
    assert overflowing(Op.UADDO, 127, 1, 8) == (128, False)
    assert overflowing(Op.USUBO, 0, 1, 8)[1]
    assert overflowing(Op.SMULO, 0xFF, 0x80, 8)[1]
    assert funnel_shift(Op.FSHL, 0x12, 0x34, 4, 8) & 255 == 0x23
    assert funnel_shift(Op.FSHR, 0x12, 0x34, 12, 8) & 255 == 0x23


def test_division_by_zero_is_a_finding() -> None:
    ending = run([Instr(Op.UDIV, dst=0, a=ONE, b=ZERO), DONE])
    assert isinstance(ending, Ending)
    assert ending.finding == "division-by-zero"


def test_branches_switches_and_calls() -> None:
    assert result(Instr(Op.BR, a=ZERO, b=0, c=2), Instr(Op.FAIL, b=1), Instr(Op.MOV, dst=0, a=TWO)) == 2
    switch = Instr(Op.SWITCH, a=SEVEN, c=0)
    assert result(switch, Instr(Op.FAIL, b=1), Instr(Op.MOV, dst=0, a=THREE)) == 3
    twice = [Instr(Op.ADD, dst=0, a=0, b=0), DONE]
    for call in (Instr(Op.CALL, dst=0, a=1, c=1, x=1), Instr(Op.CALLI, dst=0, a=CODE_1, c=1, x=1)):
        ending = run([call, DONE], twice)
        assert ending == Ending(Fate.EXITED, 10)


def shifted(code: list[Instr]) -> list[Instr]:
    """Code moved down by one instruction."""
    return [replace(i, b=i.b + 1, c=i.c + 1) if i.op is Op.BR else i for i in code]


def blocked_with(creates: Instr, body: list[Instr], unroll: int | None) -> int:
    thread = [Instr(Op.MOV, dst=0, a=ZERO), *shifted(body)]
    return len(enumerate_executions(program([creates, DONE], thread), unroll=unroll).blocked)


def test_a_loop_is_cut_past_the_bound() -> None:
    counts = [Instr(Op.LOOP, dst=2, a=0), Instr(Op.ADD, dst=0, a=0, b=ONE), Instr(Op.FENCE)]
    loop = [*counts, Instr(Op.ULT, dst=1, a=0, b=THREE), Instr(Op.BR, a=1, b=0, c=5), DONE]
    endless = [replace(loop[0], x=Rounds.ENDLESS), *loop[1:]]
    assert run(endless, unroll=3) == Ending(Fate.EXITED, 3)
    assert run(endless, unroll=2) == Ending(Fate.CUT)
    assert run(loop, unroll=2) == Ending(Fate.EXITED, 3)  # before the first thread
    creates = Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO)
    for rounds, blocked in ((Rounds.ANY, 1), (Rounds.CONSTANT, 0), (Rounds.ENDLESS, 1)):
        body = [replace(loop[0], x=rounds), *loop[1:]]
        assert blocked_with(creates, body, unroll=2) == blocked, rounds
    assert blocked_with(creates, [replace(loop[0], b=2), *loop[1:]], unroll=None) == 1
    # A round without an event does not count, unless the loop is never left.
    private = [Instr(Op.NOP) if i.op is Op.FENCE else i for i in loop]
    assert blocked_with(creates, private, unroll=2) == 0
    assert blocked_with(creates, [replace(private[0], x=Rounds.ENDLESS), *private[1:]], unroll=2) == 1
    with pytest.raises(ReferenceUnsupported, match="steps"):
        run([Instr(Op.JMP, a=0)])


def test_private_memory_and_constants_are_no_events() -> None:
    code = [
        Instr(Op.FRAMEADDR, dst=1, a=8),
        Instr(Op.STORE, a=1, b=SEVEN, width=16),
        Instr(Op.LOAD, dst=2, a=1, width=16),
        Instr(Op.LOAD, dst=3, a=AT_Y, width=32),
        Instr(Op.ALLOC, dst=4, a=FIVE, b=ONE, x=AllocFlag.PRIVATE),
        Instr(Op.OBJSIZE, dst=5, a=4),
        Instr(Op.FREE, a=4),
        Instr(Op.ADD, dst=6, a=2, b=3),
        Instr(Op.ADD, dst=0, a=5, b=6),
        DONE,
    ]
    creator = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), Instr(Op.JOIN, dst=0, a=1), DONE]
    executions = verify(program(creator, code))
    [graph] = executions.complete
    assert [graph.labels[e].kind for e in graph.order] == [Kind.CREATE, Kind.JOIN]
    assert Machine(program(creator, code)).step(graph, 0) == Ending(Fate.EXITED, 5 + 7 + 9)


def test_the_prologue_makes_no_events_and_sets_initial_memory() -> None:
    main = [
        Instr(Op.STORE, a=AT_X, b=FIVE, width=32),
        Instr(Op.RMW, dst=2, a=AT_X, b=TWO, x=RmwOp.ADD, width=32),
        Instr(Op.ALLOC, dst=3, a=ONE, b=ONE),
        Instr(Op.CREATE, dst=1, a=CODE_1, b=3),
        Instr(Op.JOIN, dst=0, a=1),
        DONE,
    ]
    reader = [Instr(Op.LOAD, dst=0, a=AT_X, width=32, mode=Mode.RLX), DONE]
    [graph] = verify(program(main, reader)).complete
    assert [graph.labels[e].kind for e in graph.order] == [Kind.CREATE, Kind.READ, Kind.JOIN]
    assert graph.labels[0, 0].value == address(Region.SHARED, 4096)
    assert Machine(program(main, reader)).step(graph, 0) == Ending(Fate.EXITED, 7)


def test_a_program_without_threads_has_one_execution_without_events() -> None:
    [graph] = verify(program([Instr(Op.STORE, a=AT_X, b=ONE, width=32), DONE])).complete
    assert graph.order == ()


def test_threads_of_threads_keep_their_numbers() -> None:
    main = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), Instr(Op.JOIN, dst=0, a=1), DONE]
    parent = [Instr(Op.CREATE, dst=1, a=CODE_2, b=SEVEN), Instr(Op.JOIN, dst=0, a=1), DONE]
    child = [Instr(Op.SELF, dst=1), Instr(Op.ADD, dst=0, a=0, b=1), DONE]
    [graph] = verify(program(main, parent, child)).complete
    assert graph.threads() == [0, 1, 2]
    assert Machine(program(main, parent, child)).step(graph, 0) == Ending(Fate.EXITED, 7 + 3)


LOCK, UNLOCK, DESTROY = (sync_instr(use, AT_X) for use in (MUTEX_LOCK, MUTEX_UNLOCK, MUTEX_DESTROY))


def _new(flags: int) -> Instr:
    return Instr(Op.ALLOC, dst=0, a=SEVEN, b=ONE, x=flags)


def _delete(flags: int) -> Instr:
    return Instr(Op.FREE, a=0, x=flags)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        pytest.param([UNLOCK, DONE], "mutex", id="unlock without lock"),
        pytest.param([LOCK, UNLOCK, UNLOCK, DONE], "mutex", id="unlock twice"),
        pytest.param([DESTROY, LOCK, DONE], "mutex", id="lock after destroy"),
        pytest.param([Instr(Op.LOAD, dst=0, a=ZERO, width=32), DONE], "unallocated", id="null"),
        pytest.param([Instr(Op.STORE, a=AT_Y, b=ONE, width=32), DONE], "unallocated", id="constant"),
        pytest.param([Instr(Op.FREE, a=AT_X), DONE], "invalid-free", id="free of a global"),
        pytest.param([_new(0), _delete(AllocFlag.NEW), DONE], "invalid-free", id="delete of malloc"),
        pytest.param([_new(AllocFlag.NEW), _delete(0), DONE], "invalid-free", id="free of new"),
        pytest.param(
            [_new(AllocFlag.PRIVATE | AllocFlag.ARRAY), _delete(AllocFlag.NEW), DONE],
            "invalid-free",
            id="delete of a private array",
        ),
        pytest.param(
            [_new(AllocFlag.NEW), _delete(AllocFlag.NEW), _delete(AllocFlag.ARRAY), DONE],
            "double-free",
            id="delete twice",
        ),
        pytest.param([Instr(Op.CALLI, a=AT_X, c=2), DONE], "unallocated", id="call of data"),
        pytest.param([Instr(Op.JOIN, dst=0, a=SEVEN), DONE], "thread", id="join of no thread"),
        pytest.param([Instr(Op.FAIL, a=0, b=1)], "assertion", id="assertion"),
    ],
)
def test_findings_in_the_prologue_and_in_a_thread(code: list[Instr], kind: str) -> None:
    creator = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), Instr(Op.JOIN, dst=0, a=1), DONE]
    for subject in (program(code), program(creator, code)):
        assert verify(subject).findings == enumerate_executions(subject).findings == {kind}


def test_trylock_goes_on_without_the_mutex() -> None:
    creator = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), sync_instr(TRYLOCK, AT_X), DONE]
    holder = [LOCK, UNLOCK, DONE]
    found = enumerate_executions(program(creator, holder))
    # The attempt sees the mutex taken or free again; if it comes first it keeps it, and the lock still waits
    # when main returns, which ends the program.
    assert (len(found.complete), len(found.blocked)) == (3, 0)


def test_a_lock_that_could_go_on_is_no_execution_of_its_own() -> None:
    creator = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), LOCK, UNLOCK, DONE]
    found = enumerate_executions(program(creator, [LOCK, UNLOCK, DONE]))
    assert (len(found.complete), len(found.blocked)) == (2, 0)


BLOCKED, EXIT = Instr(Op.ASSUME, a=ZERO), Instr(Op.EXIT, a=FIVE, x=1)


@pytest.mark.parametrize(
    ("rest", "thread", "complete", "blocked"),
    [
        pytest.param([EXIT], [DONE], 1, 0, id="the other ends"),
        pytest.param([Instr(Op.JOIN, dst=0, a=1), DONE], [EXIT], 1, 0, id="the other joins"),
        pytest.param([LOCK, EXIT], [LOCK, EXIT], 2, 0, id="the other waits forever"),
        pytest.param([LOCK, UNLOCK, EXIT], [LOCK, UNLOCK, DONE], 2, 0, id="nobody waits in vain"),
        pytest.param([EXIT], [BLOCKED], 0, 1, id="an assumption failed"),
        pytest.param([DONE], [Instr(Op.EXIT, a=FIVE)], 1, 0, id="only the thread ends"),
    ],
)
def test_exit_ends_the_program(rest: list[Instr], thread: list[Instr], complete: int, blocked: int) -> None:
    subject = program([Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), *rest], thread)
    found, explored = enumerate_executions(subject), verify(subject)
    assert (len(found.complete), len(found.blocked)) == (complete, blocked)
    assert (len(explored.complete), len(explored.blocked)) == (complete, blocked)


def test_children_are_numbered_as_the_caller_says() -> None:
    main = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), Instr(Op.CREATE, dst=2, a=CODE_1, b=ZERO), DONE]
    machine = Machine(program(main, [DONE]), children={(0, 1): 4})
    graph = Graph()
    for expected in (5, 4):
        step = machine.step(graph, 0)
        assert isinstance(step, Label)
        assert step.other == expected
        graph = graph.add((0, graph.length(0)), step)


def test_what_is_not_interpreted_is_refused() -> None:
    with pytest.raises(ReferenceUnsupported, match="FADD"):
        run([Instr(Op.FADD, dst=0, a=ONE, b=ONE), DONE])
    creator = [Instr(Op.CREATE, dst=1, a=CODE_1, b=ZERO), DONE]
    both = [Instr(Op.LOAD, dst=0, a=AT_X, width=32), Instr(Op.LOAD, dst=0, a=AT_X, width=8), DONE]
    with pytest.raises(ReferenceUnsupported, match="several sizes"):
        verify(program(creator, both))
