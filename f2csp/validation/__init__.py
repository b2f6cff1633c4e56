"""The rules of the format over columns, and the gate that only texts without faults pass."""

from f2csp.validation.gate import Report, examine, load, loads, validate

__all__ = ["Report", "examine", "load", "loads", "validate"]
