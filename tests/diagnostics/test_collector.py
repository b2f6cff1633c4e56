"""The collector keeps the first findings, counts the others, and its errors survive pickling."""

import pickle

import pytest

from f2csp.diagnostics import Collector, F2cspError, InvalidInput, MissingExtra, ProblemError, Source, Unsuitable


def filled(offsets: list[int], limit: int) -> Collector:
    collector = Collector(Source("a.csp", b"x" * 10_000), limit)
    for offset in offsets:
        collector.add("F012", offset, offset + 1, f"fault at {offset}")
    return collector


@pytest.mark.parametrize("step", [1, -1, 7])
def test_the_first_findings_of_the_text_are_kept_in_any_order_of_report(step: int) -> None:
    collector = filled([i * step % 5_000 for i in range(5_000)], limit=10)
    assert [d.span.column for d in collector.diagnostics()] == list(range(1, 11))
    assert (collector.n_errors, collector.n_hidden) == (5_000, 4_990)


def test_after_findings_are_removed_later_ones_are_kept_again() -> None:
    collector = filled(list(range(1_000)), limit=10)
    collector.retract(0, 1_000)
    collector.add("F012", 2_000, 2_001, "one more")
    assert [d.message for d in collector.diagnostics()] == ["one more"]


def test_errors_survive_pickling() -> None:
    with pytest.raises(InvalidInput) as caught:
        filled([3, 5], limit=1).raise_if_errors()
    errors: list[F2cspError] = [caught.value, Unsuitable("no"), ProblemError("no"), MissingExtra("zstandard", "zst")]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
