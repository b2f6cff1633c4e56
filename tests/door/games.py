"""Boards of games and of other puzzles than the seven kinds."""

import json
from collections.abc import Iterator
from random import Random

from tests.door.texts import Family, Text, joined, random_matrix


def mazes_and_crosswords(rng: Random) -> Iterator[Text]:
    for n in (9, 13):
        grid = [["#" if rng.random() < 0.25 else "." for _ in range(n)] for _ in range(n)]
        yield Text(f"crossword-{n}.txt", joined(grid, ""), "the grid of a crossword")
        yield Text(f"crossword-{n}-blanks.txt", joined(grid), "the grid of a crossword, with blanks between")
    letters = [[rng.choice("ABCDEFGHIKLMNOPRST") for _ in range(10)] for _ in range(10)]
    yield Text("word-search.txt", joined(letters), "letters to search words in")
    yield Text("word-search-9.txt", joined([row[:9] for row in letters[:9]], ""), "nine rows of nine letters")
    yield Text("boggle.txt", joined([[rng.choice("AEIOUNRST") for _ in range(4)] for _ in range(4)]), "Boggle")
    solved = [["#", "C", "A", "T"], ["D", "O", "#", "O"], ["O", "W", "L", "#"], ["G", "#", "A", "M"]]
    yield Text("crossword-solved.txt", joined(solved, ""), "a solved crossword")
    for n in (7, 8, 9):
        walls = [[1 if i in (0, n - 1) or j in (0, n - 1) else rng.randint(0, 1) for j in range(n)] for i in range(n)]
        yield Text(f"maze-bits-{n}.txt", joined(walls, ""), "a maze of 0 and 1")
        yield Text(f"maze-bits-{n}-blanks.txt", joined(walls), "a maze of 0 and 1, with blanks between")
        marks = [["#" if wall else "." for wall in row] for row in walls]
        marks[1][1], marks[-2][-2] = "S", "E"
        yield Text(f"maze-{n}.txt", joined(marks, ""), "a maze of # and .")
    size = [[rng.randint(0, 1) for _ in range(6)] for _ in range(6)]
    size[0] = [0, 1, 1, 1, 0, 0]
    yield Text("maze-size.txt", f"6 6\n{joined(size)}", "a maze below its size")


