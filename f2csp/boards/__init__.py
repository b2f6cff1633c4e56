"""Puzzle files, one file per format."""
