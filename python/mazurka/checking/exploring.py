"""Runs the engine: with the Plan of a model and of the error rules that are asked for.

If accesses of several sizes are met, the program is explored once more, byte by byte.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from mazurka.cache.plans import ChosenModel, ReadyPlan, RulesModel, flags_for, plan_for
from mazurka.checking.outcome import Stop
from mazurka.deadline import within
from mazurka.errors import ErrorCode, ModelError, Place

if TYPE_CHECKING:
    from typing import Protocol

    from mazurka._engine import Explored, RawGraph
    from mazurka.cache.compiled import Compiled
    from mazurka.checking.sizes import MixedSizes

    class Watcher(Protocol):
        """An observer of an exploration."""

        def explore(self, run: Callable[..., Explored], workers: int) -> Explored:
            """Lets the engine ``run``, perhaps with further options."""


# How accesses of several sizes are explored: without reductions that rest on one size.
_BYTE_BY_BYTE = {
    **dict.fromkeys(("symmetry", "zero_net_effect", "causal", "helping"), False),
    "mixed_sizes": True,
}

PLANNING = "the model was still being planned"


class Exploration(NamedTuple):
    """What the engine found, under which plan, and how it came to it.

    Of a violation, ``shown`` has the smallest execution that was found soon, with another ``seed`` perhaps,
    and ``tracked`` the same with dependencies, if the model names them and they were not tracked.
    """

    result: Explored
    shown: Explored
    seed: int | None
    plan: ReadyPlan
    mixed: MixedSizes | None
    seconds: float
    tracked: RawGraph | None = None


class RuledModel(NamedTuple):
    """A model, and the error rules that are checked: its own, those of another one, or none."""

    model: ChosenModel
    rules: RulesModel | None
    looks_for_errors: bool


def explore(
    ruled: RuledModel,
    compiled: Compiled,
    mixed_size: str,
    left: Callable[[], float | None],
    options: dict[str, Any],
    watch: Watcher | None = None,
    *,
    smaller: bool = False,
) -> Exploration:
    """Explores; once more, byte by byte, if accesses of several sizes are met and this can be done.

    Of a violation, the execution is shown that was found first, or a ``smaller`` one.
    """
    model, rules, looks_for_errors = ruled
    mixed = None
    if mixed_size == "on":
        from mazurka.checking.sizes import MixedSizes

        mixed = MixedSizes()
    before = 0.0
    while True:
        with within(left(), PLANNING):
            classes = None if options["audit"] else compiled.classes
            plan = plan_for(
                model,
                classes,
                mixed_sizes=mixed is not None,
                looks_for_errors=looks_for_errors,
                rules=rules,
            )
        if mixed is not None:
            _refuse_sizes(model, plan)
        chosen = {**options, **_BYTE_BY_BYTE} if mixed is not None else options
        if looks_for_errors and rules is None and mixed is None and not options["reads_from"]:
            with within(left(), PLANNING):
                flags = flags_for(model, classes)
            if flags is not None:
                plan = plan._replace(rules=flags.rules)
                chosen = {**chosen, "flags": flags.code, "flags_are_findings": True}
        if plan.names_dependencies and options["collect"]:
            chosen = {**chosen, "dependencies": True}
        may_go_on = mixed_size == "auto" and mixed is None and plan.tells_sizes and not options["reads_from"]
        result = _run(compiled, plan, watch, **chosen, time_limit=left(), leaves_sizes=may_go_on)
        seconds = before + result.seconds
        if not may_go_on or result.status != "refused":
            again = partial(_run, compiled, plan, None, **{**chosen, "collect": False}, time_limit=left())
            shown, seed = _shown(result, again, smaller=smaller)
            tracked = _tracked(shown, again) if plan.names_dependencies else None
            return Exploration(result, shown, seed, plan, mixed, seconds, tracked)
        from mazurka.checking.refusals import sizes_met

        mixed, before = sizes_met(compiled.program, result), seconds
        if mixed is None:
            return Exploration(result, result, None, plan, None, seconds)


def stop_of(
    result: Explored, memory: int | None, most: int | None, seconds: float | None, *, is_late: bool
) -> Stop | None:
    """What stopped an exploration, given the limits; the engine says so only of memory."""
    if result.status != "interrupted":
        return None
    if result.out_of_memory:
        return Stop("memory") if result.system_refused else Stop("memory-limit", memory)
    if most is not None and result.explored_complete + result.explored_blocked >= most:
        return Stop("max-executions", most)
    return Stop("time-limit", seconds) if is_late else Stop("signal")


def _shown(result: Explored, again: Callable[..., Explored], *, smaller: bool) -> tuple[Explored, int | None]:
    if not smaller or result.status != "violation":
        return result, None
    from mazurka.checking.smallest import smallest

    return smallest(result, again)


def _tracked(shown: Explored, again: Callable[..., Explored]) -> RawGraph | None:
    """Runs the execution of a violation again if the engine did not track dependencies in it."""
    if shown.status != "violation" or shown.graph is None:
        return None
    if all(event.depends is not None for thread in shown.graph.threads for event in thread.events):
        return None
    found = again(route=shown.route, dependencies=True)
    return found.graph if found.status == "violation" else None


def _run(
    compiled: Compiled, plan: ReadyPlan, watch: Watcher | None, workers: int | None, **options: Any
) -> Explored:
    from mazurka import _engine

    options["workers"] = workers or _engine.cores()

    def run(**more: Any) -> Explored:
        return run_engine(compiled.code, plan.code, **{**options, **more})

    return run() if watch is None else watch.explore(run, options["workers"])


def run_engine(*given: Any, **options: Any) -> Explored:
    """``_engine.explore``; in another thread than the main one, it stops before the interpreter ends."""
    if "threading" in sys.modules:
        from mazurka.unfinished import explore_until_the_end

        return explore_until_the_end(*given, **options)
    from mazurka import _engine

    return _engine.explore(*given, **options)


def _refuse_sizes(model: ChosenModel, plan: ReadyPlan) -> None:
    """Refuses accesses of several sizes under a model that does not say what they mean."""
    if not plan.tells_sizes:
        message = "this model, which has a ppo of its own, does not say what accesses of several sizes mean"
        hint = "use --mixed-size off, or a model whose ppo is po or that names si, such as rc11 or armv8"
        if plan.rules_of:
            message = (
                "races are not looked for in accesses of several sizes under a model with a ppo of its own"
            )
            hint = "use --mixed-size off, or leave out --races"
        raise ModelError(ErrorCode.UNSUPPORTED, message, place=Place(str(model.path)), hint=hint)
