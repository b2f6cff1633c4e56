"""The next step in words: techniques of people on the constraint model, each with its difficulty."""
