"""From a C file to LLVM IR: the compiler, its flags, its process, and the files it read."""
