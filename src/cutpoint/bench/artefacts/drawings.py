"""Figures inside the page: drawings as short as they go, and pictures of few colours in the place of large ones."""

import base64
import io
import re
from collections import Counter
from urllib.parse import quote

from markupsafe import Markup

LARGEST = 120_000  # letters of a drawing in the page
COLOURS = 32  # of a picture: families of methods, their pale shades, and the edges of letters
FONTS = "font-family: DejaVu Sans, Verdana, sans-serif"
# What Matplotlib writes and a drawing in the page can do without
SHORTER = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"(\.\d\d)\d+"), r"\1"),  # what comes after hundredths of a point
    (re.compile(r"font-family: 'DejaVu Sans', 'Verdana', sans-serif;? ?"), ""),
    (re.compile(r' clip-path="([^"]*)" style="'), r' style="clip-path: \1; '),  # a part of the style, which many share
    (re.compile("<g [^>]*/>"), ""),
    (re.compile(r'<g id="[^"]*">'), "<g>"),
    (re.compile(r"<!--.*?-->"), ""),
    (re.compile(r"> <"), "><"),
    (re.compile(r' transform="rotate\(-0 [^)]*\)"'), ""),
    (re.compile(r"\bxlink:(?=href)"), ""),  # SVG 2 needs no name space for it
)
STYLE, IDS = re.compile(r' style="([^"]*)"'), re.compile(r"\b[mp][0-9a-f]{10}\b")
PATH, COMMAND = re.compile('(?<= d=)"[^"]*"'), re.compile(" ?([A-Za-z]) ?")
GROUP = re.compile("<g[ >]|</g>")
METADATA = re.compile("<metadata>.*?</metadata>", re.DOTALL)


def embedded(svg: str, png: bytes) -> Markup:
    """Return a figure as an address inside double quotes: its drawing, or its picture where that is too large."""
    drawing = data_uri(svg)
    return _of_few_colours(png) if png and len(drawing) > LARGEST else drawing


def large(svg: str) -> bool:
    """Return whether a drawing is too large for the page."""
    return len(svg) > LARGEST and len(data_uri(svg)) > LARGEST


def _of_few_colours(png: bytes) -> Markup:
    """Return a picture with a palette as an address, a quarter as long as with all colours."""
    from PIL import Image  # few reports have a drawing that is too large

    shrunk = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS).save(shrunk, "PNG", optimize=True)
    return Markup("data:image/png;base64," + base64.b64encode(shrunk.getvalue()).decode())


def data_uri(svg: str) -> Markup:
    """Return a drawing as an address inside double quotes, as short as it goes without a loss that can be seen."""
    drawing = METADATA.sub("", svg[max(svg.find("<svg"), 0) :])
    for pattern, less in SHORTER:
        drawing = pattern.sub(less, drawing)
    drawing = PATH.sub(lambda path: COMMAND.sub(r"\1", path[0]), _grouped(drawing))
    drawing = _classes(drawing).replace("<svg", f'<svg style="{FONTS}"', 1)
    for k, name in enumerate(dict.fromkeys(IDS.findall(drawing))):
        drawing = drawing.replace(name, f"i{k}")
    if "'" not in drawing:
        drawing = drawing.replace('"', "'")  # a double quote takes three letters
    return Markup("data:image/svg+xml;charset=utf-8," + quote(drawing, safe=" =:/;,()!*+@-._~?$[]|{}'<>"))


def _grouped(drawing: str) -> str:
    """Return a drawing without the groups that say nothing."""
    kept: list[bool] = []

    def less(tag: re.Match[str]) -> str:
        if tag[0] != "</g>":
            kept.append(tag[0] == "<g ")
            return tag[0] if kept[-1] else ""
        return tag[0] if kept.pop() else ""

    return GROUP.sub(less, drawing)


def _classes(drawing: str) -> str:
    """Return a drawing whose styles that come more than once are classes."""
    often = [style for style, count in Counter(STYLE.findall(drawing)).items() if count > 1]
    names = {style: f"s{k}" for k, style in enumerate(often)}
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    shorter = STYLE.sub(lambda match: f' class="{names[match[1]]}"' if match[1] in names else match[0], drawing)
    return shorter.replace("</style>", f"{rules}</style>", 1) if "</style>" in shorter else drawing
