"""What execution graphs are: relations, events, facts, and the queries about them."""
