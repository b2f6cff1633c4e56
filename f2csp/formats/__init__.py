"""Foreign formats, one file per format: ``export_*``, ``import_*``, and the answers of the solvers that read them."""
