"""Checks as test cases in JUnit's XML, by the schema that Jenkins has published (``junit-10.xsd``).

A violation is a failure, and so is an answer that is not the expected one, a bound that was reached and a
time limit that passed. A check without an answer is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from mazurka.report.ci import Case
from mazurka.report.text import as_text, headline

_WIDTH = 100
# What XML 1.0 cannot express, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JunitTest(NamedTuple):
    """A test as JUnit knows it."""

    group: str
    name: str
    seconds: float
    result: str  # passed failure error
    kind: str  # a stable word for what went wrong
    message: str  # a line
    text: str  # the whole report


def as_junit(cases: Sequence[Case]) -> str:
    """Checks as one test suite, ending in a newline."""
    return junit_of([_test_case(case) for case in cases])


def junit_of(tests: Sequence[JunitTest]) -> str:
    """Tests as one test suite, ending in a newline."""
    counts = (
        f'tests="{len(tests)}" failures="{sum(test.result == "failure" for test in tests)}" '
        f'errors="{sum(test.result == "error" for test in tests)}" '
        f'time="{_seconds(sum(test.seconds for test in tests))}"'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="mazurka" {counts}>']
    lines.append(f'  <testsuite name="mazurka" {counts} skipped="0">')
    for test in tests:
        lines += _lines(test)
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def _test_case(case: Case) -> JunitTest:
    result = "passed" if case.is_good else "error" if case.error is not None else "failure"
    message, text = _told(case)
    if case.complaint:
        message = f"{case.complaint}: {message}"
    kind = "unexpected" if result == "failure" and case.kind == "verified" else case.kind
    return JunitTest(f"mazurka.{case.model}", case.name, case.seconds, result, kind, message, text)


def _told(case: Case) -> tuple[str, str]:
    """The answer as a line, and the whole report."""
    if case.outcome is None:
        assert case.error is not None, "a case has an answer or an error"
        return case.error.message, str(case.error)
    violation = case.outcome.violation
    place = (
        f"{violation.location.file}:{violation.location.line}: " if violation and violation.location else ""
    )
    line = f"{place}{violation.message}" if violation else headline(case.outcome)
    return line, as_text(case.outcome, width=_WIDTH) + case.explanation


def _lines(test: JunitTest) -> list[str]:
    opening = f"    <testcase classname={_attribute(test.group)} name={_attribute(test.name)}"
    lines = [f'{opening} time="{_seconds(test.seconds)}">']
    if test.result == "passed":
        lines.append(f"      <system-out>{_text(test.text)}</system-out>")
    else:
        what = f"{test.result} type={_attribute(test.kind)} message={_attribute(test.message)}"
        lines.append(f"      <{what}>{_text(test.text)}</{test.result}>")
    return [*lines, "    </testcase>"]


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))
