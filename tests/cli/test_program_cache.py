"""Cached programs are used as long as nothing that they were made from has changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import mazurka
import pytest
from command import write
from kept import entries
from mazurka.cache import disk, programs
from mazurka.errors import SourceError
from mazurka.frontend import compile_traced
from mazurka.frontend.c import dependencies, driver
from mazurka.frontend.c.compiler import zig_directory
from mazurka.program import Mode, Op
from mazurka.program.plain_data import plain, program_of
from ticks import wait_a_tick

# The program returns N, so that its constants tell which header or flag was seen.
RETURNS = "#ifndef N\n#define N 1\n#endif\nint main(void) { return N; }\n"


@pytest.fixture(autouse=True)
def here(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of its own, with an empty cache in it."""
    monkeypatch.delenv("MAZURKA_CC", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that were compiled, not found in the cache."""
    found: list[str] = []

    def counted(compile_: Callable[..., object]) -> Callable[..., object]:
        def counting(paths: str | list[str], *rest: object, **options: object) -> object:
            found.extend([paths] if isinstance(paths, str) else paths)
            return compile_(paths, *rest, **options)

        return counting

    for name in ("compile_traced", "compile_program"):
        monkeypatch.setattr(programs, name, counted(getattr(programs, name)))
    return found


def save(text: str, name: str = "p.c") -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    write(Path(), text, name)
    wait_a_tick()


def returned(*cflags: str, path: str = "p.c", cc: str | None = None) -> int:
    """What the program's main returns."""
    program = programs.compile_files([path], cflags, cc).program
    (value,) = {program.constants[operand & 0xFFFF] for row in program.lists for operand in row}
    return value


def test_a_program_is_compiled_once(runs: list[str]) -> None:
    save(RETURNS)
    first, second = (programs.compile_files(["p.c"]) for _ in range(2))
    assert runs == ["p.c"]
    assert (first.code, first.classes, first.program) == (second.code, second.classes, second.program)
    assert second.program.sources == {"p.c": RETURNS}


@pytest.mark.parametrize("name", ["./p.c", "sub/../p.c", "a b.c", "p.c"])
def test_however_it_is_called(name: str, runs: list[str]) -> None:
    Path("sub").mkdir()
    save(RETURNS, os.path.normpath(name))
    assert [returned(path=name) for _ in range(2)] == [1, 1]
    assert len(runs) == 1


def test_an_edited_program_is_compiled_again(runs: list[str]) -> None:
    save(RETURNS)
    assert returned() == 1
    state = os.stat("p.c")
    save(RETURNS.replace("define N 1", "define N 2"))
    os.utime("p.c", ns=(state.st_atime_ns, state.st_mtime_ns))  # same size, same time, other content
    assert returned() == 2
    assert len(runs) == 2


def test_an_edited_header_is_noticed(runs: list[str]) -> None:
    save('#include "n.h"\n' + RETURNS)
    save('#include "deep/m.h"\n', "n.h")
    save("#define N 5\n", "deep/m.h")
    assert (returned(), returned()) == (5, 5)
    save("#define N 6\n", "deep/m.h")
    assert (returned(), returned()) == (6, 6)
    assert len(runs) == 2


SHADOWS = ["a/n.h", "n.h"]


@pytest.mark.parametrize("shadow", SHADOWS)
def test_a_new_header_that_shadows_another_is_noticed(shadow: str, runs: list[str]) -> None:
    save('#include "n.h"\n' + RETURNS)
    save("#define N 5\n", "b/n.h")
    flags = ("-I", "a", "-Ib")  # there is no directory a
    assert (returned(*flags), returned(*flags)) == (5, 5)
    save("#define N 7\n", shadow)
    assert returned(*flags) == 7
    os.unlink(shadow)
    assert returned(*flags) == 5
    assert len(runs) == 3


def test_a_new_header_beside_another_header_is_noticed(runs: list[str]) -> None:
    save("#include <lib/one.h>\n" + RETURNS)
    save('#include "lib/two.h"\n', "inc/lib/one.h")
    save("#define N 5\n", "inc/lib/two.h")
    assert returned("-isystem", "inc") == 5
    save("#define N 8\n", "inc/lib/lib/two.h")
    assert returned("-isystem", "inc") == 8
    assert len(runs) == 2


def test_a_header_that_the_program_asks_for_is_noticed() -> None:
    save('#if __has_include("opt.h")\n#define N 9\n#endif\n' + RETURNS)
    assert (returned(), returned()) == (1, 1)
    save("", "opt.h")
    assert (returned(), returned()) == (9, 9)
    os.unlink("opt.h")
    assert returned() == 1


def test_a_name_after_a_comment_or_a_broken_line_is_seen() -> None:
    save('#if __has_include /* ( */ \\\n (  "opt.h")\n#define N 9\n#endif\n' + RETURNS)
    assert returned() == 1
    save("", "opt.h")
    assert returned() == 9


def test_flags_and_defines_are_told_apart(runs: list[str]) -> None:
    save(RETURNS)
    flags = [["-DN=2"], ["-D", "N=3"], ["-DN=2"], ["-UN"], []]
    assert [returned(*given) for given in flags] == [2, 3, 2, 1, 1]
    assert len(runs) == 4


def test_a_header_that_a_flag_names_counts(runs: list[str]) -> None:
    save(RETURNS)
    save("#define N 5\n", "inc/pre.h")
    flags = ("-Iinc", "-include", "pre.h")
    assert (returned(*flags), returned(*flags)) == (5, 5)
    save("#define N 6\n", "pre.h")
    assert returned(*flags) == 6
    assert len(runs) == 2


def test_a_directory_of_the_environment_counts(monkeypatch: pytest.MonkeyPatch, runs: list[str]) -> None:
    save(RETURNS)
    for value in ("", "one", "two", "one"):
        monkeypatch.setenv("C_INCLUDE_PATH", value)
        returned()
    assert len(runs) == 3


def test_another_working_directory_is_another_program(monkeypatch: pytest.MonkeyPatch, here: Path) -> None:
    for name, value in (("one", 5), ("two", 6)):
        save(f"#define N {value}\n", f"{name}/inc/n.h")
    save('#include "n.h"\n' + RETURNS)
    found = []
    for name in ("one", "two", "one"):
        monkeypatch.chdir(here / name)
        found.append(returned("-Iinc", path=str(here / "p.c")))
    assert found == [5, 6, 5]


def compiler(name: str, flag: str) -> str:
    """A user's compiler: the bundled one with a flag."""
    zig = os.path.join(zig_directory(), "zig")
    save(f'#!/bin/sh\nexec "{zig}" cc {flag} "$@"\n', name)
    os.chmod(name, 0o755)
    wait_a_tick()
    return str(Path(name).absolute())


def test_another_compiler_is_noticed(monkeypatch: pytest.MonkeyPatch, runs: list[str]) -> None:
    save(RETURNS)
    two, three = compiler("two", "-DN=2"), compiler("three", "-DN=3")
    assert [returned(cc=two), returned(cc=three), returned(cc=two), returned()] == [2, 3, 2, 1]
    monkeypatch.setenv("MAZURKA_CC", three)
    assert returned() == 3
    assert len(runs) == 3


def test_an_edited_compiler_is_noticed() -> None:
    save(RETURNS)
    assert returned(cc=compiler("mine", "-DN=2")) == 2
    assert returned(cc=compiler("mine", "-DN=30")) == 30


@pytest.mark.parametrize("silent", ["-v", "-header-include-file"])
def test_a_compiler_that_does_not_say_what_it_read_keeps_nothing(
    silent: str, cache: Path, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "tracing", lambda listing: without(silent, dependencies.tracing(listing)))
    save(RETURNS)
    assert (returned(), returned()) == (1, 1)
    assert len(runs) == 2
    assert entries(cache) == []


def without(option: str, flags: list[str]) -> list[str]:
    """The flags without an option of the compiler proper, and without its value."""
    start = flags.index(option) - 1
    return flags[:start] + (flags[start + 2 :] if option == "-v" else [])


def test_another_version_of_mazurka_compiles_again(monkeypatch: pytest.MonkeyPatch, runs: list[str]) -> None:
    save(RETURNS)
    returned()
    monkeypatch.setattr(mazurka, "__version__", "0.0.0")
    returned()
    assert len(runs) == 2


UNPREDICTABLE = {
    "the day": "#define DAY __DATE__\n",
    "the time": "#define NOW __TIME__\n",
    "the file's time": "#define SAVED __TIMESTAMP__\n",
    "a computed include": '#define HEADER "n.h"\n#include HEADER\n',
    "a computed include after a comment": '#define HEADER "n.h"\n/* a\n b */ # /**/ include HEADER\n',
    "a computed question": '#define HEADER "n.h"\n#if __has_include(HEADER)\n#endif\n',
    "an embedded file": '#if 0\n#embed "n.h"\n#endif\n',
}


@pytest.mark.parametrize("what", UNPREDICTABLE)
def test_what_cannot_be_foreseen_is_compiled_each_time(what: str, cache: Path, runs: list[str]) -> None:
    save("#define N 5\n", "n.h")
    save(UNPREDICTABLE[what] + RETURNS)
    assert returned() == returned()
    assert len(runs) == 2
    assert entries(cache) == []


UNKNOWN_FLAGS = [
    ["-DN=1", "-DT=__TIME__"],
    ["-D", "T=__DATE__"],
    ['-DT=__has_include("n.h")'],
    ["-fno-unroll-loops"],
]


@pytest.mark.parametrize("flags", UNKNOWN_FLAGS)
def test_flags_that_are_not_known_keep_nothing(flags: list[str], cache: Path, runs: list[str]) -> None:
    save(RETURNS)
    assert (returned(*flags), returned(*flags)) == (1, 1)
    assert len(runs) == 2
    assert entries(cache) == []


def test_a_word_in_a_comment_does_no_harm(runs: list[str]) -> None:
    save("/* to embed, or #include this; see\n   __has_include argument */\n#include <limits.h>\n" + RETURNS)
    assert (returned(), returned()) == (1, 1)
    assert len(runs) == 1


def test_a_file_that_was_just_saved_is_not_kept_yet(cache: Path, runs: list[str]) -> None:
    """Within a tick of the clock one cannot tell what was saved before and what after it was read."""
    save(RETURNS)
    future = os.stat("p.c").st_mtime + 3600
    os.utime("p.c", (future, future))
    returned()
    assert entries(cache) == []
    os.utime("p.c", (0, 0))
    wait_a_tick()
    returned()
    returned()
    assert len(runs) == 2


def test_a_file_that_is_saved_while_it_is_compiled_is_not_kept(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save('#include "n.h"\n' + RETURNS)
    save("#define N 5\n", "n.h")
    really: Callable[..., object] = compile_traced

    def saved_meanwhile(*arguments: object, **options: object) -> object:
        made = really(*arguments, **options)
        save("#define N 6\n", "n.h")
        return made

    monkeypatch.setattr(programs, "compile_traced", saved_meanwhile)
    assert returned() == 5
    monkeypatch.setattr(programs, "compile_traced", really)
    assert returned() == 6


def test_a_file_that_goes_away_is_an_error_as_ever() -> None:
    save(RETURNS)
    returned()
    os.unlink("p.c")
    with pytest.raises(SourceError, match="does not exist"):
        returned()


def test_what_the_compiler_refuses_is_not_kept(cache: Path) -> None:
    save("int main(void) { return 0 }\n")
    for _ in range(2):
        with pytest.raises(SourceError, match="expected ';'"):
            returned()
    assert entries(cache) == []


def test_a_header_behind_another_link_has_another_name() -> None:
    """Reports name a header by where it really is."""
    for place in ("one", "two"):
        save("static int f(void) { return 1; }\n", f"{place}/n.h")
    save('#include "n.h"\nint main(void) { return f(); }\n')
    shown = []
    for place in ("one", "two"):
        Path("n.h").unlink(missing_ok=True)
        Path("n.h").symlink_to(f"{place}/n.h")
        wait_a_tick()
        shown += [sorted(programs.compile_files(["p.c"]).program.sources) for _ in range(2)]
    assert shown == [["one/n.h", "p.c"]] * 2 + [["p.c", "two/n.h"]] * 2


@pytest.mark.parametrize("change", ["files", "code", "classes", "links", "missing"])
def test_an_entry_of_another_shape_is_made_anew(change: str, cache: Path, runs: list[str]) -> None:
    save(RETURNS)
    returned()
    (entry,) = entries(cache)
    value = disk.load(entry.stem)
    assert value is not None
    disk.store(entry.stem, {**value, change: "strange"})
    assert returned() == 1
    assert len(runs) == 2


def test_a_program_with_page_breaks_is_kept(cache: Path, runs: list[str]) -> None:
    save(RETURNS + "\f\n// \u2028\n")
    assert [returned(), returned(), len(runs)] == [1, 1, 1]


def test_without_a_working_directory_there_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "getcwd", gone)
    assert programs._place("p.c") is None


PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
DIVERSE = [
    "bit_fields",
    "control_flow",
    "floats_shared",
    "printing",
    "static_initialisers",
    "string_functions",
    "struct_nested_arrays",
    "thread_function_pointers",
    "thread_local",
    "unroll_nested",
    "width_all",
]


@pytest.mark.parametrize("name", DIVERSE)
def test_a_kept_program_is_the_program(name: str) -> None:
    from mazurka.frontend import compile_program

    made = compile_program(PROGRAMS / f"{name}.c", cflags=["-DN=2"])
    kept = program_of(json.loads(json.dumps(plain(made))))
    assert kept == made
    assert kept.encode() == made.encode()
    code = [instr for function in kept.functions for instr in function.code]
    assert {(type(instr.op), type(instr.mode)) for instr in code} == {(Op, Mode)}
