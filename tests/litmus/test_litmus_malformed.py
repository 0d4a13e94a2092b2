"""Malformed litmus files: each gets its place, a caret under what is wrong, a reason and a cure."""

from __future__ import annotations

import pytest
from mazurka.errors import ErrorCode, SourceError
from mazurka.litmus import parse_litmus_file, read_litmus

A64 = "AArch64 T\n{{ 0:X1=x; }}\n P0 ;\n {} ;\nexists (x=1)\n"
C = "C T\n{{}}\nP0(atomic_int *x) {{\n{}\n}}\nexists (x=1)\n"
END = "X86 T\n{{}}\nP0;\nNOP;\n{}\n"
START = "X86 T\n{{ {} }}\nP0;\nNOP;\nexists (x=1)\n"

# The text, the line and the column, and what the message says.
MALFORMED: list[tuple[str, str, int, int, str]] = [
    ("empty", "", 1, 1, "expected a language and a name"),
    ("language", "MIPS T\n{}\nP0;\nNOP;\n", 1, 1, "unknown language 'MIPS'"),
    ("comment", "X86 T\n(* never ends\n{}\nP0;\nNOP;\n", 2, 1, "this comment does not end"),
    ("no state", "X86 T\nP0;\nNOP;\nexists (x=1)\n", 2, 1, "expected the initial state in braces"),
    ("open state", "X86 T\n{ x=1;\nP0;\nNOP;\n", 2, 1, "the initial state does not end"),
    ("variant", "X86 T\nVariant=vmsa\n{}\nP0;\nNOP;\n", 2, 9, "the variant 'vmsa' is not supported"),
    ("two values", START.format("x=1; x=2;"), 2, 8, "x has two initial values"),
    ("register twice", START.format("0:EAX=1; 0:RAX=2;"), 2, 12, "0:RAX has two initial values"),
    ("no register", START.format("0:Q7=1;"), 2, 5, "'Q7' is not a register of this machine"),
    ("type", START.format("struct foo x;"), 2, 3, "unknown type 'struct foo'"),
    ("long array", START.format("int x[0];"), 2, 8, "an array cannot have 0 elements"),
    ("many values", START.format("int x[1]={1,2};"), 2, 3, "2 values are given for x, whose length is 1"),
    ("no value", START.format("x=;"), 2, 5, "expected a value, found ';'"),
    ("separator", START.format("x=1 y=2"), 2, 7, "expected ';' after an entry"),
    ("no threads", "X86 T\n{}\nexists (x=1)\n", 3, 1, "the test has no threads"),
    ("thread names", "X86 T\n{}\nP0 | P2 ;\nNOP | NOP;\n", 3, 6, "expected the name of thread 1, P1"),
    (
        *("columns", "X86 T\n{}\nP0 ;\nNOP | NOP;\n", 4, 7),
        "this row has 2 columns, but the number of threads is 1",
    ),
    ("open row", "X86 T\n{}\nP0 ;\nNOP\nexists (x=1)\n", 4, 4, "this row does not end"),
    ("instruction", A64.format("LDRR W0,[X1]"), 4, 2, "the AArch64 instruction 'LDRR' is not supported"),
    ("operands", A64.format("LDR W0"), 4, 2, "LDR has 2 or 3 operands, not 1"),
    ("operand", A64.format("ADD W0,W1,Y2"), 4, 12, "'Y2' is not a register"),
    ("address", A64.format("LDR W0,X1"), 4, 9, "expected an address, found 'X1'"),
    ("small base", A64.format("LDR W0,[W1]"), 4, 9, "'W1' cannot hold an address"),
    ("fence", A64.format("DMB ALL"), 4, 6, "unknown option 'ALL'"),
    ("label", A64.format("B nowhere"), 4, 2, "there is no label 'nowhere' in this thread"),
    ("two labels", A64.format("L: NOP;\n L: NOP"), 5, 2, "the label 'L' is defined twice"),
    ("fence sets", "RISCV T\n{}\nP0;\nfence x,w;\n", 4, 7, "'x' is not a set of accesses"),
    (
        *("conditional division", C.format("int r0 = 1 ? 2 / atomic_load(x) : 0;"), 4, 36),
        "memory is accessed in a part of an expression",
    ),
    ("maybe divided", C.format("int r0 = 1; r0 = r0 ? 2 / r0 : 0;"), 4, 33, "a number is divided in a part"),
    (
        *("locked unknown", "X86_64 T\n{}\nP0;\nlock btsq $1,(x);\n", 4, 6),
        "the x86 instruction 'btsq' is not supported",
    ),
    ("two names", C.format("int r0 r1 = 1;"), 4, 8, "expected '=' or ';' after r0, found 'r1'"),
    ("other type", "C T\n{}\nP0(volatile atomic_flag *x) { }\n", 3, 4, "unknown type 'atomic_flag'"),
    ("no such type", C.format("int long r1 = 1;"), 4, 1, "unknown type 'int long'"),
    (
        *("acquiring store", C.format("atomic_store_explicit(x, 1, memory_order_acquire);"), 4, 29),
        "a store cannot have memory_order_acquire",
    ),
    (
        *("releasing load", C.format("int r0 = atomic_load_explicit(x, memory_order_release);"), 4, 34),
        "a load cannot have memory_order_release",
    ),
    (
        "releasing failure",
        C.format(
            "int r0; atomic_compare_exchange_strong_explicit"
            "(x, &r0, 1, memory_order_acq_rel, memory_order_acq_rel);"
        ),
        *(4, 82, "a failed compare-exchange cannot have memory_order_acq_rel"),
    ),
    (
        *("one argument", "C T\n{}\nP0(spinlock_t *x) {\nspin_lock(x, 1);\n}\n", 4, 12),
        "spin_lock takes 1 argument, found ','",
    ),
    ("open bracket", "RISCV T\n{}\nP0;\nfence r{r;\n", 4, 8, "this '{' is not closed"),
    ("open parenthesis", "RISCV T\n{}\nP0;\nfence (r,r;\n", 4, 7, "this '(' is not closed"),
    ("closed bracket", A64.format("LDR W0,X1]"), 4, 11, "this ']' closes nothing"),
    ("other bracket", A64.format("LDR W0,[X1)"), 4, 12, "this ')' closes nothing"),
    ("no operand", A64.format("STR ,[X1]"), 4, 6, "an operand is missing before ','"),
    ("no last operand", A64.format("STR W0,"), 4, 8, "an operand is missing after ','"),
    ("field", "PPC T\n{}\nP0;\ncmpw cr9,r1,r2;\n", 4, 6, "'cr9' is not a field"),
    (
        "locked",
        END.replace("NOP", "LOCK MOV [x],$1").format("exists (x=1)"),
        4,
        10,
        "LOCK cannot precede MOV",
    ),
    ("condition", END.format("exists x"), 5, 9, "expected '=' or '<>', found nothing more"),
    ("no equation", END.format("exists (x=1 /\\)"), 5, 15, "expected a register or a location, found ')'"),
    ("parenthesis", END.format("exists (x=1"), 5, 12, "expected ')', found nothing more"),
    ("quantifier", END.format("~forall (x=1)"), 5, 2, "expected 'exists', found 'forall'"),
    ("rest", END.format("exists (x=1) x=2"), 5, 14, "the test ends with its condition, found 'x'"),
    ("fault", END.format("exists (fault(P0,x))"), 5, 9, "'fault(…)' is not supported"),
    ("locations", END.format("locations x\nexists (x=1)"), 5, 11, "expected '[', found 'x'"),
    ("no thread", END.format("exists (1:EAX=0)"), 5, 9, "there is no thread 1"),
    ("thread of state", START.format("4:EAX=0;"), 2, 3, "there is no thread 4"),
    ("element", END.format("exists (x=0 /\\ x[1]=0)"), 5, 16, "there is no x[1]: x has 1 elements"),
    ("no variable", C.format("int r0 = 1;").replace("x=1", "0:r1=1"), 6, 9, "P0 has no variable 'r1'"),
    ("character", END.format("exists (x=`1)"), 5, 11, "unexpected '`'"),
    ("function", C.format("atomic_lod(x);"), 4, 1, "the function 'atomic_lod' is not supported"),
    ("order", C.format("atomic_store_explicit(x, 1, relaxed);"), 4, 29, "'relaxed' is not a memory order"),
    ("long number", C.format("int r0 = 18446744073709551616;"), 4, 10, "no type of C has the value"),
    ("no octal number", C.format("int r0 = 08;"), 4, 10, "no type of C has the value '08'"),
    (
        "long operand",
        A64.format("MOV X0,#99999999999999999999"),
        4,
        9,
        "this number does not fit into 64 bits",
    ),
    ("variable", C.format("int r0 = r1;"), 4, 10, "unknown variable 'r1'"),
    ("declared twice", C.format("int r0; { int r0; }"), 4, 15, "'r0' is declared twice"),
    ("arguments", C.format("atomic_store(x, 1, 2);"), 4, 18, "atomic_store takes 2 arguments, found ','"),
    ("statement", C.format("for (;;) {}"), 4, 1, "'for' is not supported"),
    ("semicolon", C.format("int r0 = 1"), 5, 1, "expected ';', found '}'"),
    ("parameter", "C T\n{}\nP0(int x) { }\nexists (x=1)", 3, 8, "the parameter 'x' is not a pointer"),
    ("function name", "C T\n{}\nP1(int *x) { }\nexists (x=1)", 3, 1, "expected the function P0, found 'P1'"),
    ("open function", "C T\n{}\nP0(int *x) { *x = 1;", 3, 21, "this function does not end"),
    (
        "dialects",
        C.format("WRITE_ONCE(*x, 1);"),
        *(3, 4),
        "the test uses atomic_int of C11, and WRITE_ONCE of the Linux kernel",
    ),
    (
        "hidden access",
        C.format("int r0 = 1 && *x;"),
        *(4, 17),
        "memory is accessed in a part of an expression that may not be evaluated",
    ),
    ("deep condition", END.format(f"exists {'(' * 300}x=1{')' * 300}"), 5, 109, "nested too deeply"),
    ("deep expression", C.format(f"int r0 = {'(' * 300}1{')' * 300};"), 4, 70, "nested too deeply"),
]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [case[1:] for case in MALFORMED],
    ids=[case[0] for case in MALFORMED],
)
def test_malformed(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_litmus_file(text, "bad.litmus")
    error = caught.value
    assert message in error.message
    assert error.place is not None
    assert (error.place.file, error.place.line, error.place.column) == ("bad.litmus", line, column)
    assert error.code in (ErrorCode.BAD_LITMUS, ErrorCode.UNSUPPORTED)
    assert error.hint
    assert error.snippet is not None
    shown, carets = error.snippet.split("\n")
    assert set(carets.strip()) == {"^"}
    assert len(carets) <= len(shown) + 1


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
def test_files_that_are_no_text(content: bytes | None, tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "t.litmus"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(SourceError):
        read_litmus(str(path))