def game_boards(rng: Random) -> Iterator[Text]:
    start = ["rnbqkbnr", "pppppppp", *["........"] * 4, "PPPPPPPP", "RNBQKBNR"]
    yield Text("chess.txt", "\n".join(start) + "\n", "a board of chess")
    yield Text("chess-blanks.txt", joined(start), "a board of chess, with blanks between")
    ranks = [f"{8 - i} {' '.join(rank)}" for i, rank in enumerate(start)]
    yield Text("chess-ranks.txt", "\n".join([*ranks, "  a b c d e f g h"]) + "\n", "a board of chess with its ranks")
    for name, board in {"won": "xxx/oxo/oox", "open": "x.o/.x./o..", "frames": "x| |o/-+-+-/ |x| /-+-+-/o| | "}.items():
        yield Text(f"tic-tac-toe-{name}.txt", board.replace("/", "\n") + "\n", "tic-tac-toe")
    drop = [*["......."] * 3, "...o...", "..xxx..", ".oxxoo."]
    yield Text("connect-four.txt", "\n".join(drop) + "\n", "connect four")
    for n in (8, 9):
        yield Text(f"minesweeper-{n}.txt", joined(_minesweeper(rng, n), ""), "minesweeper with *")
        yield Text(f"minesweeper-{n}-blanks.txt", joined(_minesweeper(rng, n)).replace("*", "."), "minesweeper")
    sea = [[rng.choice("~~~~~XO") for _ in range(10)] for _ in range(10)]
    rows = [[letter, *row] for letter, row in zip("ABCDEFGHIJ", sea, strict=True)]
    yield Text("battleship.txt", joined([[" ", *range(1, 11)], *rows]), "battleship")
    ships = [["o" if value == "O" else "." for value in row] for row in sea]
    ships[0][:4] = "oooo"
    yield Text("battleship-dots.txt", joined(ships, ""), "battleship of o and .")
    life = random_matrix(rng, 8, 8, 0, 1)
    life[0][:3] = [1, 1, 1]
    yield Text("life-bits.txt", joined(life, ""), "the game of life of 0 and 1")
    yield Text("life-dots.txt", joined(life, "").replace("0", ".").replace("1", "O"), "the game of life of . and O")
    tiles = rng.sample(range(16), 16)
    yield Text("fifteen.txt", joined([tiles[i : i + 4] for i in range(0, 16, 4)]), "the 15 puzzle")
    tiles = rng.sample(range(9), 9)
    yield Text("eight.txt", joined([tiles[i : i + 3] for i in range(0, 9, 3)]), "the 8 puzzle")
    yield Text("eight-run.txt", joined([tiles[i : i + 3] for i in range(0, 9, 3)], ""), "the 8 puzzle, without blanks")
    candy = random_matrix(rng, 8, 8, 1, 6)
    candy[0][:2] = [5, 5]
    yield Text("match-three.txt", joined(candy), "a board of a game of matches")
    flood = random_matrix(rng, 9, 9, 1, 6)
    flood[0][:2] = [1, 1]
    yield Text("flood.txt", joined(flood, ""), "a board of flood it")
    lights = random_matrix(rng, 5, 5, 0, 1)
    lights[0][:3] = [1, 1, 1]
    yield Text("lights.txt", joined(lights), "lights out")
    go = [[rng.choice("...XO") for _ in range(9)] for _ in range(9)]
    go[0][:3] = "XXX"
    yield Text("go.txt", joined(go), "a board of go")
    othello = ["........"] * 3 + ["...wb...", "...bw..."] + ["........"] * 3
    yield Text("othello.txt", "\n".join(othello) + "\n", "a board of Othello")
    queens = [".Q......", "....Q...", "......Q.", "Q.......", "..Q.....", ".......Q", ".....Q..", "...Q...."]
    yield Text("queens.txt", "\n".join(queens) + "\n", "eight queens")


def _minesweeper(rng: Random, n: int) -> list[list[str]]:
    mines = {(rng.randrange(n), rng.randrange(n)) for _ in range(n + 2)}
    mines |= {(0, 0), (0, 3)}

    def cell(i: int, j: int) -> str:
        near = sum((i + a, j + b) in mines for a in (-1, 0, 1) for b in (-1, 0, 1))
        return "*" if (i, j) in mines else str(near) if near else "."

    return [[cell(i, j) for j in range(n)] for i in range(n)]


def other_number_puzzles(rng: Random) -> Iterator[Text]:
    for n in (4, 5, 6):
        clues = [";".join(str(rng.choice((0, 0, 1, 2, 3))) for _ in range(n)) for _ in range(4)]
        body = "".join(f"{side};{line}\n" for side, line in zip("GDLP", clues, strict=True))
        yield Text(f"skyscrapers-{n}.txt", f"{n}\n{body}", "skyscrapers: what is seen from each side")
    loop = [[rng.choice("..0123") for _ in range(6)] for _ in range(6)]
    loop[0][:2] = loop[1][:2] = "33"
    yield Text("slitherlink.txt", joined(loop, ""), "Slitherlink")
    yield Text("slitherlink-blanks.txt", f"6 6\n{joined(loop)}", "Slitherlink below its size")
    for n in (5, 6, 9):
        hitori = random_matrix(rng, n, n, 1, n)
        hitori[0][:2], hitori[1][0] = [n, n], n
        yield Text(f"hitori-{n}.txt", joined(hitori), "Hitori, a full board")
        yield Text(f"hitori-{n}-size.txt", f"{n}\n{joined(hitori)}", "Hitori below its size")
    bridges = [
        ["2", ".", ".", "3", ".", "2"],
        ["."] * 6,
        ["4", ".", "2", ".", ".", "2"],
        ["."] * 6,
        ["3", ".", ".", "4", ".", "1"],
        ["."] * 6,
    ]
    yield Text("bridges.txt", joined(bridges), "Hashi: bridges")


