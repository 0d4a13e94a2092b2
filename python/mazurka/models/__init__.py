"""The memory models, as data, and the registry that finds them."""

from mazurka import make_callable

make_callable(__name__)
