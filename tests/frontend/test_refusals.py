"""Constructs that are not supported are refused by name and line, at once or when reached."""

from __future__ import annotations

import mazurka
import pytest
from mazurka.errors import ErrorCode, SourceError
from mazurka.frontend import compile_text
from mazurka.program import Op

AT_ONCE = {
    "setjmp": (
        "#include <setjmp.h>\nstatic jmp_buf b; int main(void) { return setjmp(b); }",
        "setjmp",
    ),
    "ifunc": (
        "static int f(void) { return 0; }\nstatic void *pick(void) { return f; }\n"
        'int k(void) __attribute__((ifunc("pick"))); int main(void) { return k(); }',
        "the function 'k', which a resolver picks (ifunc)",
    ),
    "long double initialiser": ("\nlong double x = 1.5L; int main(void) { return x > 1; }", "long double"),
}

WHEN_REACHED = {
    "inline assembly": ('int main(void) {\n__asm__ volatile("cpuid" ::: "memory");\nreturn 0; }', "cpuid"),
    "wide atomic": (
        "struct s { long a[33]; } h; _Atomic struct s g; int main(void) {\ng = h; return 0; }",
        "an atomic access of 264 bytes",
    ),
    "long double": (
        "int main(void) { volatile int n = 3;\nlong double x = n; return x > 2; }",
        "long double",
    ),
    "128-bit integer": (
        "int main(void) { volatile long n = 3;\nunsigned __int128 x = n; return (int)(double)x; }",
        "'uitofp' on integers of more than 64 bits",
    ),
    "vector": (
        "typedef int v4 __attribute__((vector_size(16))); typedef short v8 __attribute__((vector_size(16)));"
        "v4 a; v8 b; int main(void) {\nb = (v8)a; return 0; }",
        "a conversion from '<4 x i32>' to '<8 x i16>'",
    ),
    "sanitizer's function": (
        "void __ubsan_handle_shift_out_of_bounds_abort(void *, long, long); int x[2];\n"
        "int main(void) { __ubsan_handle_shift_out_of_bounds_abort(x, 1, 2); return 0; }",
        "a call of a sanitizer's function",
    ),
    "sanitizer's function for divisions": (
        "void __ubsan_handle_divrem_overflow_abort(void *, long, long); int x[2];\n"
        "int main(void) { __ubsan_handle_divrem_overflow_abort(x, 1, 0); return 0; }",
        "a call of a sanitizer's function",
    ),
    "characters printed so far": (
        'int printf(const char *, ...); int main(void) { int n = 0;\nprintf("%%%d%n", 1, &n); return n; }',
        "%n",
    ),
    "long initialiser of a shared thread-local": (
        "\n_Thread_local int t[2000] = {%s}; int *g; int main(void) { g = t; return 0; }" % ("1, " * 2000),
        "the long initialiser of 't', a thread-local variable",
    ),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_refused_at_once(name: str) -> None:
    source, word = AT_ONCE[name]
    with pytest.raises(SourceError) as caught:
        compile_text(source)
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert word in caught.value.message
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.line) == ("program.c", 2)
    assert caught.value.hint


@pytest.mark.parametrize("name", WHEN_REACHED)
def test_refused_when_reached(name: str) -> None:
    source, word = WHEN_REACHED[name]
    program = compile_text(source)
    refusals = [i for f in program.functions for i in f.code if i.op == Op.REFUSE]
    assert refusals
    assert word in program.strings[refusals[0].a]
    assert program.positions[refusals[0].position].line == 2


def test_undefined_variable_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text("extern int foo; int main(void) { return foo; }")
    assert "'foo'" in caught.value.message


def test_huge_object_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text("\nchar huge[1ul << 32]; int main(void) { return huge[5]; }")
    assert caught.value.code == ErrorCode.TOO_LARGE
    assert caught.value.place is not None
    assert caught.value.place.line == 2


def test_assembly_outside_of_functions_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text('__asm__(".globl word\\nword: .quad 5"); int main(void) { return 0; }')
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert ".globl word" in caught.value.message


@pytest.mark.parametrize(
    "flags", [["-m32"], ["-target", "aarch64_be-linux-gnu"], ["-target", "x86_64-linux-gnux32"]], ids=" ".join
)
def test_other_targets_are_refused(flags: list[str]) -> None:
    with pytest.raises(SourceError) as caught:
        compile_text("int main(void) { return 0; }", cflags=flags)
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert "target" in caught.value.message


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("\n_Thread_local char t[1 << 24]; int main(void) { return t[5]; }", "variable 't'"),
        ("struct s { char c[444000000000]; } *p; void f(struct s);\nint main(void) { f(*p); }", "argument"),
    ],
)
def test_what_is_too_large_is_refused_with_its_line(source: str, word: str) -> None:
    with pytest.raises(SourceError) as caught:
        compile_text(source)
    assert caught.value.code == ErrorCode.TOO_LARGE
    assert word in caught.value.message
    assert caught.value.place is not None
    assert caught.value.place.line == 2


