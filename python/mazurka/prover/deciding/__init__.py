"""From a query to an answer: automata for both sides, with everything that may be assumed."""
