"""Litmus files become tests: what the readers make of each part of the format."""

from __future__ import annotations

import pytest
from litmus_files import CONFORMANCE, HERE, OWN, needs_conformance
from mazurka.litmus import LitmusTest, parse_litmus_file, read_litmus
from mazurka.litmus.meaning.conditions import And, Equals, Not, Or, Quantifier
from mazurka.litmus.meaning.operations import (
    Branch,
    CompareSwap,
    Compute,
    Fence,
    Label,
    Load,
    LockOperation,
    Operation,
    Order,
    Register,
    Rmw,
    Store,
)
from mazurka.litmus.meaning.test import Language
from mazurka.litmus.meaning.values import Address, CodeAddress, Encoding, Location, RegisterOf
from mazurka.program import Op, RmwOp
from profiles import some


def parse(text: str) -> LitmusTest:
    return parse_litmus_file(text, "test.litmus")


def operations(language: str, *lines: str) -> list[Operation]:
    """What some instructions do."""
    body = "".join(f" {line} ;\n" for line in lines)
    return list(parse(f"{language} T\n{{}}\n P0 ;\n{body}exists (x=0)").threads[0].operations)


def c_operations(*lines: str) -> list[Operation]:
    body = "\n".join(lines)
    text = f"C T\n{{}}\nP0(atomic_int *x, int **p) {{\n{body}\n}}\nexists (x=0)"
    return list(parse(text).threads[0].operations)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_own_files_are_read(path: object) -> None:
    assert read_litmus(str(path)).threads


@needs_conformance
def test_all_conformance_samples_are_read() -> None:
    files = sorted((CONFORMANCE / "litmus").rglob("*.litmus"))
    languages = {"lkmm": Language.KERNEL, "rc11": Language.C11, "riscv": Language.RISCV, "ppc": Language.PPC}
    assert len(files) >= 594
    for path in some(files):
        test = read_litmus(str(path))
        assert test.language is languages.get(path.parent.name, test.language), path


def test_the_parts_of_a_file() -> None:
    test = read_litmus(str(HERE / "reading" / "exclusives.litmus"))
    assert (test.name, test.language) == ("exclusives", Language.AARCH64)
    assert test.metadata == (("Prefetch", "0:x=F"), ("Com", "Rf"))
    assert [str(r.register) for r in test.registers] == ["0:X1", "1:X1", "1:X3"]
    assert test.registers[0].value == Address("x")
    assert test.registers[2].type is not None
    assert test.registers[2].type.name == "uint64_t"
    assert [i.text for i in test.threads[0].instructions][:2] == ["L0:", "LDAXR W0,[X1]"]
    assert test.threads[0].instructions[1].place[1:] == (10, 2)
    assert test.shown == (Location("x"),)
    assert test.condition.quantifier is Quantifier.EXISTS
    assert test.condition.text == "exists (1:X2=1)"


def test_initial_states() -> None:
    test = parse(
        "AArch64 T\n{ x=1; [y]=-2; uint8_t z[3]={1,0xff}; int *p=&x; int64_t *0:X1=z; P0:X2=x+4;\n"
        ' 0:X3=P0:L0; 0:X4=instr:"NOP"; int w; 0: X5 = y; q = z; };\nP0;\nL0: NOP;\nexists (true)'
    )
    places = {location.name: location for location in test.locations}
    assert (places["x"].values, places["x"].type) == ((1,), None)
    assert places["y"].values == (-2,)
    assert (places["z"].values, places["z"].is_array) == ((1, 255, 0), True)
    assert places["p"].values == (Address("x"),)
    assert places["p"].type is not None
    assert places["p"].type.depth == 1
    assert places["w"].values == (0,)
    assert places["q"].values == (Address("z"),)
    assert [r.value for r in test.registers] == [
        *(Address("z"), Address("x", 0, 4)),
        *(CodeAddress(0, "L0"), Encoding("NOP"), Address("y")),
    ]


def test_conditions() -> None:
    """Precedence: not, and, or, implication."""
    test = parse("X86 T\n{}\nP0;\nNOP;\nforall (x=1 \\/ ~y=0 /\\ 0:EAX<>3 => [z]==w[1])")
    implication = test.condition.proposition
    assert isinstance(implication, Or)
    left, right = implication.parts
    assert isinstance(left, Not)
    assert isinstance(left.part, Or)
    conjunction = left.part.parts[1]
    assert isinstance(conjunction, And)
    assert [type(part) for part in conjunction.parts] == [Not, Not]
    assert isinstance(right, Equals)
    assert (right.left, right.right) == (Location("z"), Address("w", 1))
    names = [str(observed) for observed in test.observed]
    assert names == ["0:EAX", "x", "y", "z"]


