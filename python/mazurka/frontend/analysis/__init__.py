"""What is known of a function before it is lowered: which objects are private, which loops are bounded."""
