"""The rule about the counts of the sections: F103; those of a constraint are compared with its table and scope."""

from f2csp.diagnostics import Collector
from f2csp.text.columns import Columns


def check_counts(columns: Columns, collector: Collector) -> None:
    """F103: a section declares another number of things than follow.

    Lines that were told to be wrong may be what is too much; then the count was right, and the cause is told once.
    """
    for word, section in columns.sections.items():
        count = section.count
        if count is None or count.value is None or not section.is_comparable:
            continue
        if section.found - section.n_faulty <= count.value <= section.found:
            continue
        message = f"declared {count.value} {word}, found {section.found}"
        label = f"{section.found} follow"
        collector.add(
            "F103", count.start, count.end, message, label=label, hint=_hint(word, count.value, section.found)
        )


def _hint(word: str, declared: int, found: int) -> str:
    thing = word if abs(declared - found) != 1 else word[:-1]
    if found < declared:
        return f"write {found}, or add the {thing} that {'is' if declared - found == 1 else 'are'} missing"
    return f"write {found}, or remove the {thing} too much"
