"""C of litmus tests: C11's atomics and the Linux kernel's, read into ``litmus.operations``.

Local variables are registers. A shared variable is one cell of 8 bytes, whatever its type: the value in it is
that of the type, extended to 64 bits, so accesses always have the size of what they access. Control
dependencies end with the statement: ``Branch.join`` says where.
"""
