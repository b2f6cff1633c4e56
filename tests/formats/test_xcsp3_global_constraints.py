"""XCSP3: each global constraint has the solutions that its definition gives, whether it becomes a table or a chain."""

import random
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.xcsp3 import lowering, read
from f2csp.instances import read as read_file
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary
from f2csp.solving.counts import count
from f2csp.structure import FunctionalClosure, recover, with_sums

INSTANCES = Path(__file__).parents[3] / "shared" / "instances" / "xcsp3"

Row = Sequence[int]
Case = tuple[str, Callable[[Row], bool]]  # a constraint on v[], and whether values of these variables satisfy it


def compared(random: random.Random, limit: int) -> tuple[str, Callable[[int, Row], bool]]:
    """A condition: with a number, a variable, a range or a set."""
    n, m, variable = random.randint(-1, limit), random.randint(0, 3), random.randrange(4)
    relations: dict[str, Callable[[int, int], bool]] = {
        "lt": lambda a, b: a < b,
        "le": lambda a, b: a <= b,
        "ge": lambda a, b: a >= b,
        "gt": lambda a, b: a > b,
        "eq": lambda a, b: a == b,
        "ne": lambda a, b: a != b,
    }
    name = random.choice(list(relations))
    return random.choice(
        [
            (f"({name},{n})", lambda a, _: relations[name](a, n)),
            (f"({name},v[{variable}])", lambda a, row: relations[name](a, row[variable])),
            (f"({name},sub(v[{variable}],v[4]))", lambda a, row: relations[name](a, row[variable] - row[4])),
            (f"(in,{n}..{n + m})", lambda a, _: n <= a <= n + m),
            (f"(notin,{{{n},{n + m}}})", lambda a, _: a not in (n, n + m)),
        ]
    )


def conditional(random: random.Random, limit: int, body: str, value: Callable[[Row], int]) -> Case:
    condition, holds = compared(random, limit)
    name = body.partition(">")[0]
    text = f"<{body}<condition> {condition} </condition></{name}>"
    return text, lambda row: holds(value(row), row)


def a_sum(random: random.Random) -> Case:
    factors = [random.randint(-2, 3) for _ in range(5)]
    body = f"sum><list> v[] </list><coeffs> {' '.join(map(str, factors))} </coeffs>"
    return conditional(random, 9, body, lambda row: sum(f * v for f, v in zip(factors, row, strict=True)))


def sum_of_products(random: random.Random) -> Case:
    body = "sum><list> v[0..1] eq(v[4],1) 2 </list><coeffs> v[2] v[3] 3 -1 </coeffs>"
    return conditional(random, 9, body, lambda v: v[0] * v[2] + v[1] * v[3] + 3 * (v[4] == 1) - 2)


def a_count(random: random.Random) -> Case:
    values = random.sample(range(-1, 4), random.randint(1, 3))
    body = f"count><list> v[] </list><values> {' '.join(map(str, values))} </values>"
    return conditional(random, 4, body, lambda row: sum(v in values for v in row))


def n_values(random: random.Random) -> Case:
    excepted = random.sample(range(4), random.randint(0, 2))
    without = f"<except> {' '.join(map(str, excepted))} </except>" if excepted else ""
    return conditional(random, 4, f"nValues><list> v[] </list>{without}", lambda row: len({*row} - {*excepted}))


def extremum(random: random.Random) -> Case:
    name, function = random.choice([("minimum", min), ("maximum", max)])
    return conditional(random, 3, f"{name}><list> v[1..4] add(v[0],1) </list>", lambda v: function(*v[1:], v[0] + 1))


def cardinality(random: random.Random) -> Case:
    occurs = [random.choice(["v[0]", "1..3", "0..2", "1", "v[3]"]) for _ in range(2)]
    is_closed = random.random() < 0.3

    def holds(row: Row) -> bool:
        of = {"v[0]": {row[0]}, "v[3]": {row[3]}, "1..3": {1, 2, 3}, "0..2": {0, 1, 2}, "1": {1}}
        return all(row.count(value) in of[o] for value, o in enumerate(occurs)) and (not is_closed or max(row) < 2)

    closed = ' closed="true"' if is_closed else ""
    parts = f"<values{closed}> 0 1 </values><occurs> {' '.join(occurs)} </occurs>"
    return f"<cardinality><list> v[] </list>{parts}</cardinality>", holds


