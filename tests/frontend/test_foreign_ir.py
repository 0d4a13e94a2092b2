"""Files of LLVM IR that somebody else wrote: refused with a reason, or understood as LLVM understands them.

Mutants (``tests/fuzz``) found most of what is here.
"""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest
from mazurka import Outcome, check
from mazurka.errors import MazurkaError
from mazurka.frontend import compile_program
from mazurka.frontend.library.functions import LIBRARY
from mazurka.frontend.library.intrinsics import INTRINSICS
from mazurka.frontend.library.languages.cxx import CXX
from mazurka.frontend.linking.reading import UnreadableIR, printed_ir
from mazurka.program import Op
from profiles import some


def written(folder: Path, text: str) -> Path:
    path = folder / "program.ll"
    path.write_text(text, encoding="utf-8")
    return path


def checked(folder: Path, body: str, *around: str) -> Outcome:
    """The outcome of a program whose main is this."""
    lines = ["define i32 @main() {", *body.strip().split("\n"), "  ret i32 0", "}", *around]
    return check(written(folder, "\n".join(lines) + "\n"), model="sc")


def refused(folder: Path, text: str) -> MazurkaError:
    with pytest.raises(MazurkaError) as caught:
        check(written(folder, text), model="sc")
    return caught.value


def test_a_file_on_which_llvm_crashes_is_refused(tmp_path: Path) -> None:
    """Its parser is recursive, and has only so much stack."""
    error = refused(tmp_path, f"@deep = global {'{' * 500_000}{'}' * 500_000} zeroinitializer\n")
    assert (error.code, error.message) == ("compile-error", "LLVM cannot read this file: it crashed")


def test_bitcode_that_llvm_prints_but_cannot_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged:
        def verify(self) -> None:
            pass

        functions = global_variables = ()

        def as_bitcode(self) -> bytes:
            return b""

        def __str__(self) -> str:
            return "!0 = !DICompositeType(tag: DW_TAG_array_type, enumKind: 4293918719)"

    monkeypatch.setattr(llvm, "parse_bitcode", lambda data, context: Damaged())
    with pytest.raises(UnreadableIR, match="enumKind"):
        printed_ir(b"BC\xc0\xde")


@pytest.mark.parametrize("data", [b"define i32 @main() {\0", b"; \xff\n"])
def test_a_file_that_is_not_text_is_refused(data: bytes, tmp_path: Path) -> None:
    """LLVM would stop at the first null character, and take what is before it for the whole."""
    (tmp_path / "program.ll").write_bytes(b"define i32 @main() {\n  ret i32 0\n}\n" + data)
    with pytest.raises(MazurkaError, match="not a file of UTF-8 text"):
        check(tmp_path / "program.ll")


# Neither indented nor spaced as LLVM prints it. The load is not used, but it races with the store.
UNTIDY = """
@x=global i32 0 ; shared
define ptr @other(ptr %p){
store i32 1,ptr @x
ret ptr null
}
define i32 @main(){
%t=alloca i64
%c=call i32 @pthread_create(ptr %t,ptr null,ptr @other,ptr null)
\t%unused=load i32,ptr @x
ret i32 0}
declare i32 @pthread_create(ptr,ptr,ptr,ptr)
"""


def test_the_form_of_a_file_does_not_matter(tmp_path: Path) -> None:
    outcome = check(written(tmp_path, UNTIDY))
    assert outcome.violation is not None
    assert outcome.violation.kind == "race"


