"""Reads files that users name: only regular files of a bounded size, so that reading never blocks.

Opening a FIFO waits for a writer, and a device such as ``/dev/zero`` has no end.
"""

from __future__ import annotations

import errno
import os
import stat

MOST_BYTES = 16 << 20  # of a program, a header or a model: larger ones are not written by people


class NotRegularError(OSError):
    """What is named is a FIFO, a device or a socket."""


class TooLargeError(OSError):
    """The file is larger than the limit."""


def is_source(given: str) -> bool:
    """Whether a text is a program and not a path: it has a line break or a brace, and names no file."""
    return ("\n" in given or "{" in given) and not os.path.exists(given)


def real_path(path: str) -> str:
    """The path of a file without links, by which two names of one file are recognised."""
    try:
        return os.path.realpath(path)
    except ValueError:  # it has a null character: whoever opens the file says so
        return path


def read_regular(path: str, most: int = MOST_BYTES) -> bytes:
    """The content of a regular file of at most ``most`` bytes; anything else is an ``OSError``."""
    # Without O_NONBLOCK the open itself would wait for the other end of a FIFO.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a directory", path)
        if not stat.S_ISREG(state.st_mode):
            raise NotRegularError(errno.EINVAL, "it is not a regular file", path)
        # Files of /proc claim to be empty, so the bytes that are read count, not the announced size.
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLargeError(errno.EFBIG, f"is larger than {most >> 20} MiB", path)
    return content


# What ends a line in Python (``str.splitlines``) but not in C: each becomes a blank of as many bytes.
_BLANKS = str.maketrans("\v\f\x1c\x1d\x1e\x85\u2028\u2029", "     \xa0\u2007\u2007")


def with_lines_of_c(text: str) -> str:
    """The text of a source file with the same lines for Python as for the compiler."""
    return text.translate(_BLANKS)
