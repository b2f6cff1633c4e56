"""Pictures of what problems and solutions hold."""