def nonograms(rng: Random) -> Iterator[Text]:
    rows = "".join(f"{','.join(map(str, rng.choices((1, 2, 3), k=2)))}\n" for _ in range(5))
    yield Text("nonogram.non", f'title "dancer"\nwidth 5\nheight 5\n\nrows\n{rows}\ncolumns\n{rows}', "a nonogram")
    lists = [rng.choices((1, 2, 3), k=rng.randint(1, 3)) for _ in range(10)]
    yield Text("nonogram.json", f'{{"rows": {lists}, "columns": {lists}}}\n', "a nonogram in JSON")
    picture = [["#" if rng.random() < 0.5 else "." for _ in range(10)] for _ in range(10)]
    yield Text("nonogram-solved.txt", joined(picture, ""), "a solved nonogram")


def other_puzzles_in_json(rng: Random) -> Iterator[Text]:
    for name in ("CurvingRoad", "Yajilin", "Country Road", "StarBattle"):
        board = [[rng.choice("---ox") for _ in range(6)] for _ in range(6)]
        board[0][:3] = "ooo"
        record = {"name": name, "puzzles": {"1": {"problem": f"6 6\n{joined(board)}"}}}
        yield Text(f"{name.replace(' ', '-')}.json", json.dumps(record) + "\n", f"a puzzle {name} in JSON")
    grid = random_matrix(rng, 6, 6, 0, 4)
    grid[0][:2] = [4, 4]
    yield Text("akari.json", f'{{"puzzle": "akari", "grid": {grid}}}\n', "Akari in JSON")
    yield Text("hashi.json", f'{{"type": "hashiwokakero", "board": {grid}}}\n', "Hashi in JSON")


def variants_in_words(rng: Random) -> Iterator[Text]:
    empty = "\n".join(["........."] * 9) + "\n"
    rules = {
        "thermo": "Thermo Sudoku: digits grow along each thermometer.\nThermometer: r1c1 r1c2 r2c2 r3c2\n",
        "arrow": "Arrow Sudoku: the circle is the sum of its arrow.\nArrow: r5c5 r5c6 r5c7\n",
        "anti-knight": "Anti-knight Sudoku: cells a knight's move apart differ.\n",
        "windoku": "Windoku: the four shaded squares hold 1 to 9, too.\n",
        "kropki": "Kropki Sudoku. White dots: r1c1-r1c2. Black dots: r4c4-r5c4.\n",
        "sandwich": "Sandwich Sudoku: sums between 1 and 9.\nrows: 3 12 0 35 20 8 11 7 9\n",
        "little-killer": "Little killer: 23 along the diagonal from r1c4.\n",
        "renban": "Renban: the digits on a purple line are consecutive.\n",
    }
    for name, rule in rules.items():
        yield Text(f"{name}.txt", rule + empty, "a variant of Sudoku in words, with an empty grid")
    gap = "...   ..."
    samurai = ["." * 9 + "   " + "." * 9] * 6 + ["." * 21] * 3 + [f"      {'.' * 9}      "] * 3
    yield Text("samurai.txt", "\n".join([*samurai, *samurai[::-1]]) + "\n", "a Samurai Sudoku of five grids")
    yield Text("twin.txt", "\n".join([gap] * 3) + "\n", "parts of two grids")
    colours = "\n".join("".join(rng.choice("RGB") for _ in range(9)) for _ in range(9))
    yield Text("colours.txt", f"Colour sudoku\n{colours}\n", "a grid of colours")


FAMILIES: tuple[Family, ...] = (
    *(mazes_and_crosswords, game_boards, other_number_puzzles, nonograms, other_puzzles_in_json, variants_in_words),
)
