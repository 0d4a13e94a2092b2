"""Programs of several files: each becomes a module of IR, and LLVM links the modules into one."""
