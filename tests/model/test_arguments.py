"""What callers have in their hands: it becomes the right table, or is refused by name."""

from collections import Counter, OrderedDict, UserDict, deque, namedtuple
from collections.abc import Callable
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from f2csp import Clue, Problem, ProblemBuilder, ProblemError, unique
from f2csp.puzzles.latin import LatinSquare

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")


class ArrayLike:
    """What has an array and nothing else."""

    def __init__(self, values: list[Any]) -> None:
        self._values = np.array(values)

    def to_numpy(self) -> Any:
        return self._values


class Pythonic:
    """What becomes a list and nothing else."""

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def to_pylist(self) -> list[Any]:
        return self._values


class Number(IntEnum):
    ONE = 1
    TWO = 2
    THREE = 3


class OldNumber(int, Enum):
    ONE = 1
    TWO = 2
    THREE = 3


class Word(StrEnum):
    ONE = "1"
    TWO = "2"
    THREE = "3"


Pair = namedtuple("Pair", "x y")
ROWS = [(1, 2), (2, 3)]
FRAME = pandas.DataFrame(ROWS)

# Shapes of the rows (1, 2) and (2, 3).
TABLES: dict[str, Callable[[], Any]] = {
    "list": lambda: ROWS,
    "lists": lambda: [[1, 2], [2, 3]],
    "tuple": lambda: tuple(ROWS),
    "set": lambda: {*ROWS},
    "frozenset": lambda: frozenset(ROWS),
    "generator": lambda: (row for row in ROWS),
    "generators": lambda: (iter(row) for row in ROWS),
    "zip": lambda: zip([1, 2], [2, 3], strict=True),
    "map": lambda: map(tuple, ROWS),
    "deque": lambda: deque(ROWS),
    "keys": lambda: dict(ROWS and dict.fromkeys(ROWS, 0)).keys(),
    "values": lambda: {"a": (1, 2), "b": (2, 3)}.values(),
    "items": lambda: {1: 2, 2: 3}.items(),
    "named tuples": lambda: [Pair(1, 2), Pair(2, 3)],
    "ranges": lambda: [range(1, 3), range(2, 4)],
    "words": lambda: [("1", "2"), ("2", "3")],
    "mixed words": lambda: [("1", 2), (2, "3")],
    "whole floats": lambda: [(1.0, 2.0), (2.0, 3.0)],
    "IntEnum": lambda: [(Number.ONE, Number.TWO), (Number.TWO, Number.THREE)],
    "int, Enum": lambda: [(OldNumber.ONE, OldNumber.TWO), (OldNumber.TWO, OldNumber.THREE)],
    "StrEnum": lambda: [(Word.ONE, Word.TWO), (Word.TWO, Word.THREE)],
    "array": lambda: np.array(ROWS),
    "array of int8": lambda: np.array(ROWS, dtype=np.int8),
    "array of uint64": lambda: np.array(ROWS, dtype=np.uint64),
    "array of floats": lambda: np.array(ROWS, dtype=float),
    "array of words": lambda: np.array(ROWS).astype(str),
    "array of objects": lambda: np.array(ROWS, dtype=object),
    "array by columns": lambda: np.array([[1, 2], [2, 3]], order="F"),
    "view": lambda: np.array([(2, 1), (3, 2)])[:, ::-1],
    "structured array": lambda: np.array(ROWS, dtype=[("x", int), ("y", int)]),
    "records": lambda: np.rec.array(ROWS, dtype=[("x", int), ("y", int)]),
    "list of arrays": lambda: [*np.array(ROWS)],
    "NumPy integers": lambda: [(np.int64(1), np.uint8(2)), (np.int16(2), np.int32(3))],
    "NumPy words": lambda: [(np.str_("1"), np.str_("2")), (np.str_("2"), np.str_("3"))],
    "masked array": lambda: np.ma.array(ROWS),
    "matrix with to_numpy": lambda: ArrayLike(ROWS),
    "list with to_pylist": lambda: Pythonic(ROWS),
    "DataFrame": lambda: FRAME,
    "DataFrame of the scope": lambda: pandas.DataFrame(ROWS, columns=["x", "y"]),
    "DataFrame of other names": lambda: pandas.DataFrame(ROWS, columns=["red", "green"]),
    "DataFrame with an index": lambda: pandas.DataFrame(ROWS, index=[7, 8]),
    "DataFrame of floats": lambda: FRAME.astype(float),
    "DataFrame of a float and an integer": lambda: FRAME.astype({0: float}),
    "DataFrame of words": lambda: FRAME.astype(str),
    "DataFrame of objects": lambda: FRAME.astype(object),
    "DataFrame of Int64": lambda: FRAME.astype("Int64"),
    "DataFrame of categories": lambda: FRAME.astype("category"),
    "DataFrame without missing rows": lambda: pandas.DataFrame([(1, 2), (None, 1), (2, 3)]).dropna(),
    "itertuples": lambda: FRAME.itertuples(index=False),
    "Series of tuples": lambda: pandas.Series(ROWS),
    "Series of Series": lambda: [FRAME.iloc[0], FRAME.iloc[1]],
    "Index of tuples": lambda: pandas.MultiIndex.from_tuples(ROWS),
    "Arrow table": lambda: pyarrow.table({"a": [1, 2], "b": [2, 3]}),
    "Arrow record batch": lambda: pyarrow.record_batch({"a": [1, 2], "b": [2, 3]}),
    "Arrow lists": lambda: pyarrow.array([[1, 2], [2, 3]]),
}  # fmt: skip

