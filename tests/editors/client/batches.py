"""Batches as agents write them."""

TEXT = "first line\na TODO here\n🚀 x TODO énd\n"


def edited(uri, *edits, **rest):
    """One document; `edits` are pairs of old and new text."""
    return {"textDocument": {"uri": uri, **rest}, "edits": [{"oldText": old, "newText": new} for old, new in edits]}


def batch(uri, *edits, **rest):
    """A batch for one document."""
    return {"documents": [edited(uri, *edits)], **rest}
