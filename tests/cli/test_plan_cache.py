"""The cache of plans: it saves time, never changes an answer, and is never in the way."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import mazurka
import pytest
from command import mazurka as run
from command import write
from mazurka import plancache
from mazurka.planning import MODELS as INSTALLED

TRIVIAL = "int main(void) { return 0; }\n"
THREADED = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *writer(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  return x;
}
"""
TREE = Path(__file__).resolve().parents[2] / "python" / "mazurka" / "models"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the test's own."""
    monkeypatch.delenv("MAZURKA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "mazurka"


def entries(cache: Path) -> list[Path]:
    return sorted(cache.glob("*")) if cache.exists() else []


def executions(path: Path, **options: str) -> int:
    return mazurka.check(path, **options).complete


def test_a_plan_is_kept_and_used_again(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, THREADED)
    assert executions(path, model="tso") == 2
    assert [entry.suffix for entry in entries(cache)] == [".json", ".json"]

    def never(*_: object, **__: object) -> None:
        raise AssertionError("planned again")

    monkeypatch.setattr("mazurka.planning.read_and_plan", never)
    monkeypatch.setattr("mazurka.planning._planned", never)
    assert executions(path, model="tso") == 2


def test_with_a_warm_cache_the_model_language_is_not_loaded(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    code = f"""\
import sys, mazurka
assert mazurka.check({str(path)!r}).complete == 2
planner = [name for name in sys.modules if name.startswith("mazurka.kat.")]
print(" ".join(sorted(planner)))
"""
    for expected in (True, False):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert ("mazurka.kat.planner" in done.stdout) == expected
        assert ("mazurka.kat.load" in done.stdout) == expected


def test_a_changed_model_is_planned_again(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED.replace("return x;", "x = 2;"))
    part = write(tmp_path, "let order = po | rf | co | fr\n", "part.kat")
    model = write(tmp_path, 'include "part.kat"\nacyclic order as it\n', "mine.kat")
    first = mazurka.check(path, model=model)
    part.write_text("let order = po | rf\n")
    second = mazurka.check(path, model=model)
    assert (first.complete, second.complete) == (2, 2)
    keys = {entry.name.split("-")[0] for entry in entries(cache)}
    assert len(keys) == 2, "the included file is part of the key"


BLANKS = [" ", "", "\n\n", " /* shared */ ", "/**/", " // shared\n  ", " /* * ** a\n b **/ // x /*\n"]


@pytest.mark.parametrize("blank", BLANKS)
def test_an_included_file_counts_whatever_stands_before_its_name(
    blank: str, cache: Path, tmp_path: Path
) -> None:
    path = write(tmp_path, STORE_BUFFERING)
    part = write(tmp_path, "let order = po | rf | co | fr\n", "part.kat")
    model = write(tmp_path, f'include{blank}"part.kat"\nacyclic order as it\n', "mine.kat")
    assert mazurka.check(path, model=model).verdict == "verified"
    part.write_text("let order = po | rf\n")
    assert mazurka.check(path, model=model).verdict == "violation"


def test_an_include_in_a_comment_hides_no_other(tmp_path: Path) -> None:
    text = '// include /*\ninclude "real.kat" /* */ "other.kat"\n'
    assert tmp_path / "real.kat" in plancache.read(write(tmp_path, text, "mine.kat"))


@pytest.mark.parametrize("blank", ["// " * 4000, "/**/" * 4000, "/*" + "*" * 4000, " " * 4000])
def test_includes_are_found_in_no_time(blank: str, tmp_path: Path) -> None:
    model = write(tmp_path, f"include {blank} nothing\n", "mine.kat")
    started = time.perf_counter()
    assert len(plancache.read(model)) == 1
    assert time.perf_counter() - started < 5


STORE_BUFFERING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
void *one(void *arg) { x = 1; a = y; return arg; }
void *two(void *arg) { y = 1; b = x; return arg; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
}
"""


def test_a_model_that_is_saved_during_a_check_counts_the_next_time(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes while the program is compiled, and is changed back: each text keeps its own plan."""
    strong, weak = "acyclic po | rf | co | fr as it\n", "acyclic po | rf as it\n"
    path, model = write(tmp_path, STORE_BUFFERING), write(tmp_path, strong, "mine.kat")
    module = sys.modules["mazurka.check"]
    compile_really = module._compile

    def saved_meanwhile(*arguments: object) -> object:
        model.write_text(weak)
        return compile_really(*arguments)

    monkeypatch.setattr(module, "_compile", saved_meanwhile)
    assert mazurka.check(path, model=model).verdict == "verified"
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache.parent))
    assert mazurka.check(path, model=model).verdict == "violation"
    model.write_text(strong)
    assert mazurka.check(path, model=model).verdict == "verified"


