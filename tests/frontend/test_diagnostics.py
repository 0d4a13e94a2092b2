"""What is said about programs that the compiler rejects: the line, and what would let them through."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka import check
from mazurka.errors import ErrorCode, SourceError
from mazurka.frontend import compile_text
from mazurka.frontend.c.diagnostics import compile_error
from mazurka.frontend.c.dialect import Dialect

STRICT = Dialect(strict=True)
MAIN = "int main(void) { return 0; }\n"


def refused(text: str, *cflags: str, dialect: Dialect = Dialect()) -> SourceError:  # noqa: B008 - a value
    with pytest.raises(SourceError) as error:
        compile_text(text, cflags=cflags, dialect=dialect)
    assert error.value.code is ErrorCode.COMPILE_ERROR
    return error.value


def test_the_line_is_shown_with_a_mark() -> None:
    """A tab counts as one column, as in reports of violations."""
    error = refused("int main(void)\n{\n\t\treturn absent;\n}\n")
    assert error.snippet == "      3 | return absent;\n        |        ^"
    assert error.hint == "include the header that declares 'absent', or define it with -D"


def test_a_header_that_is_not_found() -> None:
    error = refused('#include "absent.h"\n' + MAIN)
    assert error.message == "'absent.h' file not found"
    assert "-I" in str(error.hint)
    assert "--compile-commands" in str(error.hint)


def test_keywords_of_newer_c() -> None:
    text = "int main(void) { int *p = nullptr; return p != 0; }\n"
    assert "-std=gnu23" in str(refused(text).hint)
    compile_text(text, cflags=["-std=gnu23"])


@pytest.mark.parametrize("flags", [("-Wall", "-Werror"), ("-Werror=unused-variable",)])
def test_warnings_that_are_errors(flags: tuple[str, ...]) -> None:
    """The flag that is named lets the program through."""
    text = "int main(void) { int x; return 0; }\n"
    error = refused(text, *flags)
    assert error.message == "unused variable 'x'"
    assert error.hint == "fix it, or accept it with '-- -Wno-error=unused-variable'"
    compile_text(text, cflags=[*flags, "-Wno-error=unused-variable"])


INVALID_ORDERS = [
    "atomic_store_explicit(&x, 1, memory_order_acquire)",
    "atomic_store_explicit(&x, 1, memory_order_acq_rel)",
    "__atomic_store_n(&y, 7, __ATOMIC_ACQUIRE)",
    "atomic_flag_clear_explicit(&flag, memory_order_acquire)",
    "y = atomic_load_explicit(&x, memory_order_release)",
    "atomic_compare_exchange_weak_explicit(&x, &y, 1, memory_order_acq_rel, memory_order_acq_rel)",
    "atomic_exchange_explicit(&x, 1, 77)",
]
SILENT = ["", "-w", "--no-warnings", "-Wno-everything", "-Wno-atomic-memory-ordering", "-Wno-error"]
ATOMICS = "#include <stdatomic.h>\natomic_int x; atomic_flag flag; int y;\n"


@pytest.mark.parametrize("statement", INVALID_ORDERS)
def test_orders_that_an_access_cannot_have(statement: str) -> None:
    """The compiler leaves such stores out, and gives other accesses another order."""
    error = refused(f"{ATOMICS}int main(void) {{\n{statement};\n}}\n")
    assert error.message.endswith("memory order argument to atomic operation is invalid")
    assert error.place is not None
    assert error.place.line == 4
    assert "a store relaxed, release or seq_cst" in str(error.hint)


@pytest.mark.parametrize("flag", SILENT)
@pytest.mark.parametrize("name", ["program.c", "program.cpp"])
def test_no_flag_hides_invalid_orders(name: str, flag: str) -> None:
    text = "int x; int main() { __atomic_store_n(&x, 7, __ATOMIC_ACQUIRE); }\n"
    if name == "program.cpp":
        text = (
            "#include <atomic>\nstd::atomic<int> x;\nint main() { x.store(7, std::memory_order_acquire); }\n"
        )
    with pytest.raises(SourceError) as error:
        compile_text(text, name, cflags=[flag] if flag else [])
    assert "memory order argument to atomic operation is invalid" in error.value.message


@pytest.mark.parametrize(
    "statement",
    [
        "const int o = __ATOMIC_ACQUIRE;\n__atomic_store_n(&y, 7, o)",
        "\n__atomic_store_n(&y, 7, (0, __ATOMIC_ACQUIRE))",
        "const int o = memory_order_release;\ny = atomic_load_explicit(&x, o)",
        '_Pragma("clang diagnostic ignored \\"-Watomic-memory-ordering\\"")\n'
        "atomic_store_explicit(&x, 1, memory_order_acquire)",
    ],
)
def test_accesses_that_the_compiler_leaves_out_in_silence(statement: str) -> None:
    error = refused(f"{ATOMICS}int main(void) {{\n{statement};\n}}\n")
    kind = "load" if "load" in statement else "store"
    assert error.message == f"this atomic {kind} has an order that a {kind} cannot have"
    assert error.place is not None
    assert error.place.line == 5


def test_values_that_nobody_uses_are_accepted() -> None:
    """Of a load whose value is not used, the temporary remains as well."""
    text = "struct pair { int a, b; }; _Atomic struct pair p;\n"
    body = "atomic_load(&p); atomic_load(&x); atomic_exchange(&x, 1); (void)p; atomic_fetch_add(&y, 1);"
    compile_text(f"{ATOMICS.replace('int y', 'atomic_int y')}{text}int main(void) {{ {body} }}\n")


def test_orders_at_run_time_are_accepted() -> None:
    text = "void put(int o) { atomic_store_explicit(&x, 1, o); y = atomic_load_explicit(&x, o); }\n"
    compile_text(f"{ATOMICS}{text}int main(void) {{ put(memory_order_acquire); }}\n")


def test_a_silenced_compiler_is_still_read() -> None:
    """``-w`` is not passed on: a function that is not declared gets its header, which nobody is told."""
    text = "int main(void) { return strchrnul(\"ab\", 'b')[0] != 'b'; }\n"
    assert compile_text(text).warnings
    assert not compile_text(text, cflags=["-Wall", "-Werror", "-Werror=unused", "-w"]).warnings


OPENMP = """int main(void) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 2; i++) sum += i;
#pragma omp barrier
    return sum - 1;
}
"""


@pytest.mark.parametrize("name", ["program.c", "program.cpp"])
def test_pragmas_of_openmp_are_ignored_with_a_warning(name: str) -> None:
    for flags in ([], ["-Wall", "-Werror"], ["-w"], ["-Wno-unknown-pragmas"]):
        (warning,) = compile_text(OPENMP, name, cflags=flags).warnings
        assert warning.startswith(f"{name}:3: OpenMP is not supported: this pragma and others are ignored")


def test_openmp_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(OPENMP)
    with pytest.raises(SourceError) as caught:
        check(path, cflags=["-fopenmp"])
    assert "OpenMP is not supported" in caught.value.message
    assert "pthread_create" in str(caught.value.hint)


def test_the_header_of_openmp_is_not_there() -> None:
    assert "_OPENMP" in str(refused("#include <omp.h>\n" + MAIN).hint)


def test_all_headers_of_the_library_are_those_of_cpp() -> None:
    assert "ends in .cpp" in refused("#include <bits/stdc++.h>\n" + MAIN).message


def test_what_only_strict_refuses() -> None:
    text = "int main(void) { char *p = 5; return p == 0; }\n"
    error = refused(text, dialect=STRICT)
    assert error.hint == "without --strict, this is a warning"
    compile_text(text)


def test_long_lines_are_cut() -> None:
    error = refused(f"int main(void) {{ return absent; {'/*' + 'x' * 300 + '*/'} }}\n")
    assert error.snippet is not None
    assert max(map(len, error.snippet.splitlines())) < 180


def test_errors_in_templates_of_the_library_are_where_the_program_uses_them() -> None:
    text = "#include <atomic>\n#include <memory>\nstd::atomic<std::shared_ptr<int>> p;\nint main() {}\n"
    with pytest.raises(SourceError, match="trivially copyable") as error:
        compile_text(text, "pointer.cpp")
    assert error.value.place is not None
    assert (Path(error.value.place.file).name, error.value.place.line) == ("pointer.cpp", 3)
    assert str(error.value.snippet).startswith("      3 | std::atomic<std::shared_ptr<int>> p;\n")
    assert "std::atomic_load" in str(error.value.hint)


def test_the_use_of_a_later_error_is_not_taken() -> None:
    header = "/usr/include/a.h"
    later = f"{header}:2:3: error: worse\na.cpp:7:1: note: in instantiation of 'b' requested here\n"
    error = compile_error(f"{header}:1:2: error: bad\n{later}", 1, "a.cpp", strict=False)
    assert error.message == "bad"
    assert error.place is not None
    assert (error.place.file, error.place.line) == (header, 1)


def test_a_compiler_that_shows_no_line() -> None:
    error = compile_error("a.c:1:2: error: bad\nnote: nothing\n", 1, "a.c", strict=False)
    assert (error.message, error.snippet) == ("bad", None)


def test_refusals_show_the_line_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mazurka.cli import commands

    path = tmp_path / "refused.c"
    path.write_text('int main(void) {\n    __asm__ volatile("hlt");\n    return 0;\n}\n')
    assert commands.main(["check", str(path)]) == 2
    assert '\n      2 | __asm__ volatile("hlt");\n        | ^\n' in capsys.readouterr().err
