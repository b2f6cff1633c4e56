"""Matrices that are no boards: costs, distances, graphs, images, tables of arithmetic."""

from collections.abc import Iterator
from random import Random

from tests.door.texts import Family, Text, aligned, joined, random_matrix, symmetric

_CITIES = "Porto Braga Lisboa Coimbra Faro Aveiro Evora Viseu Setubal Leiria".split()


def cost_matrices(rng: Random) -> Iterator[Text]:
    for n_rows, n_columns in ((4, 4), (5, 5), (6, 6), (9, 9), (3, 5), (6, 9), (9, 6), (12, 12)):
        matrix = random_matrix(rng, n_rows, n_columns, 1, 99)
        name = f"cost-{n_rows}x{n_columns}"
        yield Text(f"{name}.txt", joined(matrix), "a matrix of costs")
        yield Text(f"{name}-size.txt", f"{n_rows} {n_columns}\n{aligned(matrix)}", "a matrix of costs below its size")
    for n in (4, 8, 9):
        matrix = random_matrix(rng, n, n, 1, 40)
        yield Text(f"cost-n-{n}.txt", f"{n}\n{joined(matrix)}", "a matrix of costs below one number for its size")
        yield Text(f"cost-n-{n}.csv", joined(matrix, ","), "a matrix of costs with commas")
    yield Text("cost.py", f"cost = {random_matrix(rng, 4, 4, 1, 20)}\n", "a matrix of costs as a Python literal")


def digits_at_random(rng: Random) -> Iterator[Text]:
    for n, highest in ((4, 4), (5, 5), (6, 6), (9, 9)):
        matrix = random_matrix(rng, n, n, 1, highest)
        matrix[0][0] = matrix[0][1]  # it breaks the rules in any case
        yield Text(f"ratings-{n}.txt", joined(matrix), "full rows of small numbers that repeat")
        yield Text(f"ratings-{n}-run.txt", joined(matrix, ""), "full rows of digits that repeat")
    for n_rows, n_columns in ((5, 5), (9, 9), (10, 10), (8, 12)):
        matrix = random_matrix(rng, n_rows, n_columns, 0, 9)
        matrix[0][0] = matrix[0][1] = matrix[1][0] = 7
        yield Text(f"heights-{n_rows}x{n_columns}.txt", joined(matrix, ""), "a map of heights from 0 to 9")


def distance_matrices(rng: Random) -> Iterator[Text]:
    for n in (4, 5, 6, 9):
        matrix = symmetric(rng, n, 10, 99)
        yield Text(f"distances-{n}.txt", joined(matrix), "distances with zeros in the diagonal")
        labelled = [["", *_CITIES[:n]], *([city, *row] for city, row in zip(_CITIES, matrix, strict=False))]
        yield Text(f"distances-{n}-cities.txt", aligned(labelled, 9), "distances between cities, with names")
    for n in (5, 9):
        matrix = symmetric(rng, n, 1, n)
        matrix[0][1] = matrix[1][0] = matrix[0][2] = matrix[2][0] = 2
        yield Text(f"distances-small-{n}.txt", joined(matrix), "small distances that repeat, zeros in the diagonal")
    small = [[abs(i - j) for j in range(6)] for i in range(6)]
    yield Text("distances-line.txt", f"Distances between stops\n{joined(small)}", "distances along a line")
    lower = [row[: i + 1] for i, row in enumerate(symmetric(rng, 7, 5, 50))]
    yield Text("distances-lower.txt", joined(lower), "the lower half of a matrix of distances")