def test_a_model_that_is_saved_while_it_is_read_keeps_its_key(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strong, weak = "acyclic po | rf | co | fr as it\n", "acyclic po | rf as it\n"
    part = write(tmp_path, strong, "part.kat")
    path, model = write(tmp_path, STORE_BUFFERING), write(tmp_path, 'include "part.kat"\n', "mine.kat")
    load_really = plancache.load

    def saved_meanwhile(key: str) -> object:  # between the key and the reading of the model
        part.write_text(weak)
        return load_really(key)

    monkeypatch.setattr(plancache, "load", saved_meanwhile)
    assert mazurka.check(path, model=model).verdict == "verified"
    monkeypatch.setattr(plancache, "load", load_really)
    part.write_text(strong)
    assert mazurka.check(path, model=model).verdict == "verified"


def test_a_model_that_appears_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    from mazurka.errors import ModelError
    from mazurka.kat.load import load_model

    model = tmp_path / "mine.kat"
    texts = plancache.read(model)
    model.write_text("acyclic po | rf as it\n")
    with pytest.raises(ModelError, match="try again"):
        load_model(model, texts=texts)


@pytest.mark.parametrize("name", ["kat/planner.py", "planning.py", "plancache.py"])
def test_what_makes_an_entry_is_part_of_its_key(name: str, tmp_path: Path) -> None:
    (tmp_path / "kat").mkdir()
    for file in ("kat/planner.py", "planning.py", "plancache.py"):
        write(tmp_path, "one = 1\n", file)
    before = plancache._planner(tmp_path)
    write(tmp_path, "eleven = 11\n", name)
    assert plancache._planner(tmp_path) != before


@pytest.mark.parametrize("damage", ["", "{", '{"checksum": "x", "value": {}}', "null", "[]", "\x00"])
def test_a_damaged_entry_is_ignored(damage: str, cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    assert executions(path) == 2
    for entry in entries(cache):
        entry.write_text(damage)
    assert executions(path) == 2


def test_a_changed_byte_is_noticed(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    assert executions(path) == 2
    for entry in entries(cache):
        text = entry.read_text()
        if '"code": "' in text:
            at = text.index('"code": "') + 40
            entry.write_text(text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1 :])
    assert executions(path) == 2


def test_an_entry_of_another_shape_is_ignored(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    assert executions(path) == 2
    for entry in entries(cache):
        plancache.store(entry.stem, {"strange": 1})
    assert executions(path) == 2


def test_a_cache_that_cannot_be_written_is_no_problem(cache: Path, tmp_path: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("a file where the directory should be")
    assert executions(write(tmp_path, THREADED), model="sc") == 2
    assert cache.is_file()


def test_the_cache_can_be_turned_off(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAZURKA_CACHE", "off")
    assert executions(write(tmp_path, THREADED), model="sc") == 2
    assert entries(cache) == []


def test_old_entries_are_forgotten(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plancache, "MOST_ENTRIES", 3)
    for number in range(10):
        plancache.store(f"key{number}", {"number": number})
    assert len(entries(cache)) <= 4
    assert plancache.load("key9") == {"number": 9}


def test_an_error_is_not_kept(cache: Path, tmp_path: Path) -> None:
    program, model = write(tmp_path, TRIVIAL), write(tmp_path, "acyclic rff\n", "mine.kat")
    for _ in range(2):
        assert run("check", "--model", model, program).status == 2
    model.write_text("acyclic po | rf | co | fr\n")
    assert run("check", "--model", model, program).status == 0


def test_a_warm_check_is_quick(cache: Path) -> None:
    """Two checks of the same program: the second does without planning, which takes the first ever longer."""
    program = Path(__file__).resolve().parents[2] / "benchmarks" / "programs" / "twenty_lines.c"
    times = []
    for _ in range(4):
        started = time.perf_counter()
        assert json.loads(run("check", "--json", "-", program).out)["verdict"] == "verified"
        times.append(time.perf_counter() - started)
    assert min(times[1:]) < times[0]


def test_the_installed_package_has_the_models() -> None:
    assert sorted(p.name for p in INSTALLED.glob("*.kat")) == sorted(p.name for p in TREE.glob("*.kat"))
