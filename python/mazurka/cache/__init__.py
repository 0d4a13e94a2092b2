"""What takes long to make and is kept on disk: compiled programs, and the plans of models."""