def adjacency_matrices(rng: Random) -> Iterator[Text]:
    for n in (4, 5, 6, 8, 10, 12):
        matrix = symmetric(rng, n, 0, 1)
        matrix[0][1:4] = [1, 1, 1]
        yield Text(f"adjacency-{n}.txt", joined(matrix), "the adjacency matrix of a graph without loops")
        yield Text(f"adjacency-{n}-size.txt", f"{n}\n{joined(matrix)}", "an adjacency matrix below its size")
        yield Text(f"adjacency-{n}-tabs.txt", f"{n}\n{joined(matrix, chr(9))}", "an adjacency matrix with tabs")
    for n in (4, 6, 8):
        matrix = random_matrix(rng, n, n, 0, 1)
        matrix[0][:3] = [1, 1, 1]
        yield Text(f"relation-{n}.txt", joined(matrix, ""), "the matrix of a relation, without blanks")
        edges = sum(map(sum, matrix))
        yield Text(f"relation-{n}-edges.txt", f"{n} {edges}\n{joined(matrix)}", "an adjacency matrix below n and m")
    matrix = random_matrix(rng, 8, 4, 0, 1)
    matrix[0][:3] = [1, 1, 1]
    yield Text("incidence-8x4.txt", joined(matrix), "the incidence matrix of a bipartite graph")
    weighted = [[value if value < 5 else "inf" for value in row] for row in symmetric(rng, 6, 1, 8)]
    yield Text("weights-inf.txt", joined(weighted), "weights of edges, inf where there is none")
    weighted = [[value if value < 5 else -1 for value in row] for row in symmetric(rng, 6, 1, 8)]
    yield Text("weights-minus.txt", f"6\n{joined(weighted)}", "weights of edges, -1 where there is none")


def matrices_of_zeros_and_ones(rng: Random) -> Iterator[Text]:
    for n in (4, 5, 6, 8, 9):
        identity = [[int(i == j) for j in range(n)] for i in range(n)]
        yield Text(f"identity-{n}.txt", joined(identity), "an identity matrix")
        columns = rng.sample(range(n), n)
        permutation = [[int(column == j) for j in range(n)] for column in columns]
        yield Text(f"permutation-{n}.txt", joined(permutation), "a permutation matrix")
        queens = [[".Q"[column == j] for j in range(n)] for column in columns]
        yield Text(f"rooks-{n}.txt", joined(queens).replace("Q", "R"), "a placement of rooks")
    zero = [[0] * 6 for _ in range(6)]
    yield Text("zero-6.txt", joined(zero), "a matrix of zeros")
    ones = [[1] * 8 for _ in range(8)]
    yield Text("ones-8.txt", joined(ones), "a matrix of ones")
    board = [[(i + j) % 2 for j in range(7)] for i in range(7)]
    yield Text("chequered-7.txt", joined(board), "a chequered pattern")
    upper = [[int(i <= j) for j in range(6)] for i in range(6)]
    yield Text("upper-6.txt", joined(upper), "an upper triangular matrix")
    hadamard = [[-1 if (i & j).bit_count() % 2 else 1 for j in range(8)] for i in range(8)]
    yield Text("hadamard-8.txt", aligned(hadamard, 3), "a Hadamard matrix")
    one_hot = [[int(rng.randrange(4) == 0) for _ in range(4)] for _ in range(8)]
    one_hot[0] = [1, 1, 1, 0]
    yield Text("labels.csv", "a,b,c,d\n" + joined(one_hot, ","), "labels of samples, 0 or 1")
    truth = [[i >> 2 & 1, i >> 1 & 1, i & 1, (i >> 2 & 1) | (i & 1)] for i in range(8)]
    yield Text("truth-table.txt", joined(truth), "a truth table without a heading")
    yield Text("truth-table-heading.txt", "a b c f\n" + joined(truth), "a truth table")
    gray = [f"{i ^ i >> 1:04b}" for i in range(16)]
    yield Text("gray-code.txt", "\n".join(gray) + "\n", "a Gray code of four bits")
    letters = [f"{ord(letter):08b}" for letter in "Hello, w"]
    yield Text("ascii-bits.txt", "\n".join(letters) + "\n", "letters as bits")


