"""What the lowering makes of each class of construct."""

from __future__ import annotations

import random

import pytest
from mazurka.frontend.assembly.registers import sequence_copies
from mazurka.program import CONST, Mode, Op, Program, RmwOp

from .support import compiled, function, instructions

TARGETS = {Op.JMP: "a", Op.BR: "bc"}


def check_structure(program: Program) -> None:
    """All indices of a program are in range."""
    for f in program.functions:
        for i in f.code:
            targets = [getattr(i, name) for name in TARGETS.get(i.op, "")]
            if i.op == Op.SWITCH:
                table = program.switches[i.c]
                targets = [table.default, *(target for _, target in table.cases)]
            assert all(0 <= target < len(f.code) for target in targets)
            if i.op in (Op.CALL, Op.CALLI, Op.RET, Op.PRINT):
                for operand in program.lists[i.c]:
                    limit = len(program.constants) if operand & CONST else f.registers
                    assert operand & ~CONST < limit
            if i.op == Op.CALL:
                assert len(program.lists[i.c]) == program.functions[i.a].params
            assert i.dst < max(f.registers, 1)


@pytest.mark.parametrize(
    ("statement", "op", "mode"),
    [
        ("atomic_load_explicit(&x, memory_order_relaxed);", Op.LOAD, Mode.RLX),
        ("atomic_load_explicit(&x, memory_order_acquire);", Op.LOAD, Mode.ACQ),
        ("atomic_load(&x);", Op.LOAD, Mode.SC),
        ("atomic_store_explicit(&x, 1, memory_order_release);", Op.STORE, Mode.REL),
        ("atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel);", Op.RMW, Mode.ACQ_REL),
        ("atomic_thread_fence(memory_order_acq_rel);", Op.FENCE, Mode.ACQ_REL),
        ("plain = 3;", Op.STORE, Mode.NA),
        ("(void)vol;", Op.LOAD, Mode.NA),
        ("int r = plain;", Op.LOAD, Mode.NA),
        ("__atomic_store_n(&plain, 1, __ATOMIC_RELAXED);", Op.STORE, Mode.RLX),
        ("__sync_synchronize();", Op.FENCE, Mode.SC),
    ],
)
def test_modes(statement: str, op: Op, mode: Mode) -> None:
    program = compiled(
        f"atomic_int x; int plain; volatile int vol; int main(void) {{ {statement} return 0; }}"
    )
    found = instructions(program, "main", Op.LOAD, Op.STORE, Op.RMW, Op.FENCE, Op.CAS)
    assert [(i.op, i.mode) for i in found] == [(op, mode)]


def test_signal_fence_is_no_event() -> None:
    program = compiled("int main(void) { atomic_signal_fence(memory_order_seq_cst); return 0; }")
    assert not instructions(program, "main", Op.FENCE)


def test_compare_exchange() -> None:
    program = compiled(
        "atomic_int x; int main(void) { int e = 3; return atomic_compare_exchange_weak_explicit("
        "&x, &e, 4, memory_order_release, memory_order_relaxed); }"
    )
    (cas,) = instructions(program, "main", Op.CAS)
    assert (cas.mode, cas.x, cas.width) == (Mode.REL, Mode.RLX, 32)
    assert [program.constants[operand & ~CONST] for operand in (cas.b, cas.c)] == [3, 4]


@pytest.mark.parametrize(
    ("name", "op"),
    [("add", RmwOp.ADD), ("sub", RmwOp.SUB), ("and", RmwOp.AND), ("or", RmwOp.OR), ("xor", RmwOp.XOR)],
)
def test_read_modify_writes(name: str, op: RmwOp) -> None:
    program = compiled(f"_Atomic short x; int main(void) {{ return atomic_fetch_{name}(&x, 3); }}")
    (rmw,) = instructions(program, "main", Op.RMW)
    assert (rmw.x, rmw.width) == (op, 16)


def test_threads() -> None:
    program = compiled(
        "void *f(void *p) { return p; } int main(void) { pthread_t t; void *r;"
        "pthread_create(&t, 0, f, (void *)5); pthread_join(t, &r); return (long)r == 5; }"
    )
    (create,) = instructions(program, "main", Op.CREATE)
    names = [f.name for f in program.functions]
    assert program.constants[create.a & ~CONST] == (5 << 44) + 16 * names.index("f")
    assert len(instructions(program, "main", Op.JOIN)) == 1


def test_frames_are_small() -> None:
    program = compiled(
        "atomic_int x, y; void *t(void *a) { for (int i = 0; i < 6; i++) { int p = x, q = y;"
        "for (int k = 0; k < 2; k++) x = p + q + k; } return a; } int main(void) { return 0; }"
    )
    assert function(program, "t").registers <= 8


