"""Functions of the C++ library are inlined unless that makes them large, or they call themselves."""

from __future__ import annotations

from mazurka.frontend.cpp.inlining import _LARGEST, _that_stay_small


def body(lines: int, *called: str) -> str:
    return "\n  ret void" * lines + "".join(f"\n  call void @{name}()" for name in called)


def test_a_function_counts_with_what_is_inlined_into_it() -> None:
    half = _LARGEST // 2
    bodies = {
        "leaf": body(half),
        "once": body(1, "leaf"),
        "twice": body(1, "once", "leaf"),  # this is too large,
        "caller": body(1, "twice", "unknown"),  # so it stays a call here
    }
    assert set(_that_stay_small(bodies)) == {"leaf", "once", "caller"}


def test_of_functions_that_call_each_other_one_stays_a_call() -> None:
    bodies = {
        "even": body(1, "odd"),
        "odd": body(1, "even"),
        "self": body(1, "self"),
        "user": body(1, "even"),
    }
    small = set(_that_stay_small(bodies))
    assert "user" in small
    assert "self" not in small
    assert len(small & {"even", "odd"}) == 1
