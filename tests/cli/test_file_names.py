"""Names and kinds of files: no name is treated as an option, and only C files are compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka.errors import ErrorCode, MazurkaError
from mazurka.frontend import compile_program
from profiles import some

TRIVIAL = "int main(void) { return 0; }\n"
FAILING = '#include "part.h"\n#include <assert.h>\nint main(void) {\n  assert(PART == 2);\n}\n'
ODD = {
    "a response file": "@answer.c",
    "an option": "-foo.c",
    "standard input": "-",
    "two dashes": "--help.c",
    "spaces": " a b .c",
    "a single quote": "it's.c",
    "a folder with a colon": "a:b/program.c",
    "letters of another language": "żółw.c",
    "characters of the shell": "$(touch hacked);*?#%&.c",
}


def check(directory: Path, *arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mazurka", "check", *arguments],
        cwd=directory,
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(("kind", "prefix"), some(list(product(ODD, ["", "./", "folder/../"]))))
def test_no_name_is_an_option(
    kind: str, prefix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file itself is compiled, its includes come from its folder, and reports name it as the user did."""
    name = prefix + ODD[kind]
    path = tmp_path / ODD[kind]
    path.parent.mkdir(exist_ok=True)
    (tmp_path / "folder").mkdir()
    (path.parent / "part.h").write_text("#define PART 1\n")
    path.write_text(FAILING)
    before = set(tmp_path.rglob("*"))
    # argparse takes a leading dash for an option of ours
    if name.startswith("-"):
        monkeypatch.chdir(tmp_path)
        assert compile_program(name).functions
        return
    done = check(tmp_path, name, "--json", "out.json")
    assert done.returncode == 1, done.stderr
    location = json.loads((tmp_path / "out.json").read_text())["violation"]["location"]
    assert (location["file"], location["line"]) == (name, 4)
    assert set(tmp_path.rglob("*")) == before | {tmp_path / "out.json"}


def test_a_file_that_looks_like_an_option_of_ours_is_named_by_its_path(tmp_path: Path) -> None:
    write(tmp_path, TRIVIAL, "-foo.c")
    done = check(tmp_path, "program.c", "-foo.c")
    assert done.returncode == 2
    assert b"write ./-foo.c" in done.stderr


def test_a_response_file_is_not_obeyed(tmp_path: Path) -> None:
    """The file that the name would make the compiler read exists, too, and names another program."""
    write(tmp_path, TRIVIAL, "other.c")
    write(tmp_path, "-MD -MF written other.c", "x.c")
    write(tmp_path, "-MD -MF written other.c", "@x.c")
    for name in ("@x.c", "./@x.c"):
        done = check(tmp_path, name)
        assert (done.returncode, b"[compile-error]" in done.stderr) == (2, True)
        assert not (tmp_path / "written").exists()


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    name = b"bad\xff.c"
    (tmp_path / os.fsdecode(name)).write_text(FAILING.replace("PART == 2", "0"))
    (tmp_path / "part.h").write_text("")
    for options in ([], [b"--json", b"-"], [b"--json", b"out\xfe.json"], [b"--verbose"]):
        done = check(tmp_path, name, *options)
        assert (done.returncode, done.stderr) == (1, b"")
        if options[1:] == [b"-"]:
            assert json.loads(done.stdout)["violation"]["location"]["line"] == 4
    assert json.loads((tmp_path / "out\udcfe.json").read_text())["verdict"] == "violation"


