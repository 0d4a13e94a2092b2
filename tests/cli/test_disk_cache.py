"""The cache on disk: it saves time, never changes an answer, and is never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import mazurka
import pytest
from command import mazurka as run
from command import write
from kept import THREADED, entries
from mazurka.cache import disk


def test_what_was_stored_is_loaded(cache: Path) -> None:
    disk.store("key", {"number": 1, "texts": ["é", "\udcff"]})
    assert disk.load("key") == {"number": 1, "texts": ["é", "\udcff"]}
    assert disk.load("other") is None
    assert [entry.name for entry in entries(cache)] == ["key.entry"]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[:-1],
    "half": lambda data: data[: len(data) // 2],
    "no checksum": lambda data: data.partition(b"\n")[2],
    "a changed byte": lambda data: data.replace(b"1", b"2"),
    "longer": lambda data: data + b" ",
    "no JSON": lambda data: b"\n{",
    "binary": lambda data: b"\x00\xff" * 50,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_no_entry(damage: str, cache: Path) -> None:
    disk.store("key", {"number": 1})
    (entry,) = entries(cache)
    entry.write_bytes(DAMAGES[damage](entry.read_bytes()))
    assert disk.load("key") is None


def test_a_renamed_entry_is_no_entry(cache: Path) -> None:
    disk.store("key", {"number": 1})
    (entry,) = entries(cache)
    entry.rename(entry.with_name("other.entry"))
    assert disk.load("other") is None


@pytest.mark.parametrize("value", ["[]", "null", "1"])
def test_an_entry_that_is_no_object_is_no_entry(value: str, cache: Path) -> None:
    cache.mkdir(parents=True)
    checksum = disk._checksum("key", value.encode())
    (cache / "key.entry").write_bytes(checksum + b"\n" + value.encode())
    assert disk.load("key") is None


@pytest.mark.parametrize("damage", ["", "{", "null\n{}", "\x00"])
def test_a_check_does_without_damaged_entries(damage: str, cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    first = run("check", path)
    for entry in entries(cache):
        entry.write_text(damage)
    again = run("check", path)
    assert (first.status, again.status, again.err) == (0, 0, "")
    assert all(entry.read_text() != damage for entry in entries(cache)), "they are made anew"


def test_a_key_depends_on_its_parts_the_version_and_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    key = disk.key_of("a", "b")
    assert key == disk.key_of("a", "b")
    assert key not in (disk.key_of("ab"), disk.key_of("a"), disk.key_of("b", "a"))
    with monkeypatch.context() as patch:
        patch.setattr(mazurka, "__version__", "0.0.0")
        assert disk.key_of("a", "b") != key
    monkeypatch.setattr(disk, "_CODE", "other")
    assert disk.key_of("a", "b") != key


_MADE_BY = (
    *("kat/planning/planner.py", "prover/deciding/decide.py", "frontend/lowering/function.py"),
    *("program/__init__.py", "cache/plans.py", "soundness/requirements.py", "models/registry.py"),
    *("errors.py", "_engine.abi3.so", "_engine.pyd"),
)


@pytest.mark.parametrize("name", _MADE_BY)
def test_the_code_that_makes_entries_is_looked_at(name: str, tmp_path: Path) -> None:
    for file in _MADE_BY:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path, "one = 1\n", file)
    before = disk.code_state(str(tmp_path))
    write(tmp_path, "eleven = 11\n", name)
    assert disk.code_state(str(tmp_path)) != before


def test_a_changed_prover_or_engine_plans_anew(cache: Path, tmp_path: Path) -> None:
    """In a copy of the package, because its files are touched."""
    package = tmp_path / "mazurka"
    shutil.copytree(disk.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))

    def plan_key() -> str:
        code = "from mazurka.cache.plans import choose_model; print(choose_model('sc').key)"
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
        return run.stdout

    before = plan_key()
    assert plan_key() == before
    keys = {before}
    for changed in (
        "prover/deciding/decide.py",
        "kat/planning/checks.py",
        "soundness/steps.py",
        "_engine.abi3.so",
    ):
        file = next(package.glob(changed.replace(".abi3.so", ".*")))
        os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
        keys.add(plan_key())
    assert len(keys) == 5


def test_code_that_cannot_be_seen_keeps_nothing(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert disk.code_state(str(tmp_path / "nowhere")) is None
    monkeypatch.setattr(disk, "_CODE", None)
    disk.store("key", {})
    assert entries(cache) == []


def test_a_cache_that_cannot_be_written_is_no_problem(cache: Path, tmp_path: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("a file where the directory should be")
    path = write(tmp_path, THREADED)
    for _ in range(2):
        assert run("check", path).status == 0
    assert cache.is_file()


def test_a_write_that_fails_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    disk.store("key", {"number": 1})
    assert entries(cache) == []


@pytest.mark.parametrize("base", ["relative/path", "/dev/null"])
def test_a_strange_directory_is_no_problem(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAZURKA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.chdir(tmp_path)
    disk.store("key", {})
    assert disk.load("key") is None
    assert not (tmp_path / "relative").exists()


def test_the_cache_can_be_turned_off(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    assert run("check", path, MAZURKA_CACHE="off").status == 0
    assert run("check", "--no-cache", path).status == 0
    assert entries(cache) == []
    assert run("check", path).status == 0
    assert entries(cache)


def test_a_cache_that_is_off_is_not_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk.store("key", {"number": 1})
    monkeypatch.setenv("MAZURKA_CACHE", "OFF")
    assert disk.load("key") is None
    assert not disk.is_on()


def stored(number: int, age: int, cache: Path, text: str = "") -> None:
    disk.store(f"key{number}", {"text": text})
    os.utime(cache / f"key{number}.entry", (age, age))


def test_the_oldest_entries_are_forgotten(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MOST_ENTRIES", 3)
    for number in range(10):
        stored(number, 1000 + number, cache)
    assert [entry.stem for entry in entries(cache)] == ["key7", "key8", "key9"]


def test_large_entries_are_forgotten_earlier(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MOST_BYTES", 10_000)
    for number in range(10):
        stored(number, 1000 + number, cache, "x" * 4000)
    assert [entry.stem for entry in entries(cache)] == ["key8", "key9"]


def test_what_a_killed_process_left_is_removed(cache: Path) -> None:
    cache.mkdir(parents=True)
    for name, age in (("old.tmp", 1000), ("fresh.tmp", None), ("mine.txt", 1000)):
        write(cache, "", name)
        if age:
            os.utime(cache / name, (age, age))
    disk.store("key", {})
    assert [entry.name for entry in entries(cache)] == ["fresh.tmp", "key.entry", "mine.txt"]


def test_threads_may_keep_the_same_entry(cache: Path) -> None:
    value = {"text": "x" * 100_000}
    threads = [threading.Thread(target=disk.store, args=("key", value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert disk.load("key") == value
    assert [entry.name for entry in entries(cache)] == ["key.entry"]


def test_processes_may_check_the_same_program(cache: Path, tmp_path: Path) -> None:
    path = write(tmp_path, THREADED)
    command = [sys.executable, "-m", "mazurka", "check", str(path)]
    for _ in range(2):
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        said = [process.communicate()[0] for process in running]
        assert all("2 complete executions, 0 blocked" in text for text in said)
        assert {process.returncode for process in running} == {0}
    assert {entry.suffix for entry in entries(cache)} == {".entry"}
