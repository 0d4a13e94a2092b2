"""A check with empty caches: it parses the model once, asks once whether it may be run, and plans it once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mazurka
import pytest
from command import write
from kept import THREADED
from mazurka.kat.language import load
from mazurka.kat.planning import planner, simplify
from mazurka.models.registry import FOLDER, runnable_models
from mazurka.soundness import requirements

FREES = "#include <stdlib.h>\nint main(void) { free(malloc(4)); return 0; }\n"
Counts = Counter[str]


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counts:
    """How often each step was taken, by any caller."""
    found: Counts = Counter()

    def counted(step: str, module: Any, name: str) -> None:
        really: Callable[..., Any] = getattr(module, name)

        def call(*arguments: Any, **options: Any) -> Any:
            found[step] += 1
            return really(*arguments, **options)

        monkeypatch.setattr(module, name, call)

    counted("files parsed", load, "parse")
    counted("models resolved", load, "resolve")
    counted("soundness", requirements, "unmet")
    counted("tables", planner, "tables_of")
    counted("tables", simplify, "tables_of")
    counted("tables", requirements, "tables_of")
    counted("plans", requirements, "plan_model")
    return found


@pytest.mark.parametrize("options", [{}, {"audit": True}, {"equivalence": "rf"}], ids=str)
@pytest.mark.parametrize("program", [THREADED, FREES], ids=["threads", "frees"])
def test_each_step_is_taken_once(
    program: str, options: dict[str, Any], cache: Path, tmp_path: Path, counts: Counts
) -> None:
    path = write(tmp_path, program)
    mazurka.check(path, model="rc11", **options)
    included = 1 + (Path(FOLDER) / "rc11.kat").read_text().count("\ninclude ")
    assert counts == {"files parsed": included, "models resolved": 1, "soundness": 1, "tables": 1}
    mazurka.check(path, model="rc11", **options)
    assert counts == {"files parsed": included, "models resolved": 1, "soundness": 1, "tables": 1}


@pytest.mark.parametrize("name", runnable_models())
def test_each_model_is_planned_once(name: str, cache: Path, tmp_path: Path, counts: Counts) -> None:
    mazurka.check(write(tmp_path, THREADED), model=name)
    assert (counts["models resolved"], counts["soundness"], counts["tables"]) == (1, 1, 1)


def test_another_program_asks_nothing_about_the_model_again(
    cache: Path, tmp_path: Path, counts: Counts
) -> None:
    mazurka.check(write(tmp_path, THREADED, "one.c"), model="tso")
    mazurka.check(write(tmp_path, FREES, "two.c"), model="tso")
    assert (counts["models resolved"], counts["soundness"], counts["tables"]) == (2, 1, 2)


def test_without_a_cache_it_is_the_same(
    tmp_path: Path, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAZURKA_CACHE", "off")
    mazurka.check(write(tmp_path, THREADED), model="tso")
    assert (counts["models resolved"], counts["soundness"], counts["tables"]) == (1, 1, 1)
