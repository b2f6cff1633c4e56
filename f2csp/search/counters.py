"""The counters of the searches, each with its definition."""

from dataclasses import dataclass

DEFINITIONS = {
    "nodes": "consistent partial assignments visited, the empty one included: accepted values + 1",
    "failures": "values rejected: by a check, or because a domain was wiped out",
    "backtracks": "steps back to an earlier variable that has no consistent value below it; a backjump is one",
    "values_tried": "values given to a variable, consistent or not",
    "assignments": "values accepted: those tried that did not fail at once",
    "constraint_checks": "values checked against a constraint (none: with the assigned variables, up to the first "
    "conflict; fc: each value left in the domain of each later variable, up to a wipeout; mac: revisions of a "
    "variable's domain by a constraint); where several constraints are on one pair of variables, one for each",
    "pair_checks": "the same, one for all constraints on a pair of variables",
    "generated": "states made by a state-space search, the first included",
    "expanded": "states whose successors a state-space search has made",
    "peak_depth": "the most variables assigned at once",
}
"""What each counter counts. Variables that ``counted`` leaves out, and auxiliary ones, count nowhere."""


@dataclass(slots=True)
class Counters:
    """The effort of a search; :data:`DEFINITIONS` says what each counter counts."""

    nodes: int = 1
    failures: int = 0
    backtracks: int = 0
    values_tried: int = 0
    assignments: int = 0
    constraint_checks: int = 0
    pair_checks: int = 0
    generated: int = 0
    expanded: int = 0
    peak_depth: int = 0
