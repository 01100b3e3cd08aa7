"""What MkDocs is told of links that lead out of the pages: they are shown as paths in the repository."""

import re

OUTSIDE = re.compile(r"\[([^\]]*)\]\(((?:\.\./|module/)[^)]*)\)")


def on_page_markdown(markdown, **_):
    """Return a page without links to files that are no pages."""
    return OUTSIDE.sub(lambda found: f"{found[1]} (`{found[2].removeprefix('../')}`)", markdown)
