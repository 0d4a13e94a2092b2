"""Answers questions about models, one claim after the other: for ``mazurka prove`` and for Python.

I1: every claim gets an answer. Claims that the time limit or Ctrl-C left undecided are reported as unknown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mazurka.errors import ErrorCode, UsageError
from mazurka.kat.meaning.problems import problem
from mazurka.machine import default_memory_limit
from mazurka.models.registry import all_models
from mazurka.prover import Answer, Proved, Unknown, decide
from mazurka.prover.deciding.decide import NOT_USED
from mazurka.prover.deciding.support import with_support
from mazurka.prover.questions.monotone import is_monotone
from mazurka.prover.questions.reordering import may_reorder
from mazurka.prover.questions.schemes import compiles
from mazurka.prover.questions.topics import (
    Question,
    Topic,
    are_equivalent,
    is_weaker,
    of_file,
    rules_out_thin_air,
)
from mazurka.prover.theory.limits import NO_TIME, Limits
from mazurka.spelling import did_you_mean

STOPPED = "interrupted"


class Asked(NamedTuple):
    """A named question: its arguments, and the function that turns them into topics."""

    usage: str
    topics: Callable[..., list[Topic]]

    @property
    def arity(self) -> int:
        """The number of its arguments."""
        return len(self.usage.split(" "))


BY_NAME = {
    "weaker": Asked("A B", lambda a, b: [is_weaker(a, b)]),
    "equivalent": Asked("A B", are_equivalent),
    "compiles": Asked("SOURCE TARGET", compiles),
    "reorder": Asked("MODEL 'R.rlx;W.rlx'", lambda model, pair: [may_reorder(model, pair)]),
    "no-thin-air": Asked("MODEL", lambda model: [rules_out_thin_air(model)]),
    "monotone": Asked("MODEL", lambda model: [is_monotone(model)]),
}


class Result(NamedTuple):
    """A claim with its answer."""

    topic: Topic
    question: Question
    answer: Answer


def topics_of(asked: Sequence[str]) -> list[Topic]:
    """What the arguments of the command ask: a named question, or the assertions of files."""
    word, *arguments = asked
    by_name = BY_NAME.get(word)
    if by_name is None:
        if not (word.endswith(".kat") or "/" in word or Path(word).exists()):
            raise _no_such_question(word)
        return [of_file(path) for path in asked]
    if len(arguments) != by_name.arity:
        raise UsageError(
            ErrorCode.USAGE,
            f"'{word}' takes {by_name.arity} argument{'s' * (by_name.arity > 1)}, not {len(arguments)}",
            hint=f"mazurka prove {word} {by_name.usage}",
        )
    return by_name.topics(*arguments)


def _no_such_question(word: str) -> UsageError:
    usages = ", ".join(f"{name} {question.usage}" for name, question in BY_NAME.items())
    hint = did_you_mean(word, BY_NAME) or f"the questions are: {usages}; give a file by its path"
    if word in all_models():
        hint = f"it is a model; to compare it with another one: mazurka prove weaker {word} B"
    return UsageError(ErrorCode.USAGE, f"'{word}' is neither a question nor a .kat file", hint=hint)


def answered(
    topics: Iterable[Topic],
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    allow_unused: bool = False,
) -> Iterator[Result]:
    """The answers, as they are found (I1); an assumption that cannot be used is an error unless allowed."""
    deadline = None if time_limit is None else time.monotonic() + time_limit
    stopped = ""
    for topic in topics:
        for question in topic.questions:
            if question.query is None:
                assert question.answer is not None, "a claim without a query has its answer"
                yield Result(topic, question, question.answer)
                continue
            left = None if deadline is None else deadline - time.monotonic()
            if not stopped and left is not None and left <= 0:
                stopped = NO_TIME
            if stopped:
                yield Result(topic, question, Unknown(stopped, (), None, 0.0))
                continue
            try:
                answer = decide(
                    question.query,
                    time_limit=left,
                    memory_limit=memory_limit,
                    allow_unused=allow_unused or topic.lenient,
                )
                if isinstance(answer, Proved):
                    left = None if deadline is None else max(deadline - time.monotonic(), 0.0)
                    limits = Limits(left, memory_limit or default_memory_limit())
                    answer = with_support(question.query, answer, limits)
            except KeyboardInterrupt:
                stopped, answer = STOPPED, Unknown(STOPPED, (), None, 0.0)
            _refuse_unused(answer)
            yield Result(topic, question, answer)


def _refuse_unused(answer: Answer) -> None:
    """An assumption that cannot be used is an error in its file."""
    if isinstance(answer, Unknown) and answer.reason == NOT_USED and answer.span is not None:
        raise problem(
            answer.span,
            f"this assumption cannot be used: it contains {', '.join(answer.missing)}",
            hint="state it without that, or use --allow-unused to do without this assumption",
        )


def exit_status(answers: Iterable[Answer]) -> int:
    """0 if all are proved, 1 if one is refuted, 3 if none is refuted but one is unknown."""
    kinds = {type(answer).__name__ for answer in answers}
    return 1 if "Refuted" in kinds else 3 if "Unknown" in kinds else 0
