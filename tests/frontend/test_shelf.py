"""Sources of libraries are compiled once, and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mazurka
import pytest
from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.driver import Compilation
from mazurka.frontend.linking import shelf
from mazurka.frontend.linking.shelf import Shelf
from profiles import heavy

THREAD = "#include <thread>\nint main() { std::thread thread([] {}); thread.join(); return %d; }\n"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of libraries that are compiled during a test."""
    paths: list[str] = []

    def compilation(path: str, *arguments: Any, **options: Any) -> Compilation:
        paths.append(path)
        return Compilation(path, *arguments, **options)

    monkeypatch.setattr(shelf, "Compilation", compilation)
    return paths


def test_a_source_is_compiled_again_only_if_something_changed(tmp_path: Path, compiled: list[str]) -> None:
    source, kept = tmp_path / "source.c", dict[str, dict[str, Any]]()
    source.write_text("int f(void) { return N; }\n", encoding="utf-8")
    library = Shelf(lambda *words: " ".join(words), kept.get, kept.__setitem__)
    one = library.text(str(source), ["-DN=1"], Compiler())
    assert "ret i32 1" in one
    assert library.text(str(source), ["-DN=1"], Compiler()) == one
    assert len(compiled) == 1
    assert "ret i32 2" in library.text(str(source), ["-DN=2"], Compiler())
    source.write_text("int f(void) { return N + 2; }\n", encoding="utf-8")
    assert "ret i32 3" in library.text(str(source), ["-DN=1"], Compiler())
    assert len(compiled) == 3


@heavy
def test_programs_share_what_is_compiled_of_the_library(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for number in range(2):
        path = tmp_path / f"program{number}.cpp"
        path.write_text(THREAD % number, encoding="utf-8")
        assert mazurka.check(path).verdict == "verified"
    assert compiled
    assert len(set(compiled)) == len(compiled)
