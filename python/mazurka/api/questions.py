"""Litmus tests, facts about models, and which models there are, from Python."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from mazurka.models.registry import (
    DEFAULT_MODEL,
    find_any,
    machine_models,
    models_for_proofs,
    runnable_models,
)


@dataclass(frozen=True)
class LitmusState:
    """A final state of a litmus test."""

    text: str  # as herd writes it: 0:EAX=0; 1:EAX=1;
    executions: int  # that end in it
    is_witness: bool  # whether the condition's proposition holds in it


@dataclass(frozen=True)
class LitmusResult:
    """What the executions of a litmus test say about its condition."""

    name: str
    file: str
    language: str
    model: str
    states: tuple[LitmusState, ...]
    quantifier: str  # exists ~exists forall
    condition: str
    holds: bool  # whether the condition holds
    observation: str  # Always Sometimes Never
    positive: int  # executions in which the proposition holds
    negative: int
    is_bounded: bool  # executions beyond the bound of a loop are missing
    warnings: tuple[str, ...]
    flags: tuple[str, ...]
    log: str  # in herd's format

    def __str__(self) -> str:
        return self.log


@dataclass(frozen=True)
class Proof:
    """The answer to a claim."""

    name: str
    result: str  # proved refuted unknown
    claim: str
    topic: str
    seconds: float
    counterexample: dict[str, Any] | None  # as ``mazurka prove --json`` has it
    reason: str  # if it is unknown: why
    notes: tuple[str, ...] = ()  # what the answers to the question do not say

    def __hash__(self) -> int:
        return hash((self.name, self.result, self.claim))  # the counterexample is a dictionary


@dataclass(frozen=True)
class ModelInfo:
    """A memory model that comes with Mazurka."""

    name: str
    title: str
    path: str
    kind: str  # language machine proofs: those for proofs cannot be run
    is_default: bool


def litmus(
    test: str | os.PathLike[str],
    *,
    model: str | None = None,
    unroll: int | None = None,
    time_limit: float | None = None,
    unchecked_model: bool = False,
) -> LitmusResult:
    """Runs a litmus test of herd's format: a path, or the text of the test.

    The usual model is that of the test's language. ``unroll`` bounds branches backwards.
    """
    from mazurka.checking.options import check_name, check_numbers
    from mazurka.errors import foreseen
    from mazurka.files import is_source
    from mazurka.litmus import parse_litmus_file, read_litmus
    from mazurka.litmus.running.log import as_log, as_object
    from mazurka.litmus.running.run import run_test

    check_name(test, "a litmus test", "pass such as 'SB.litmus'")
    if model is not None:
        check_name(model, "a model", "pass such as model='tso'")
    check_numbers(None, time_limit)
    with foreseen():
        given = os.fspath(test)
        read = parse_litmus_file(given, "test.litmus") if is_source(given) else read_litmus(given)
        verdict = run_test(
            read, model=model, unroll=unroll, time_limit=time_limit, unchecked_model=unchecked_model
        )
    known: dict[str, Any] = as_object(verdict)
    condition = known["condition"]
    return LitmusResult(
        known["name"],
        known["file"],
        known["language"],
        known["model"],
        tuple(LitmusState(text, count, witness) for text, count, witness in verdict.states),
        condition["quantifier"],
        condition["text"],
        condition["holds"],
        known["observation"],
        known["positive"],
        known["negative"],
        known["bounded"],
        tuple(known["warnings"]),
        tuple(known["flags"]),
        as_log(verdict),
    )


def prove(
    *question: str | os.PathLike[str],
    time_limit: float | None = None,
    memory_limit: int | None = None,
    allow_unused: bool = False,
) -> list[Proof]:
    """Decides a question about models, such as ``prove("weaker", "ra", "sc")``, or the claims of files.

    The questions are those of ``mazurka prove``.
    """
    import json

    from mazurka.checking.options import check_name, check_number, check_numbers
    from mazurka.errors import ErrorCode, UsageError, foreseen
    from mazurka.prover.questions.asking import answered, topics_of
    from mazurka.report.proofs_json import proofs_as_json

    if not question:
        hint = 'mazurka.prove("weaker", "ra", "sc")'
        raise UsageError(ErrorCode.USAGE, "nothing is asked", hint=hint)
    for word in question:
        check_name(word, "a question, a model or a file", 'mazurka.prove("weaker", "ra", "sc")')
    check_numbers(None, time_limit)
    check_number("memory_limit", memory_limit)
    with foreseen():
        topics = topics_of([os.fspath(word) for word in question])
        limits: dict[str, Any] = {"time_limit": time_limit, "memory_limit": memory_limit}
        objects = json.loads(proofs_as_json(answered(topics, allow_unused=allow_unused, **limits)))
    return [
        Proof(
            one["name"],
            one["result"],
            one["claim"],
            one["topic"] or "",
            one["seconds"],
            one["counterexample"],
            one["reason"] or "",
            tuple(one["notes"]),
        )
        for one in objects
    ]


def models() -> list[ModelInfo]:
    """The models that come with Mazurka: first those that programs can be checked under."""
    from mazurka.kat.language.load import named_model

    kinds = (("language", runnable_models()), ("machine", machine_models()), ("proofs", models_for_proofs()))
    return [
        ModelInfo(name, named_model(name).title, find_any(name).path, kind, name == DEFAULT_MODEL)
        for kind, names in kinds
        for name in names
    ]
