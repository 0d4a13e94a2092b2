"""Whether a program may end as its user expects, and if not, what forbids it, from Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mazurka.api.executions import Execution, execution_of
from mazurka.checking.check import check
from mazurka.checking.options import check_arguments
from mazurka.checking.outcome import Outcome
from mazurka.errors import ErrorCode, UsageError, foreseen
from mazurka.why_not.programs.expected import Question
from mazurka.why_not.programs.variables import OPTION

if TYPE_CHECKING:
    from mazurka.checking.check import Checked

_USUAL = {"time_limit": None, "property_file": None, "equivalence": "co"}


@dataclass(frozen=True)
class CycleEvent:
    """An event of what a model excludes, and the relation that leads to the next one."""

    thread: int | None  # main is 0; None: an initial value
    file: str | None
    line: int | None
    access: str  # such as R.acq flag=1
    relation: str | None  # None for the last one

    def __str__(self) -> str:
        return self.access if self.relation is None else f"{self.access} --{self.relation}-->"


@dataclass(frozen=True)
class ExpectedOutcome:
    """What is known about an outcome that is expected of a program. Its text is what the command prints."""

    condition: str
    verdict: str  # allowed forbidden undecided
    reason: str  # a line
    outcome: Outcome  # of the check
    execution: Execution | None = None  # if it is allowed: one that ends this way
    axioms: tuple[str, ...] = ()  # if it is forbidden: those that an execution which ends this way breaks
    cycle: tuple[CycleEvent, ...] = ()  # what the first of these excludes
    limit: str = ""  # why the search for a reason ended early
    text: str = field(default="", repr=False)

    def __repr__(self) -> str:
        by = f" by {', '.join(self.axioms)}" if self.axioms else ""
        return f"<ExpectedOutcome: {self.condition}: {self.verdict}{by}>"

    def __str__(self) -> str:
        return self.text


def expect_outcome(program: Checked, condition: str, **options: Any) -> ExpectedOutcome:
    """Asks whether a complete execution ends with ``"r1 == 1 && r2 == 0"``, for example (global variables).

    The programs and the options are those of ``mazurka.check``. If none does, the axioms of the model are
    named that forbid it, and the cycle is given that the first of these excludes.
    """

    def checked(**changed: Any) -> Outcome:
        return check(**{"path": program, **options, **changed})

    with foreseen():
        check_arguments(program, options)
        if not isinstance(condition, str):
            hint = "pass such as 'r1 == 1 && r2 == 0'"
            raise UsageError(
                ErrorCode.BAD_VALUE, f"a condition must be a string, not {condition!r}", hint=hint
            )
        try:
            question = Question(condition, {**_USUAL, **options}, checked)
        except UsageError as error:
            if error.place is not None and error.place.file == OPTION:
                error.place = error.place._replace(file="condition")
            raise
        outcome = checked()
        answer = question.answer(outcome)
        return ExpectedOutcome(
            answer.condition,
            answer.verdict,
            answer.reason,
            outcome,
            None if answer.graph is None else execution_of(outcome, answer.graph, program),
            answer.axioms,
            tuple(CycleEvent(**event) for event in answer.cycle),
            answer.limit,
            answer.report(outcome),
        )
