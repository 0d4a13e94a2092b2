"""What an operation on a synchronisation object does, read from its description case by case."""

from __future__ import annotations

from typing import NamedTuple

from mazurka.program.sync import Case, Effect, Expression, Operation, Term
from mazurka.reference.running.arithmetic import BINARY

_WIDTH = 64  # of expressions


class Use(NamedTuple):
    """An operation, the thread that performs it, and its operand."""

    operation: Operation
    thread: int
    operand: int


def evaluate(expression: Expression, use: Use, old: int) -> int:
    """The value of an expression if the word is ``old``."""
    match expression.term:
        case Term.OLD:
            return old
        case Term.THREAD:
            return use.thread
        case Term.OPERAND:
            return use.operand
        case Term.NUMBER:
            return expression.number
        case Term.COMPUTED:
            left, right = (evaluate(part, use, old) for part in expression.parts)
            return int(BINARY[expression.op](left, right, _WIDTH)) & (1 << _WIDTH) - 1


def case_of(use: Use, old: int) -> Case:
    """The first case that applies."""
    return next(case for case in use.operation.cases if evaluate(case.when, use, old))


def new_word(case: Case, use: Use, old: int) -> int:
    """What a case writes."""
    return evaluate(case.value, use, old) & (1 << 8 * use.operation.object.size) - 1


def is_written(use: Use, old: int) -> bool:
    """Whether the operation writes a word that it reads."""
    return case_of(use, old).effect is Effect.WRITE


def misuse_of_overwritten(use: Use, old: int) -> str:
    """The message if the operation must not overwrite a word, else nothing."""
    broken = (case.message for case in use.operation.overwrites if evaluate(case.when, use, old))
    return next(broken, "")
