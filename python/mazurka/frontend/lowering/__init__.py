"""From LLVM IR to virtual code, function by function."""
