"""What fences and marked accesses order on each machine, in the smallest shapes, by the reference.

A shape has two threads with two accesses each, of x and y, and something between them: SB stores and loads,
LB loads and stores, WW stores twice. In MP one thread stores twice, with a fence between that is surely
strong enough, and the other loads twice. What is between orders the two accesses if and only if the shape's
outcome is forbidden.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.kat.language.load import named_model
from mazurka.litmus import parse_litmus_file
from mazurka.litmus.running.run import run_test
from profiles import some
from reference_verdicts import USUAL, verdict_by_reference

ALLOWED, FORBIDDEN = "Allowed", "Forbidden"
VALUES = {
    "AArch64": ["MOV W5,#1", "MOV W6,#2"],
    "PPC": ["li r5,1", "li r6,2"],
    "RISCV": ["li x5,1", "li x6,2"],
}
LOADS = {"AArch64": ("LDR W3,[X1]", "LDR W4,[X2]"), "PPC": ("lwz r3,0(r1)", "lwz r4,0(r2)")}
LOADS["RISCV"] = ("lw x3,0(x1)", "lw x4,0(x2)")
STORES = {"AArch64": ("STR W5,[X1]", "STR W6,[X2]"), "PPC": ("stw r5,0(r1)", "stw r6,0(r2)")}
STORES["RISCV"] = ("sw x5,0(x1)", "sw x6,0(x2)")
STRONG = {"AArch64": "DMB SY", "PPC": "sync", "RISCV": "fence rw,rw"}
REGISTERS = {"AArch64": "X", "PPC": "r", "RISCV": "x"}
# The accesses of a thread before and after, and the outcome; {0} is the letter of registers.
SHAPES = {
    "SB": (STORES, LOADS, "0:{0}4=0 /\\ 1:{0}4=0"),
    "LB": (LOADS, STORES, "0:{0}3=2 /\\ 1:{0}3=2"),
    "WW": (STORES, STORES, "x=1 /\\ y=1"),
    "MP": (LOADS, LOADS, "1:{0}3=2 /\\ 1:{0}4=0"),
}


def outcome(machine: str, shape: str, between: list[str], model: str = "") -> str:
    before, after, condition = SHAPES[shape]
    own = [*VALUES[machine], before[machine][0], *between, after[machine][1]]
    threads = [own, own]
    if shape == "MP":
        threads[0] = [*VALUES[machine], STORES[machine][0], STRONG[machine], STORES[machine][1]]
    return run(machine, threads, condition.format(REGISTERS[machine]), model)


def text_of(machine: str, threads: list[list[str]], condition: str) -> str:
    letter, places = REGISTERS[machine], [("x", "y"), ("y", "x"), ("y", "x")]
    initial = [f"{n}:{letter}1={a}; {n}:{letter}2={b};" for n, (a, b) in enumerate(places[: len(threads)])]
    length = max(map(len, threads))
    rows = [[*code, *[""] * (length - len(code))] for code in threads]
    lines = [" | ".join(row) + " ;" for row in zip(*rows, strict=True)]
    names = " | ".join(f"P{number}" for number in range(len(threads)))
    return "\n".join(
        [f"{machine} T", f"{{ {' '.join(initial)} }}", f"{names} ;", *lines, f"exists ({condition})", ""]
    )


def run(machine: str, threads: list[list[str]], condition: str, model: str = "") -> str:
    text = text_of(machine, threads, condition)
    test = parse_litmus_file(text, "T.litmus")
    verdict = verdict_by_reference(test, named_model(model) if model else USUAL[test.language])
    assert verdict.positive + verdict.negative
    return ALLOWED if verdict.positive else FORBIDDEN


ACCESSES = {"SB": ("w", "r"), "LB": ("r", "w"), "WW": ("w", "w"), "MP": ("r", "r")}
SETS = ("r", "w", "rw")


@pytest.mark.parametrize("shape", SHAPES)
def test_fences_of_riscv_order_their_sets(shape: str) -> None:
    before, after = ACCESSES[shape]
    for first in SETS:
        for second in SETS:
            orders = before in first and after in second
            expected = FORBIDDEN if orders else ALLOWED
            assert outcome("RISCV", shape, [f"fence {first},{second}"]) == expected, (first, second)
    assert outcome("RISCV", shape, ["fence.tso"]) == (ALLOWED if shape == "SB" else FORBIDDEN)
    assert outcome("RISCV", shape, ["fence.i"]) == ALLOWED
    assert outcome("RISCV", shape, [], "riscv-tso") == (ALLOWED if shape == "SB" else FORBIDDEN)


# What is between two accesses, and the shapes that it forbids.
FENCES = [
    ("AArch64", "armv8", ["DMB SY"], "SB LB WW MP"),
    ("AArch64", "armv8", ["DSB ISH"], "SB LB WW MP"),
    ("AArch64", "armv8", ["DMB ISHLD"], "LB MP"),
    ("AArch64", "armv8", ["DMB ISHST"], "WW"),
    ("AArch64", "armv8", ["DSB ST"], "WW"),
    ("AArch64", "armv8", ["ISB"], ""),
    ("AArch64", "armv7", ["DMB SY"], "SB LB WW MP"),
    ("AArch64", "armv7", ["DMB ISHST"], "WW"),
    ("AArch64", "armv7", ["ISB"], ""),
    ("PPC", "power", ["sync"], "SB LB WW MP"),
    ("PPC", "power", ["lwsync"], "LB WW MP"),
    ("PPC", "power", ["eieio"], "WW"),
    ("PPC", "power", ["isync"], ""),
]


@pytest.mark.parametrize(("machine", "model", "between", "forbidden"), some(FENCES, every=2))
def test_fences(machine: str, model: str, between: list[str], forbidden: str) -> None:
    found = [shape for shape in SHAPES if outcome(machine, shape, between, model) == FORBIDDEN]
    assert found == forbidden.split()


# Between two loads: a branch that always falls through, and a fence of instructions.
BRANCHES = [
    ("AArch64", "armv8", ["CBNZ W3,L", "L:"], "ISB"),
    ("AArch64", "armv7", ["CBNZ W3,L", "L:"], "ISB"),
    ("PPC", "power", ["cmpwi r3,0", "beq L", "L:"], "isync"),
]


@pytest.mark.parametrize(("machine", "model", "branch", "fence"), BRANCHES)
def test_a_branch_orders_loads_only_with_a_fence_of_instructions(
    machine: str, model: str, branch: list[str], fence: str
) -> None:
    assert outcome(machine, "MP", branch, model) == ALLOWED
    assert outcome(machine, "MP", [*branch, fence], model) == FORBIDDEN
    assert outcome(machine, "LB", branch, model) == FORBIDDEN


A64, RISCV = ["MOV W5,#1"], ["li x5,1"]
SB = "0:X4=0 /\\ 1:X4=0"
SB_RISCV = "0:x4=0 /\\ 1:x4=0"
EXCLUSIVE = ["LDAXR W3,[X1]", "STLXR W7,W5,[X1]"]
# The two instructions of each thread of SB, and the condition.
MARKED = [
    ("AArch64", "", [*A64, "STLR W5,[X1]", "LDAR W4,[X2]"], SB, FORBIDDEN),
    ("AArch64", "", [*A64, "STLR W5,[X1]", "LDAPR W4,[X2]"], SB, ALLOWED),
    ("AArch64", "", [*A64, "SWPAL W5,W3,[X1]", "LDR W4,[X2]"], SB, FORBIDDEN),
    ("AArch64", "", [*A64, "SWPA W5,W3,[X1]", "LDR W4,[X2]"], SB, ALLOWED),
    ("AArch64", "", [*A64, "SWPL W5,W3,[X1]", "LDR W4,[X2]"], SB, ALLOWED),
    ("AArch64", "", [*A64, *EXCLUSIVE, "LDR W4,[X2]"], f"0:X7=0 /\\ 1:X7=0 /\\ {SB}", ALLOWED),
    ("AArch64", "", [*A64, *EXCLUSIVE, "LDAR W4,[X2]"], f"0:X7=0 /\\ 1:X7=0 /\\ {SB}", FORBIDDEN),
    ("RISCV", "", [*RISCV, "sw.rl x5,0(x1)", "lw.aq x4,0(x2)"], SB_RISCV, ALLOWED),
    ("RISCV", "", [*RISCV, "amoswap.w.aq x3,x5,0(x1)", "lw x4,0(x2)"], SB_RISCV, FORBIDDEN),
    ("RISCV", "", [*RISCV, "amoswap.w.rl x3,x5,0(x1)", "lw x4,0(x2)"], SB_RISCV, ALLOWED),
    ("RISCV", "", [*RISCV, "amoswap.w.rl x3,x5,0(x1)", "amoor.w.aq x4,x0,0(x2)"], SB_RISCV, FORBIDDEN),
    ("RISCV", "", [*RISCV, "amoswap.w.aqrl x3,x5,0(x1)", "lw x4,0(x2)"], SB_RISCV, FORBIDDEN),
    ("RISCV", "", [*RISCV, "amoswap.w x3,x5,0(x1)", "lw x4,0(x2)"], SB_RISCV, ALLOWED),
    ("RISCV", "riscv-tso", [*RISCV, "amoswap.w x3,x5,0(x1)", "lw x4,0(x2)"], SB_RISCV, FORBIDDEN),
    (
        "RISCV",
        "riscv-tso",
        ["lr.w x3,0(x1)", "sc.w x7,x5,0(x1)", "lw x4,0(x2)"],
        SB_RISCV,
        ALLOWED,
    ),
]


@pytest.mark.parametrize(("machine", "model", "code", "condition", "expected"), some(MARKED, every=2))
def test_marked_accesses(machine: str, model: str, code: list[str], condition: str, expected: str) -> None:
    assert run(machine, [code, code], condition, model) == expected


@pytest.mark.parametrize(
    ("load", "store", "expected"),
    [
        ("lr.w.aq", "sc.w.rl", ALLOWED),  # only a lone load follows
        ("lr.w.aqrl", "sc.w.aqrl", FORBIDDEN),
        ("lr.w.aq", "sc.w.aqrl", FORBIDDEN),
        ("lr.w", "sc.w.aqrl", FORBIDDEN),
        ("lr.w.aqrl", "sc.w.rl", ALLOWED),
        ("lr.w.aqrl", "sc.w", ALLOWED),
    ],
)
def test_bits_of_riscv_belong_to_their_half(load: str, store: str, expected: str) -> None:
    """The store of the pair comes before a later load if it acquires."""
    code = [*RISCV, f"{load} x3,0(x1)", f"{store} x7,x5,0(x1)", "lw x4,0(x2)"]
    condition = "0:x7=0 /\\ 1:x7=0 /\\ 0:x4=0 /\\ 1:x4=0"
    assert run("RISCV", [code, code], condition) == expected


@pytest.mark.parametrize(
    ("update", "expected"), [("LDADD W5,W3,[X1]", FORBIDDEN), ("STADD W5,[X1]", ALLOWED)]
)
def test_an_update_without_a_result_is_no_load_for_a_fence(update: str, expected: str) -> None:
    """It reads the 2 of the other thread, and leaves 3."""
    sender = ["MOV W5,#1", "MOV W6,#2", "STR W5,[X1]", "DMB SY", "STR W6,[X2]"]
    receiver = ["MOV W5,#1", update, "DMB LD", "LDR W4,[X2]"]
    assert run("AArch64", [sender, receiver], "y=3 /\\ 1:X4=0") == expected


@pytest.mark.parametrize(
    ("update", "expected"),
    [
        (["LDADD W5,W3,[X1]"], FORBIDDEN),
        (["STADD W5,[X1]"], FORBIDDEN),
        (["LDXR W3,[X1]", "ADD W6,W3,#1", "STXR W7,W6,[X1]"], FORBIDDEN),
        (["MOV W6,#2", "SWP W6,W3,[X1]"], ALLOWED),
        (["MOV W6,#2", "LDXR W3,[X1]", "STXR W7,W6,[X1]"], ALLOWED),
    ],
)
def test_what_an_update_writes_may_depend_on_what_it_reads(update: list[str], expected: str) -> None:
    """It makes 2 of the other thread's 1. Its own thread reads the 2 early, and stores what depends on it."""
    first = ["MOV W5,#1", "LDR W3,[X1]", "DMB SY", "STR W5,[X2]"]
    second = ["MOV W5,#1", *update, "LDR W4,[X1]", "EOR W8,W4,W4", "ADD W8,W8,#1", "STR W8,[X2]"]
    assert run("AArch64", [first, second], "0:X3=1 /\\ 1:X4=2 /\\ y=2") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (["xor x8,x7,x7", "add x9,x2,x8", "lw x4,0(x9)"], FORBIDDEN),
        (["xor x8,x3,x3", "add x9,x2,x8", "lw x4,0(x9)"], ALLOWED),
        (["lw x4,0(x2)"], ALLOWED),
    ],
)
def test_what_depends_on_the_success_of_a_store_depends_on_the_store(code: list[str], expected: str) -> None:
    """A store conditional and a load; in the other thread, the same with a fence."""
    pair = [*RISCV, "lr.w x3,0(x1)", "sc.w x7,x5,0(x1)"]
    other = [*RISCV, "sw x5,0(x1)", "fence rw,rw", "lw x4,0(x2)"]
    assert run("RISCV", [[*pair, *code], other], "0:x7=0 /\\ 0:x4=0 /\\ 1:x4=0") == expected


