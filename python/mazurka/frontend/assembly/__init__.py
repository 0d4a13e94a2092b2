"""Virtual code, and the way from it to a Function of the bytecode."""
