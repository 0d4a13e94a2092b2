"""The planner's automata: words of relations between classes of events, their inclusion and saturation."""
