"""Every error code is documented, and a test provokes it from the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from mazurka.cli import commands
from mazurka.errors import ErrorCode
from tree import ROOT

TRIVIAL = "int main(void) { return 0; }\n"
THREAD = "#include <pthread.h>\nvoid *run(void *a) { return a; }\n"


def source(text: str, *options: str) -> Callable[[Path], list[str]]:
    """A program, and options to check it with."""

    def arguments(directory: Path) -> list[str]:
        (directory / "program.c").write_text(text)
        return [str(directory / "program.c"), *options]

    return arguments


def bad_model(directory: Path) -> list[str]:
    """A trivial program and a model file with a name that does not exist."""
    (directory / "mine.kat").write_text("acyclic po | fr | co | rff\n")
    return [*source(TRIVIAL)(directory), "--model", str(directory / "mine.kat")]


def compiler(version: str) -> Callable[[Path], list[str]]:
    """A trivial program and a compiler that says it is of some version."""

    def arguments(directory: Path) -> list[str]:
        script = directory / "cc"
        script.write_text(f"#!/bin/sh\necho {version}\n")
        os.chmod(script, 0o755)
        return [*source(TRIVIAL)(directory), "--cc", str(script)]

    return arguments


def binary(directory: Path) -> list[str]:
    (directory / "program.c").write_bytes(b"\xff\x00\xfe")
    return [str(directory / "program.c")]


def bad_litmus(directory: Path) -> list[str]:
    (directory / "test.litmus").write_text("X86 T\n{ x=; }\nP0;\nNOP;\nexists (x=1)\n")
    return ["litmus", str(directory / "test.litmus")]


def unwritable(directory: Path) -> list[str]:
    return [*source(TRIVIAL)(directory), "--json", str(directory / "absent" / "out.json")]


def bad_project(directory: Path) -> list[str]:
    (directory / "mazurka.toml").write_text('[[program]]\nfiles = ["program.c"]\nunrol = 3\n')
    return [str(directory / "mazurka.toml")]


def bad_expectation(directory: Path) -> list[str]:
    """A program that expects a kind of violation that does not exist."""
    (directory / "program.c").write_text(f"// expect[rc11]: violation=rase\n{TRIVIAL}")
    (directory / "mazurka.toml").write_text('[[program]]\nfiles = ["program.c"]\nexpect = "in-file"\n')
    return [str(directory / "mazurka.toml")]


def two_mains(directory: Path) -> list[str]:
    (directory / "other.c").write_text(TRIVIAL)
    return [*source(TRIVIAL)(directory), str(directory / "other.c")]


def changed(directory: Path) -> list[str]:
    program = directory / "program.c"
    program.write_text("#include <assert.h>\nint main(void) { assert(0); }\n", encoding="utf-8")
    witness = str(directory / "witness.json")
    assert commands.main(["check", str(program), "--witness", witness]) == 1
    program.write_text(TRIVIAL, encoding="utf-8")
    return ["replay", witness]


PROVOKED: dict[ErrorCode, Callable[[Path], list[str]]] = {
    ErrorCode.MISSING_FILE: lambda directory: [str(directory / "absent.c")],
    ErrorCode.IS_A_DIRECTORY: lambda directory: [str(directory)],
    ErrorCode.NOT_A_FILE: lambda _: [os.devnull],
    ErrorCode.NOT_TEXT: binary,
    ErrorCode.DEFINED_TWICE: two_mains,
    ErrorCode.COMPILE_ERROR: source("int main(void) { return }\n"),
    ErrorCode.NO_MAIN: source("int helper(void) { return 0; }\n"),
    ErrorCode.UNSUPPORTED: source('int main(void) { __asm__ volatile("cpuid"); return 0; }\n'),
    ErrorCode.UNKNOWN_FUNCTION: source("int mystery(void);\nint main(void) { return mystery(); }\n"),
    ErrorCode.MIXED_SIZE: source(
        THREAD
        + "unsigned long w;\nint main(void) { pthread_t t; pthread_create(&t, 0, run, 0);\n"
        + "*(volatile char *)&w = 1; return (int)*(volatile unsigned long *)&w; }\n",
        "--mixed-size",
        "off",
    ),
    ErrorCode.ENDLESS_LOOP: source("int main(void) { volatile int n = 0; for (;;) n++; }\n"),
    ErrorCode.TOO_MANY_VALUES: source(
        "int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int(); }\n"
    ),
    ErrorCode.TOO_LARGE: source("char big[1UL << 40];\nint main(void) { return big[0]; }\n"),
    ErrorCode.BAD_LITMUS: bad_litmus,
    ErrorCode.UNKNOWN_MODEL: source(TRIVIAL, "--model", "sparc"),
    ErrorCode.BAD_MODEL: bad_model,
    ErrorCode.USAGE: lambda _: [],
    ErrorCode.UNKNOWN_OPTION: source(TRIVIAL, "--frobnicate"),
    ErrorCode.BAD_VALUE: source(TRIVIAL, "--unroll", "many"),
    ErrorCode.BAD_COMPILER: source(TRIVIAL, "--cc", "/absent/clang"),
    ErrorCode.COMPILER_VERSION: compiler("clang version 99.0.0"),
    ErrorCode.BAD_PROJECT: bad_project,
    ErrorCode.BAD_EXPECTATION: bad_expectation,
    ErrorCode.CANNOT_WRITE: unwritable,
    ErrorCode.CHANGED: changed,
    ErrorCode.INTERNAL: source(TRIVIAL),
}


@pytest.mark.parametrize("code", ErrorCode, ids=str)
def test_every_code_is_provoked(
    code: ErrorCode, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if code == ErrorCode.INTERNAL:
        break_the_engine(monkeypatch)
    arguments = PROVOKED[code](tmp_path)
    is_whole = code in (ErrorCode.BAD_LITMUS, ErrorCode.CHANGED)
    status = commands.main(arguments if is_whole else ["check", *arguments])
    err = capsys.readouterr().err
    assert status == (70 if code == ErrorCode.INTERNAL else 2)
    assert f"[{code}]" in err
    assert "hint: " in err


def break_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    from mazurka import _engine

    def broken(*_: object, **__: object) -> None:
        raise _engine.EngineBug("an invariant broke")

    monkeypatch.setattr(_engine, "explore", broken)


@pytest.mark.parametrize("code", ErrorCode, ids=str)
def test_every_code_is_documented(code: ErrorCode) -> None:
    assert f"\n### `{code}`\n" in (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")


def test_the_page_documents_no_other_code() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    documented = {line[5:-1] for line in page.splitlines() if line.startswith("### `")}
    assert documented == {str(code) for code in ErrorCode}


def test_the_place_of_an_error_is_in_the_json(tmp_path: Path) -> None:
    result = tmp_path / "result.json"
    arguments = PROVOKED[ErrorCode.COMPILE_ERROR](tmp_path)
    assert commands.main(["check", *arguments, "--json", str(result)]) == 2
    assert json.loads(result.read_text())["error"]["location"]["line"] == 1
