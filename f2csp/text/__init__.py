"""Text to columns and back: the grammar, the reader, the writer."""
