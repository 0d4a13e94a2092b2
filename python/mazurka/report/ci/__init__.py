"""Answers for continuous integration: JUnit's XML for lists of tests, SARIF for lists of findings.

Both hold the answers of any number of checks, so both take ``Case`` values. ``docs/ci.md`` says what becomes
of each verdict.

I1: only a check that is as it should be looks like one that passed. A bound that was reached, a time limit
and an error do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mazurka.checking.outcome import Outcome
from mazurka.errors import MazurkaError


class Case(NamedTuple):
    """A check with its answer: an Outcome, or the error that prevented one."""

    name: str
    model: str
    outcome: Outcome | None
    error: MazurkaError | None
    status: int  # the exit status of this check alone; 0 is as it should be (I1)
    expected: str = ""  # what the user expects, if anything other than that nothing is wrong
    complaint: str = ""  # if the answer is not the expected one: a sentence about it
    explanation: str = ""  # lines that follow the report
    file: str = ""  # the first one of the program: where findings are shown that have no place of their own
    cycle: Sequence[Mapping[str, Any]] = ()  # what forbids an expected outcome, as the JSON has it

    @property
    def is_good(self) -> bool:
        """Whether the answer is as it should be."""
        return self.status == 0

    @property
    def kind(self) -> str:
        """A word for the answer: the kind of a violation, the code of an error, else the verdict."""
        if self.error is not None:
            return self.error.code.value
        assert self.outcome is not None, "a case has an answer or an error"
        return self.outcome.violation.kind if self.outcome.violation else self.outcome.verdict

    @property
    def seconds(self) -> float:
        """How long the check took, as far as that is known."""
        return self.outcome.seconds_frontend + self.outcome.seconds_explore if self.outcome else 0.0
