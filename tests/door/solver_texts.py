"""Texts of solvers and of operations research that are no puzzles and in no format that is read."""

from collections.abc import Iterator
from random import Random

from tests.door.texts import Family, Text, aligned, joined, random_matrix, symmetric


def answers(rng: Random) -> Iterator[Text]:
    literals = " ".join(str(rng.choice((-1, 1)) * i) for i in range(1, 10))
    yield Text("answer-9.res", f"c comment\ns SATISFIABLE\nv {literals} 0\n", "an answer of a SAT solver")
    yield Text("answer-short-v.res", f"s 1\nv {literals} 0\n", "an answer of a SAT solver in short")
    yield Text("minisat.out", f"SAT\n{literals} 0\n", "an answer of MiniSat")


def clauses_without_a_header(rng: Random) -> Iterator[Text]:
    for n in (4, 9, 20):
        clauses = [[rng.choice((-1, 1)) * rng.randint(1, n) for _ in range(3)] + [0] for _ in range(3 * n)]
        yield Text(f"clauses-{n}.txt", joined(clauses), "clauses without a line p")
    positive = [[*sorted(rng.sample(range(1, 10), 3)), 0] for _ in range(12)]
    yield Text("clauses-positive.txt", joined(positive), "positive clauses without a line p")
    yield Text("clauses-comment.txt", f"c twelve clauses\n{joined(positive)}", "positive clauses below a comment")
    yield Text("clauses-size.txt", f"9 12\n{joined(positive)}", "clauses below the numbers of variables and clauses")


def graphs(rng: Random) -> Iterator[Text]:
    for n in (4, 6, 9):
        edges = [(i, j) for i in range(1, n) for j in range(i + 1, n + 1) if rng.random() < 0.5]
        yield Text(f"edges-{n}.txt", joined(edges), "a list of edges")
        yield Text(f"edges-{n}-size.txt", f"{n} {len(edges)}\n{joined(edges)}", "a list of edges below n and m")
        yield Text(f"edges-{n}-lines.txt", f"{n}\n{len(edges)}\n{joined(edges)}", "a list of edges, n and m on lines")
        weighted = [(*edge, rng.randint(n + 1, 99)) for edge in edges]
        yield Text(f"edges-{n}-weights.txt", f"{n} {len(edges)}\n{joined(weighted)}", "a list of edges with weights")
        lists = {i: sorted({a + b - i for a, b in edges if i in (a, b)}) for i in range(1, n + 1)}
        yield Text(f"neighbours-{n}.txt", joined([[f"{i}:", *row] for i, row in lists.items()]), "lists of neighbours")
        yield Text(f"metis-{n}.graph", f"{n} {len(edges)}\n{joined(lists.values())}", "a graph of METIS")


def instances_of_research(rng: Random) -> Iterator[Text]:
    shop = [[x for machine in rng.sample(range(6), 6) for x in (machine, rng.randint(1, 9))] for _ in range(6)]
    yield Text("job-shop.txt", f"6 6\n{joined(shop)}", "a job shop")
    yield Text("flow-shop.txt", f"9 9\n{joined(random_matrix(rng, 9, 9, 1, 99))}", "a flow shop")
    small = random_matrix(rng, 9, 9, 1, 9)
    small[0][:2] = [6, 6]
    yield Text("flow-shop-small.txt", f"9 9\n{joined(small)}", "a flow shop with short times")
    for n in (4, 9):
        matrices = f"{aligned(symmetric(rng, n, 1, 9))}\n{aligned(symmetric(rng, n, 0, 9))}"
        yield Text(f"assignment-{n}.dat", f"{n}\n\n{matrices}", "a quadratic assignment: two matrices")
    yield Text("knapsack.txt", f"10 165\n{joined(random_matrix(rng, 10, 2, 10, 90))}", "a knapsack")
    yield Text("bins.txt", f"9\n100\n{joined(random_matrix(rng, 9, 1, 10, 70))}", "a bin packing")
    towns = "".join(f"{i} {rng.randint(0, 99)} {rng.randint(0, 99)}\n" for i in range(1, 10))
    head = "NAME : towns9\nTYPE : TSP\nDIMENSION : 9\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
    yield Text("towns.tsp", f"{head}{towns}EOF\n", "a problem of a salesman")
    yield Text("towns.txt", f"9\n{towns}", "coordinates of towns")
    yield Text(
        "intervals.txt",
        joined(sorted([(a := rng.randint(1, 20), a + rng.randint(1, 9)) for _ in range(9)])),
        "intervals",
    )


FAMILIES: tuple[Family, ...] = (answers, clauses_without_a_header, graphs, instances_of_research)
