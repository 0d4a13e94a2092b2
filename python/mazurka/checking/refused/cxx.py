"""What functions of ``include/cxx`` call where they cannot go on: what is reached, and what to do instead."""

from __future__ import annotations

UNSUPPORTED_IN_CPP: dict[str, tuple[str, str]] = {
    "__mazurka_too_many_nested_exceptions": (
        "the 17th exception of a thread whose earlier ones are not handled to the end",
        "throw fewer of them inside of handlers",
    ),
    "__mazurka_too_many_thread_local_destructors": (
        "the 33rd thread_local object with a destructor in a thread",
        "make fewer of them, or one object that has them as members",
    ),
}
