"""``python -m f2csp``."""

from f2csp.cli.main import main

if __name__ == "__main__":
    main()
