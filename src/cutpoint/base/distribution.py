"""The name under which the package is installed, which is not that of its import, and its version."""

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "bn-cutpoint"


def package_version() -> str:
    """Return the version of the installed package, "unknown" from a bare source tree."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
