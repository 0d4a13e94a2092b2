"""What is known about a function before it is lowered: which objects are private, which loops are bounded."""
