"""What functions of ``include/cxx`` call where they cannot go on: what is reached, and what to do instead."""

from __future__ import annotations

UNSUPPORTED_IN_CPP: dict[str, tuple[str, str]] = {
    "__mazurka_too_many_nested_exceptions": (
        "a 17th exception in a thread that is still handling 16 others",
        "throw fewer exceptions inside handlers",
    ),
    "__mazurka_too_many_thread_local_destructors": (
        "a 33rd thread_local object with a destructor in one thread",
        "make fewer of them, or one object that has them as members",
    ),
}
