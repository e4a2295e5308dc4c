"""A plugin of pytest: the line that `run` adds up."""


def pytest_terminal_summary(terminalreporter):
    count = lambda *kinds: sum(len(terminalreporter.stats.get(it, [])) for it in kinds)
    terminalreporter.write_line(f"{count('passed')} passed, {count('failed', 'error')} failed")
