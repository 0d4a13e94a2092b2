"""Functions that a checked program may call without defining them: the C library, pthreads, builtins."""
