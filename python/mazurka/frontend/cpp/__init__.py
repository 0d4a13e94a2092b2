"""C++: what its modules need beyond those of C.

A C++ program is compiled with libc++'s headers, some of which ``include/cxx`` replaces by simpler ones. What
the headers only declare comes from libc++'s sources, compiled when it is needed (``library``). Small
functions of these headers and sources are inlined (``inlining``), so that an atomic access is an instruction
of the function that makes it, in the line of the program that it stands for.
"""
