"""Programs of several files: compiled one by one, linked, and reported with the names of their files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import mazurka, write
from mazurka.frontend.linking.link import Library, link
from mazurka.frontend.linking.symbols import Symbols

MAIN = """\
#include <assert.h>
#include <pthread.h>
#include "cell.h"
static int helper(void) { return N; }
static void *run(void *p) { put(helper()); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int v = get();
  assert(v == 0 || v == N);
  pthread_join(t, 0);
}
"""
CELL = """\
#include <stdatomic.h>
#include "cell.h"
static atomic_int cell;
int plain;
static int helper(int x) { return x - 1; }
void put(int v) {
  plain = 1;
  atomic_store_explicit(&cell, helper(v + 1), memory_order_relaxed);
}
int get(void) {
  int v = atomic_load_explicit(&cell, memory_order_relaxed);
  if (v) plain++;
  return v;
}
"""
FLAGS = ("-Iinclude", "-DN=3")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program of two files and a header."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "include").mkdir()
    write(tmp_path, "void put(int v);\nint get(void);\n", "include/cell.h")
    write(tmp_path, MAIN, "main.c")
    write(tmp_path, CELL, "cell.c")
    return tmp_path


def check(*arguments: str, status: int) -> dict[str, Any]:
    ran = mazurka("check", "--json", "-", *arguments)
    assert ran.status == status, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["main.c", "cell.c", "--", *FLAGS],
        ["cell.c", *FLAGS, "main.c"],
        ["-D", "N=3", "main.c", "cell.c", "-I", "include"],
    ],
    ids=["flags after", "flags between", "flags before"],
)
def test_a_race_in_the_other_file_is_shown_there(arguments: list[str]) -> None:
    """Each file has a static function of the same name, and neither is mistaken for the other."""
    violation = check(*arguments, status=1)["violation"]
    assert (violation["kind"], violation["location"]["file"], violation["location"]["line"]) == (
        "race",
        "cell.c",
        12,
    )
    assert (violation["other"]["file"], violation["other"]["line"]) == ("cell.c", 7)


@pytest.mark.usefixtures("here")
def test_the_counts_are_those_of_one_file(here: Path) -> None:
    write(here, '#include "cell.c"\n#define helper other\n#include "main.c"\n', "whole.c")
    apart = check("main.c", "cell.c", "--model", "sc", *FLAGS, status=0)
    whole = check("whole.c", "--model", "sc", *FLAGS, status=0)
    assert apart["executions"] == whole["executions"]


@pytest.mark.parametrize("form", ["-S", "-c"])
def test_ir_is_linked_like_source(form: str, here: Path) -> None:
    name = {"-S": "cell.ll", "-c": "cell.bc"}[form]
    clang = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        "x86_64-linux-gnu",
        "-g",
        "-O1",
        form,
        "-emit-llvm",
    ]
    subprocess.run([*clang, "cell.c", *FLAGS, "-o", name], check=True, capture_output=True)
    violation = check("main.c", name, *FLAGS, status=1)["violation"]
    assert (violation["kind"], violation["location"]["file"], violation["location"]["line"]) == (
        "race",
        "cell.c",
        12,
    )


@pytest.mark.usefixtures("here")
def test_a_name_that_is_defined_twice_has_both_places(here: Path) -> None:
    write(here, "int other;\n\nint plain;\n", "more.c")
    error = check("main.c", "cell.c", "more.c", *FLAGS, status=2)["error"]
    assert (error["code"], error["location"]["file"], error["location"]["line"]) == (
        "defined-twice",
        "more.c",
        3,
    )
    assert "'plain'" in error["message"]
    assert "cell.c:4" in error["message"]


@pytest.mark.parametrize("name", ["broken.ll", "broken.bc"])
def test_unreadable_ir_is_refused(name: str, here: Path) -> None:
    (here / name).write_bytes(
        b"BC\xc0\xde" + bytes(40) if name.endswith("bc") else b"define i32 @f() {\nx\n}\n"
    )
    error = check("main.c", name, *FLAGS, status=2)["error"]
    assert (error["code"], error["location"]["file"]) == ("compile-error", name)


def test_another_target_is_refused(here: Path) -> None:
    text = 'target datalayout = "e-p:64:64-i64:32"\n@there = global i32 0\n'
    write(here, text, "there.ll")
    error = check("main.c", "cell.c", "there.ll", *FLAGS, status=2)["error"]
    assert (error["code"], error["location"]["file"]) == ("unsupported", "there.ll")


def defining(name: str, *called: str) -> str:
    """IR with a function that calls others."""
    calls = "".join(f"  call void @{other}()\n" for other in called)
    return f"define void @{name}() {{\n{calls}  ret void\n}}\n"


def declaring(name: str) -> str:
    return f"declare void @{name}()\n"


def test_of_a_library_only_what_is_needed_is_linked() -> None:
    """A member is read only if it defines something that is undefined, and what is not used goes away."""
    members = {
        "sorting": defining("sort", "swap") + defining("unused") + declaring("swap"),
        "swapping": defining("swap", "count") + defining("count"),
        "rest": defining("rest"),
    }
    read = []

    def text(member: str) -> str:
        read.append(member)
        return members[member]

    defines = {name: member for member, ir in members.items() for name in Symbols(ir).defined}
    program = defining("main", "sort") + declaring("sort")
    linked = Symbols(link([program], [Library(defines.get, text)]))
    assert read == ["sorting", "swapping"]
    assert (linked.defined, linked.undefined) == ({"main", "sort", "swap", "count"}, set())


def test_the_program_s_own_definition_wins_over_a_library_s() -> None:
    member = defining("sort", "swap") + defining("swap")
    library = Library({"sort": "all", "swap": "all"}.get, lambda _: member)
    program = defining("main", "sort") + declaring("sort") + defining("swap", "swap")
    assert link([program], [library]).count("call void @swap()") == 2


def test_members_may_need_each_other_and_the_lower_rank_wins() -> None:
    """What only a later member uses is kept, and of two definitions that of the first by rank."""
    members = {
        "a": defining("one", "two") + declaring("two") + defining("three"),
        "b": defining("two", "three") + defining("three", "two"),
    }
    for first, calls in (("a", 1), ("b", 2)):
        ranks = {member: int(member != first) for member in members}
        library = Library({"one": "a", "two": "b"}.get, members.__getitem__, ranks.__getitem__)
        linked = link([defining("main", "one") + declaring("one")], [library])
        assert Symbols(linked).defined == {"main", "one", "two", "three"}
        assert linked.count("call void @two()") == calls, first


def test_tentative_definitions_are_one_variable_as_older_compilers_have_it(tmp_path: Path) -> None:
    main = write(tmp_path, "int count; void add(void);\nint main(void) { add(); return count - 1; }\n", "a.c")
    other = write(tmp_path, "int count;\nvoid add(void) { count++; }\n", "b.c")
    result = mazurka("check", main, other)
    assert "'count' is defined twice" in result.err
    assert "-fcommon" in result.err
    assert mazurka("check", main, other, "--", "-fcommon").out.startswith("Verified")