def test_a_test_without_a_condition_requires_nothing() -> None:
    test = parse("X86 T\n{}\nP0;\nNOP;\nlocations [x; 0:EAX;]")
    assert (test.condition.quantifier, test.condition.proposition) == (Quantifier.FORALL, And(()))
    assert test.observed == (RegisterOf(0, "RAX", "EAX", 32), Location("x"))


def test_filters_and_locations_may_come_in_any_order_and_all_filters_count() -> None:
    first = parse("X86 T\n{}\nP0;\nNOP;\nfilter (x=1) locations [x;] filter y=2; locations [y;] exists (x=1)")
    assert [str(observed) for observed in first.shown] == ["x", "y"]
    assert isinstance(first.filter, And)
    assert [str(part.left) for part in first.filter.parts if isinstance(part, Equals)] == ["x", "y"]


def test_the_older_form_of_conditions() -> None:
    test = parse("X86 T\n{}\nP0;\nNOP;\nfinal (x=1);\nwith\ntso: exists;\ndefault: ~exists;\n<<\nshow 1\n>>")
    assert test.condition.quantifier is Quantifier.NOT_EXISTS


def test_comments_nest_and_keep_columns() -> None:
    test = parse('(* first *)\nX86 T (* a (* b *) "*)\n{}\nP0;\n(* { *) NOP;\nexists (x=1)')
    assert test.threads[0].instructions[0].place[1:] == (5, 9)


A64_CASES: list[tuple[str, Operation]] = [
    ("LDR W0,[X1]", Load(Register("X0"), Register("X1"), 4)),
    ("LDARB W0,[X1]", Load(Register("X0"), Register("X1"), 1, Order.ACQUIRE)),
    ("LDAPR X0,[X1]", Load(Register("X0"), Register("X1"), 8, Order.ACQUIRE_PC)),
    ("LDXRH W0,[X1]", Load(Register("X0"), Register("X1"), 2, is_exclusive=True)),
    ("LDXP X0,X2,[X1]", Load(Register("X0"), Register("X1"), 16, is_exclusive=True, high=Register("X2"))),
    ("STLR XZR,[X1]", Store(Register("X1"), 0, 8, Order.RELEASE)),
    ("STXR W3,X2,[X1]", Store(Register("X1"), Register("X2"), 8, is_exclusive=True, status=Register("X3"))),
    ("DMB ISHLD", Fence("dmb.ld")),
    ("DSB SY", Fence("dsb.sy")),
    ("ISB", Fence("isb")),
    (
        "LDADDAL X0,X2,[X1]",
        Rmw(RmwOp.ADD, Register("X2"), Register("X1"), Register("X0"), 8, Order.ACQUIRE, Order.RELEASE),
    ),
    (
        "STADDL X0,[X1]",
        Rmw(RmwOp.ADD, None, Register("X1"), Register("X0"), 8, Order.NO_RETURN, Order.RELEASE),
    ),
    (
        "LDCLRA X0,XZR,[X1]",
        Rmw(RmwOp.AND, None, Register("X1"), Register("X0"), 8, Order.NO_RETURN, Order.PLAIN, True),
    ),
    ("SWPA X0,XZR,[X1]", Rmw(RmwOp.XCHG, None, Register("X1"), Register("X0"), 8)),
    (
        "CASA X0,X2,[X1]",
        CompareSwap(
            *(Register("X0"), Register("X1"), Register("X0"), Register("X2"), 8),
            *(Order.ACQUIRE, Order.PLAIN, Order.ACQUIRE),
        ),
    ),
    ("B L", Branch(None, "L")),
    ("RET", Branch(None, "")),
]


@pytest.mark.parametrize(("line", "meaning"), A64_CASES, ids=[line for line, _ in A64_CASES])
def test_aarch64(line: str, meaning: Operation) -> None:
    assert operations("AArch64", line, "L:")[:-1] == [meaning]


def test_hints_do_nothing() -> None:
    assert operations("AArch64", "PRFM PLDL1KEEP,[X0]", "NOP", "YIELD") == []
    assert operations("X86_64", "nopl %cs:0(%rax,%eax,1)", "pause") == []


def test_dependencies_follow_from_registers() -> None:
    """An index that is always 0 still leads from the load to the address."""
    found = operations("AArch64", "LDR W0,[X1]", "EOR W2,W0,W0", "LDR W3,[X4,W2,SXTW]")
    reaching = {Register("X0")}
    for operation in found[1:]:
        if isinstance(operation, Compute) and {operation.a, operation.b, operation.c} & reaching:
            reaching.add(operation.dst)
    last = found[-1]
    assert isinstance(last, Load)
    assert last.address in reaching


