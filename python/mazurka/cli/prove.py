"""The commands that prove, ``mazurka prove`` and ``mazurka models --lattice``: options to exit status.

The counterexample of the first refuted claim is drawn, or written as a C program or a litmus test. Where the
claim compares two models that the engine runs, the program is also checked under both.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from mazurka.cli import lattice as lattices
from mazurka.cli.lattice import labels, lattice_page
from mazurka.cli.terminal import has_colour, print_text, width, write_text
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
from mazurka.errors import ErrorCode, SourceError, UsageError
from mazurka.pictures.hasse import as_dot, as_svg
from mazurka.prover import Refuted
from mazurka.prover.questions.asking import Result, answered, exit_status, topics_of
from mazurka.report.paint import Paint
from mazurka.report.proofs import Printer
from mazurka.report.proofs_json import proofs_as_json

UNKNOWN = 3
FORMS = ("svg", "dot", "html", "program", "litmus")


def run_lattice(options: argparse.Namespace) -> int:
    """``mazurka models --lattice``."""
    if options.model is not None or options.explain:
        message = "--lattice compares all models, so it takes no model"
        raise UsageError(ErrorCode.USAGE, message, hint="to compare two models: mazurka prove weaker A B")
    lattice = lattices.proved_lattice(time_limit=_time_limit(options))
    drawings = {"--svg": (options.svg, as_svg), "--dot": (options.dot, as_dot)}
    for option, (path, draw) in drawings.items():
        if path is not None:
            write_text(path, draw(labels(lattice), lattice.covers()), option)
    if "-" not in (options.svg, options.dot):
        print_text(lattice_page(lattice))
    return UNKNOWN if lattice.open_pairs() else 0


def _time_limit(options: argparse.Namespace) -> float | None:
    """The time limit in seconds, if one is given."""
    limit: float | None = options.time_limit
    if limit is not None and not 0 < limit < float("inf"):
        message = f"a time limit of {limit:g} s is out of range"
        raise UsageError(ErrorCode.BAD_VALUE, message, hint="give a positive number of seconds")
    return limit


def _memory_limit(options: argparse.Namespace) -> int | None:
    """The memory limit in bytes, if one is given."""
    limit: int | None = options.memory_limit
    if limit == 0:
        raise UsageError(
            ErrorCode.BAD_VALUE, "a memory limit of 0 is out of range", hint="give more, such as 2G"
        )
    return limit


def _has_standard_output(options: argparse.Namespace) -> bool:
    """Whether an output other than the report goes to standard output, which can take only one."""
    given = [form for form in ("json", *FORMS) if getattr(options, form) == "-"]
    if len(given) > 1:
        message = f"only one output may use standard output: {', '.join(f'--{form} -' for form in given)}"
        raise UsageError(ErrorCode.USAGE, message, hint="give all but one of them a path")
    return bool(given)


def run_prove(options: argparse.Namespace) -> int:
    """``mazurka prove``: answers are printed as they are found."""
    seconds, memory = _time_limit(options), _memory_limit(options)
    printer = Printer(width(), Paint(has_colour(sys.stdout)))
    silent = _has_standard_output(options)
    topics = topics_of(options.asked)
    results = []
    for topic in topics:
        if not topic.questions:
            (sys.stderr.write if silent else print_text)(printer.without_claims(topic))
    for result in answered(
        topics,
        time_limit=seconds,
        memory_limit=memory,
        allow_unused=options.allow_unused,
    ):
        results.append(result)
        if not silent:
            print_text(printer.claim(*result))
    if options.json is not None:
        write_text(options.json, proofs_as_json(results))
    if not silent:
        print_text(printer.end())
    said = write_counterexample(results, vars(options))
    if silent:
        sys.stderr.write(said)
    else:
        print_text(said)
    return exit_status(result.answer for result in results)


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
