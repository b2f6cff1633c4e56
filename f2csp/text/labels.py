"""The names of the constraints of a text."""


class Labels:
    """The names of the constraints; kept only when they are not C1, C2, ... or 1, 2, ..."""

    def __init__(self) -> None:
        """Begin without any."""
        self.n = 0
        self.last = ""
        self.names: list[str] | None = None
        self._prefixes = ["C", ""]  # of the default forms that all labels so far have

    def add(self, label: bytes | None) -> None:
        """Take in the next label; None stands for a missing one."""
        self.n += 1
        text = self.last = label.decode("utf-8", "replace") if label is not None else f"C{self.n}"
        if self.names is not None:
            self.names.append(text)
            return
        fitting = [prefix for prefix in self._prefixes if label is None or text == f"{prefix}{self.n}"]
        if fitting:
            self._prefixes = fitting
        else:
            self.names = [f"{self._prefixes[0]}{i}" for i in range(1, self.n)]
            self.names.append(text)

    def extend(self, labels: list[bytes]) -> None:
        """Take in the next labels."""
        if self.names is None:
            numbers = range(self.n + 1, self.n + len(labels) + 1)
            prefixes = [p.encode() for p in self._prefixes]
            fitting = [p.decode() for p in prefixes if labels == [b"%b%d" % (p, i) for i in numbers]]
            if fitting:
                self._prefixes = fitting
                self.n += len(labels)
                self.last = labels[-1].decode()
                return
        for label in labels:
            self.add(label)

    def drop(self) -> None:
        """Forget the last label: its constraint is no constraint. Those that come keep their own."""
        if self.names is None:
            self.names = [f"{self._prefixes[0]}{i}" for i in range(1, self.n)]
        else:
            self.names.pop()
