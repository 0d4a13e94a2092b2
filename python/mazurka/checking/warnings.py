"""Warnings about a check as a whole: its model, how its program was read, and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mazurka._engine import Explored
    from mazurka.cache.compiled import Compiled
    from mazurka.cache.plans import ChosenModel, ReadyPlan


def warnings_of(
    result: Explored, compiled: Compiled, model: ChosenModel, plan: ReadyPlan, grown: str | None
) -> tuple[str, ...]:
    """All of them; ``grown`` says what took the memory, if there was not enough."""
    return (
        *compiled.warnings,
        *_machine(compiled, plan),
        *_without_arguments(result, compiled),
        *([grown] if grown else []),
        *_blocked(result),
        *_unchecked(model),
        *_kept_rounds(result, model),
    )


def _blocked(result: Explored) -> tuple[str, ...]:
    if result.status == "finished" and not result.complete and not result.cuts:
        return ("every execution was blocked, so nothing after the blocked steps was checked",)
    return ()


def _kept_rounds(result: Explored, model: ChosenModel) -> tuple[str, ...]:
    """The warning that rounds of wait loops were explored one by one, if a bound cut them."""
    if model.keeps_rounds is None or not result.cuts:
        return ()
    return (f"rounds of loops that change nothing were explored, since in the model {model.keeps_rounds}",)


def _machine(compiled: Compiled, plan: ReadyPlan) -> tuple[str, ...]:
    """The warning about machine instructions under a model of a language, where releases order threads."""
    if not compiled.machine or not plan.synchronises:
        return ()
    said = f"the program relies on machine instructions such as {compiled.machine}"
    return (f"{said}, taken for the atomics and fences of C; --model tso is what x86 guarantees",)


def _without_arguments(result: Explored, compiled: Compiled) -> tuple[str, ...]:
    """The warning that nothing may have run, because main wants arguments: it created no thread."""
    if not compiled.arguments or result.events or result.status != "finished":
        return ()
    return (f"main is run without arguments (argc is 1, see {compiled.arguments}), and created no thread",)


def _unchecked(model: ChosenModel) -> tuple[str, ...]:
    """The warning about a model that is run although it is unchecked."""
    said = "the model is unchecked, so executions may be missing or spurious"
    return tuple(f"{said}: {why}" for why in model.warnings)
