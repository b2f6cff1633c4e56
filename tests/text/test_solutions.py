"""Solution files: what is written reads back, and every fault has its exact place."""

import gzip
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput
from f2csp.diagnostics.render import RENDERERS, plain
from f2csp.solutions import dump_solutions, dumps_solutions, load_solutions, loads_solutions
from tests.fault_cases import check_faults
from tests.small import problem_of
from tests.strategies import problems

PROBLEM = problem_of({"D: x1 x2": [1, 2, 3], "S: colour": ["vert", "é", "02", "2"]})
ONE = {"x1": 1, "x2": 3, "colour": "é"}
TWO = {"x1": 2, "x2": 2, "colour": "02"}
TEXT = "x1 = 1\nx2 = 3\ncolour = é\n---\nx1 = 2\nx2 = 2\ncolour = 02\n"


@st.composite
def problems_and_solutions(draw):
    problem = draw(problems(max_constraints=0))
    solution = st.fixed_dictionaries({v.name: st.sampled_from(v.domain.values) for v in problem.variables})
    return problem, draw(st.lists(solution, min_size=1, max_size=3))


def refused(text, problem=PROBLEM, **options):
    with pytest.raises(InvalidInput) as caught:
        loads_solutions(text, problem, **options)
    return caught.value


def faults(text, **options):
    """Code, line, column, end line, end column of each fault of the text."""
    found = refused(text, **options).diagnostics
    for diagnostic in found:
        for render in RENDERERS.values():
            render(diagnostic, plain).encode()
    places = [(d.code, d.span.line, d.span.column, d.span.end_line, d.span.end_column) for d in found]
    assert places == sorted(places, key=lambda place: place[1:3])
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    spans = [excerpt.span for d in found for excerpt in (d.excerpt, *d.related)]
    for line, column in [(s.line, s.column) for s in spans] + [(s.end_line, s.end_column) for s in spans]:
        assert 1 <= column <= len(lines[line - 1]) + 1
    return places


# ---- What reads, and what is written ---------------------------------------------------------------------------------


@given(problems_and_solutions(), st.sampled_from(["text", "json"]))
def test_what_is_written_reads_back(drawn, form):
    problem, solutions = drawn
    text = dumps_solutions(solutions, problem, form=form)
    assert loads_solutions(text, problem) == solutions
    assert loads_solutions(text.encode(), problem) == solutions
    assert dumps_solutions(loads_solutions(text, problem), problem, form=form) == text


SYMBOL = {"x1": 1, "x2": 1, "colour": "2"}  # values are compared as words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            (text, [ONE, TWO])
            for text in (
                TEXT,
                TEXT.rstrip("\n"),
                TEXT.replace("\n", "\r\n"),
                "\ufeff" + TEXT,
                TEXT.replace(" = ", "="),
                TEXT.replace(" = ", "\t =\t\t"),
                TEXT.replace("\n", " \t\n\n \t"),
                "\n\r\n" + TEXT.replace("\n", "\n\n"),
                "colour = é\nx2 = 3\nx1 = 1\n---\ncolour = 02\nx1 = 2\nx2 = 2",
                json.dumps([ONE, TWO]),
                " \r\n\t" + json.dumps([ONE, TWO], ensure_ascii=False, indent=4),
                "\ufeff" + json.dumps([ONE, TWO], indent=0),
                json.dumps([{"x1": "1", "x2": "3", "colour": "é"}, TWO]),
            )
        ),
        (json.dumps(ONE), [ONE]),
        ('{"x1": 1, "x2": 1, "colour": 2}', [SYMBOL]),
        ("x1 = 1\nx2 = 1\ncolour = 2", [SYMBOL]),
    ],
)
def test_what_is_read(text, expected):
    assert loads_solutions(text, PROBLEM) == expected


def test_a_problem_without_variables_has_an_empty_solution():
    empty = problem_of({})
    for n in (1, 2, 3):
        for form in ("text", "json"):
            assert loads_solutions(dumps_solutions([{}] * n, empty, form=form), empty) == [{}] * n


def test_a_name_may_begin_like_json_or_like_a_byte_order_mark():
    for name in ("[x", "[]", "[1", "\ufeffx"):
        problem = problem_of({f"D: {name}": [1]})
        assert loads_solutions(dumps_solutions([{name: 1}], problem), problem) == [{name: 1}]


def test_files(tmp_path):
    path = tmp_path / "solutions.txt"
    dump_solutions([ONE, TWO], PROBLEM, path)
    assert path.read_bytes() == TEXT.encode()
    assert load_solutions(path, PROBLEM) == [ONE, TWO]
    packed = tmp_path / "solutions.json.gz"
    dump_solutions([ONE], PROBLEM, str(packed), form="json")
    assert json.loads(gzip.decompress(packed.read_bytes())) == ONE
    assert load_solutions(str(packed), PROBLEM) == [ONE]
    for stream in (io.StringIO(), io.BytesIO()):
        dump_solutions([ONE, TWO], PROBLEM, stream)
        stream.seek(0)
        assert load_solutions(stream, PROBLEM) == [ONE, TWO]
    with path.open("w", encoding="utf-8") as file:
        dump_solutions([ONE], PROBLEM, file)
    with path.open("rb") as file:
        assert load_solutions(file, PROBLEM) == [ONE]


# ---- Faults --------------------------------------------------------------------------------------------------------

REST = "x2 = 2\ncolour = é\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_every_fault_has_its_place(form, expected):
    check_faults(f"solutions-{form}", lambda source: loads_solutions(source.data, PROBLEM), expected)


# ---- Anything at all -------------------------------------------------------------------------------------------------


def reads_or_refuses(text):
    """The codes of the faults."""
    codes = set()
    for optional in ((), PROBLEM.variable_names):
        try:
            found = loads_solutions(text, PROBLEM, optional=optional)
        except InvalidInput:
            codes |= {code for code, *_ in faults(text, optional=optional)}
        else:
            assert all(set(solution) <= set(PROBLEM.variable_names) for solution in found)
            assert optional or all(len(solution) == 3 for solution in found)
    return codes


@given(st.binary() | st.text(st.sampled_from('x12=-[]{}":,\\u \t\r\n\x00é0.'), max_size=60))
def test_random_text(text):
    reads_or_refuses(text)
    reads_or_refuses((b"[{" if isinstance(text, bytes) else "[{") + text)


@given(st.data())
def test_mutated_text(data):
    text = data.draw(st.sampled_from([TEXT, json.dumps([ONE, TWO]), json.dumps(ONE, ensure_ascii=False)])).encode()
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 5, len(text))))
        piece = st.sampled_from(
            [b"", b"\x00", b"\xff", b"=", b"\n", b"---", b'"', b"{", b"]", b",", b"1e5", b"x1", b"9" * 30]
        )
        text = text[:start] + data.draw(piece) + text[end:]
    reads_or_refuses(text)


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.sampled_from(["x1", "é"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.text(max_size=2), st.sampled_from(list(ONE))), inner, max_size=4),
    ),
)


@given(st.one_of(st.lists(_JSON), st.dictionaries(st.sampled_from([*ONE, "y"]), _JSON)), st.booleans())
def test_random_json(value, ensure_ascii):
    text = json.dumps(value, ensure_ascii=ensure_ascii)
    assert reads_or_refuses(text) <= {"F701", "F204", "F304", "F703", "F001", "F002"}
