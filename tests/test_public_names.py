"""What `import f2csp` offers: names, help, completion, and objects that can be sent to other processes."""

import doctest
import inspect
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import f2csp

SAMPLES = Path(__file__).parents[1] / "samples"
SAMPLE, SUDOKU = SAMPLES / "map.csp", SAMPLES / "sudoku" / "4x4.txt"


def sample() -> f2csp.Problem:
    return f2csp.load(SAMPLE)


def fault() -> f2csp.InvalidInput:
    with pytest.raises(f2csp.InvalidInput) as caught:
        f2csp.loads("Domains: 1\n")
    return caught.value


def impossible() -> f2csp.Problem:
    return sample().with_constraint(["France"], accept=[])


def continued(builder: f2csp.ProblemBuilder) -> f2csp.Problem:
    builder.variable("Italy", "colour")
    return builder.build()


EXAMPLES: dict[str, Callable[[], object]] = {
    "Cell": lambda: f2csp.puzzle(SUDOKU).clues[0].cell,
    "Clue": lambda: f2csp.puzzle(SUDOKU).clues[0],
    "FormatInfo": lambda: f2csp.formats()[0],
    "Puzzle": lambda: f2csp.puzzle(SUDOKU),
    "Check": lambda: f2csp.check(sample(), {"France": "red", "Spain": "red"}),
    "Constraint": lambda: sample().constraints["C1"],
    "ConstraintKind": lambda: f2csp.structure(sample()).kind("C1"),
    "Count": lambda: f2csp.count(sample(), solutions=1),
    "Diagnostic": lambda: fault().diagnostics[0],
    "Domain": lambda: sample().domains["colour"],
    "Engine": lambda: f2csp.engines()[0],
    "EngineOption": lambda: f2csp.engines()[0].options[0],
    "Excerpt": lambda: fault().diagnostics[0].excerpt,
    "Explanation": lambda: f2csp.explain(impossible()),
    "Group": lambda: f2csp.explain(impossible()).groups[0],
    "Hint": lambda: f2csp.hint(f2csp.puzzle(SUDOKU)),
    "Limits": lambda: f2csp.Limits(seconds=1),
    "Marginals": lambda: f2csp.marginals(sample()),
    "Problem": sample,
    "Rating": lambda: f2csp.rate(f2csp.puzzle(SUDOKU)),
    "Report": lambda: f2csp.validate(SAMPLE),
    "Result": lambda: f2csp.solve(sample()),
    "Solution": lambda: f2csp.solve(sample()).solution,
    "TextSpan": lambda: f2csp.examine(SAMPLE).variables[0].span,
    "Span": lambda: fault().diagnostics[0].span,
    "Spread": lambda: f2csp.stats(sample()).tightness,
    "Statistics": lambda: f2csp.solve(sample()).statistics,
    "Stats": lambda: f2csp.stats(sample()),
    "Status": lambda: f2csp.Status.UNKNOWN,
    "Uniqueness": lambda: f2csp.Uniqueness.UNKNOWN,
    "Variable": lambda: sample().variables["France"],
    "Verdict": lambda: f2csp.unique(sample()),
    "Violation": lambda: f2csp.check(sample(), {"France": "red", "Spain": "red"})[0],
}
WITHOUT_EQUALITY: dict[str, tuple[Callable[[], object], Callable[[object], object]]] = {
    "BeyondBudget": (lambda: f2csp.BeyondBudget("x"), str),
    "ConstraintBlock": (
        lambda: f2csp.ConstraintBlock(sample().scopes, sample().constraint_relations),
        lambda block: (block.scopes.tolist(), block.relations.tolist()),  # type: ignore[attr-defined]
    ),
    "EssentialCount": (
        lambda: f2csp.count_essentially_different(sample()),
        lambda found: (found.classes, found.solutions),  # type: ignore[attr-defined]
    ),
    "EssentiallyDifferent": (
        lambda: f2csp.essentially_different(sample()),
        lambda found: (found.solutions, found.sizes),  # type: ignore[attr-defined]
    ),
    "Examination": (lambda: f2csp.examine(SAMPLE), lambda value: (value.text, value.problem)),  # type: ignore[attr-defined]
    "F2cspError": (lambda: f2csp.F2cspError("x"), str),
    "InvalidInput": (fault, str),
    "MissingExtra": (lambda: f2csp.MissingExtra("solving", "solve"), str),
    "ProblemBuilder": (lambda: sample().to_builder(), continued),  # type: ignore[dict-item]
    "ProblemError": (lambda: f2csp.ProblemError("x"), str),
    "Relation": (lambda: sample().relations[0], lambda relation: relation.key),  # type: ignore[attr-defined]
    "Structure": (lambda: f2csp.structure(sample()), lambda found: (repr(found), found.all_different)),  # type: ignore[attr-defined]
    "Symmetry": (lambda: f2csp.symmetry(sample()), lambda found: (found.order, found.orbits)),  # type: ignore[attr-defined]
    "Unsuitable": (lambda: f2csp.Unsuitable("x"), str),
}
NOT_SENT = {"ProblemStream"}  # its blocks are made while they are read


@pytest.mark.parametrize("name", [*EXAMPLES, *WITHOUT_EQUALITY])
def test_everything_public_can_be_sent_to_another_process(name: str) -> None:
    example, content = WITHOUT_EQUALITY.get(name) or (EXAMPLES[name], lambda value: value)
    value = example()
    assert isinstance(value, getattr(f2csp, name) if name != "Solution" else dict)
    repr(value)
    sent = pickle.loads(pickle.dumps(value))
    assert type(sent) is type(value)
    assert content(sent) == content(value)


def test_every_public_type_has_an_example_here() -> None:
    public = {name for name in f2csp.__all__ if inspect.isclass(getattr(f2csp, name))}
    assert public - NOT_SENT == {*EXAMPLES, *WITHOUT_EQUALITY} - {"Solution"}


@pytest.mark.parametrize("name", f2csp.__all__)
def test_everything_public_has_a_docstring(name: str) -> None:
    value = getattr(f2csp, name)
    if inspect.isfunction(value) or inspect.isclass(value):
        own = [found for key, found in vars(value).items() if not key.startswith("_")] if inspect.isclass(value) else []
        documented = [value, *(one for one in own if inspect.isroutine(one) or isinstance(one, property))]
        assert [one for one in documented if not inspect.getdoc(one)] == []


@pytest.mark.parametrize("name", f2csp.__all__)
def test_each_function_has_an_example_that_does_what_it_shows(name: str) -> None:
    value = getattr(f2csp, name)
    if inspect.isfunction(value) or inspect.isclass(value):
        found = doctest.DocTestFinder().find(value, name, globs=dict(vars(inspect.getmodule(value))))
        assert any(one.examples for one in found) or not inspect.isfunction(value)
        assert all(doctest.DocTestRunner().run(one).failed == 0 for one in found)


@pytest.mark.parametrize(
    ("package", "convert"),
    [
        ("pandas", lambda: f2csp.Result(f2csp.Status.UNKNOWN, 0, (), False, "sat").to_pandas()),
        ("pandas", lambda: f2csp.stats(sample()).to_pandas()),
        ("networkx", lambda: sample().to_networkx()),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    package: str, convert: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(f2csp.MissingExtra, match=r"f2csp\[data\]"):
        convert()
