"""XML tags with their places; whatever is not plain XML is refused with its place."""

import pytest

from f2csp.xml_events import XmlFault, parse_xml


class Tags:
    """Keeps the text of the tags."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.seen: list[tuple[str, str]] = []

    def begin(self, name: str, attributes: dict[str, str], start: int, end: int) -> None:
        self.seen.append((" ".join([name, *attributes.values()]), self.data[start:end].decode()))

    def finish(self, name: str, start: int, end: int) -> None:
        self.seen.append((name, self.data[start:end].decode()))


def test_tags_have_their_places() -> None:
    data = b"<?xml version='1.0'?><a><b x='>/' y=\"'&gt;\"/><c/><!-- <d> --><d>1</d>\n<e  /></a >"
    tags = Tags(data)
    parse_xml(data, tags)
    assert tags.seen == [
        ("a", "<a>"),
        ("b >/ '>", "<b x='>/' y=\"'&gt;\"/>"),
        ("b", ""),
        ("c", "<c/>"),
        ("c", ""),
        ("d", "<d>"),
        ("d", "</d>"),
        ("e", "<e  />"),
        ("e", ""),
        ("a", "</a >"),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "start", "end"),
    [
        ("", "unfinished", 0, 0),
        ("<a>", "unfinished", 3, 3),
        ("<a><b></a>", "malformed", 8, 8),
        ("<a>&b;</a>", "malformed", 3, 3),
        ("<a/><b/>", "malformed", 4, 4),
        (" <!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "malformed", 1, 10),
        ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "malformed", 0, 9),
        ("<a>" * 101, "too deep", 300, 301),
        (f"<a><!--{'-a' * (1 << 24)}", "malformed", 3, 3),
    ],
)
def test_what_is_refused(text: str, kind: str, start: int, end: int) -> None:
    data = text.encode()
    with pytest.raises(XmlFault) as caught:
        parse_xml(data, Tags(data))
    assert (caught.value.kind, caught.value.start, caught.value.end) == (kind, start, end)
