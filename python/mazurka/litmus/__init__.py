"""Litmus tests of herd's format: files become values that say what each thread does.

``read_litmus`` reads a file. The threads of all languages are in one vocabulary (``operations``), in which
dependencies follow from registers. Whatever a file has that is not supported is refused with its line.
"""

from mazurka import make_callable
from mazurka.litmus.meaning.test import LitmusTest as LitmusTest
from mazurka.litmus.reader import parse_litmus_file as parse_litmus_file
from mazurka.litmus.reader import read_litmus as read_litmus

make_callable(__name__)
