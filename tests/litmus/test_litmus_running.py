"""Litmus tests are run: their states, their counts and their verdicts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from litmus_files import CONFORMANCE, HERE, needs_conformance
from mazurka.cli import commands, litmus
from mazurka.errors import ErrorCode, SourceError, UsageError
from mazurka.litmus import parse_litmus_file, read_litmus
from mazurka.litmus.running.expected import agrees, read_table
from mazurka.litmus.running.run import run_test
from profiles import some

RUN = ("x86tso", "x86tso-64", "rc11", "aarch64", "ppc", "riscv")  # those whose models can be run
WIDE = {"A245", "A246"}  # pairs of registers: accesses of 16 bytes, which every profile runs
# The table says Allowed of these two, whose condition is in the older form "final … with tso: ~exists". Both
# are IRIW, with and without a locked store: x86-TSO has one order of all stores, and the files say so, too.
MISREAD = {"amd6", "n3"}


def test_the_suite_is_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["litmus", str(HERE / "suite"), "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("12 tests: 12 ran, 0 could not run; 12 as expected, 0 not\n")


@pytest.mark.parametrize("path", sorted((HERE / "machines").glob("*.litmus")), ids=lambda path: path.stem)
def test_instructions_do_what_the_architectures_say(path: Path) -> None:
    verdict = run_test(read_litmus(str(path)), model="sc")
    assert verdict.is_ok, verdict.states


def test_the_log_is_herds(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["litmus", str(HERE / "suite" / "SB.litmus")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Test SB Allowed",
        "States 4",
        "1     *>0:EAX=0; 1:EAX=0;",
        "1     :>0:EAX=0; 1:EAX=1;",
        "1     :>0:EAX=1; 1:EAX=0;",
        "1     :>0:EAX=1; 1:EAX=1;",
        "Ok",
        "Witnesses",
        "Positive: 1 Negative: 3",
        "Condition exists (0:EAX=0 /\\ 1:EAX=0)",
        "Observation SB Sometimes 1 3",
        "",
    ]


@pytest.mark.parametrize("unroll", ["-1", "4294967296"])
def test_a_bound_that_is_none(unroll: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(HERE / "suite" / "SB.litmus")
    assert commands.main(["litmus", path, "--unroll", unroll]) == 2
    assert f"a bound of {unroll} rounds is out of range" in capsys.readouterr().err
    with pytest.raises(UsageError, match="out of range"):
        run_test(read_litmus(path), unroll=int(unroll))


@pytest.mark.parametrize("model", ["rc12", "tso-fm"])
def test_an_unknown_model_is_told_once(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["litmus", str(HERE / "suite"), "--model", model]) == 2
    assert capsys.readouterr().err.count("[unknown-model]") == 1


def test_a_bug_has_a_status_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AssertionError("an invariant broke")

    monkeypatch.setattr(litmus, "run_test", broken)
    path = str(HERE / "suite" / "SB.litmus")
    assert commands.main(["litmus", path]) == 70
    assert capsys.readouterr().err.startswith(f"{path}: error: AssertionError: an invariant broke")


def test_tests_of_one_name_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (HERE / "suite" / "SB.litmus").read_text(encoding="utf-8")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "SB.litmus").write_text(text, encoding="utf-8")
    assert commands.main(["litmus", str(tmp_path), "--json", str(tmp_path / "out.json")]) == 0
    out = capsys.readouterr().out
    files = [str(tmp_path / folder / "SB.litmus") for folder in ("one", "two")]
    assert [line for line in out.splitlines() if line.startswith("% ")] == [f"% {file}" for file in files]
    assert out.count("\nTest SB Allowed\n") == 2
    assert [one["file"] for one in json.loads((tmp_path / "out.json").read_text("utf-8"))] == files
    assert commands.main(["litmus", str(tmp_path / "one")]) == 0
    assert capsys.readouterr().out.startswith(f"% {files[0]}\nTest SB Allowed\n")


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["litmus", str(HERE / "suite" / "SB.litmus"), "--model", "sc", "--json", "-"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["observation"] == "Never"
    assert answer["condition"] == {
        "quantifier": "exists",
        "text": "exists (0:EAX=0 /\\ 1:EAX=0)",
        "holds": False,
    }
    assert [state["executions"] for state in answer["states"]] == [1, 1, 1]
    assert (answer["name"], answer["model"], answer["language"]) == ("SB", "sc", "X86")


def test_an_execution_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """Store buffering: each thread reads what the other has not written yet."""
    assert commands.main(["litmus", str(HERE / "suite" / "SB.litmus"), "--dot", "-"]) == 0
    text = capsys.readouterr().out
    labels = dict(re.findall(r'^ *(e\d+) \[label="([^"\\]*)', text, re.MULTILINE))
    edges = [(labels[a], labels[b]) for a, b in re.findall(r"(e\d+) -> (e\d+)", text)]
    po = [("W x=1", "R y=0"), ("W y=1", "R x=0")]
    rf = [("y=0", "R y=0"), ("x=0", "R x=0")]  # initial values
    fr = [("R y=0", "W y=1"), ("R x=0", "W x=1")]
    assert edges == [*po, *rf, *fr]


def test_orders_of_writes_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without LOCK, both threads may read the initial value; then one overwrites what the other wrote."""
    file = tmp_path / "inc.litmus"
    file.write_text(
        "X86 inc\n{}\n P0      | P1      ;\n INC [x] | INC [x] ;\nexists (x=1)\n", encoding="utf-8"
    )
    assert commands.main(["litmus", str(file), "--dot", "-"]) == 0
    named = re.findall(r'e\d+ -> e\d+ \[label="(\w+)"', capsys.readouterr().out)
    assert sorted(named) == ["co", "fr", "rf", "rf"]