@pytest.mark.parametrize("command", ["check", "check ../program.c", "check {}", "fix {}", "litmus x.litmus"])
def test_a_working_directory_that_was_deleted_is_said_to_be_gone(command: str, tmp_path: Path) -> None:
    program = write(tmp_path, TRIVIAL)
    (tmp_path / "gone").mkdir()
    script = 'cd "$0" && rmdir ../gone && exec "$@"'
    words = command.format(program).split()
    environment = {**os.environ, "MAZURKA_CACHE": "off"}
    done = subprocess.run(
        ["/bin/sh", "-c", script, tmp_path / "gone", sys.executable, "-m", "mazurka", *words],
        capture_output=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 2
    assert b"error: the working directory no longer exists [missing-file]" in done.stderr


@pytest.mark.parametrize("name", ["a:b.c", 'a"b.c', "a\nb.c", "a\\b.c", "tab\t.c"])
def test_a_name_that_the_compiler_cannot_read_is_refused(name: str, tmp_path: Path) -> None:
    ran = mazurka("check", write(tmp_path, TRIVIAL, name))
    assert (ran.status, "rename" in ran.err) == (2, True)


OTHERS = {
    **dict.fromkeys(["m", "mm", "s", "S", "o", "so", "a", "cu", "f90", "cppm"], "name a C or C++ file"),
    "py": "mazurka.check(mazurka.Threads(…))",
    "rs": "rustc",
    "kat": "--model",
    "litmus": "mazurka litmus",
    "json": "--compile-commands",
    "prp": "--property",
}


@pytest.mark.parametrize("suffix", OTHERS)
def test_what_is_not_c_is_refused_by_name(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path, TRIVIAL, f"program.{suffix}")
    with pytest.raises(MazurkaError) as caught:
        compile_program(path)
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert OTHERS[suffix] in (caught.value.hint or "")


@pytest.mark.parametrize("kind", ["a FIFO", "a device", "an endless device", "a process's memory"])
def test_what_is_not_a_file_is_refused(kind: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.c"
    os.mkfifo(pipe)
    paths: dict[str, str | Path] = {
        "a FIFO": pipe,
        "a device": "/dev/null",
        "an endless device": "/dev/zero",
    }
    ran = mazurka("check", paths.get(kind, "/proc/self/mem"))
    assert (ran.status, "hint: " in ran.err) == (2, True)
    assert "[not-a-file]" in ran.err or kind not in paths
    if kind in paths:
        program = write(tmp_path, TRIVIAL)
        ran = mazurka("check", program, "--model", paths[kind] if kind != "a FIFO" else f"{pipe}")
        assert (ran.status, "hint: " in ran.err) == (2, True)


def test_a_program_that_became_a_fifo_since_it_was_kept(tmp_path: Path, cache: Path) -> None:
    program = write(tmp_path, TRIVIAL)
    assert mazurka("check", program).status == 0
    program.unlink()
    os.mkfifo(program)
    assert "[not-a-file]" in mazurka("check", program).err


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "huge.c"
    with program.open("wb") as file:
        file.truncate(1 << 40)  # of which the disk has nothing
    ran = mazurka("check", program)
    assert (ran.status, "[too-large]" in ran.err) == (2, True)


FLAGS = {
    "-c": "-c",
    "-E": "-E",
    "-S": "-S",
    "-M": "-M",
    "-MD": "-MD -MF written",
    "--analyze": "--analyze",
    "-fsyntax-only": "-fsyntax-only",
    "-o": "-o written",
    "-owritten": "-owritten",
    "-x": "-x c++",
    "-xc++": "-xc++",
    "--language": "--language=c++",
    "-ObjC++": "-ObjC++",
    "-std": "-std=c++17",
    "-emit-ast": "-emit-ast",
    "-Xclang": "-Xclang -emit-obj",
    "-r": "-r",
    "-###": "-###",
    "--version": "--version",
    "--help": "--help",
    "-save-temps": "-save-temps",
    "--serialize-diagnostics": "--serialize-diagnostics written",
    "-Wp": "-Wp,-MD,written",
    "-fsave-optimization-record": "-fsave-optimization-record -foptimization-record-file=written",
    "-ftime-trace": "-ftime-trace=written",
    "-fmodules": "-fmodules -fmodules-cache-path=written",
    "@": "@flags",
    "-D @": "-D @flags",
    "a second file": "other.c",
    "standard input": "-",
    "no value": "-I",
}


@pytest.mark.parametrize("kind", some(list(FLAGS)))
def test_a_flag_that_asks_for_something_else_is_refused(kind: str, tmp_path: Path) -> None:
    write(tmp_path, TRIVIAL)
    write(tmp_path, "int other;\n", "other.c")
    write(tmp_path, "-DX", "flags")
    before = sorted(os.listdir(tmp_path))
    done = check(tmp_path, "program.c", "--", *FLAGS[kind].split())
    assert (done.returncode, done.stdout, b"hint: " in done.stderr) == (2, b"", True), done.stderr
    assert sorted(os.listdir(tmp_path)) == before


def test_the_usual_flags_are_accepted(tmp_path: Path) -> None:
    main = '#include <stdio.h>\nint main(void) { printf("x"); }\n'
    write(tmp_path, "#ifndef A\n#error A\n#endif\n" + main)
    write(tmp_path, "#define A 1\n", "a.h")
    flags = (
        "-Wall -Wextra -Wno-unused -std=gnu11 -O2 -g -pthread -I . -I/usr -D B -DC=1 -U D -include a.h -v"
        " -Werror -D_FORTIFY_SOURCE=2 --coverage -fprofile-instr-generate -fcoverage-mapping"
    )
    assert check(tmp_path, "program.c", "--", *flags.split()).returncode == 0


def test_a_program_that_the_preprocessor_has_read_is_c(tmp_path: Path) -> None:
    write(tmp_path, '# 7 "original.c"\nint main(void) { __builtin_trap(); }\n', "program.i")
    done = check(tmp_path, "program.i")
    assert done.returncode == 1
    assert b"original.c:7:" in done.stdout
