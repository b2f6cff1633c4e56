"""The rules about domains: F301 and F302; ranges, F303 and F305, are judged when they are expanded."""

from f2csp.diagnostics import Collector, shown
from f2csp.model.words import is_integer, is_range, range_ends
from f2csp.text.columns import Columns
from f2csp.text.lines import Word, text_of
from f2csp.text.locate import definition_words


def check_domains(columns: Columns, collector: Collector) -> None:
    """All rules about domains."""
    for i, values in enumerate(columns.domain_values):
        if len(values) == 0 and not columns.domain_is_open[i]:
            empty_domain(columns, i, collector)
        elif len(set(values.tolist())) != len(values):
            repeated_values(columns, i, collector)


def empty_domain(columns: Columns, domain: int, collector: Collector) -> None:
    """F301: a domain has no value."""
    columns.domain_is_open[domain] = True  # that no value is in it was said
    name, start = columns.domain_names[domain], columns.domain_starts[domain]
    hint = f"write {name}: and at least one value"
    collector.add("F301", start, start + len(name.encode()), f"domain {name} has no value", hint=hint)


def repeated_values(columns: Columns, domain: int, collector: Collector) -> None:
    """F302: a domain holds a value twice; a range that repeats values is told once."""
    data, name, n_values = columns.source.data, shown(columns.domain_names[domain]), len(columns.domain_values[domain])
    words = definition_words(columns, columns.domain_starts[domain])
    next(words)
    first: dict[str, Word] = {}
    n_read = 0
    for word in words:
        text = text_of(data, word)
        values = _expanded(text, n_values - n_read) if is_range(text) else [text]
        n_read += len(values)
        repeated = next((v for v in values if v in first), None)
        if repeated is not None:
            what = f"the range {text} of domain {name} repeats the value" if is_range(text) else f"domain {name} holds"
            message = f"{what} {repeated}" if is_range(text) else f"{what} the value {text} twice"
            related = [(*first[repeated], "the first is here")]
            collector.add("F302", *word, message, related=related, hint="write each value once")
        for value in values:
            first.setdefault(value, word)


def _expanded(text: str, most: int) -> list[str]:
    """The values of a range, or none if it was refused: what was taken in is no larger than the rest of the domain."""
    start, end = range_ends(text)
    if not (is_integer(start) and is_integer(end)) or int(end) - int(start) >= most:
        return []
    return [str(i) for i in range(int(start), int(end) + 1)]
