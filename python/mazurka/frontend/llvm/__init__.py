"""LLVM IR as values: reads its textual form, debug metadata included."""