def tables_of_arithmetic(_: Random) -> Iterator[Text]:
    magic = ([[2, 7, 6], [9, 5, 1], [4, 3, 8]], [[16, 3, 2, 13], [5, 10, 11, 8], [9, 6, 7, 12], [4, 15, 14, 1]])
    for square in (*magic, _odd_magic_square(5), _odd_magic_square(9)):
        yield Text(f"magic-{len(square)}.txt", joined(square), "a magic square")
    for n in (4, 6, 9):
        table = [[i * j for j in range(1, n + 1)] for i in range(1, n + 1)]
        yield Text(f"times-{n}.txt", aligned(table), "a multiplication table")
        sums = [[i + j for j in range(n)] for i in range(n)]
        yield Text(f"plus-{n}.txt", joined(sums), "an addition table")
    pascal = [[1]]
    for _row in range(8):
        pascal.append([1, *(a + b for a, b in zip(pascal[-1], pascal[-1][1:], strict=False)), 1])
    yield Text("pascal.txt", joined(pascal), "Pascal's triangle")
    centred = "".join(" ".join(map(str, row)).center(40) + "\n" for row in pascal)
    yield Text("pascal-centred.txt", centred, "Pascal's triangle, centred")
    square = [[1] * 5]
    for _row in range(4):
        row = [1]
        for value in square[-1][1:]:
            row.append(row[-1] + value)
        square.append(row)
    yield Text("pascal-square.txt", joined(square), "Pascal's matrix")
    counting = [[9 * i + j + 1 for j in range(9)] for i in range(9)]
    yield Text("counting-9.txt", aligned(counting, 3), "the numbers from 1 to 81")
    counting = [[4 * i + j for j in range(4)] for i in range(4)]
    yield Text("counting-4.txt", joined(counting), "the numbers from 0 to 15")
    powers = [[base**exponent for exponent in range(1, 6)] for base in range(1, 6)]
    yield Text("powers.txt", joined(powers), "powers")
    yield Text("same-rows-9.txt", joined([range(1, 10)] * 9, ""), "the digits from 1 to 9, nine times")
    yield Text("same-rows-4.txt", joined([range(1, 5)] * 4), "the numbers from 1 to 4, four times")
    yield Text("same-columns-5.txt", joined([[i] * 5 for i in range(1, 6)]), "rows of one number each")


