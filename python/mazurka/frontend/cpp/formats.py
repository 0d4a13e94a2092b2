"""Leaves out the functions that change how a stream prints, so that they are refused where they are reached.

What streams print is not formatted (``include/cxx/streams.cpp``), except in the way that is the default.
"""

from __future__ import annotations

import re

_SETTERS = re.compile(
    r"^define linkonce_odr (?:hidden )?(?P<head>[^@\n]*@"
    r"_ZNSt3__1(?:8ios_base(?:4setf|6unsetf|5width|9precision|5flags)|9basic_iosI\w*?E(?:4fill|5rdbuf))B\w+"
    r"(?<!Ev)\([^\n]*?\)) (?:#|comdat|align|unnamed_addr|local_unnamed_addr)[^\n]*\{\n.*?^\}\n",
    re.M | re.S,
)


def without_formats(text: str) -> str:
    """A module that declares these functions, and does not define them."""
    return _SETTERS.sub(r"declare \g<head>\n", text)
