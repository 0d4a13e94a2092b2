"""Planning a model heeds the time limit of a check."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka import deadline
from mazurka.errors import OutOfTime
from mazurka.kat.language.load import named_model
from mazurka.kat.planning.planner import tables_of
from mazurka.soundness.requirements import plan_model

PROGRAM = "int main(void) { return 0; }\n"


@pytest.mark.usefixtures("cache")
def test_a_check_ends_when_its_time_is_used_up_by_planning(tmp_path: Path) -> None:
    ran = mazurka("check", "--time-limit", "0.001", "--model", "rc11", write(tmp_path, PROGRAM))
    assert ran.status == 3
    assert "the time limit passed before the exploration began: the model was still being planned" in ran.out


@pytest.mark.parametrize("plan", [plan_model, tables_of])
def test_every_stage_of_planning_looks_at_the_time(plan: object) -> None:
    model = named_model("rc11")
    assert callable(plan)
    with deadline.within(0.0, "being tested"), pytest.raises(OutOfTime):
        plan(model)


def test_a_limit_ends_with_what_it_is_for() -> None:
    with deadline.within(0.0, "being tested"):
        time.sleep(0.001)
        with pytest.raises(OutOfTime):
            deadline.look()
    deadline.look()