# What is no rows (1, 2) and (2, 3), with a word of the message.
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "None": (lambda: None, "found None"),
    "dict": (lambda: {"x": 1, "y": 2}, "found a dict"),
    "dict of pairs": (lambda: {(1, 2): 1}, "found a dict"),
    "Counter": (lambda: Counter(ROWS), "found a Counter"),
    "OrderedDict": (lambda: OrderedDict(ROWS), "found a OrderedDict"),
    "UserDict": (lambda: UserDict({(1, 2): 1}), "found a UserDict"),
    "mapping proxy": (lambda: MappingProxyType({(1, 2): 1}), "found a mappingproxy"),
    "word": (lambda: "12", "found the string '12'"),
    "bytes": (lambda: b"12", "found the bytes"),
    "bytearray": (lambda: bytearray(b"12"), "found the bytearray"),
    "integer": (lambda: 12, "found the int 12"),
    "float": (lambda: 1.5, "found the float"),
    "truth value": (lambda: True, "found the bool"),
    "NumPy integer": (lambda: np.int64(1), "found the int64"),
    "array without dimensions": (lambda: np.array(1), "found the ndarray"),
    "object": (object, "found the object"),
    "rows as dicts": (lambda: [{"x": 1, "y": 2}], "found a dict"),
    "rows as sets": (lambda: [{1, 2}], "has no order"),
    "rows as words": (lambda: ["12"], "has 1 values for 2 variables"),
    "rows as bytes": (lambda: [b"12"], "has 1 values for 2 variables"),
    "rows of None": (lambda: [None], "found None"),
    "array of one dimension": (lambda: np.array([1, 2]), "has 1 values for 2 variables"),
    "array of three dimensions": (lambda: np.array([[[1], [2]]]), "found \\[1\\]"),
    "array of three columns": (lambda: np.array([[1, 2, 3]]), "has 3 values for 2 variables"),
    "array of truth values": (lambda: np.array([[True, False]]), "found True"),
    "truth values": (lambda: [(1, 2), (True, 3)], "found True"),
    "NumPy truth values": (lambda: [(np.True_, 2)], "found np.True_"),
    "array of dates": (lambda: np.array([["2026-01-01", "2026-01-02"]], dtype="M8[ns]"), "found .*datetime64"),
    "array of fractions": (lambda: np.array([[1.5, 2]]), "found 1.5"),
    "missing value": (lambda: np.array([[1, np.nan]]), "found nan"),
    "infinity": (lambda: [(1, float("inf"))], "found inf"),
    "large float": (lambda: [(1, 1e17)], "found 1e\\+17"),
    "Decimal": (lambda: [(1, Decimal(2))], "found Decimal"),
    "Fraction": (lambda: [(1, Fraction(2))], "found Fraction"),
    "mask": (lambda: np.ma.array(ROWS, mask=[[0, 1], [0, 0]]), "found None"),
    "missing value of a DataFrame": (lambda: pandas.DataFrame([(1, None), (2, 3)]), "found nan"),
    "missing value of Int64": (lambda: pandas.DataFrame([(1, None)]).astype("Int64"), "found <NA>"),
    "columns in another order": (lambda: pandas.DataFrame(ROWS, columns=["y", "x"]), "in one order"),
    "Arrow columns in another order": (lambda: pyarrow.table({"y": [1], "x": [2]}), "in one order"),
    "fields in another order": (lambda: np.array(ROWS, dtype=[("y", int), ("x", int)]), "in one order"),
    "itertuples with an index": (lambda: FRAME.itertuples(), "has 3 values for 2 variables"),
    "iterrows": (lambda: FRAME.iterrows(), "0 is not in the domain of x"),
    "Series": (lambda: pandas.Series([1, 2]), "has 1 values for 2 variables"),
    "Arrow structures": (lambda: pyarrow.array([{"x": 1, "y": 2}]), "found a dict"),
    "Arrow missing value": (lambda: pyarrow.table({"a": [1, None], "b": [2, 3]}), "found nan"),
    "not in the domain": (lambda: np.array([[1, 2], [2, 9]]), "9 is not in the domain of y"),
    "twice": (lambda: np.array([[1, 2], [2, 3], [1, 2]]), r"holds the tuple \[1, 2\] twice"),
    "twice as words": (lambda: [("1", 2), (1, 2)], "twice"),
    "too large for 64 bits": (lambda: np.array([[1, 2**64 - 1]], dtype=np.uint64), "is not in the domain of y"),
    "wrapped int8": (lambda: np.array([[-128, 127]], dtype=np.int8), "-128 is not in the domain of x"),
}  # fmt: skip


