"""The canonical form: a reader as strict as its definition, and the simplest program that counts."""

import re
from collections import Counter

from f2csp.model import Problem


class CanonicalReader:
    """Reads canonical text line by line, as section 2 of the format says it is, and refuses anything else."""

    def __init__(self, text: str) -> None:
        assert text.endswith("\n")
        assert not text.startswith("\ufeff")
        self.lines = text[:-1].split("\n")
        self.at = 0
        assert all(self.lines), "a blank line"
        assert all(line.strip(" \t") == line for line in self.lines), "a blank at an end"
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text), "a control character"

    def line(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def expect(self, line: str) -> None:
        assert self.line() == line

    def count(self) -> int:
        line = self.line()
        assert re.fullmatch(r"0|[1-9][0-9]*", line, re.ASCII)
        return int(line)

    def words(self, line: str) -> list[str]:
        words = line.split(" ")
        assert all(re.fullmatch(r"[^\s:,(){}=]|[^\x00-\x20\x7f:,(){}=]+", word) for word in words)
        return words

    def read(self) -> Counter[str]:
        """Go over the whole text, and count what is in it."""
        counts: Counter[str] = Counter()
        counts["title"] = self.lines.index("Domains:")
        self.at = counts["title"] + 1
        domains = {}
        for _ in range(self.count()):
            name, values = self.line().split(": ")
            (name,), domains[name] = self.words(name), self.words(values)
            assert len(set(domains[name])) == len(domains[name])
            assert not any(re.fullmatch(r"(0|-?[1-9][0-9]*)\.\.(0|-?[1-9][0-9]*)", v, re.ASCII) for v in domains[name])
        self.expect("Variables:")
        variables = {}
        for _ in range(self.count()):
            name, domain = self.line().split(": ")
            variables[self.words(name)[0]] = domains[domain]
        self.expect("Constraints:")
        counts["constraints"] = self.count()
        labels = set()
        for _ in range(counts["constraints"]):
            (label,) = self.words(self.line())
            labels.add(label)
            self.expect("Vars:")
            arity = self.count()
            scope = self.words(self.line())
            assert len(set(scope)) == len(scope) == arity > 0
            kind = self.line()
            assert kind in ("Reject:", "Accept:")
            rows = [tuple(self.words(self.line())) for _ in range(self.count())]
            assert len(set(rows)) == len(rows)
            assert all(len(row) == arity for row in rows)
            assert all(v in variables[x] for row in rows for v, x in zip(row, scope, strict=True))
            counts[kind] += len(rows)
        self.expect("Goal:")
        self.expect("Satisfy")
        assert self.at == len(self.lines)
        assert len(labels) == counts["constraints"]
        counts["domains"], counts["variables"] = len(domains), len(variables)
        return counts


def simple_counts(text: str) -> Counter[str]:
    """The simplest program that counts: it knows five words and no more."""
    counts: Counter[str] = Counter()
    lines = iter(text.splitlines() if text.isascii() else text.split("\n"))
    for line in lines:
        if line in ("Domains:", "Variables:", "Reject:", "Accept:"):
            counts[line] += (n := int(next(lines)))
            for _ in range(n):
                next(lines)
        elif line == "Constraints:":
            counts[line] += int(next(lines))
    return counts


def true_counts(problem: Problem) -> Counter[str]:
    counts = Counter({"Domains:": problem.n_domains, "Variables:": problem.n_variables})
    counts["Constraints:"] = problem.n_constraints
    for constraint in problem.constraints:
        counts[f"{constraint.kind}:"] += constraint.relation.n_tuples
    return counts
