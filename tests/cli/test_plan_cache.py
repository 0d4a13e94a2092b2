"""Cached plans save time and never change an answer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import mazurka
import pytest
from command import mazurka as run
from command import write
from kept import THREADED, entries
from mazurka.cache import disk, model_key
from mazurka.models.registry import FOLDER

TRIVIAL = "int main(void) { return 0; }\n"
TREE = Path(__file__).resolve().parents[2] / "python" / "mazurka" / "models"


def test_a_plan_is_kept_and_used_again(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, THREADED)
    assert mazurka.check(path, model="tso").complete == 2
    assert {entry.suffix for entry in entries(cache)} == {".entry"}

    def never(*_: object, **__: object) -> None:
        raise AssertionError("planned again")

    monkeypatch.setattr("mazurka.cache.plans.read_and_plan", never)
    monkeypatch.setattr("mazurka.cache.plans._planned", never)
    assert mazurka.check(path, model="tso").complete == 2


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
        assert ("mazurka.kat.planning.planner" in done.stdout) == expected
        assert ("mazurka.kat.language.load" in done.stdout) == expected


def test_a_changed_model_is_planned_again(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED.replace("return x;", "x = 2;"))
    part = write(tmp_path, "let order = po | rf | co | fr\n", "part.kat")
    model = write(tmp_path, 'include "part.kat"\nacyclic order as it\n', "mine.kat")
    first = mazurka.check(path, model=model)
    part.write_text("let order = po | rf\n")
    second = mazurka.check(path, model=model)
    assert (first.complete, second.complete) == (2, 2)
    keys = {entry.name.split("-")[0] for entry in entries(cache) if "-" in entry.name}
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
    assert str(tmp_path / "real.kat") in model_key.read(str(write(tmp_path, text, "mine.kat")))


def test_a_file_that_includes_itself_is_read_once(tmp_path: Path) -> None:
    model = write(tmp_path, 'include "./mine.kat"\n', "mine.kat")
    assert sum(text is not None for text in model_key.read(str(model)).values()) == 1


@pytest.mark.parametrize("blank", ["// " * 4000, "/**/" * 4000, "/*" + "*" * 4000, " " * 4000])
def test_includes_are_found_behind_many_blanks(blank: str, tmp_path: Path) -> None:
    """A search that went back and forth over them would not end."""
    model = write(tmp_path, f"include {blank} nothing\n", "mine.kat")
    assert len(model_key.read(str(model))) == 1


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
    module = sys.modules["mazurka.checking.check"]
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
    load_really = disk.load

    def saved_meanwhile(key: str) -> object:  # between the key and the reading of the model
        part.write_text(weak)
        return load_really(key)

    monkeypatch.setattr(disk, "load", saved_meanwhile)
    assert mazurka.check(path, model=model).verdict == "verified"
    monkeypatch.setattr(disk, "load", load_really)
    part.write_text(strong)
    assert mazurka.check(path, model=model).verdict == "verified"


def test_a_model_that_appears_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    from mazurka.errors import ModelError
    from mazurka.kat.language.load import load_model

    model = tmp_path / "mine.kat"
    texts = model_key.read(str(model))
    model.write_text("acyclic po | rf as it\n")
    with pytest.raises(ModelError, match="try again"):
        load_model(model, texts={Path(file): text for file, text in texts.items()})


def test_an_entry_of_another_shape_is_ignored(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    assert mazurka.check(path).complete == 2
    for entry in entries(cache):
        disk.store(entry.stem, {"strange": 1})
    assert mazurka.check(path).complete == 2


def test_an_error_is_not_kept(cache: Path, tmp_path: Path) -> None:
    program, model = write(tmp_path, TRIVIAL), write(tmp_path, "acyclic rff\n", "mine.kat")
    for _ in range(2):
        assert run("check", "--model", model, program).status == 2
    model.write_text("acyclic po | rf | co | fr\n")
    assert run("check", "--model", model, program).status == 0


def test_a_second_check_makes_nothing_anew(cache: Path) -> None:
    program = Path(__file__).resolve().parents[2] / "benchmarks" / "programs" / "twenty_lines.c"

    def check() -> dict[Path, int]:
        assert json.loads(run("check", "--json", "-", program).out)["verdict"] == "verified"
        return {entry: entry.stat().st_ino for entry in entries(cache)}

    assert check() == check() != {}  # an entry that is made anew is another file


def test_the_installed_package_has_the_models() -> None:
    assert sorted(p.name for p in Path(FOLDER).glob("*.kat")) == sorted(p.name for p in TREE.glob("*.kat"))