def test_nothing_to_draw(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["litmus", str(HERE / "suite" / "SB-mfences.litmus"), "--dot", "-"]) == 0
    assert "no execution to draw" in capsys.readouterr().err
    arguments = ["litmus", str(HERE / "suite" / "SB.litmus"), "--dot", "-", "--json", "-"]
    assert commands.main(arguments) == 2


def test_a_mismatch_and_a_malformed_file_do_not_stop_a_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.litmus").write_text("X86 a\n{}\nP0 | P1;\nMOVE [x],$1 | NOP;\nexists (x=1)\n")
    (tmp_path / "b.litmus").write_text("X86 b\n{}\nP0;\nMOV [x],$1;\nexists (x=1)\n")
    assert commands.main(["litmus", str(tmp_path), "--workers", "1"]) == 2
    shown = capsys.readouterr()
    assert "Observation b Always 1 0" in shown.out
    assert "a.litmus:4:1: error: the x86 instruction 'MOVE' is not supported [unsupported]" in shown.err
    (tmp_path / "expected.tsv").write_text("test\texpected\nb.litmus\tForbidden\n")
    assert commands.main(["litmus", str(tmp_path), "--workers", "1"]) == 1
    assert "b.litmus: expected Forbidden" in capsys.readouterr().err


def test_several_tests_at_once_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    logs = set()
    for workers in ("1", "2"):
        assert commands.main(["litmus", str(HERE / "suite"), "--workers", workers]) == 0
        logs.add(capsys.readouterr().out)
    assert len(logs) == 1


REFUSED = [
    (
        HERE / "reading" / "exclusive-product.litmus",
        ("--model", "sc"),
        "exclusive accesses are supported only",
    ),
    (HERE / "reading" / "exclusives.litmus", ("--model", "tso"), "'tso' does not say what AArch64"),
    (HERE / "reading" / "locks.litmus", ("--model", "rc11"), "'rc11' does not say what the kernel's C means"),
    (HERE / "reading" / "locks.litmus", ("--model", "sc"), "the kernel's locks and SRCU are not supported"),
    (HERE / "reading" / "rcu.litmus", ("--model", "sc"), "the fence 'sync-rcu' is not supported"),
    (HERE / "absent.litmus", (), "absent.litmus: error: cannot read the test"),
]


