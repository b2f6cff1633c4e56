"""``python -m f2csp``."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the working folder, where a file may have the name of a module

    from f2csp.cli.main import main

    main()
