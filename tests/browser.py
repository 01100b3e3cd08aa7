"""Pages in a headless Chromium: what their scripts found, and what the console said."""

import html
import json
import re
import shutil
import subprocess

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")


def look(folder, page, width=1500):
    """Return what the scripts of a page put into data-checks of its root, and what the console said."""
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--window-size={width},900"]
    options += ["--virtual-time-budget=10000", "--disable-background-networking"]
    command = [BROWSER, *options, f"--user-data-dir={folder}/profile", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    checks = re.search(r'data-checks="([^"]*)"', done.stdout)
    assert checks, done.stderr[-2000:]
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(checks[1])), console