def test_loops_have_counters_that_start_at_zero() -> None:
    program = compiled(
        "atomic_int x;\nint main(void) {\n  for (int i = 0; i < 3; i++)\n    while (x < i)\n      x++; }"
    )
    loops = instructions(program, "main", Op.LOOP)
    lines = {program.positions[program.loops[i.a].position].line for i in loops}
    assert lines == {7, 8}
    zeroed = {
        i.dst
        for i in instructions(program, "main", Op.MOV)
        if i.a & CONST and not program.constants[i.a & ~CONST]
    }
    assert {i.dst for i in loops} <= zeroed


def test_irreducible_loops_are_counted() -> None:
    program = compiled(
        "volatile int v; int main(void) { if (v) goto b; a: if (v == 1) return 1;"
        "b: if (v == 2) return 2; goto a; }"
    )
    assert instructions(program, "main", Op.LOOP)


def test_struct_copies_keep_the_sizes_of_fields_and_copy_padding() -> None:
    program = compiled(
        "struct s { char c; short h; int i; long l; int a[2]; } x, y; int main(void) { x = y; return 0; }"
    )
    assert [i.width for i in instructions(program, "main", Op.LOAD)] == [8, 8, 16, 32, 64, 32, 32]


def test_structs_passed_by_value_are_read_field_by_field() -> None:
    program = compiled(
        "struct s { int a, b; short c, d; int e; } g; int f(struct s s) { return s.d; }"
        "int main(void) { return f(g); }"
    )
    loads = instructions(program, "main", Op.LOAD)
    assert [(i.expr, i.width) for i in loads] == [
        *(("g.a", 32), ("g.b", 32), ("g.c", 16), ("g.d", 16), ("g.e", 32))
    ]


def test_constant_addresses_are_folded() -> None:
    program = compiled("int a[10]; int main(void) { a[7] = 1; return 0; }")
    (store,) = instructions(program, "main", Op.STORE)
    array = next(item for item in program.globals if item.name == "a")
    assert program.constants[store.a & ~CONST] == array.address + 28
    assert len(function(program, "main").code) == 2


def test_unused_reads_of_shared_memory_are_kept() -> None:
    program = compiled(
        "struct s { int a, b; } g; int plain; void f(struct s *p) { struct s copy = *p;"
        "int r = plain; (void)r; (void)copy.b; } int main(void) { f(&g); return 0; }"
    )
    assert [i.expr for i in instructions(program, "f", Op.LOAD)][:2] == ["p->a", "p->b"]
    assert "plain" in [i.expr for i in instructions(program, "f", Op.LOAD)]


def test_branches_test_what_the_condition_was_computed_from() -> None:
    program = compiled("atomic_int x, y; int main(void) { if (!x) y = 1; return 0; }")
    assert [i.op for i in function(program, "main").code] == [Op.LOAD, Op.BR, Op.STORE, Op.RET]


def test_assertions() -> None:
    program = compiled("#include <assert.h>\nint main(void) { volatile int x = 1; assert(x > 0); abort(); }")
    fails = instructions(program, "main", Op.FAIL)
    assert {program.strings[i.b] for i in fails} == {"Assertion failed: x > 0", "abort() was called"}
    assert {program.strings[i.a] for i in fails} == {"assertion"}


def test_programs_are_well_formed() -> None:
    program = compiled(
        "#include <stdio.h>\nint g[40], h[40]; static int f(int n) { return n ? f(n - 1) + 1 : 0; }"
        "int main(int argc, char **argv) { switch (argc) { case 1: memcpy(g, h, sizeof g); break;"
        "case 7: puts(*argv); }"
        "int (*p)(int) = f; int *q = realloc(0, 8); free(q); return p(3) + f(2); }"
    )
    check_structure(program)
    assert program.encode()


def test_parallel_copies_are_sequenced() -> None:
    generator = random.Random(4)
    for _ in range(500):
        count = generator.randrange(1, 6)
        copies = [(to, generator.randrange(-2, count)) for to in range(count) if generator.random() < 0.8]
        ordered, used_spare = sequence_copies(copies, 99)
        registers = {i: f"r{i}" for i in range(count)}
        expected = registers | {to: f"c{s}" if s < 0 else registers[s] for to, s in copies}
        for to, source in ordered:
            registers[to] = f"c{source}" if source < 0 else registers[source]
        assert used_spare == (99 in registers)
        registers.pop(99, None)
        assert registers == expected
