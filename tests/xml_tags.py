"""The text of XML tags, by their places."""


class Tags:
    """Keeps the text of the tags."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.seen: list[tuple[str, str]] = []

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:
        self.seen.append((" ".join([name, *attributes.values()]), self.data[start:end].decode()))

    def finish(self, name: str, start: int, end: int) -> None:
        self.seen.append((name, self.data[start:end].decode()))