def builder() -> ProblemBuilder:
    b = ProblemBuilder("t")
    b.domain("D", [1, 2, 3])
    b.variable("x", "D")
    b.variable("y", "D")
    return b


def accepted(rows: Any) -> Problem:
    b = builder()
    b.accept(["x", "y"], rows)
    return b.build()


def rejected(rows: Any) -> Problem:
    b = builder()
    b.reject(["x", "y"], rows)
    return b.build()


def accepted_by_many(rows: Any) -> Problem:
    b = builder()
    b.accept_many([["x", "y"], ["x", "y"]], rows)
    return b.build()


def rejected_by_many(rows: Any) -> Problem:
    b = builder()
    b.reject_many([["x", "y"], ["x", "y"]], rows)
    return b.build()


def with_constraint(rows: Any) -> Problem:
    return builder().build().with_constraint(["x", "y"], accept=rows)


WITH_ROWS = [accepted, rejected, accepted_by_many, rejected_by_many, with_constraint]


def type_name(thing: object) -> str:
    """An id that is the same in all processes."""
    return type(thing).__name__


@pytest.mark.parametrize("make", WITH_ROWS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("shape", TABLES)
def test_rows_of_every_shape_are_the_table(shape: str, make: Callable[[Any], Problem]) -> None:
    problem = make(TABLES[shape]())
    assert all({*one.tuples} == {*ROWS} for one in problem.constraints)
    assert problem.n_constraints >= 1


@pytest.mark.parametrize("make", [*WITH_ROWS[:4]], ids=lambda make: make.__name__)
@pytest.mark.parametrize("shape", REFUSED)
def test_what_is_no_rows_is_refused_by_name(shape: str, make: Callable[[Any], Problem]) -> None:
    thing, message = REFUSED[shape]
    with pytest.raises(ProblemError, match=message):
        make(thing())


ITEMS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": iter,
    "deque": deque,
    "keys": lambda items: dict.fromkeys(items).keys(),
    "array": np.array,
    "array of objects": lambda items: np.array(items, dtype=object),
    "masked array": np.ma.array,
    "Series": pandas.Series,
    "Series with an index": lambda items: pandas.Series(items, index=range(7, 7 + len(items))),
    "Series of categories": lambda items: pandas.Series(items, dtype="category"),
    "Index": pandas.Index,
    "Arrow array": pyarrow.array,
    "Arrow chunks": lambda items: pyarrow.chunked_array([items]),
    "with to_numpy": ArrayLike,
    "with to_pylist": Pythonic,
}
NO_ITEMS = [
    None, 7, 1.5, True, b"ab", {"x": 1, "y": 2}, Counter("xy"), np.array("x"), np.int64(1), object(), Decimal(1),
    MappingProxyType({"x": 1}), pandas.DataFrame({"x": [1.5]}),
]  # fmt: skip