OTHER_CASES: list[tuple[str, str, Operation]] = [
    ("PPC", "lwzx r1,r2,r3", Load(Register("r1"), Register("%1"), 4)),
    ("PPC", "lwarx r1,0,r3", Load(Register("r1"), Register("r3"), 4, is_exclusive=True)),
    ("PPC", "std r1,0(r3)", Store(Register("r3"), Register("r1"), 8)),
    ("PPC", "hwsync", Fence("sync")),
    ("PPC", "eieio", Fence("eieio")),
    ("RISCV", "ld.aq a0,0(a1)", Load(Register("x10"), Register("x11"), 8, Order.ACQUIRE)),
    ("RISCV", "sw.rl zero,(t0)", Store(Register("x5"), 0, 4, Order.RELEASE)),
    ("RISCV", "sc.d x1,x2,(x3)", Store(Register("x3"), Register("x2"), 8, Order.PLAIN, True, Register("x1"))),
    ("RISCV", "fence rw,w", Fence("fence.rw.w")),
    ("RISCV", "fence iorw,iorw", Fence("fence.rw.rw")),
    ("RISCV", "fence.tso", Fence("fence.tso")),
    (
        "RISCV",
        "amoor.d.aq.rl x0,x2,(x3)",
        Rmw(RmwOp.OR, None, Register("x3"), Register("x2"), 8, *(Order.ACQUIRE_RELEASE,) * 2),
    ),
    ("X86", "MOV [x+4],$-1", Store(Address("x", 0, 4), 0xFFFF_FFFF, 4)),
    ("X86", "MOV EAX,[x]", Load(Register("RAX"), Address("x"), 4)),
    ("X86", "LFENCE", Fence("lfence")),
    ("X86_64", "movq %rax,(%rbx)", Store(Register("RBX"), Register("RAX"), 8)),
    ("X86_64", "movb $1,x(%rip)", Store(Address("x"), 1, 1)),
    ("X86_64", "jmp L", Branch(None, "L")),
]


@pytest.mark.parametrize(("machine", "line", "meaning"), OTHER_CASES, ids=[c[1] for c in OTHER_CASES])
def test_other_machines(machine: str, line: str, meaning: Operation) -> None:
    found = operations(machine, line, "L:")[:-1]
    assert found[-1] == meaning


def test_c11() -> None:
    found = c_operations(
        "int r0 = atomic_load_explicit(x, memory_order_acquire);",
        "atomic_store(x, 2);",
        "atomic_thread_fence(memory_order_seq_cst);",
        "r0 = atomic_fetch_sub_explicit(x, 1, memory_order_acq_rel);",
    )
    kept = [operation for operation in found if not isinstance(operation, Compute)]
    assert kept == [
        Load(Register("%1"), Address("x"), 8, Order.ACQUIRE),
        Store(Address("x"), 2, 8, Order.SC),
        Fence("thread", Order.SC),
        Rmw(RmwOp.SUB, Register("%2"), Address("x"), 1, 8, *(Order.ACQUIRE_RELEASE,) * 2),
    ]


def test_control_dependencies_of_c_end_with_the_statement() -> None:
    found = c_operations("int r0 = *x;", "if (r0) { *x = 1; } else { *x = 2; }", "*x = 3;")
    branch = next(operation for operation in found if isinstance(operation, Branch))
    assert branch.condition is not None
    end = found.index(Label(branch.join or ""))
    stores = [at for at, operation in enumerate(found) if isinstance(operation, Store)]
    assert stores[1] < end < stores[2]


def test_values_of_c_have_the_width_of_their_type() -> None:
    """A char is cut to 8 bits, with its sign."""
    found = c_operations("char r0 = 300;", "unsigned char r1 = 300;", "long r2 = 300;")
    moves = [operation.a for operation in found if isinstance(operation, Compute) and operation.op is Op.MOV]
    assert moves == [44, 44, 300]


def test_the_kernels_c() -> None:
    test = read_litmus(str(HERE / "reading" / "kernel.litmus"))
    assert test.language is Language.KERNEL
    first, second = ([o for o in t.operations if not isinstance(o, Compute)] for t in test.threads)
    assert first == [
        Fence("rcu-lock"),
        LockOperation("lock", Address("l")),
        Store(Address("x"), 1, 8, Order.ONCE),
        LockOperation("unlock", Address("l")),
        Rmw(RmwOp.ADD, Register("%1"), Address("v"), 2, 8, Order.ACQUIRE, Order.ONCE),
        Fence("rcu-unlock"),
        Fence("after-atomic"),
        Rmw(RmwOp.ADD, None, Address("v"), 1, 8, Order.NO_RETURN, Order.ONCE),
    ]
    assert second[0] == LockOperation("srcu-lock", Address("s"), Register("%1"))
    assert second[-3:] == [Branch(None, "%L1"), Label("%L2"), Store(Register("r1"), 5, 8)]