UNKNOWN = {
    "a vector whose length the machine knows": (
        "define i32 @main() {\n  %a = fneg <vscale x 4 x float> zeroinitializer\n  ret i32 0\n}\n",
        "unsupported LLVM IR",
    ),
    "a local variable that is such a vector": (
        "define i32 @main() {\n  %a = alloca <vscale x 4 x i32>\n  %p = getelementptr i8, ptr %a, i64 1\n"
        "  store i8 1, ptr %p\n  ret i32 0\n}\n",
        "unsupported LLVM IR",
    ),
    "a value of gigabytes": (
        "define [4294967295 x i64] @f([4294967295 x i64] %a) {\n  ret [4294967295 x i64] %a\n}\n"
        "define i32 @main() {\n  ret i32 0\n}\n",
        "'[4294967295 x i64]' is too large",
    ),
    "a name that is ours": (
        "declare void @mazurka.keep(i8)\ndefine i32 @main() {\n  ret i32 0\n}\n",
        "'mazurka.keep' is not supported",
    ),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_is_not_known_is_refused(what: str, tmp_path: Path) -> None:
    text, message = UNKNOWN[what]
    error = refused(tmp_path, text)
    assert message in error.message
    assert error.place is not None
    assert error.place.file.endswith("program.ll")
    assert error.hint


REACHED = (
    ("store ptr no_cfi @main, ptr @g", "", "no_cfi"),
    ("store ptr dso_local_equivalent @main, ptr @g", "", "dso_local_equivalent"),
    (
        "%a = extractelement <4 x i32> zeroinitializer, i32 9\nstore i32 %a, ptr @g",
        "",
        "element 9 of a vector of 4",
    ),
    ("%a = call ptr @pthread_join(i64 1)", "ptr @pthread_join(i64)", "'pthread_join' with too few arguments"),
    ("%a = call ptr @realloc()", "ptr @realloc()", "'realloc' with too few arguments"),
    (
        "%a = call ptr @_ZnwmSt11align_val_t(i64 1)",
        "ptr @_ZnwmSt11align_val_t(i64)",
        "with the wrong number of arguments",
    ),
    ("%a = call i1 @sqrt(double 4.0)", "i1 @sqrt(double)", "a call of 'sqrt' with types other"),
    ("%a = call i32 @free(ptr null)\nstore i32 %a, ptr @g", "i32 @free(ptr)", "the result of 'free'"),
    (
        "%a = call double @__VERIFIER_nondet_long()",
        "double @__VERIFIER_nondet_long()",
        "an open value of type 'double'",
    ),
    (
        "%a = call i128 @call_once(double 1.0)",
        "i128 @call_once(double)",
        "'call_once' with too few arguments",
    ),
)


@pytest.mark.parametrize(("code", "declared", "message"), REACHED)
def test_what_is_not_known_is_refused_where_it_is_reached(
    code: str, declared: str, message: str, tmp_path: Path
) -> None:
    around = ("@g = global [4 x i64] zeroinitializer", f"declare {declared}" if declared else "")
    with pytest.raises(MazurkaError) as caught:
        checked(tmp_path, code, *around)
    assert caught.value.code == "unsupported"
    assert message in caught.value.message


@pytest.mark.parametrize("words", ["dllexport", "protected", "externally_initialized"])
def test_words_before_a_global_are_known(words: str, tmp_path: Path) -> None:
    assert checked(tmp_path, "store i32 1, ptr @g", f"@g = {words} global i32 0").verdict == "verified"


def test_words_before_an_intrinsic_are_known(tmp_path: Path) -> None:
    copy = "llvm.memcpy.p0.p0.i64"
    outcome = checked(
        tmp_path,
        f"  call void @{copy}(ptr @to, ptr @from, i64 32, i1 false)",
        "@to = global [4 x i64] zeroinitializer",
        "@from = global [4 x i64] zeroinitializer",
        f"declare hidden void @{copy}(ptr, ptr, i64, i1)",
    )
    assert outcome.verdict == "verified"


def test_pointers_may_have_an_address_space(tmp_path: Path) -> None:
    around = "define ptr addrspace(1) @f(ptr addrspace(1) %p) {\n  ret ptr addrspace(1) %p\n}"
    assert (
        checked(tmp_path, "%a = call ptr addrspace(1) @f(ptr addrspace(1) null)", around).verdict
        == "verified"
    )


def test_elements_of_vectors_may_be_wide(tmp_path: Path) -> None:
    """The second element of two, of 128 bits each, is the third and fourth word."""
    body = """
  %low = load volatile i64, ptr @seven
  %wide = zext i64 %low to i128
  %high = shl i128 %wide, 64
  %vector = insertelement <2 x i128> zeroinitializer, i128 %high, i32 1
  %back = extractelement <2 x i128> %vector, i32 1
  %word = lshr i128 %back, 64
  %small = trunc i128 %word to i64
  %right = icmp eq i64 %small, SEVEN
  br i1 %right, label %good, label %bad
bad:
  call void @abort()
  unreachable
good:
"""
    around = ("@seven = global i64 7", "declare void @abort()")
    assert checked(tmp_path, body.replace("SEVEN", "7"), *around).verdict == "verified"
    assert checked(tmp_path, body.replace("SEVEN", "8"), *around).verdict == "violation"


ARGUMENTS = (
    *("", "ptr null", "i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7"),
    *("<2 x i32> zeroinitializer, <2 x i32> zeroinitializer, <2 x i32> zeroinitializer", "double 1.0"),
    *("{ i32, ptr } zeroinitializer, { i32, ptr } zeroinitializer", "i128 1, i128 2, i128 3"),
)
RESULTS = ("i32", "ptr", "double", "{ i64, i64 }", "i1")
NAMES = sorted(name for name in {*LIBRARY, *CXX, *INTRINSICS} if not name.startswith(("llvm.", "mazurka.")))


@pytest.mark.parametrize("arguments", some(ARGUMENTS, every=3))
def test_library_functions_may_be_declared_in_any_way(arguments: str, tmp_path: Path) -> None:
    """Calls that do not fit are refused where they are reached: here, nowhere."""
    functions = []
    for number, name in enumerate(some(NAMES)):
        result = RESULTS[number % len(RESULTS)]
        functions.append(
            f'declare {result} @"{name}"(...)\n'
            f"define {result} @f{number}() {{\n"
            f'  %a = call {result} @"{name}"({arguments})\n'
            f"  ret {result} %a\n}}\n"
        )
    text = "".join(functions) + "define i32 @main() {\n  ret i32 0\n}\n"
    program = compile_program(written(tmp_path, text))
    assert any(instr.op == Op.REFUSE for function in program.functions for instr in function.code)


def test_no_module_is_read_in_the_context_that_all_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LLVM crashed when a process checked several C++ programs: modules left something behind."""

    def shared() -> None:
        raise AssertionError("the global context is used")

    monkeypatch.setattr(llvm.module, "get_global_context", shared)
    (tmp_path / "second.ll").write_text("define void @second() {\n  ret void\n}\n", encoding="utf-8")
    text = "define i32 @main() {\n  call void @second()\n  ret i32 0\n}\ndeclare void @second()\n"
    assert check([written(tmp_path, text), tmp_path / "second.ll"], model="sc").verdict == "verified"


def test_an_index_that_is_too_wide_for_a_register_is_refused(tmp_path: Path) -> None:
    """Whether it is one of the array is asked although its value was refused before."""
    body = """
  %narrow = load i8, ptr @s
  %wide = sext i8 %narrow to i256
  %array = getelementptr inbounds { [2 x i32], i32 }, ptr @s, i32 0, i32 0
  %element = getelementptr inbounds [2 x i32], ptr %array, i256 0, i256 %wide
  store i32 1, ptr %element"""
    with pytest.raises(MazurkaError, match="an integer of 256 bits"):
        checked(tmp_path, body, "@s = global { [2 x i32], i32 } zeroinitializer")


def test_debug_information_of_a_wrong_kind_is_refused(tmp_path: Path) -> None:
    """LLVM's verifier does not look at the file of a block, and what comes after it relies on it."""
    text = """
define i32 @main() !dbg !3 {
  ret i32 0, !dbg !5
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "program.c", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "main", file: !1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!4 = distinct !DILexicalBlock(scope: !3, file: !2, line: 1, column: 1)
!5 = !DILocation(line: 1, column: 1, scope: !4)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
"""
    assert check(written(tmp_path, text.replace("file: !2", "file: !1")), model="sc").verdict == "verified"
    assert refused(tmp_path, text).message == "LLVM cannot read this file: it crashed"


def test_a_name_that_is_not_text_is_refused(tmp_path: Path) -> None:
    error = refused(tmp_path, 'define i32 @main() {\n  ret i32 0\n}\n@"a\\88" = global i32 0\n')
    assert (error.code, "a name in it is not" in error.message) == ("compile-error", True)


def test_a_module_that_cannot_be_linked_with_the_library_is_refused(tmp_path: Path) -> None:
    body = """
declare i64 @strlcpy(ptr, ptr, i64)
define i32 @main() {
  %length = call i64 @strlcpy(ptr @text, ptr @text, i64 1)
  ret i32 0
}
@text = global [2 x i8] c"a\\00"
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i65 4}
"""
    error = refused(tmp_path, body)
    assert error.code == "compile-error"
    assert "it cannot be linked: linking module flags 'wchar_size'" in error.message


def test_what_the_library_of_cpp_lacks_is_looked_for_in_the_source(tmp_path: Path) -> None:
    call = "  call void @_ZNSt3__115__thread_structC1Ev(ptr null)"
    with pytest.raises(MazurkaError) as caught:
        checked(tmp_path, call, "declare void @_ZNSt3__115__thread_structC1Ev(ptr)")
    assert "'std::__thread_struct::__thread_struct' in LLVM IR" in caught.value.message
    assert "check the .cpp file instead" in str(caught.value.hint)
