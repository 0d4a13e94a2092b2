"""Validates JUnit and SARIF files against their published schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import xmlschema

HERE = Path(__file__).resolve().parent
JUNIT = xmlschema.XMLSchema(HERE / "junit-10.xsd")
SARIF = jsonschema.Draft7Validator(
    json.loads((HERE / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")),
    format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER,
)


def read_junit(text: str) -> ElementTree.Element:
    """The root of a JUnit file that fits its schema."""
    root = ElementTree.fromstring(text)
    JUNIT.validate(text)
    return root


def read_sarif(text: str) -> Any:
    """The one run of a SARIF file that fits its schema."""
    log = json.loads(text)
    assert [error.message for error in SARIF.iter_errors(log)] == []
    (run,) = log["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    return run