@pytest.mark.parametrize("shape", ITEMS)
def test_items_of_every_shape_are_values_and_names(shape: str) -> None:
    of = ITEMS[shape]
    b = ProblemBuilder("t")
    b.domain("D", of([3, 1, 2]))
    b.domain("E", of(["red", "green"]))
    for name in ("x", "y"):
        b.variable(name, "D")
    b.accept(of(["y", "x"]), [(1, 2)])
    b.reject_many([of(["x", "y"])], [(3, 3)])
    b.all_different(of(["x", "y"]))
    problem = b.build().restricted({"x": of([1, 2])})
    assert [domain.values for domain in problem.domains] == [(3, 1, 2), ("red", "green")]
    assert [(*one.scope,) for one in problem.constraints] == [("y", "x"), ("x", "y"), ("x", "y"), ("x",)]
    assert problem.constraints[3].tuples == ((1,), (2,))


@pytest.mark.parametrize("thing", NO_ITEMS, ids=type_name)
def test_what_has_no_items_is_refused(thing: Any) -> None:
    calls: list[Callable[[ProblemBuilder], object]] = [
        lambda b: b.domain("F", thing),
        lambda b: b.accept(thing, [(1, 2)]),
        lambda b: b.reject(thing, [(1, 2)]),
        lambda b: b.accept_many([thing], [(1, 2)]),
        lambda b: b.reject_many(thing, [(1, 2)]),
        lambda b: b.all_different(thing),
    ]
    for call in calls:
        b = builder()
        with pytest.raises(ProblemError, match=r"expected|not declared|scope"):
            call(b)
        assert (b.build().n_domains, b.build().n_constraints) == (1, 0)


@pytest.mark.parametrize("scopes", [[["x", "y"], ["y", "x"]], np.array([[0, 1], [1, 0]])], ids=["names", "indices"])
@pytest.mark.parametrize("of", [np.array, pandas.DataFrame, iter], ids=["array", "frame", "iter"])
def test_scopes_of_every_shape_are_those_of_constraints(scopes: Any, of: Callable[[Any], Any]) -> None:
    b = builder()
    if of is iter and isinstance(scopes, np.ndarray):
        with pytest.raises(ProblemError, match="which is not declared"):
            b.accept_many(of(scopes), ROWS)
    else:
        b.accept_many(of(scopes), ROWS)
        assert [(*one.scope,) for one in b.build().constraints] == [("x", "y"), ("y", "x")]


@pytest.mark.parametrize("name", [None, 1, 1.5, ["x"], {"x"}, b"x", np.array(["x"])], ids=type_name)
def test_what_is_no_name_is_refused(name: Any) -> None:
    for call in (
        lambda b: b.domain(name, [1]),
        lambda b: b.variable(name, "D"),
        lambda b: b.variable("z", name),
        lambda b: b.accept(["x"], [1], label=name if name is not None else 0),
        lambda b: b.accept(["x", name], [(1, 1)]),
        lambda b: b.all_different(["x", name]),
        lambda _: ProblemBuilder(name),
    ):
        with pytest.raises(ProblemError):
            call(builder())


def test_an_order_that_matters_is_not_that_of_a_set() -> None:
    b = builder()
    with pytest.raises(ProblemError, match="found a set, which has no order; pass a list"):
        b.accept({"x", "y"}, [(1, 2)])  # type: ignore[arg-type]
    b.all_different({"x", "y"})  # type: ignore[arg-type]
    assert b.build().n_constraints == 1


@pytest.mark.parametrize("of", [list, np.array, pandas.DataFrame, iter], ids=["list", "array", "frame", "iter"])
def test_givens_of_every_shape_are_clues(of: Callable[[Any], Any]) -> None:
    assert LatinSquare(2, clues=of([(1, 1, 2), (2, 2, 2)])).clues == (Clue(1, 1, 2), Clue(2, 2, 2))


@pytest.mark.parametrize(
    "clues", [None, 5, "1...", {(1, 1): 2}, [(1, 1)], [(1, 1, "a")], [(1, 1, None)]], ids=type_name
)
def test_what_is_no_givens_is_refused(clues: Any) -> None:
    with pytest.raises(ProblemError, match="expected"):
        LatinSquare(2, clues=clues)


@pytest.mark.parametrize("of", [list, set, np.array, pandas.Series, iter], ids=lambda of: of.__name__)
def test_a_projection_of_every_shape_is_that_of_all_questions(of: Callable[[Any], Any]) -> None:
    assert unique(builder().build(), project=of(["x"])).differing == ("x",)


@pytest.mark.parametrize("names", [5, {"x": 1}, [1.5], [["x"]]], ids=type_name)
def test_what_is_no_projection_is_refused(names: Any) -> None:
    with pytest.raises(ProblemError, match="variables to project onto"):
        unique(builder().build(), project=names)
