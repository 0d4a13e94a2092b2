"""What is said about programs that the compiler rejects: the line, and what would let them through."""

from __future__ import annotations

from pathlib import Path

import pytest
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
