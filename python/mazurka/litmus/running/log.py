"""Verdicts on litmus tests as herd's logs and as JSON."""

from __future__ import annotations

from mazurka.litmus.meaning.conditions import Quantifier
from mazurka.litmus.running.states import Verdict

_KINDS = {
    Quantifier.EXISTS: "Allowed",
    Quantifier.NOT_EXISTS: "Forbidden",
    Quantifier.FORALL: "Required",
}


def as_log(verdict: Verdict) -> str:
    """A verdict in herd's format; each state has the number of its executions, and witnesses a star."""
    condition = verdict.test.condition
    lines = [f"Test {verdict.test.name} {_KINDS[condition.quantifier]}", f"States {len(verdict.states)}"]
    lines += [f"{count:<6}{'*' if witness else ':'}>{text}" for text, count, witness in verdict.states]
    lines += ["Ok" if verdict.is_ok else "No", "Witnesses"]
    lines.append(f"Positive: {verdict.positive} Negative: {verdict.negative}")
    lines += [f"Flag {flag}" for flag in verdict.flags]
    lines.append(f"Condition {condition.text or 'forall true'}")
    lines += [f"Warning: {warning}" for warning in verdict.warnings]
    if verdict.is_bounded:
        lines.append("Warning: executions beyond a loop bound are left out (--unroll)")
    if verdict.only_witnesses:
        lines.append("Warning: executions that are no witnesses are too many and were not counted")
    counts = f"{verdict.positive} {verdict.negative}"
    lines.append(f"Observation {verdict.test.name} {verdict.observation} {counts}")
    return "\n".join([*lines, "", ""])


def as_object(verdict: Verdict) -> dict[str, object]:
    """A verdict as plain data, for JSON."""
    condition = verdict.test.condition
    return {
        "name": verdict.test.name,
        "file": verdict.test.file,
        "language": verdict.test.language.value,
        "model": verdict.model,
        "states": [
            {"state": text, "executions": count, "witness": witness}
            for text, count, witness in verdict.states
        ],
        "condition": {
            "quantifier": condition.quantifier.value,
            "text": condition.text,
            "holds": verdict.is_ok,
        },
        "observation": verdict.observation,
        "positive": verdict.positive,
        "negative": verdict.negative,
        "bounded": verdict.is_bounded,
        "warnings": list(verdict.warnings),
        "flags": list(verdict.flags),
        "only_witnesses": verdict.only_witnesses,
    }
