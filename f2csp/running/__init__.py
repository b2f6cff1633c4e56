"""Child processes: the one place that starts interpreters."""
