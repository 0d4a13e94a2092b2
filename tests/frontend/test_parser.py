"""The IR parser, on snippets of what clang prints."""

from __future__ import annotations

import pytest
from mazurka.errors import InternalError
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.parser import parse_module


def only_function(body: str, header: str = "define void @f(ptr %p, i32 %x, i64 %n)") -> ir.IrFunction:
    return parse_module(f"{header} {{\nentry:\n{body}\n}}\n").functions["f"]


def only_instruction(line: str) -> ir.Inst:
    return only_function(f"  {line}").blocks[0].insts[0]


def test_struct_layout_follows_the_data_layout() -> None:
    text = "%t = type { i8, i64, [3 x i16], %u }\n%u = type <{ i8, i32 }>\n"
    type_ = parse_module(text + "@g = global %t zeroinitializer, align 8\n").globals["g"].type
    assert isinstance(type_, ir.StructType)
    assert type_.offsets == [0, 8, 16, 22]
    assert (type_.size, type_.align) == (32, 8)
    assert [offset for offset, _ in ir.scalars(type_)] == [0, 8, 16, 18, 20, 22, 23]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("@g = global i32 -1, align 4", ir.Number(0xFFFF_FFFF)),
        ("@g = internal constant i1 true, align 1", ir.Number(1)),
        ('@g = private unnamed_addr constant [3 x i8] c"a\\0A\\00", align 1', ir.Bytes(b"a\n\0")),
        ("@g = global double 1.500000e+00, align 8", ir.Number(0x3FF8_0000_0000_0000)),
        ("@g = global float 0x3FB99999A0000000, align 4", ir.Number(0x3DCC_CCCD)),
        ("@g = global ptr null, align 8", ir.Number(0)),
        ("@g = global ptr @h, align 8", ir.Symbol("h")),
    ],
)
def test_initialisers(text: str, value: ir.Value) -> None:
    assert parse_module(text).globals["g"].value == value


def test_constant_expression() -> None:
    text = "@g = global ptr getelementptr inbounds nuw (i8, ptr @h, i64 4), align 8"
    value = parse_module(text).globals["g"].value
    assert isinstance(value, ir.Expression)
    assert value.op == "getelementptr"
    assert value.operands[0][1] == ir.Symbol("h")


def test_thread_local_and_external_globals() -> None:
    module = parse_module("@a = thread_local global i32 5, align 4\n@b = external global ptr, align 8\n")
    assert module.globals["a"].thread_local
    assert module.globals["b"].value is None


@pytest.mark.parametrize(
    ("line", "op", "words"),
    [
        ("%1 = load atomic i32, ptr %p acquire, align 4", "load", ["acquire"]),
        ("%1 = load volatile i32, ptr %p, align 4", "load", []),
        ("store atomic volatile i32 %x, ptr %p release, align 4", "store", ["release"]),
        (
            "%1 = atomicrmw volatile umax ptr %p, i32 %x monotonic, align 4",
            "atomicrmw",
            ["umax", "monotonic"],
        ),
        (
            "%1 = cmpxchg weak ptr %p, i32 %x, i32 0 acq_rel acquire, align 4",
            "cmpxchg",
            ["acq_rel", "acquire"],
        ),
        ('fence syncscope("singlethread") seq_cst', "fence", ["singlethread", "seq_cst"]),
        ("%1 = icmp samesign ult i32 %x, 3", "icmp", ["ult"]),
        ("%1 = fcmp fast oeq float 1.000000e+00, 2.000000e+00", "fcmp", ["oeq"]),
    ],
)
def test_words_of_instructions(line: str, op: str, words: list[str]) -> None:
    inst = only_instruction(line)
    assert (inst.op, inst.words) == (op, words)


def test_call_keeps_callee_arguments_and_alignment() -> None:
    line = "%c = tail call noundef i32 (ptr, ...) @printf(ptr noundef align 8 %p, i32 noundef %x) #3, !dbg !7"
    inst = only_instruction(line)
    assert [value for _, value in inst.operands] == [ir.Symbol("printf"), ir.Local("p"), ir.Local("x")]
    assert inst.indices == [8, 0]
    assert inst.metadata == {"dbg": "!7"}
    assert repr(inst.type) == "i32"


def test_inline_assembly() -> None:
    line = 'call void asm sideeffect "mfence", "~{memory},~{dirflag}"() #1, !srcloc !5'
    assert only_instruction(line).operands[0][1] == ir.Assembly("mfence", "~{memory},~{dirflag}")


def test_switch_over_several_lines() -> None:
    body = "  switch i32 %x, label %d [\n    i32 -1, label %a\n    i32 7, label %b\n  ], !dbg !3"
    inst = only_function(body).blocks[0].insts[0]
    assert (inst.labels, inst.indices) == (["d", "a", "b"], [0xFFFF_FFFF, 7])


def test_quoted_names_and_unnamed_blocks() -> None:
    body = '  %"a b" = add nsw i32 %0, 1\n  br label %2\n\n2:\n  ret i32 %"a b"\n'
    function = parse_module(f'define i32 @"odd name"(i32 %0) {{\n{body}}}\n').functions["odd name"]
    assert [block.name for block in function.blocks] == ["1", "2"]
    assert function.blocks[0].insts[0].result == "a b"


def test_results_and_parameters_of_functions() -> None:
    text = (
        "declare { i64, i64 } @pair(ptr noundef byval(%s) align 8, ...) #1\n"
        "declare noalias ptr @m(i64)\n%s = type { i64 }"
    )
    functions = parse_module(text).functions
    assert repr(functions["pair"].result) == "{ i64, i64 }"
    assert functions["pair"].varargs
    assert repr(functions["pair"].params[0].byval) == "%s"
    assert repr(functions["m"].result) == "ptr"


def test_debug_records_name_values() -> None:
    body = (
        "    #dbg_value(i32 %x, !5, !DIExpression(), !6)\n"
        "    #dbg_value(i32 %x, !5, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !6)\n  ret void"
    )
    insts = only_function(body).blocks[0].insts
    assert [(i.op, i.variable) for i in insts] == [("debug", "!5"), ("ret", "")]


def test_unknown_operations_are_kept() -> None:
    assert (
        only_instruction("%1 = shufflevector <2 x i32> %p, <2 x i32> %p, <2 x i32> poison").op
        == "shufflevector"
    )


def test_unreadable_text_is_our_bug() -> None:
    with pytest.raises(InternalError):
        only_instruction("%1 = add nsw whatever %x, 1")