@pytest.mark.parametrize(
    "source",
    [
        f"int a{'[1]' * 400}; int main(void) {{ return 0; }}",
        "struct s0 { int x; };"
        + "".join(f"struct s{i} {{ struct s{i - 1} x; }};" for i in range(1, 600))
        + "struct s599 g; int main(void) { return 0; }",
    ],
    ids=["dimensions", "structs"],
)
def test_deep_types_are_refused(source: str) -> None:
    with pytest.raises(SourceError) as caught:
        compile_text(source)
    assert caught.value.code == ErrorCode.TOO_LARGE


def test_a_call_of_a_variadic_function_that_returns_a_pointer_can_be_read() -> None:
    program = compile_text('extern char *vf(const char *, ...); int main(void) { return vf("x", 1) != 0; }')
    unknown = [i for f in program.functions for i in f.code if i.op == Op.UNKNOWN]
    assert [program.strings[i.a] for i in unknown] == ["vf"]


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("__builtin_fma(v, v, v)", "llvm.fma.f64"),
        ("__builtin_flt_rounds()", "llvm.get.rounding"),
        ("__builtin_isinf((long double)v)", "long double"),
    ],
)
def test_an_intrinsic_is_known_by_its_whole_name(statement: str, name: str) -> None:
    """That of ``llvm.is.fpclass`` began like that of ``llvm.is.constant``, and was taken for it."""
    program = compile_text(f"int main(void) {{ volatile double v = 1;\nreturn (int){statement}; }}")
    refusals = [program.strings[i.a] for f in program.functions for i in f.code if i.op == Op.REFUSE]
    assert any(name in refusal for refusal in refusals)


def test_unknown_function_is_an_instruction() -> None:
    program = compile_text("int mystery(int); int main(void) {\nreturn mystery(3); }")
    unknown = [i for f in program.functions for i in f.code if i.op == Op.UNKNOWN]
    assert [program.strings[i.a] for i in unknown] == ["mystery"]
    assert program.positions[unknown[0].position].line == 2


PAUSES = ('"pause" ::: "memory"', '"rep; nop"')


@pytest.mark.parametrize("asm", ['""', '"" ::: "memory"', '"" : "+r"(x)', '" \\n"', *PAUSES])
def test_empty_assembly_is_accepted(asm: str) -> None:
    assert compile_text(f"int main(void) {{ int x = 1; __asm__ volatile({asm}); return x; }}").functions


def test_too_few_arguments_of_a_known_function() -> None:
    source = "int putchar_unlocked(); int main(void) { return putchar_unlocked(); }"
    program = compile_text(source, cflags=["-std=c11", "-w"])
    refusals = [i for f in program.functions for i in f.code if i.op == Op.REFUSE]
    assert "'putchar_unlocked' with too few arguments" in program.strings[refusals[0].a]


def test_a_long_double_is_accepted_where_it_is_a_double() -> None:
    source = "int main(void) { volatile int n = 3; long double x = n; return x != 3; }"
    with pytest.raises(SourceError) as caught:
        mazurka.check(mazurka.Source(source))
    assert (caught.value.hint or "").endswith('cflags=["-mlong-double-64"]')
    assert mazurka.check(mazurka.Source(source), cflags=["-mlong-double-64"]).verdict == "verified"


ATOMIC_VARIABLES = (
    "_Atomic short s; _Atomic signed char c; _Atomic unsigned char u; _Atomic int i; _Atomic long l;\n"
    "volatile int two = 2; volatile double half = 0.5;\n"
    "#define HALF 0.5\n"
)


@pytest.mark.parametrize(
    "statement",
    [
        "s /= two",
        "s %= 3",
        "s >>= 1",
        "c /= 2",
        "two = (c >>= two)",
        "i *= half",
        "l /= half",
        "i += half",
        "i += 0.5",
        "i -= HALF",
        "two = (u += 1.5)",
        "i += -1.0",
        "i += 1.0f",
        "l += 1.0",
        "i += 5000000000.0",
    ],
)
def test_assignments_to_atomics_that_the_compiler_gets_wrong(statement: str) -> None:
    with pytest.raises(SourceError) as caught:
        compile_text(f"{ATOMIC_VARIABLES}int main(void) {{\n{statement};\n}}")
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert "_Atomic variable wrongly" in caught.value.message
    assert caught.value.place is not None
    assert caught.value.place.line == 5
    assert "compare_exchange" in str(caught.value.hint)


@pytest.mark.parametrize(
    "statement",
    [
        "s *= two",
        "s += two",
        "s--",
        "c <<= 1",
        "c |= two",
        "i += (int)half",
        "i += (int)HALF",
        "u += (unsigned char)HALF",
        "i += 2.0",
        "s -= 2.0f",
        "i += two + 1",
        "two = (u /= two)",
        "i /= two",
        "i >>= 1",
        "l %= two",
    ],
)
def test_assignments_to_atomics_that_are_right(statement: str) -> None:
    compile_text(f"{ATOMIC_VARIABLES}int main(void) {{\n{statement};\n}}")
