"""What holds for all tests."""

from hypothesis import settings

# A test never asserts a time: machines are shared, and a first example often pays for an import.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
