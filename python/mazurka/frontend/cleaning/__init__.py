"""What is done to the IR before it is lowered: refusals, shorter constants, locals in registers."""