def _odd_magic_square(n: int) -> list[list[int]]:
    return [[n * ((i + j + n // 2 + 1) % n) + (i + 2 * j + n - 3) % n + 1 for j in range(n)] for i in range(n)]


def statistics(rng: Random) -> Iterator[Text]:
    names = "cat dog bird fish".split()
    for n in (3, 4):
        matrix = [[rng.randint(20, 60) if i == j else rng.randint(0, 6) for j in range(n)] for i in range(n)]
        yield Text(f"confusion-{n}.txt", aligned(matrix), "a confusion matrix")
        labelled = [["", *names[:n]], *([name, *row] for name, row in zip(names, matrix, strict=False))]
        yield Text(f"confusion-{n}-names.txt", aligned(labelled, 6), "a confusion matrix with names")
    small = [[3, 0, 1, 0], [0, 4, 0, 0], [1, 0, 2, 1], [0, 0, 0, 4]]
    yield Text("confusion-small.txt", joined(small), "a confusion matrix of 16 samples")
    correlations = [[1.0 if i == j else round(rng.uniform(-1, 1), 2) for j in range(5)] for i in range(5)]
    yield Text("correlations.txt", joined(correlations), "correlations")
    transitions = [[0.5, 0.25, 0.25, 0], [0, 0.5, 0.5, 0], [0.1, 0.2, 0.3, 0.4], [0, 0, 0, 1]]
    yield Text("transitions.txt", joined(transitions), "the transition matrix of a Markov chain")
    votes = random_matrix(rng, 5, 5, 1, 5)
    votes[0] = [5, 5, 4, 5, 3]
    yield Text("survey.csv", "q1,q2,q3,q4,q5\n" + joined(votes, ","), "answers to five questions, 1 to 5")
    yield Text("survey-bare.csv", joined(votes, ","), "answers to five questions, without a heading")
    counts = random_matrix(rng, 9, 9, 0, 3)
    counts[0][:3] = [2, 2, 2]
    yield Text("counts-9.txt", joined(counts), "counts of plants in a field")


def images(rng: Random) -> Iterator[Text]:
    grey = random_matrix(rng, 9, 9, 0, 9)
    grey[0][:2] = [9, 9]
    yield Text("image.pgm", f"P2\n9 9\n9\n{joined(grey)}", "a grey image in PGM")
    bits = random_matrix(rng, 8, 8, 0, 1)
    bits[0][:3] = [1, 1, 1]
    yield Text("image.pbm", f"P1\n8 8\n{joined(bits)}", "a black and white image in PBM")
    heart = ["01100110", "11111111", "11111111", "11111111", "01111110", "00111100", "00011000", "00000000"]
    yield Text("heart.txt", "\n".join(heart) + "\n", "a heart of 8x8 bits")
    dots = [line.replace("0", ".").replace("1", "#") for line in heart]
    yield Text("heart-dots.txt", "\n".join(dots) + "\n", "a heart of # and .")
    dots = [line.replace("0", ".").replace("1", "o") for line in heart]
    yield Text("heart-o.txt", "\n".join(dots) + "\n", "a heart of o and .")
    squares = random_matrix(rng, 21, 21, 0, 1)
    squares[0] = [1] * 7 + [0] * 7 + [1] * 7
    yield Text("qr.txt", joined(squares, ""), "a QR code of 0 and 1")
    bayer = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]
    yield Text("dither.txt", joined(bayer), "a matrix for dithering")
    gauss = [[1, 4, 6, 4, 1], [4, 16, 24, 16, 4], [6, 24, 36, 24, 6], [4, 16, 24, 16, 4], [1, 4, 6, 4, 1]]
    yield Text("gauss.txt", joined(gauss), "a kernel of Gauss")
    labels = [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]
    yield Text("segments-4.txt", joined(labels), "a map of regions alone")
    regions = [[i // 3 * 3 + j // 3 + 1 for j in range(9)] for i in range(9)]
    yield Text("segments-9.txt", joined(regions, ""), "a map of nine regions alone")


def sparse_matrices(rng: Random) -> Iterator[Text]:
    cells = sorted(rng.sample([(i, j) for i in range(1, 10) for j in range(1, 10)], 12))
    triples = "".join(f"{i} {j} {rng.uniform(0, 9):.3f}\n" for i, j in cells)
    banner = "%%MatrixMarket matrix coordinate real general\n"
    yield Text("sparse.mtx", f"{banner}9 9 12\n{triples}", "a sparse matrix of Matrix Market")
    triples = "".join(f"{i} {j} {rng.randint(10, 99)}\n" for i, j in cells)
    yield Text("sparse.txt", f"9\n12\n{triples}", "weights of edges, above 9")
    yield Text("sparse-header.txt", f"9 9 12\n{triples}", "a sparse matrix with weights above 9")
    same = "".join(f"{1} {j} {5}\n" for j in range(1, 8))
    yield Text("star.txt", f"8\n7\n{same}", "a star: all edges from one vertex, of one weight")


def matrices_in_words(rng: Random) -> Iterator[Text]:
    for n in (4, 9):
        body = joined(random_matrix(rng, n, n, 1, n))
        yield Text(f"mip-{n}.txt", f"MIP\nrows {n}\n{body}", "a matrix below the word MIP")
        yield Text(f"matrix-a-{n}.txt", f"A =\n{body}\nb = {' '.join('1' * n)}\n", "a system of equations")
        yield Text(f"payoff-{n}.txt", f"Payoffs of player 1\n{body}", "a matrix of payoffs")
        yield Text(f"preferences-{n}.txt", _preferences(rng, n), "preferences of a marriage problem")
    yield Text("octave.m", f"A = [{'; '.join(joined(random_matrix(rng, 4, 4, 1, 9)).splitlines())}];\n", "Octave")


def _preferences(rng: Random, n: int) -> str:
    people = range(1, n + 1)
    men, women = (joined([[f"{i}:", *rng.sample(people, n)] for i in people]) for _ in range(2))
    return f"{n}\nmen\n{men}women\n{women}"


FAMILIES: tuple[Family, ...] = (
    *(cost_matrices, digits_at_random, distance_matrices, adjacency_matrices, matrices_of_zeros_and_ones),
    *(tables_of_arithmetic, statistics, images, sparse_matrices, matrices_in_words),
)
