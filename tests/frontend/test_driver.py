"""Compiling: what can be wrong with the file, the source and the compiler."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka.errors import ErrorCode, SourceError, UsageError
from mazurka.frontend import compile_program, compile_text

MAIN = "int main(void) { return 0; }\n"


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_missing_file() -> None:
    with pytest.raises(SourceError) as caught:
        compile_program("no-such-file.c")
    assert caught.value.code == ErrorCode.MISSING_FILE
    assert caught.value.hint


def test_directory(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        compile_program(tmp_path)
    assert caught.value.code == ErrorCode.IS_A_DIRECTORY


@pytest.mark.parametrize("data", [b"\x7fELF\0\0", b"int main(void) { return 0; } // \xff\xfe"])
def test_binary_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.c"
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        compile_program(path)
    assert caught.value.code == ErrorCode.NOT_TEXT
    assert "iconv" in (caught.value.hint or "")


def test_syntax_error_has_a_place() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text("int main(void) {\n    return 0\n}\n", "dir/broken.c")
    error = caught.value
    assert error.code == ErrorCode.COMPILE_ERROR
    assert error.place is not None
    assert (error.place.file, error.place.line, error.place.column) == ("dir/broken.c", 2, 13)
    assert "expected ';'" in error.message
    assert str(error).startswith("dir/broken.c:2:13: error: ")


def test_missing_header() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text('#include "nowhere.h"\n' + MAIN)
    assert "nowhere.h" in caught.value.message


def test_no_main() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text("int x;\n")
    assert caught.value.code == ErrorCode.NO_MAIN


def test_flags_reach_the_compiler() -> None:
    source = "#ifndef WANTED\n#error missing\n#endif\n#ifndef __MAZURKA__\n#error ours\n#endif\n" + MAIN
    assert compile_text(source, cflags=["-DWANTED"]).functions
    with pytest.raises(SourceError):
        compile_text(source)


def test_unknown_flag() -> None:
    with pytest.raises(SourceError) as caught:
        compile_text(MAIN, cflags=["--no-such-flag"])
    assert caught.value.code == ErrorCode.COMPILE_ERROR


@pytest.mark.parametrize("header", ["mazurka.h", "genmc.h", "dat3m.h"])
def test_own_headers(header: str) -> None:
    source = (
        f"#include <{header}>\nint main(void) {{ __VERIFIER_assume(1); __VERIFIER_assert(1); return 0; }}\n"
    )
    assert compile_text(source).functions


def test_compiler_that_does_not_run() -> None:
    with pytest.raises(UsageError) as caught:
        compile_text(MAIN, cc="/no/such/clang")
    assert caught.value.code == ErrorCode.BAD_COMPILER
    assert caught.value.hint


def test_compiler_that_is_no_clang(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        compile_text(MAIN, cc=script(tmp_path / "gcc", "echo gcc 13.2"))
    assert caught.value.code == ErrorCode.BAD_COMPILER


def test_compiler_that_is_too_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZURKA_CC", script(tmp_path / "clang", "echo clang version 99.1.0"))
    with pytest.raises(UsageError) as caught:
        compile_text(MAIN)
    assert caught.value.code == ErrorCode.COMPILER_VERSION


def test_compiler_of_the_users_choice(tmp_path: Path) -> None:
    from mazurka.frontend.c import compiler as bundled

    zig = Path(bundled.zig_directory()) / "zig"
    assert compile_text(MAIN, cc=script(tmp_path / "clang", f'exec "{zig}" cc "$@"')).functions


def test_asserts_are_kept() -> None:
    source = "#include <assert.h>\nint main(void) { volatile int x = 1; assert(x == 1); return 0; }\n"
    assert "Assertion failed: x == 1" in compile_text(source).strings


def test_any_file_name_is_c() -> None:
    assert compile_text(MAIN, "program.txt").functions
    assert compile_text(MAIN, "program").functions


def test_sources_are_kept(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("static int twice(int n) { return 2 * n; }\n")
    path = tmp_path / "whole.c"
    path.write_text('#include "part.h"\nint main(void) { volatile int n = 1; return twice(n); }\n')
    program = compile_program(path)
    assert program.sources[str(path)] == path.read_text()
    assert any("twice" in text for name, text in program.sources.items() if name.endswith("part.h"))


def test_processors_may_be_named_as_clang_names_them() -> None:
    """Zig writes x86_64_v3."""
    compile_text("int main(void) { return __AVX2__ - 1; }", cflags=["-march=x86-64-v3"])


@pytest.mark.parametrize("header", ["mazurka.h", "genmc.h", "dat3m.h", "pthread.h"])
def test_a_header_of_the_user_wins(header: str, tmp_path: Path) -> None:
    (tmp_path / header).write_text("static int mine(void) { return 1; }\n", encoding="utf-8")
    source = f"#include <{header}>\nint main(void) {{ return mine(); }}\n"
    assert compile_text(source, cflags=["-I", str(tmp_path)]).functions
    with pytest.raises(SourceError):
        compile_text(source)


@pytest.mark.parametrize("header", ["mazurka.h", "genmc.h", "dat3m.h"])
def test_own_headers_are_cpp_as_well(header: str) -> None:
    source = f"#include <{header}>\nint main() {{ __VERIFIER_assume(true); }}\n"
    assert compile_text(source, "program.cpp").functions


def test_protecting_takes_the_address_of_a_pointer() -> None:
    with pytest.raises(SourceError, match="takes the address of a pointer"):
        compile_text("#include <genmc.h>\nint main(void) { int x; __VERIFIER_hp_protect(0, &x); }\n")