def element(random: random.Random) -> Case:
    start = random.choice([0, 1])
    text = f'<element><list startIndex="{start}"> v[1..3] 2 </list><index> v[0] </index><value> v[4] </value></element>'

    def holds(v: Row) -> bool:
        return 0 <= v[0] - start < 4 and (*v[1:4], 2)[v[0] - start] == v[4]

    return text, holds


def element_of_matrix(random: random.Random) -> Case:
    rows = [[random.randint(0, 3) for _ in range(3)] for _ in range(2)]
    matrix = "".join(f"({','.join(map(str, row))})" for row in rows)
    body = f"element><matrix> {matrix} </matrix><index> v[0] v[1] </index>"
    text, holds = conditional(random, 3, body, lambda v: rows[v[0]][v[1]])
    return text, lambda v: v[0] < 2 and v[1] < 3 and holds(v)


def channel(random: random.Random) -> Case:
    case = random.randrange(3)
    if case == 0:
        return "<channel> v[0..3] </channel>", lambda v: all(v[i] < 4 and v[v[i]] == i for i in range(4))
    if case == 1:
        text = "<channel><list> v[0..1] </list><list> v[2..4] </list></channel>"
        return text, lambda v: all(v[i] < 3 and v[2 + v[i]] == i for i in range(2))
    text = "<channel><list> v[0..2] </list><value> v[4] </value></channel>"
    return text, lambda v: v[4] < 3 and all((v[i] == 1) == (v[4] == i) for i in range(3))


def circuit(random: random.Random) -> Case:
    start, n = random.choice([(0, 4), (1, 3), (0, 3)])
    size = random.choice(["", "3", "v[4]"])
    sized = f"<size> {size} </size>" if size else ""

    def holds(v: Row) -> bool:
        after = [value - start for value in v[:n]]
        if not all(0 <= one < n for one in after) or len({*after}) < n:
            return False
        moved = [i for i in range(n) if after[i] != i]
        loop = moved[:1]
        while loop and after[loop[-1]] != loop[0]:
            loop.append(after[loop[-1]])
        return len(moved) > 1 and len(loop) == len(moved) == {"": len(moved), "3": 3, "v[4]": v[4]}[size]

    return f'<circuit><list startIndex="{start}"> v[0..{n - 1}] </list>{sized}</circuit>', holds


def precedence(random: random.Random) -> Case:
    values = random.sample(range(4), 3)
    covered = random.choice(["true", "false"])
    listed = " ".join(map(str, values))

    def holds(v: Row) -> bool:
        firsts = [v.index(value) if value in v else 9 for value in values]
        is_sorted = all(a < b or b == 9 for a, b in pairwise(firsts))
        return is_sorted and (covered == "false" or max(firsts) < 9)

    return f'<precedence><list> v[] </list><values covered="{covered}"> {listed} </values></precedence>', holds


def extreme_place(random: random.Random) -> Case:
    name, best = random.choice([("minimumArg", min), ("maximumArg", max)])
    rank, start, limit = random.choice(["any", "first", "last"]), random.choice([0, 1]), random.randint(1, 4)
    listed = f'<list startIndex="{start}"> v[] </list>'
    text = f'<{name} rank="{rank}">{listed}<condition> (le,{limit}) </condition></{name}>'

    def holds(v: Row) -> bool:
        places = [i + start for i, value in enumerate(v) if value == best(v)]
        return min(places) <= limit if rank != "last" else max(places) <= limit

    return text, holds


def all_equal(random: random.Random) -> Case:
    return "<allEqual> add(v[0],1) v[1] v[2] </allEqual>", lambda v: v[0] + 1 == v[1] == v[2]


