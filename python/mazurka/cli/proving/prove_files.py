"""Writes the counterexample of the first refuted claim: drawn, as a C program, as a litmus test.

Where the claim compares two models that the engine runs, the program is also checked under both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from mazurka.cli.terminal import write_text
from mazurka.counterexamples import (
    Counterexample,
    Unrealizable,
    c_program,
    counterexample,
    difference,
    dot,
    html,
    litmus_test,
    svg,
)
from mazurka.errors import ErrorCode, SourceError
from mazurka.prover import Refuted
from mazurka.prover.questions.asking import Result

FORMS = ("svg", "dot", "html", "program", "litmus")


def write_counterexample(results: Iterable[Result], paths: Mapping[str, str | None]) -> str:
    """Writes the files that are asked for, by the names of their options; returns the text to print."""
    asked = {form: path for form in FORMS if (path := paths[form]) is not None}
    if not asked:
        return ""
    found = next((result for result in results if isinstance(result.answer, Refuted)), None)
    if found is None:
        return f"nothing was refuted, so nothing was written to {', '.join(asked.values())}\n"
    assert found.question.query is not None, "only a query can be refuted"
    assert isinstance(found.answer, Refuted), "as was looked for"
    example = counterexample(found.question.query, found.answer)
    claimed = f"{found.question.name}: {found.question.text}"
    title = f"refuted: {found.topic.title.split(':')[0] or claimed}"
    for form, path in asked.items():
        write_text(path, _written(form, example, title, path), f"--{form}")
    shown = [path for path in asked.values() if path != "-"]
    text = f"written: {', '.join(shown)}\n" if shown else ""
    return text + (_difference(found, example, title) if "program" in asked else "")


def _written(form: str, example: Counterexample, title: str, path: str) -> str:
    try:
        match form:
            case "svg":
                return svg(example, title)
            case "dot":
                return dot(example, title)
            case "html":
                return html(example, title)
            case "program":
                return c_program(example, title)
            case _:
                return litmus_test(example, "counterexample" if path == "-" else Path(path).stem)
    except Unrealizable as reason:
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"the counterexample cannot be written as a program: {reason}",
            hint="draw it instead, with --svg FILE or --dot FILE",
        ) from reason


def _difference(found: Result, example: Counterexample, title: str) -> str:
    """What the engine finds when it checks the program under the two compared models."""
    if not found.topic.models:
        return ""
    forbidding, allowing = found.topic.models
    seen = difference(c_program(example, title), allowing=allowing, forbidding=forbidding)
    lines = []
    for verdict in (seen.allowing, seen.forbidding):
        words = {True: "its outcome happens", False: "its outcome does not happen", None: verdict.why}
        lines.append(f"the program under {verdict.model}: {words[verdict.happens]}\n")
    return "".join(lines)
