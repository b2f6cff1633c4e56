"""XCSP 2.x: instances of others, against an independent reader; every fault with its place."""

import operator
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import f2csp
from f2csp.diagnostics import Source
from f2csp.formats.xcsp2 import read
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary

INSTANCES = Path(__file__).parents[3] / "shared" / "instances" / "xcsp2"

# ---- An independent reader -------------------------------------------------------------------------------------------

Values = Mapping[str, int]

_FUNCTIONS: dict[str, Any] = {
    **{name: getattr(operator, name) for name in "neg abs add sub mul eq ne lt le gt ge".split()},
    "div": lambda a, b: int(a / b),
    "mod": lambda a, b: a - b * int(a / b),
    "min": min,
    "max": max,
    "_not": lambda a: not a,
    "_and": lambda a, b: bool(a and b),
    "_or": lambda a, b: bool(a or b),
    "_if": lambda a, b, c: b if a else c,
    "true": 1,
    "false": 0,
}


def value(expression: str, values: Values) -> Any:
    return eval(re.sub(r"\b(and|or|not|if)\(", r"_\1(", expression), dict(_FUNCTIONS), dict(values))


def solutions_of(text: str) -> set[tuple[int, ...]]:
    """All solutions of an instance, in the order of its variables."""
    root = ET.fromstring(text)
    domains = {}
    for domain in root.iter("domain"):
        ends = [list(map(int, word.split(".."))) for word in (domain.text or "").split()]
        domains[domain.get("name")] = [x for pair in ends for x in range(pair[0], pair[-1] + 1)]
    names = [str(variable.get("name")) for variable in root.iter("variable")]
    relations = {one.get("name"): one for one in root.iter("relation")}
    predicates = {one.get("name"): one for one in root.iter("predicate")}

    def holds(constraint: ET.Element, values: Values) -> bool:
        reference = str(constraint.get("reference"))
        scope = str(constraint.get("scope")).split()
        if reference in relations:
            rows = [list(map(int, row.split())) for row in (relations[reference].text or "").split("|")]
            is_listed = [values[name] for name in scope] in rows
            return is_listed == (relations[reference].get("semantics") == "supports")
        if reference == "global:allDifferent":
            listed = str(constraint.findtext("parameters", " ".join(scope))).strip("[] ").split()
            return len({value(word, values) for word in listed}) == len(listed)
        formal = str(predicates[reference].findtext("parameters")).split()[1::2]
        actual = [value(word, values) for word in str(constraint.findtext("parameters")).split()]
        functional = str(predicates[reference].findtext(".//functional"))
        return bool(value(functional, dict(zip(formal, actual, strict=True))))

    rows = product(*[domains[variable.get("domain")] for variable in root.iter("variable")])
    constraints = list(root.iter("constraint"))
    return {row for row in rows if all(holds(one, dict(zip(names, row, strict=True))) for one in constraints)}


def solved(problem: Problem) -> set[tuple[Any, ...]]:
    own = [name for name in problem.variable_names if not is_auxiliary(name)]
    found = f2csp.solve(problem, solutions=None, project=own, engine="search")
    assert found.is_complete
    return {tuple(solution[name] for name in own) for solution in found}


# ---- Reading ---------------------------------------------------------------------------------------------------------

HEAD = """<instance><presentation name="?" format="XCSP 2.1"/>
<domains nbDomains="2"><domain name="D" nbValues="4">-1..2</domain>
<domain name="E" nbValues="3">0 2 1</domain></domains>
<variables nbVariables="4"><variable name="x" domain="D"/><variable name="y" domain="D"/><variable name="z" domain="E"/>
<variable name="w" domain="E"/></variables>
"""
SCOPE = 'arity="4" scope="x y z w"'


def instance(constraints: str, before: str = "") -> str:
    return f"{HEAD}{before}<constraints>{constraints}</constraints></instance>"


def a_relation(draws: random.Random) -> str:
    scope = draws.sample("xyzw", draws.randint(1, 3))
    rows = sorted({tuple(draws.randint(-2, 3) for _ in scope) for _ in range(draws.randint(0, 30))})
    listed = draws.choice(["|", " |\n"]).join([" ".join(map(str, row)) for row in rows])
    semantics = draws.choice(["supports", "conflicts"])
    relation = (
        f'<relation name="R" arity="{len(scope)}" nbTuples="{len(rows)}" semantics="{semantics}">{listed}</relation>'
    )
    constraint = f'<constraint name="C" arity="{len(scope)}" scope="{" ".join(scope)}" reference="R"/>'
    return instance(constraint, f"<relations>{relation}</relations>")


def expression(draws: random.Random, names: list[str], depth: int = 3) -> str:
    if depth == 0 or draws.random() < 0.2:
        return draws.choice([*names, *names, str(draws.randint(-2, 3))])
    name = draws.choice(
        ["neg", "abs", "add", "sub", "mul", "min", "max", "eq", "ne", "lt", "ge", "and", "or", "not", "if"]
    )
    n = {"neg": 1, "abs": 1, "not": 1, "if": 3}.get(name, 2)
    return f"{name}({','.join(expression(draws, names, depth - 1) for _ in range(n))})"


def a_predicate(draws: random.Random) -> str:
    formal = [f"X{i}" for i in range(draws.randint(1, 4))]
    actual = [draws.choice(["x", "y", "z", "w", str(draws.randint(-2, 3)), "add(x,z)"]) for _ in formal]
    text = draws.choice(["ne({},0)", "le({},1)", "or(eq(mod({},2),1),false)"]).format(expression(draws, formal))
    parameters = f"<parameters>{' '.join(f'int {name}' for name in formal)}</parameters>"
    predicate = f'<predicate name="P">{parameters}<expression><functional>{text}</functional></expression></predicate>'
    constraint = f'<constraint name="C" {SCOPE} reference="P"><parameters>{" ".join(actual)}</parameters></constraint>'
    return instance(constraint, f"<predicates>{predicate}</predicates>")


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("make", [a_relation, a_predicate])
def test_a_constraint_has_the_solutions_of_its_definition(make: Callable[[random.Random], str], seed: int) -> None:
    text = make(random.Random(seed))
    assert solved(read(Source("file", text.encode()))) == solutions_of(text), text


@pytest.mark.skipif(not INSTANCES.is_dir(), reason="puzzle data not present")
@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("3queens-conflicts", 0),
        ("4queens-conflicts", 2),
        ("4queens-supports", 2),
        ("5queens-intension", 10),
        ("ColAustralia-conflicts", 18),
        ("ColAustralia-intension", 18),
        ("chain4-conflicts", 1),
        ("k4-coloring", 2),
        ("random_20_8_100_20", 15),
        ("zebra-extension", 1),
        ("zebra-intension-nonbinary", 1),
    ],
)
def test_instances_of_a_course_have_their_published_number_of_solutions(name: str, n: int) -> None:
    assert f2csp.count(f2csp.read(INSTANCES / f"{name}.xml")) == n


# ---- Faults ----------------------------------------------------------------------------------------------------------
