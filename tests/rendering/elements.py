"""What is in a picture."""

from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def elements(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(f"{SVG}{name}"))


def texts(svg: str, name: str = "text") -> list[str]:
    return ["".join(element.itertext()) for element in elements(svg, name)]
