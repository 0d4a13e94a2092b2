"""The language of model files: from text to a Model, with a place for every mistake."""
