"""``--compile-commands``: the files and flags of a program come from a build's ``compile_commands.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import mazurka, write
from mazurka.errors import UsageError
from mazurka.frontend.c.database import Database, read_database

MAIN = """\
#include <assert.h>
#include <pthread.h>
#include "cell.h"
static void *run(void *p) { put(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  assert(get() != EXPECTED);
  pthread_join(t, 0);
}
"""
CELL = """\
#include <stdatomic.h>
#include "cell.h"
static atomic_int cell;
void put(void) { atomic_store(&cell, VALUE); }
int get(void) { return atomic_load(&cell); }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose files need flags of their own, with paths relative to the folder of the build."""
    for folder in ("src", "include", "build"):
        (tmp_path / folder).mkdir()
    write(tmp_path, "void put(void);\nint get(void);\n", "include/cell.h")
    write(tmp_path, MAIN, "src/main.c")
    write(tmp_path, CELL, "src/cell.c")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def database(project: Path, *entries: dict[str, Any]) -> None:
    (project / "build" / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


def entry(project: Path, file: str, flags: str, compiler: str = "/usr/bin/cc", **more: Any) -> dict[str, Any]:
    """An entry as cmake writes it."""
    command = f"{compiler} {flags} -o objects/x.o -c {project / file}"
    return {"directory": str(project / "build"), "command": command, "file": str(project / file), **more}


def usual(project: Path, cell: str = "-DVALUE=3", main: str = "-DEXPECTED=3") -> None:
    database(
        project,
        entry(project, "src/main.c", f"{main} -I../include -MD -MT x.o -MF x.d -Werror"),
        entry(project, "src/cell.c", f"{cell} -I ../include -std=gnu11", "/usr/bin/ccache /usr/bin/gcc"),
    )


def check(*arguments: str, status: int) -> dict[str, Any]:
    ran = mazurka("check", "--json", "-", "--compile-commands", *arguments)
    assert ran.status == status, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_each_file_has_its_own_flags(project: Path) -> None:
    """The value that one file stores is the one that the other must not see."""
    usual(project)
    violation = check("build", status=1)["violation"]
    assert (violation["kind"], violation["location"]["file"]) == ("assertion", "src/main.c")
    usual(project, cell="-DVALUE=4")  # also tells whether the cache knows the flags of each file
    assert check("build/compile_commands.json", status=0)["warnings"] == []


def test_files_select_entries(project: Path) -> None:
    usual(project)
    write(project, CELL.replace("VALUE", "5"), "other.c")
    found = check("build", "src/main.c", "other.c", "--", "-Iinclude", status=0)
    assert found["warnings"] == [
        "other.c has no entry in build/compile_commands.json: it was compiled with the flags after '--' alone"
    ]


def test_flags_after_the_dashes_come_last(project: Path) -> None:
    usual(project)
    assert check("build", "--", "-UEXPECTED", "-DEXPECTED=9", status=0)["verdict"] == "verified"


def test_removed_assertions_are_said_and_can_be_restored(project: Path) -> None:
    usual(project, main="-O3 -DNDEBUG -DEXPECTED=3")
    assert check("build", status=0)["warnings"] == [
        "src/main.c is built with -DNDEBUG, which removes its assertions; '-- -UNDEBUG' keeps them"
    ]
    assert check("build", "--", "-UNDEBUG", status=1)["warnings"] == []


def read(project: Path, *files: str) -> Database:
    return read_database(str(project / "build"), files)


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("cc -c cell.c", ()),
        ("ccache gcc -O2 -g -c cell.c", ("-O2", "-g")),
        ("cc -xc -x c -MMD -MP -MQ y -Wp,-MD,z -pipe -o a.o -ob.o -c -- cell.c", ()),
        ("cc -fdiagnostics-color=always -Werror=vla -Wall -mtune=generic cell.c", ("-Wall",)),
        (
            "cc -I. -isystem sys -iquote../q -I/opt/x cell.c",
            ("-Isrc", "-isystem", "src/sys", "-iquoteq", "-I/opt/x"),
        ),
        ("cc -include cell.h -include stdio.h cell.c", ("-include", "src/cell.h", "-include", "stdio.h")),
        ("cc '-DTEXT=\"a b\"' -D N=1 cell.c", ('-DTEXT="a b"', "-D", "N=1")),
        ("cc -include=x -Dc cell.c", ("-include=x", "-Dc")),
    ],
)
def test_what_becomes_of_a_command(project: Path, command: str, flags: tuple[str, ...]) -> None:
    write(project, "", "src/cell.h")
    database(project, {"directory": "../src", "file": "cell.c", "command": command})
    assert read(project) == Database(["src/cell.c"], {"src/cell.c": flags}, ())


def test_a_list_of_arguments_is_not_split(project: Path) -> None:
    database(
        project,
        {"directory": str(project), "file": "src/cell.c", "arguments": ["cc", "-DX=a b", "src/cell.c"]},
    )
    assert read(project).flags == {"src/cell.c": ("-DX=a b",)}


def test_one_file_with_several_entries(project: Path) -> None:
    """A file that is compiled for two targets is one file; if the flags differ, the user is told."""
    database(project, *[entry(project, "src/cell.c", "-DVALUE=1")] * 2)
    assert read(project).warnings == ()
    database(project, *(entry(project, "src/cell.c", f"-DVALUE={n}") for n in (1, 2)))
    found = read(project)
    assert found.flags == {"src/cell.c": ("-DVALUE=1",)}
    assert [warning.partition(" in ")[0] for warning in found.warnings] == ["src/cell.c has several entries"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("{}", "is not a list"),
        ("[]", "has no entries"),
        ("[" * 100_000, "is not JSON"),
        ("[1]", "cannot be read: 1"),
        ('[{"file": "a.c"}]', "cannot be read"),
        ('[{"file": "a.c", "command": "cc \'a.c"}]', "cannot be read"),
        ('[{"file": "a.c", "arguments": ["cc", 1]}]', "cannot be read"),
        ('[{"file": "a.c", "command": "cc -E a.c"}]', "the flag '-E' asks .* entry of 'build/a.c'"),
        ('[{"file": "a.c", "command": "cc -xc++ a.c"}]', "the flag '-xc\\+\\+' changes the language"),
        ('[{"file": "a.c", "command": "cc @flags a.c"}]', "the file of flags 'flags' cannot be read"),
        ('[{"file": "a.c", "command": "cc -g b.c a.c"}]', "'b.c' is not a flag"),
        ('[{"file": "a.c", "command": "g++ -c a.c"}]', "compiled as C\\+\\+"),
    ],
)
def test_bad_databases_are_refused(project: Path, text: str, message: str) -> None:
    (project / "build" / "compile_commands.json").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message) as error:
        read_database("build", ())
    assert error.value.place is not None
    assert error.value.place.file == "build/compile_commands.json"
    assert error.value.hint


def test_a_database_that_is_not_there(project: Path) -> None:
    ran = mazurka("check", "--compile-commands", "build", "src/main.c")
    assert ran.status == 2
    assert "'build/compile_commands.json' does not exist" in ran.err
    assert "CMAKE_EXPORT_COMPILE_COMMANDS" in ran.err


def test_no_file_and_no_database() -> None:
    ran = mazurka("check")
    assert (ran.status, "no files were given" in ran.err) == (2, True)


def test_files_of_flags(project: Path) -> None:
    """A command may name files that have more of its words; names are meant in the folder of the build."""
    (project / "build" / "all.rsp").write_text("-I../include\n'-DVALUE=1 + 2' @more.rsp")
    (project / "build" / "more.rsp").write_text("-DEXPECTED=3")
    database(project, *(entry(project, f"src/{name}.c", "@all.rsp") for name in ("main", "cell")))
    found = read_database("build", [])
    assert set(found.flags.values()) == {("-Iinclude", "-DVALUE=1 + 2", "-DEXPECTED=3")}
    assert mazurka("check", "--compile-commands", "build").status == 1


@pytest.mark.parametrize("text", [None, "'", "@all.rsp"])
def test_files_of_flags_that_cannot_be_read(project: Path, text: str | None) -> None:
    """It is not there, a quote is not closed, or it names itself; that matters only if the entry is used."""
    if text is not None:
        (project / "build" / "all.rsp").write_text(text)
    database(project, entry(project, "src/main.c", "@all.rsp"), entry(project, "src/cell.c", "-DVALUE=1"))
    with pytest.raises(UsageError, match=r"the file of flags 'all\.rsp' cannot be read"):
        read_database("build", [])
    assert read_database("build", ["src/cell.c"]).flags == {"src/cell.c": ("-DVALUE=1",)}