@pytest.mark.parametrize(("path", "options", "message"), REFUSED)
def test_what_cannot_be_run_is_refused(
    path: Path, options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.main(["litmus", str(path), *options]) == 2
    assert message in capsys.readouterr().err


def test_loops_need_a_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With two branches backwards, the first, the second or the third round is the one that reads 1."""
    path = tmp_path / "loop.litmus"
    path.write_text(
        "X86 T\n{}\nP0 | P1;\nL: |MOV [x],$1;\nMOV EAX,[x]|;\nCMP EAX,$1|;\nJNE L|;\nforall (0:EAX=1)"
    )
    assert commands.main(["litmus", str(path)]) == 2
    assert "hint: bound the rounds of loops with --unroll N" in capsys.readouterr().err
    assert commands.main(["litmus", str(path), "--unroll", "2"]) == 3
    out = capsys.readouterr().out
    assert "Observation T Always 3 0" in out
    assert "Warning: executions beyond a loop bound are left out" in out


RETRIES = {
    "AArch64": ("LDXR W2,[X1]", "ADD W3,W2,#1", "STXR W5,W3,[X1]", "CBNZ W5,L0"),
    "PPC": ("lwarx r2,0,r1", "addi r3,r2,1", "stwcx. r3,0,r1", "bne L0"),
    "RISCV": ("lr.w x2,(x1)", "addi x3,x2,1", "sc.w x5,x3,(x1)", "bnez x5,L0"),
}
BASES = {"AArch64": "X1", "PPC": "r1", "RISCV": "x1"}


@pytest.mark.parametrize("machine", RETRIES)
def test_a_loop_that_tries_again_a_store_that_may_fail_needs_a_bound(machine: str) -> None:
    base = BASES[machine]
    rows = "".join(f"{line} | {line} ;\n" for line in ("L0:", *RETRIES[machine]))
    text = f"{machine} T\n{{ 0:{base}=x; 1:{base}=x; }}\nP0 | P1 ;\n{rows}forall (x=2)"
    with pytest.raises(SourceError, match="the loop in P0 may not end") as refused:
        run_test(parse_litmus_file(text, "t.litmus"))
    assert refused.value.code is ErrorCode.ENDLESS_LOOP
    assert refused.value.place is not None
    assert refused.value.place.line == 8
    bounded = run_test(parse_litmus_file(text, "t.litmus"), unroll=1)
    assert bounded.is_ok
    assert bounded.is_bounded


def test_a_loop_that_tries_again_while_a_register_is_not_0_has_a_bound() -> None:
    *pair, again = RETRIES["AArch64"]
    tries = ("MOV W6,#1", "L0:", *pair, "CBZ W6,L1", "MOV W6,#0", again, "L1:")
    rows = "".join(f"{line} ;\n" for line in tries)
    text = f"AArch64 T\n{{ 0:X1=x; }}\nP0 ;\n{rows}exists (x=1 /\\ 0:X6=0 /\\ 0:X5=0)"
    verdict = run_test(parse_litmus_file(text, "t.litmus"))
    assert (verdict.positive, verdict.is_bounded) == (2, False)


INDEXED = """PPC T
{{ 0:r2=x; }}
P0 ;
li r1,8 ;
lwarx r4,r3,r2 ;
{}
stwcx. r1,r3,r2 ;
exists (x=8)
"""


@pytest.mark.parametrize("line", ["addi r5,r4,1 ;", "subi r5,r2,1 ;"])
def test_both_halves_of_a_pair_may_add_the_same_registers(line: str) -> None:
    verdict = run_test(parse_litmus_file(INDEXED.format(line), "t.litmus"))
    assert (verdict.positive, verdict.negative) == (1, 1)


@pytest.mark.parametrize("line", ["addi r3,r3,0 ;", "li r2,0 ;", "addi r3,r4,1 ;"])
def test_a_pair_whose_address_changes_is_refused(line: str) -> None:
    with pytest.raises(SourceError, match="supported only in pairs"):
        run_test(parse_litmus_file(INDEXED.format(line), "t.litmus"))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("int r0 = atomic_load(x) / 2; int r1 = -7 % 4;", "0:r0=3 /\\ 0:r1=-3"),
        ("unsigned r0 = 0u - 1; r0 = r0 / 2; int r1 = 0 - 7 / 2;", "0:r0=2147483647 /\\ 0:r1=-3"),
        ("(void)atomic_fetch_add(x, 1); (void)atomic_load(x);", "x=8"),
        ("int r0 = -1 < 1u; int r1 = -1 < 0x80000000; int r2 = -1 < 1l;", "0:r0=0 /\\ 0:r1=0 /\\ 0:r2=1"),
        ("int r0 = 0xffffffff == -1; int r1 = 4294967295 == -1;", "0:r0=1 /\\ 0:r1=0"),
        ("int r0 = -0x80000000 > 0; int r1 = (r0 ? -1 : 1u) > 1;", "0:r0=1 /\\ 0:r1=1"),
        ("int r0 = 010; int r1 = 0x7fffffffu; int r2 = 00;", "0:r0=8 /\\ 0:r1=2147483647 /\\ 0:r2=0"),
    ],
)
def test_what_c_computes(code: str, expected: str) -> None:
    text = f"C T\n{{ x=7; }}\nstatic void P0(atomic_int *x) {{ {code} }}\nforall ({expected})"
    assert run_test(parse_litmus_file(text, "t.litmus")).is_ok


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("int r0 = atomic_add_unless(v, 5, 0xffffffff);", "0:r0=0 /\\ v=-1"),
        ("atomic_add(0xffffffff, v); int r0 = atomic_read(v) < 0;", "0:r0=1 /\\ v=-2"),
    ],
)
def test_numbers_are_converted_to_what_the_kernels_functions_take(code: str, expected: str) -> None:
    text = f"C T\n{{ atomic_t v = ATOMIC_INIT(-1); }}\nP0(atomic_t *v) {{ {code} }}\nforall ({expected})"
    assert run_test(parse_litmus_file(text, "t.litmus")).is_ok


@pytest.mark.parametrize(
    ("initial", "instruction", "value"),
    [
        ("int128_t x", "STP X2,X3,[X1]", "0x10000000000000002"),
        ("int128_t x=-1", "NOP", "-1"),
        ("uint128_t x=0x10000000000000002", "NOP", "18446744073709551618"),
        ("int128_t x=0x10000000000000002", "STR X3,[X1]", "0x10000000000000001"),
        ("x", "CASP X4,X5,X2,X3,[X1]", "0x10000000000000002"),
    ],
)
def test_numbers_of_16_bytes(initial: str, instruction: str, value: str) -> None:
    registers = "0:X1=x; 0:X2=2; 0:X3=1;"
    text = f"AArch64 T\n{{ {initial}; {registers} }}\nP0;\n{instruction};\nforall (x={value})"
    verdict = run_test(parse_litmus_file(text, "t.litmus"))
    assert verdict.is_ok, verdict.states
    assert f"x={int(value, 0)};" in verdict.states[0][0]


@pytest.mark.parametrize(
    ("initial", "condition", "message"),
    [
        ("x=0", "0:X2=18446744073709551616", "the number 18446744073709551616 does not fit into 64 bits"),
        ("x=0", "x=-9223372036854775809", "the number -9223372036854775809 does not fit into 64 bits"),
        ("x=99999999999999999999", "x=0", "the number 99999999999999999999 does not fit into 64 bits"),
        ("0:X5=99999999999999999999", "x=0", "the number 99999999999999999999 does not fit into 64 bits"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(initial: str, condition: str, message: str) -> None:
    text = f"AArch64 T\n{{ {initial}; 0:X1=x; }}\nP0;\nLDR X2,[X1];\nexists ({condition})"
    with pytest.raises(SourceError, match=message) as refused:
        run_test(parse_litmus_file(text, "t.litmus"))
    assert refused.value.place is not None


def test_a_division_by_zero_is_named() -> None:
    text = "C T\n{}\nP0(atomic_int *x) { int r0 = 1 / atomic_load(x); }\nforall (x=0)"
    with pytest.raises(SourceError, match="fails: division by zero") as refused:
        run_test(parse_litmus_file(text, "t.litmus"))
    assert refused.value.hint == "divide by a number that is never 0"


def test_the_loop_of_c_that_may_not_end_is_named_at_its_start() -> None:
    loop = "while (!atomic_compare_exchange_weak(x, &r0, 1)) { }"
    text = f"C T\n{{}}\nP0(atomic_int *x) {{\nint r0 = 0;\n  {loop}\nint r1 = 1;\n}}\nexists (x=1)"
    with pytest.raises(SourceError) as refused:
        run_test(parse_litmus_file(text, "t.litmus"))
    assert refused.value.code is ErrorCode.ENDLESS_LOOP
    assert refused.value.place is not None
    assert (refused.value.place.line, refused.value.place.column) == (5, 3)


def test_a_branch_backwards_is_no_loop_if_it_is_taken_once() -> None:
    text = "X86 T\n{}\nP0;\nJMP L1;\nL0: MOV EAX,$1;\nJMP L2;\nL1: JMP L0;\nL2:;\nforall (0:EAX=1)"
    assert run_test(parse_litmus_file(text, "t.litmus")).is_ok


def test_parts_of_registers_and_whole_arrays() -> None:
    """W0 is half of X0, and an array has all its elements in a state."""
    text = "AArch64 T\n{int v[2]={4,5}; int64_t 0:X0=0x200000003;}\nP0;\nNOP;\nlocations [v;]\n"
    verdict = run_test(
        parse_litmus_file(text + "forall (0:W0=3 /\\ 0:X0=0x200000003)", "t.litmus"), model="sc"
    )
    assert verdict.states == (("0:W0=3; 0:X0=8589934595; v[0]=4; v[1]=5;", 1, True),)


def test_a_time_limit() -> None:
    """Twelve threads that write one location have 12! orders of these writes."""
    columns = " | ".join(f"P{n}" for n in range(12)) + ";\n" + " | ".join(["MOV [x],$1"] * 12) + ";\n"
    with pytest.raises(SourceError, match="time ran out"):
        run_test(parse_litmus_file(f"X86 T\n{{}}\n{columns}exists (x=1)", "t.litmus"), time_limit=0.2)


def test_an_access_of_nothing_is_an_error() -> None:
    text = "X86_64 T\n{}\nP0;\nmovl $1,%eax;\nmovl (%rax),%ebx;\nexists (true)"
    with pytest.raises(SourceError, match="an execution of this test fails") as caught:
        run_test(parse_litmus_file(text, "t.litmus"))
    assert caught.value.place is not None
    assert caught.value.place.line == 5


@needs_conformance
@pytest.mark.parametrize("folder", RUN)
def test_conformance(folder: str) -> None:
    expected = read_table(str(CONFORMANCE / "expected.tsv"))
    files = sorted((CONFORMANCE / "litmus" / folder).glob("*.litmus"))
    for path in [*some(files, every=8), *(path for path in files if path.stem in WIDE)]:
        if path.stem not in MISREAD:
            verdict = run_test(read_litmus(str(path)))
            assert agrees(verdict, expected[str(path)]), path
