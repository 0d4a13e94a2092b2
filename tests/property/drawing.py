"""What is said about the programs that a strategy draws: some program is like this.

Examples of one batch resemble each other: of 200 around cycles, between 10 and 51 had more executions under
tso than under sc. So what is said about the programs drawn is said about several batches.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TypeVar

import pytest
from hypothesis import find, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
BATCHES = 10


def assert_drawn(strategy: SearchStrategy[T], is_like_this: Callable[[T], bool], what: str) -> None:
    """Some example is like this."""
    some = settings(max_examples=600, database=None)
    for start in range(BATCHES):
        with suppress(NoSuchExample):
            find(strategy, is_like_this, settings=some, random=Random(start))
            return
    pytest.fail(f"never drawn: {what}")
