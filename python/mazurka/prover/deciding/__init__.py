"""From a query to an answer: automata of both sides, with everything that may be assumed."""
