"""Control flow of random small functions, instruction by instruction, against its definition."""

from __future__ import annotations

from random import Random

from mazurka.program import CONST, Function, Instr, Op, Program, SwitchTable
from mazurka.program.flow.function import FunctionFlow
from mazurka.program.flow.liveness import members
from mazurka.program.flow.rewriting import rewrite
from mazurka.program.instructions import FACTS, Effect, registers_read, results_of, successors

FUNCTIONS = range(240)
REGISTERS = 5
PLAIN = [Op.MOV, Op.ADD, Op.SELECT, Op.CAS, Op.STORE, Op.LOAD, Op.LOOP, Op.CALL, Op.NOP, Op.SADDO, Op.UDIV]


def drawn(seed: int) -> Program:
    """A function of up to 12 instructions: some compute, some go elsewhere."""
    random = Random(seed)
    count = random.randint(1, 12)
    switches = tuple(
        SwitchTable(
            tuple((v, random.randrange(count)) for v in range(random.randint(0, 2))), random.randrange(count)
        )
        for _ in range(2)
    )
    lists = tuple(tuple(random.choices(range(REGISTERS), k=random.randint(0, 3))) for _ in range(2))

    def instruction() -> Instr:
        ends = random.random() < 0.4
        op = random.choice([Op.JMP, Op.BR, Op.BR, Op.SWITCH, Op.RET, Op.EXIT, Op.FAIL] if ends else PLAIN)
        a, b, c = (random.choice([random.randrange(REGISTERS), CONST]) for _ in range(3))
        if op == Op.JMP:
            a = random.randrange(count)
        if op == Op.BR:
            b, c = random.randrange(count), random.randrange(count)
        if op in (Op.SWITCH, Op.RET, Op.CALL):
            c = random.randrange(2)
        return Instr(op, random.randrange(REGISTERS - 1), a, b, c, x=random.randint(0, 1))

    code = (*(instruction() for _ in range(count - 1)), Instr(Op.RET, c=0))
    return Program(
        (Function("f", 1, REGISTERS, 0, (), code),), 0, switches=switches, lists=lists, constants=(0,)
    )


class Definition:
    """What the flow of a function should be, step by step."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.code = program.functions[0].code
        self.edges = [successors(program, pc, instr) for pc, instr in enumerate(self.code)]
        self.reachable = {0} | self.after({0})

    def after(self, pcs: set[int], without: int | None = None) -> set[int]:
        found: set[int] = set()
        left = [target for pc in pcs for target in self.edges[pc]]
        while left:
            pc = left.pop()
            if pc not in found and pc != without:
                found.add(pc)
                left += self.edges[pc]
        return found

    def is_live(self, register: int, pc: int) -> bool:
        """Whether a path leads to an instruction that reads it, over none that writes it."""
        seen, left = set(), [pc]
        while left:
            step = left.pop()
            if step in seen:
                continue
            seen.add(step)
            if register in registers_read(self.program, self.code[step]):
                return True
            if register not in results_of(self.code[step]):
                left += self.edges[step]
        return False


def test_paths_and_dominators() -> None:
    for seed in FUNCTIONS:
        program = drawn(seed)
        flow, truth = FunctionFlow(program, program.functions[0]), Definition(program)
        pcs = range(len(flow.code))
        assert {pc for pc in pcs if flow.is_reachable(pc)} == truth.reachable, seed
        for pc in truth.reachable:
            assert flow.after({pc}) == truth.after({pc}), (seed, pc)
            leading = {other for other in truth.reachable if pc == other or pc in truth.after({other})}
            assert flow.leading_to({pc}) == leading, (seed, pc)
            for upper in truth.reachable:
                avoided = upper not in (0, pc) and pc in ({0} | truth.after({0}, without=upper))
                assert flow.dominates(upper, pc) != (avoided or (upper != pc and pc == 0)), (seed, upper, pc)


def test_live_registers() -> None:
    for seed in FUNCTIONS:
        program = drawn(seed)
        flow, truth = FunctionFlow(program, program.functions[0]), Definition(program)
        for pc in truth.reachable:
            live = [register for register in range(REGISTERS) if truth.is_live(register, pc)]
            assert members(flow.live_before(pc)) == live, (seed, pc)


def test_loops_in_terms_of_instructions() -> None:
    found = 0
    for seed in FUNCTIONS:
        program = drawn(seed)
        flow, truth = FunctionFlow(program, program.functions[0]), Definition(program)
        for header, loop in flow.loops.items():
            found += 1
            assert all(header in truth.edges[pc] for pc in loop.back), seed
            assert all(pc in loop.body and target not in loop.body for pc, target in loop.exits), seed
            leaving = {(pc, t) for pc in loop.body for t in truth.edges[pc] if t not in loop.body}
            assert set(loop.exits) == leaving, seed
            written = {register for pc in loop.body for register in results_of(flow.code[pc])}
            assert members(loop.written) == sorted(written), seed
            assert loop.live == flow.live_before(header), seed
            effects = {pc: FACTS[flow.code[pc].op].effect for pc in loop.body}
            assert dict(loop.effects) == {pc: e for pc, e in effects.items() if e is not Effect.NONE}, seed
    assert found > len(FUNCTIONS) / 4, "too few of the drawn functions have loops"


def test_rewriting_keeps_the_paths() -> None:
    """With a NOP before each instruction, and without the NOPs again."""
    for seed in FUNCTIONS:
        program = drawn(seed)
        code = program.functions[0].code

        def padded(_: int, pc: int, code: tuple[Instr, ...] = code) -> list[Instr]:
            return [Instr(Op.NOP, x=9), code[pc]]

        longer = rewrite(program, padded)
        long_code = longer.functions[0].code
        truth, moved = Definition(program), Definition(longer)
        assert moved.edges[1::2] == [tuple(2 * target for target in row) for row in truth.edges], seed

        def stripped(_: int, pc: int, code: tuple[Instr, ...] = long_code) -> list[Instr]:
            return [] if code[pc].x == 9 else [code[pc]]

        again = rewrite(longer, stripped)
        assert Definition(again).edges == truth.edges, seed


def spin(*extra: Instr) -> FunctionFlow:
    """``while (!x) extra;`` with the counter of its rounds in register 2."""
    body = (Instr(Op.LOAD, 1, CONST), Instr(Op.BR, a=1, b=4 + len(extra), c=2), *extra)
    code = (*body, Instr(Op.LOOP, 2, a=0), Instr(Op.JMP, a=0), Instr(Op.RET, c=0))
    program = Program((Function("f", 0, 4, 0, (), code),), 0, lists=((1,),), constants=(64,))
    return FunctionFlow(program, program.functions[0])


def test_a_loop_that_only_reads() -> None:
    """What a pass must know to replace it by a wait: no effects but reads, no carried registers, one exit."""
    (loop,) = spin().loops.values()
    assert (loop.header, loop.back, loop.body, loop.exits) == (0, (3,), (0, 1, 2, 3), ((1, 4),))
    assert (loop.numbers, members(loop.counters)) == (frozenset((0,)), [2])
    assert loop.effects == [(0, Effect.READS)]
    assert (members(loop.live), members(loop.written), loop.carried) == ([2], [1, 2], 0)


def test_a_loop_that_carries_a_register_on() -> None:
    (loop,) = spin(Instr(Op.ADD, 3, 3, CONST)).loops.values()
    assert members(loop.carried) == [3]


def test_a_loop_that_writes() -> None:
    (loop,) = spin(Instr(Op.STORE, a=CONST, b=1)).loops.values()
    assert loop.effects == [(0, Effect.READS), (2, Effect.CHANGES)]
