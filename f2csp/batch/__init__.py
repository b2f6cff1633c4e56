"""Many problems: in local processes, or on a Dask cluster."""

from f2csp.batch.records import Records, run

__all__ = ["Records", "run"]
