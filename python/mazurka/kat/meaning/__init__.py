"""What a model says, whatever file it came from: terms, what they denote, classes of events, and Plans."""
