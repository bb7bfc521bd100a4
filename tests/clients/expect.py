"""Comparisons that say what differs."""


def expect(what, seen, wanted):
    """Raises, naming both sides, unless the two values are equal."""
    if seen != wanted:
        raise AssertionError(f"{what}: expected {wanted!r}, saw {seen!r}")


def texts(blocks):
    """The texts of content blocks that must all be texts."""
    for block in blocks:
        expect("kind of content", block.type, "text")
    return [block.text for block in blocks]
