"""Reads witnesses and checks them: the parts of YAML and of JSON Schema that they need.

Small on purpose: a library for either would be one more thing to install for a few dozen lines of text.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

SCHEMA = json.loads((Path(__file__).parent / "witness_schema.json").read_text(encoding="utf-8"))
_TYPES = {"array": list, "object": dict, "string": str, "integer": int}
_KEY = re.compile(r'(?P<key>[a-z_]+|"(?:[^"\\]|\\.)*"):(?: (?P<value>.+))?')


def read_witness(text: str) -> Any:
    """The value of a YAML text in block style whose scalars are those of JSON."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines()]
    value, rest = _block(lines, 0)
    assert not rest, rest
    return value


def _block(lines: list[tuple[int, str]], indent: int) -> tuple[Any, list[tuple[int, str]]]:
    """A list or a mapping whose lines have an indentation, and the lines behind it."""
    if lines[0][1].startswith("- "):
        items = []
        while lines and lines[0] == (indent, lines[0][1]) and lines[0][1].startswith("- "):
            first = lines[0][1][2:]
            if _KEY.fullmatch(first):
                item, lines = _block([(indent + 2, first), *lines[1:]], indent + 2)
            else:
                item, lines = json.loads(first), lines[1:]
            items.append(item)
        return items, lines
    found: dict[str, Any] = {}
    while lines and lines[0][0] == indent:
        parts = _KEY.fullmatch(lines[0][1])
        assert parts, lines[0]
        key = json.loads(parts["key"]) if parts["key"].startswith('"') else parts["key"]
        assert key not in found, key
        if parts["value"] is not None:
            found[key], lines = json.loads(parts["value"]), lines[1:]
        else:
            assert lines[1][0] > indent, lines[1]
            found[key], lines = _block(lines[1:], lines[1][0])
    return found, lines


def problems(value: Any, schema: dict[str, Any] = SCHEMA, at: str = "") -> list[str]:
    """Where a value is not as a schema wants it."""
    if "$ref" in schema:
        return problems(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], at)
    if "oneOf" in schema:
        found = [problems(value, one, at) for one in schema["oneOf"]]
        return [] if sum(not one for one in found) == 1 else min(found, key=len) or [f"{at}: several fit"]
    wrong = [f"{at}: {value!r} is not {schema['const']!r}"] if value != schema.get("const", value) else []
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{at}: {value!r} is none of {schema['enum']}")
    if "type" in schema and type(value) is not _TYPES[schema["type"]]:
        return [*wrong, f"{at}: {value!r} is no {schema['type']}"]
    if "pattern" in schema and not re.search(schema["pattern"], value):
        wrong.append(f"{at}: {value!r} does not match {schema['pattern']}")
    if value == [] and schema.get("minItems"):
        wrong.append(f"{at}: it is empty")
    if isinstance(value, int) and value < schema.get("minimum", value):
        wrong.append(f"{at}: {value} is too small")
    if isinstance(value, list):
        wrong += [
            one for i, item in enumerate(value) for one in problems(item, schema["items"], f"{at}[{i}]")
        ]
    if isinstance(value, dict):
        wrong += _members(value, schema, at)
    return wrong


def _members(value: dict[str, Any], schema: dict[str, Any], at: str) -> list[str]:
    wrong = [f"{at}: there is no {key}" for key in schema.get("required", ()) if key not in value]
    known, others = schema.get("properties", {}), schema["additionalProperties"]
    for key, item in value.items():
        if key in known:
            wrong += problems(item, known[key], f"{at}.{key}")
        elif others is False:
            wrong.append(f"{at}: {key} is not known")
        else:
            wrong += problems(item, others, f"{at}.{key}")
    return wrong
