"""What becomes of batches in Helix."""

import json

from helix import until

TEXT = "// first line\n// a TODO here\n// 🚀 x TODO énd\n"
EDIT = ("x TODO", "x DONE")
DONE = TEXT.replace(*EDIT)


def started(helix, **files):
    """Helix with `a=TEXT` in `a.rs`."""
    for name, text in files.items():
        (helix.project / f"{name}.rs").write_text(text)
    return helix.start(*(f"{name}.rs" for name in files))


def test_a_batch_is_applied_and_one_undo_takes_all_of_it_back(helix):
    started(helix, a=TEXT)
    assert_applied(helix.agent_edit(("a.rs", EDIT, ("first", "1st"))))
    helix.shows("1st line", "x DONE")
    assert (helix.project / "a.rs").read_text() == TEXT
    helix.saves("a.rs", DONE.replace("first", "1st"))
    helix.press("u")
    helix.shows("first line", "x TODO")
    helix.saves("a.rs", TEXT)


def test_unsaved_text_is_what_is_edited(helix):
    started(helix, a=TEXT)
    helix.type_first("// typed ")
    assert_applied(helix.agent_edit(("a.rs", ("typed // first", "typed and"))))
    helix.saves("a.rs", TEXT.replace("// first", "// typed and"))


def test_a_conflict_is_shown_and_a_quick_fix_applies_the_edit(helix):
    started(helix, a=TEXT)
    answer = helix.agent_edit(("a.rs", ("TODO", "DONE")))()
    assert answer["error"]["data"]["code"] == "EDIT_CONFLICT"
    until_marked(helix, 2)
    # From one to the next, which says what it is while it is selected.
    helix.press("]", "d")
    helix.shows("stands 2 times", "1 sel  2:")
    helix.press("]", "d")
    helix.shows("stands 2 times", "1 sel  3:")
    helix.press("Space", "a")
    helix.shows("Apply edit 1 here", "Apply edit 1 to all 2 places", "Show edit 1", "Discard edit 1")
    helix.press("Enter")
    helix.shows("x DONE")
    until_marked(helix, 0)
    helix.saves("a.rs", DONE)


def test_a_stale_edit_never_lands(helix):
    started(helix, a=TEXT)
    answer = held(helix, ("a.rs", EDIT))
    helix.type_first("// typed meanwhile ")
    assert released(helix, answer)["error"]["code"] in (-32801, -32803)
    helix.saves("a.rs", "// typed meanwhile " + TEXT)


def test_of_two_documents_with_the_second_one_stale_neither_is_changed(helix):
    # The last one that was opened is in front, and the batch names it last.
    started(helix, b=TEXT, a=TEXT)
    front, other = ("b.rs", "a.rs") if "b.rs" in helix.screen().splitlines()[-2] else ("a.rs", "b.rs")
    helix.command(f"open {other}")
    helix.command(f"open {front}")
    answer = held(helix, (other, EDIT), (front, EDIT))
    helix.type_first("// typed meanwhile ")
    assert released(helix, answer)["error"]["code"] == -32801
    helix.saves(front, "// typed meanwhile " + TEXT)
    helix.command(f"open {other}")
    helix.saves(other, TEXT)


def test_a_file_that_is_not_open_is_edited_in_the_editor_not_on_disk(helix):
    started(helix, a=TEXT)
    (helix.project / "b.rs").write_text(TEXT)
    assert_applied(helix.agent_edit(("b.rs", EDIT)))
    assert (helix.project / "b.rs").read_text() == TEXT
    helix.command("open b.rs")
    helix.shows("x DONE")
    helix.saves("b.rs", DONE)


def assert_applied(answer):
    answer = answer()
    assert answer.get("result", {}).get("applied") is True, json.dumps(answer)


def until_marked(helix, count):
    """Waits until so many lines have the mark of a diagnostic."""
    marked = lambda: sum(it.strip().startswith("●") for it in helix.screen().splitlines())
    until(f"{count} marked lines", lambda: marked() == count, helix.screen)


def held(helix, *documents):
    """Sends a batch whose edit is on its way to Helix and does not arrive."""
    helix.ask("hold")()
    answer = helix.agent_edit(*documents)
    helix.ask("held")()
    return answer


def released(helix, answer):
    """The answer to a batch that was held."""
    helix.ask("release")()
    return answer()
