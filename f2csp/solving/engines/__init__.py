"""The engines, one file each; the registry is :mod:`f2csp.solving.registry`."""
