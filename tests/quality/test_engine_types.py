"""The classes that the engine returns are those that ``_engine.pyi`` declares, attribute by attribute.

The declarations are run as Python, so that the values of real explorations can be compared with their types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import mazurka
import pytest
from mazurka import _engine

STUB = Path(mazurka.__file__).with_name("_engine.pyi")
RETURNED = ("Explored", "RawEstimate", "RawFinding", "RawGraph", "RawThread", "RawEvent")
PROGRAMS = Path(__file__).parents[1] / "programs"


@pytest.fixture(scope="module")
def declared() -> ModuleType:
    module = ModuleType("declared")
    exec(compile("from __future__ import annotations\n" + STUB.read_text(), STUB.name, "exec"), vars(module))
    return module


def attributes(cls: type) -> set[str]:
    return {name for name in vars(cls) if not name.startswith("_")}


@pytest.mark.parametrize("name", RETURNED)
def test_a_class_has_the_attributes_that_are_declared(name: str, declared: ModuleType) -> None:
    assert attributes(getattr(_engine, name)) == set(getattr(declared, name).__annotations__)


def test_every_class_and_function_is_declared(declared: ModuleType) -> None:
    public = {name for name in dir(_engine) if not name.startswith("_")}
    written = re.findall(r"^(?:def|class) (\w+)", STUB.read_text(), flags=re.MULTILINE)
    assert public == set(written)


# Programs that between them give a value to every attribute that can have none.
SHOWN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("race_plain_counter.c", {"model": "rc11"}),
    ("error_use_after_free.c", {}),
    ("unroll_cut.c", {"unroll": 2}),
    ("printing.c", {"verbose": True, "collect": True}),
    ("litmus_sb.c", {"model": "tso", "collect": True}),
)


def test_values_have_the_declared_types(declared: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[_engine.Explored] = []
    explore = _engine.explore

    def noted(*arguments: Any, **options: Any) -> _engine.Explored:
        results.append(explore(*arguments, **options))
        return results[-1]

    monkeypatch.setattr(_engine, "explore", noted)
    for name, options in SHOWN:
        mazurka.check(PROGRAMS / name, smallest=False, **options)
    assert len(results) == len(SHOWN)
    wrong = [problem for result in results for problem in mismatches(result, declared.Explored, declared)]
    assert wrong == []
    assert list(mismatches(results[0], declared.RawEvent, declared)), "a wrong type is noticed"


def mismatches(value: Any, kind: Any, declared: ModuleType, path: str = "") -> Iterator[str]:
    """Where a value is not of its declared type."""
    parts = get_args(kind)
    if isinstance(kind, UnionType):
        if all(list(mismatches(value, part, declared)) for part in parts):
            yield f"{path}: {value!r} is not {kind}"
    elif get_origin(kind) is Literal:
        if value not in parts:
            yield f"{path}: {value!r} is not {kind}"
    elif get_origin(kind) in (list, tuple):
        if type(value) is not get_origin(kind):
            yield f"{path}: {value!r} is not {kind}"
            return
        fixed = get_origin(kind) is tuple and ... not in parts
        if fixed and len(value) != len(parts):
            yield f"{path}: {value!r} is not {kind}"
        for number, item in enumerate(value):
            yield from mismatches(item, parts[number if fixed else 0], declared, f"{path}[{number}]")
    elif type(value).__name__ != kind.__name__:
        yield f"{path}: {value!r} is not {kind}"
    elif kind.__name__ in RETURNED:
        for name, hint in get_type_hints(kind, vars(declared)).items():
            yield from mismatches(getattr(value, name), hint, declared, f"{path}.{name}")