@pytest.mark.parametrize(("model", "expected"), [("armv8", FORBIDDEN), ("armv7", ALLOWED)])
def test_other_threads_see_a_write_at_once_only_on_armv8(model: str, expected: str) -> None:
    """WRC: the first thread's store has reached the second thread, but not yet the third."""
    address = ["EOR W6,W3,W3"]
    first = ["MOV W5,#1", "STR W5,[X1]"]
    second = ["MOV W5,#1", "LDR W3,[X2]", *address, "STR W5,[X1,W6,SXTW]"]
    third = ["LDR W3,[X1]", *address, "LDR W4,[X2,W6,SXTW]"]
    threads = [first, second, third]
    condition = "1:X3=1 /\\ 2:X3=1 /\\ 2:X4=0"
    assert run("AArch64", threads, condition, model) == expected


STORES_IN_ANY_ORDER = """
model stores "Partial store order, with AArch64's fences"
let kept = [R] ; po | po ; [F & SC] | [F & SC] ; po | [W] ; po ; [F.w-w] ; po ; [W] | [R & ACQPC] ; po
acyclic po-loc | rf | co | fr as coherence
acyclic kept | rfe | co | fr as order
"""


def test_the_engine_runs_models_that_name_fences_of_machines(tmp_path: Path) -> None:
    path = tmp_path / "stores.kat"
    path.write_text(STORES_IN_ANY_ORDER)
    for fence, observation in (("DMB ST", "Never"), ("DMB SY", "Never"), ("DMB LD", "Sometimes")):
        sender = ["MOV W5,#1", "STR W5,[X1]", fence, "STR W5,[X2]"]
        text = text_of("AArch64", [sender, ["LDAPR W3,[X1]", "LDR W4,[X2]"]], "1:X3=1 /\\ 1:X4=0")
        verdict = run_test(parse_litmus_file(text, "T.litmus"), model=str(path))
        assert verdict.observation == observation
        name = f"F {fence.lower().replace(' ', '.')}"
        assert verdict.drawing is None or name in verdict.drawing