def lex(random: random.Random) -> Case:
    name, holds = random.choice([("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b), ("ge", lambda a, b: a >= b)])
    text = f"<lex><list> v[0..1] </list><list> v[2..3] </list><list> v[3..4] </list><operator> {name} </operator></lex>"
    return text, lambda v: holds(v[0:2], v[2:4]) and holds(v[2:4], v[3:5])


def lex_of_matrix(random: random.Random) -> Case:
    text = "<lex><matrix> (v[0],v[1])(v[2],v[3]) </matrix><operator> le </operator></lex>"
    return text, lambda v: v[0:2] <= v[2:4] and (v[0], v[2]) <= (v[1], v[3])


def ordered(random: random.Random) -> Case:
    lengths = [random.randint(-1, 1) for _ in range(4)]
    parts = f"<lengths> {' '.join(map(str, lengths))} </lengths><operator> le </operator>"
    return f"<ordered><list> v[] </list>{parts}</ordered>", lambda v: all(
        a + n <= b for (a, b), n in zip(pairwise(v), lengths, strict=True)
    )


def different_lists(random: random.Random) -> Case:
    except_ = random.choice(["", "<except> (0,0) </except>"])
    text = f"<allDifferent><list> v[0..1] </list><list> v[1..2] </list><list> v[3..4] </list>{except_}</allDifferent>"

    def holds(v: Row) -> bool:
        pairs = combinations([v[0:2], v[1:3], v[3:5]], 2)
        return all(a != b or (except_ != "" and a == (0, 0)) for a, b in pairs)

    return text, holds


def different_matrix(random: random.Random) -> Case:
    text = "<allDifferent><matrix> (v[0],v[1])(v[2],v[3]) </matrix></allDifferent>"
    return text, lambda v: v[0] != v[1] and v[2] != v[3] and v[0] != v[2] and v[1] != v[3]


def no_overlap(random: random.Random) -> Case:
    n = [random.randint(0, 2) for _ in range(2)]
    ignored = random.choice(["true", "false"])
    parts = f"<origins> v[0..2] </origins><lengths> {n[0]} {n[1]} v[3] </lengths>"
    text = f'<noOverlap zeroIgnored="{ignored}">{parts}</noOverlap>'

    def holds(v: Row) -> bool:
        tasks = [(v[0], n[0]), (v[1], n[1]), (v[2], v[3])]
        tasks = [task for task in tasks if task[1] or ignored == "false"]
        return all(a + m <= b or b + o <= a for (a, m), (b, o) in combinations(tasks, 2))

    return text, holds


def no_overlap_of_boxes(random: random.Random) -> Case:
    text = "<noOverlap><origins> (v[0],v[1])(v[2],v[3]) </origins><lengths> (1,2)(2,v[4]) </lengths></noOverlap>"

    def holds(v: Row) -> bool:
        return not v[4] or v[0] + 1 <= v[2] or v[2] + 2 <= v[0] or v[1] + 2 <= v[3] or v[3] + v[4] <= v[1]

    return text, holds


def cumulative(random: random.Random) -> Case:
    limit = random.randint(2, 4)
    parts = "<origins> v[0..2] </origins><lengths> 2 1 v[3] </lengths><heights> 2 v[4] 1 </heights>"

    def holds(v: Row) -> bool:
        tasks = [(v[0], 2, 2), (v[1], 1, v[4]), (v[2], v[3], 1)]
        return all(sum(h for s, n, h in tasks if s <= time < s + n) <= limit for time in range(7))

    return f"<cumulative>{parts}<condition> (le,{limit}) </condition></cumulative>", holds


def knapsack(random: random.Random) -> Case:
    weights, profits = ([random.randint(0, 3) for _ in range(5)] for _ in range(2))
    limit, gain = random.randint(3, 12), random.randint(3, 9)
    conditions = f"<condition> (le,{limit}) </condition><condition> (ge,{gain}) </condition>"
    texts = [" ".join(map(str, numbers)) for numbers in (weights, profits)]
    parts = f"<weights> {texts[0]} </weights><profits> {texts[1]} </profits>{conditions}"
    text = f"<knapsack><list> v[] </list>{parts}</knapsack>"

    def dot(numbers: Row, row: Row) -> int:
        return sum(a * b for a, b in zip(numbers, row, strict=True))

    return text, lambda row: dot(weights, row) <= limit and dot(profits, row) >= gain


def bin_packing(random: random.Random) -> Case:
    sizes = [random.randint(0, 3) for _ in range(5)]
    items = f"<list> v[] </list><sizes> {' '.join(map(str, sizes))} </sizes>"

    def load(row: Row, number: int) -> int:
        return sum(size for size, where in zip(sizes, row, strict=True) if where == number)

    if random.random() < 0.5:
        return f"<binPacking>{items}<condition> (le,4) </condition></binPacking>", lambda row: all(
            load(row, number) <= 4 for number in range(4)
        )
    return (
        f"<binPacking>{items}<limits> 3 4 v[0] </limits></binPacking>",
        lambda row: max(row) < 3 and all(load(row, number) <= limit for number, limit in enumerate((3, 4, row[0]))),
    )


def clause(random: random.Random) -> Case:
    return "<clause> v[0] not(v[1]) v[2] v[0] </clause>", lambda v: v[:3] != (0, 1, 0)


def regular(random: random.Random) -> Case:
    moves = {(a, n, b) for a in "abc" for n in range(4) for b in "abc" if random.random() < 0.3}
    finals = random.sample("abc", 2)

    def holds(row: Row) -> bool:
        states = {"a"}
        for value in row:
            states = {after for one, n, after in moves if one in states and n == value}
        return not states.isdisjoint(finals)

    written = "".join(f"({a},{n},{b})" for a, n, b in sorted(moves)) or "(a,0,a)"
    parts = f"<transitions> {written} </transitions><start> a </start><final> {' '.join(finals)} </final>"
    text = f"<regular><list> v[] </list>{parts}</regular>"
    return text, holds if moves else lambda row: "a" in finals and not any(row)


def diagram(random: random.Random) -> Case:
    words = random.sample(list(product(range(4), repeat=3)), 6)
    moves = {(f"n{w[:i]}", w[i], f"n{w[: i + 1]}" if i < 2 else "end") for w in words for i in range(3)}
    names = {name: f"s{i}" for i, name in enumerate(sorted({one for a, _, b in moves for one in (a, b)}))}
    written = "".join(f"({names[a]},{n},{names[b]})" for a, n, b in sorted(moves))
    return (
        f"<mdd><list> v[4] v[0] v[2] </list><transitions> {written} </transitions></mdd>",
        lambda v: (v[4], v[0], v[2]) in words,
    )


def slide(random: random.Random) -> Case:
    circular = random.choice(["true", "false"])
    offset = random.choice([1, 2])
    parts = f'<list offset="{offset}"> v[] </list><intension> ne(%0,add(%1,1)) </intension>'
    text = f'<slide circular="{circular}">{parts}</slide>'

    def holds(v: Row) -> bool:
        starts = range(0, 5 if circular == "true" else 4, offset)
        return all(v[i] != v[(i + 1) % 5] + 1 for i in starts)

    return text, holds


def large_intension(random: random.Random) -> Case:
    k = random.randint(1, 5)
    parts = f"eq(mul(v[0],v[1],v[2]),{k})", "lt(add(v[3],v[4]),dist(v[0],v[1]))", "not(imp(le(v[2],2),ne(v[4],1)))"
    text = f"<intension> or({','.join(parts)}) </intension>"

    def holds(v: Row) -> bool:
        return v[0] * v[1] * v[2] == k or v[3] + v[4] < abs(v[0] - v[1]) or (v[2] <= 2 and v[4] == 1)

    return text, holds


CASES = [
    a_sum,
    sum_of_products,
    a_count,
    n_values,
    extremum,
    cardinality,
    element,
    element_of_matrix,
    channel,
    circuit,
    precedence,
    extreme_place,
    all_equal,
    lex,
    lex_of_matrix,
    ordered,
    different_lists,
    different_matrix,
    no_overlap,
    no_overlap_of_boxes,
    cumulative,
    knapsack,
    bin_packing,
    clause,
    regular,
    diagram,
    slide,
    large_intension,
]


def loaded(constraint: str, max_tuples: int) -> Problem:
    variables = '<array id="v" size="[5]"> 0..3 </array>'
    text = f"<instance><variables>{variables}</variables><constraints>{constraint}</constraints></instance>"
    return read(Source("x.xml", text.encode()), max_tuples=max_tuples)


def solutions(problem: Problem) -> list[dict[str, int]]:
    """All solutions, by joining the tables one after the other."""
    found: list[dict[str, int]] = [{}]
    pending = [(c.scope, c.kind == "Accept", {tuple(map(int, row)) for row in c.tuples}) for c in problem.constraints]
    domains = {variable.name: list(map(int, variable.domain.words)) for variable in problem.variables}
    for name in problem.variable_names:
        found = [{**one, name: value} for one in found for value in domains[name]]
        known = {*found[0]} if found else set()
        ready = [c for c in pending if known.issuperset(c[0])]
        pending = [c for c in pending if not known.issuperset(c[0])]
        for scope, accepts, rows in ready:
            found = [one for one in found if (tuple(one[variable] for variable in scope) in rows) == accepts]
    return found


@pytest.mark.parametrize("size", ["small", "medium", "large", "huge"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_constraint_has_the_solutions_of_its_definition(
    case: Callable[[random.Random], Case], size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("_MAX_ROWS", "_MAX_TRIED", "_MAX_VIEW", "_N_FEW", "_MAX_WORDS")  # what seems too large for one table
    for name in {"small": (), "medium": names[:-1]}.get(size, names):
        monkeypatch.setattr(lowering, name, 1)
    if size == "huge":  # sums become columns of digits
        monkeypatch.setattr(lowering, "_BASE", 2)
        monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    for seed in range(10):
        text, holds = case(random.Random(seed))
        problem = loaded(text, max_tuples=1024 if size == "small" else 1000)
        expected = {row for row in product(range(4), repeat=5) if holds(row)}
        found = [tuple(one[f"v[{i}]"] for i in range(5)) for one in solutions(problem)]
        assert set(found) == expected, text
        assert len(found) == len(expected), text  # auxiliary variables follow from the others
        own = [i for i, name in enumerate(problem.variable_names) if not is_auxiliary(name)]
        assert len(own) == 5
        assert len(FunctionalClosure(problem, own).found) == problem.n_variables, text


def test_digits_of_summands_between_two_powers_of_two_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_N_FEW", "_MAX_TRIED", "_MAX_WORDS"):
        monkeypatch.setattr(lowering, name, 0)
    monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    text = (
        "<instance format='XCSP3' type='CSP'><variables><array id='x' size='[2]'> 0..11 </array></variables>"
        "<constraints><sum><list> x[] </list><coeffs> 900000000000000001 1 </coeffs>"  # 11 times this is above 2 ** 63
        "<condition> (eq,900000000000000004) </condition></sum></constraints></instance>"
    )
    found = solutions(read(Source("x.xml", text.encode())))
    assert [(one["x[0]"], one["x[1]"]) for one in found] == [(1, 3)]


FAULTY = {
    "channel><value> v[0] </value>": "expected one list and a value, or one or two lists",
    "channel><list> v[] </list><list> v[] </list><list> v[] </list>": "expected one list and a value",
    "allDifferent><list> v[0] </list><list> v[1] </list><except> (0,0) </except>": "expected 1 entries in each tuple",
    "noOverlap><origins> (v[0],1)(v[1],2) </origins><lengths> 1 2 </lengths>": "expected 2 entries in each tuple",
    "cumulative><origins/><lengths/><heights/><condition> (le,2) </condition>": "expected variables in <origins>",
    "lex><list/><list/><operator> le </operator>": "expected variables in <list>",
    "nValues><list> v[] </list><except> v[0] </except><condition> (eq,1) </condition>": "expected an integer, found v",
    'minimumArg rank="best"><list> v[] </list><condition> (eq,1) </condition>': "expected a rank, found 'best'",
    "knapsack><list> v[0] </list><weights> 1 </weights><profits> 1 </profits>": "one for profits",
    'slide circular="true"><list collect="99999999"> v[] </list><clause> %... </clause>': "words in lists",
}


@pytest.mark.parametrize("text", FAULTY)
def test_parts_that_do_not_fit_are_faults(text: str) -> None:
    with pytest.raises(InvalidInput, match=FAULTY[text]):
        loaded(f"<{text}</{re.split('[ >]', text)[0]}>", 1000)


@pytest.mark.parametrize(("factor", "fits"), [(10**17, True), (10**18 - 1, False)])
def test_partial_sums_have_64_bits(factor: int, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(InvalidInput, match="more than 64 bits"):
        a_sum_of("0 1", 60, f"{factor}x30 -{factor}x30", 0)


def test_a_sum_of_large_domains_is_read() -> None:
    assert count(a_sum_of("0..999", 4, "1000000000 1000000 1000 1", 123456789012)) == 1


def a_sum_of(domain: str, n: int, factors: str, total: int) -> Problem:
    variables = f'<array id="v" size="[{n}]"> {domain} </array>'
    parts = f"<list> v[] </list><coeffs> {factors} </coeffs><condition> (eq,{total}) </condition>"
    text = f"<instance><variables>{variables}</variables><constraints><sum>{parts}</sum></constraints></instance>"
    return read(Source("x.xml", text.encode()))


def test_what_compares_too_many_pairs_is_refused() -> None:
    words = "v[0] " * 2000
    parts = f"<values> {'1 ' * 2000} </values><condition> (le,3) </condition>"
    for text in (f"<count><list> {words} </list>{parts}</count>", f"<channel> {words} </channel>"):
        with pytest.raises(InvalidInput, match="4,000,000 pairs of terms"):
            loaded(text, 1000)


def test_an_automaton_may_read_a_variable_three_times() -> None:
    parts = "<transitions> (a,0,a)(a,1,b)(b,1,b) </transitions><start> a </start><final> b </final>"
    problem = loaded(f"<regular><list> v[0] v[0] v[0] v[1] </list>{parts}</regular>", 1000)
    assert {(one["v[0]"], one["v[1]"]) for one in solutions(problem)} == {(0, 1), (1, 1)}


def ordered_lists(n: int) -> Problem:
    variables = f'<array id="v" size="[2][{n}]"> 0 1 </array>'
    constraint = "<lex><list> v[0][] </list><list> v[1][] </list><operator> lt </operator></lex>"
    text = f"<instance><variables>{variables}</variables><constraints>{constraint}</constraints></instance>"
    return read(Source("x.xml", text.encode()))


@pytest.mark.parametrize("n", [60, 61, 70])
def test_long_lists_have_a_lexicographic_order(n: int) -> None:
    assert count(ordered_lists(n)) == (4**n - 2**n) // 2


def test_columns_of_digits_with_weights_of_60_bits_are_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    assert with_sums(recover(ordered_lists(60)), range(120)).sums == ()


def test_a_value_without_an_index_may_be_anywhere_in_a_matrix() -> None:
    problem = loaded("<element><matrix> (v[0],v[1])(v[2],v[3]) </matrix><value> 3 </value></element>", 1000)
    assert {tuple(one[f"v[{i}]"] for i in range(5)) for one in solutions(problem)} == {
        row for row in product(range(4), repeat=5) if 3 in row[:4]
    }


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("Bibd-sum-03-03-01", 1),
        ("DeBruijnSequence-02-04", 16),
        ("Element", 4),
        ("Knights-008-05", 0),
        ("LangfordBin-05", 0),
        ("MagicSequence-003-co", 0),
        ("MagicSequence-004-ca", 2),
        ("MagicSequence-10", 1),
        ("MagicSquare-3-mdd", 8),
        ("Nonogram-021-regular", 1),
        ("Queens-view-8", 92),
        ("SchurrLemma-023-3", 18),
        ("TestSumView", 21),
        ("latinSquare-4x4", 576),
    ],
)
def test_an_instance_of_the_literature_has_its_number_of_solutions(file: str, expected: int) -> None:
    if not (path := INSTANCES / f"{file}.xml").exists():
        pytest.skip("puzzle data not present")
    assert count(read_file(path), seconds=60) == expected
