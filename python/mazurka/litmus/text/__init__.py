"""The parts of herd's format that all languages share: words, names, initial states, tables, conditions."""
