"""Plans and tables of people that are no boards: rotas, timetables, tournaments, seats, scores."""

from collections.abc import Iterator
from random import Random

from tests.door.texts import Family, Text, aligned, html, joined, latex, markdown, random_matrix

_DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_NAMES = "Ana Ben Chloe David Emma Femi Greta Hugo Ines".split()


def rotas(rng: Random) -> Iterator[Text]:
    for n in (4, 5, 6, 9):
        start = rng.sample(range(1, n + 1), n)
        turns = [[start[(i + j) % n] for j in range(n)] for i in range(n)]
        for label in ("week", "Shift", "Team"):
            lines = "".join(f"{label} {i}: {' '.join(map(str, row))}\n" for i, row in enumerate(turns, 1))
            yield Text(f"rota-{label.lower()}-{n}.txt", lines, "a cyclic rota with labels")
        named = [["", *_DAYS[:n]], *([name, *row] for name, row in zip(_NAMES, turns, strict=False))]
        yield Text(f"rota-names-{n}.txt", aligned(named, 7), "a rota with names and days")
        rows = [[name, *row] for name, row in zip(_NAMES, turns, strict=False)]
        yield Text(f"rota-{n}.md", markdown(["who", *range(1, n + 1)], rows), "a rota as a table in Markdown")
    off = [[rng.choice("123-") for _ in _DAYS] for _ in range(7)]
    off[0][:2] = off[1][:2] = "11"
    lines = [[f"{day}:", *row] for day, row in zip(_DAYS, off, strict=True)]
    yield Text("duties.txt", f"Kitchen duty\n{joined(lines)}", "a plan of duties with days off")
    nurses = [[rng.choice("DNO.") for _ in range(14)] for _ in range(9)]
    yield Text("nurses.txt", joined(nurses), "a roster of letters")
    yield Text(
        "presence.csv", "\n".join(f"{name},{rng.choice('01')},1,1,1,0" for name in _NAMES) + "\n", "who is there"
    )
    shifts = random_matrix(rng, 7, 7, 0, 3)
    shifts[0][:2] = [3, 3]
    yield Text("shifts-7.csv", f"{','.join(_DAYS)}\n{joined(shifts, ',')}", "shifts of seven people in a week")


def timetables(rng: Random) -> Iterator[Text]:
    lessons = [[rng.choice(("Ma", "En", "Fr", "Ph", "--")) for _ in range(5)] for _ in range(6)]
    rows = [[i, *row] for i, row in enumerate(lessons, 1)]
    yield Text("lessons.txt", aligned([["", *_DAYS[:5]], *rows], 5), "a timetable of a school")
    yield Text("lessons.md", markdown(["", *_DAYS[:5]], rows), "a timetable of a school in Markdown")
    rooms = [[rng.randint(1, 6) for _ in range(6)] for _ in range(6)]
    rooms[0][:2] = [3, 3]
    numbered = [[i, *row] for i, row in enumerate(rooms, 1)]
    yield Text("rooms.txt", f"Rooms\n{joined([['h', *_DAYS[:6]], *numbered])}", "a timetable of rooms")
    yield Text("rooms.html", html(numbered), "a timetable of rooms in HTML")
    times = [[f"{hour:02}:{rng.randint(0, 59):02}" for _ in range(4)] for hour in range(6, 12)]
    yield Text("buses.txt", joined(times), "departures of buses")
    minutes = [[f"{hour:02}", *sorted(rng.sample(range(60), 4))] for hour in range(6, 20)]
    yield Text("tram.txt", joined(minutes), "minutes of departure by the hour")
    yield Text("calendar.txt", _calendar(), "a calendar")


def _calendar() -> str:
    days = [[str(day) if 0 < day < 31 else "" for day in range(start, start + 7)] for start in range(-1, 31, 7)]
    return "    April\n" + aligned([[day[:2] for day in _DAYS], *days], 3)


def tournaments(rng: Random) -> Iterator[Text]:
    for n in (4, 6, 8):
        rounds = _round_robin(n)
        lines = [" ".join(f"{a}-{b}" for a, b in games) for games in rounds]
        headed = "".join(f"Round {i}: {line}\n" for i, line in enumerate(lines, 1))
        yield Text(f"rounds-{n}.txt", headed, "who plays whom in each round")
        yield Text(f"rounds-{n}-bare.txt", "\n".join(lines) + "\n", "pairs of numbers, a round to a line")
        opponents = [[next(a + b - i for a, b in games if i in (a, b)) for games in rounds] for i in range(1, n + 1)]
        named = [[f"{name}:", *row] for name, row in zip(_NAMES, opponents, strict=False)]
        yield Text(f"opponents-{n}.txt", joined(named), "the opponents of each player")
    for n, mark in ((4, "*"), (6, "x"), (8, "-")):
        points = [[mark if i == j else rng.choice("01") for j in range(n)] for i in range(n)]
        for i in range(n):
            for j in range(i):
                points[i][j] = str(1 - int(points[j][i]))
        points[0][1:4], points[1][0], points[2][0], points[3][0] = "111", "0", "0", "0"
        named = [[name, *row, row.count("1")] for name, row in zip(_NAMES, points, strict=False)]
        yield Text(f"crosstable-{n}.txt", f"Results\n{joined(named)}", "a crosstable of chess with names")
    league = [[i, name, *(rng.randint(0, 9) for _ in range(4))] for i, name in enumerate(_NAMES, 1)]
    yield Text("league.txt", joined(league), "a table of a league")
    yield Text("league.md", markdown(["", "team", "w", "d", "l", "pts"], league), "a table of a league in Markdown")
    yield Text("league.tex", latex(league), "a table of a league in LaTeX")
    holes = [[rng.randint(3, 6) for _ in range(9)] for _ in range(9)]
    holes[0][:2] = [4, 4]
    scores = [[name, *row] for name, row in zip(_NAMES, holes, strict=True)]
    yield Text("golf.txt", joined([["hole", *range(1, 10)], *scores]), "nine scores of golf")
    sets = [[name, "-", rng.choice(_NAMES), f"6:{rng.randint(0, 4)}", f"6:{rng.randint(0, 4)}"] for name in _NAMES]
    yield Text("tennis.txt", joined(sets), "scores of tennis")


def _round_robin(n: int) -> list[list[tuple[int, int]]]:
    """The rounds of a tournament by the method of the circle."""
    circle, rounds = list(range(1, n + 1)), []
    for _ in range(n - 1):
        rounds.append([(circle[i], circle[n - 1 - i]) for i in range(n // 2)])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def cards_and_seats(rng: Random) -> Iterator[Text]:
    for i in range(2):
        columns = [rng.sample(range(15 * j + 1, 15 * j + 16), 5) for j in range(5)]
        card: list[list[object]] = [list(row) for row in zip(*columns, strict=True)]
        yield Text(f"bingo-{i}-full.txt", aligned(card), "a card of bingo")
        card[2][2] = "FREE"
        yield Text(f"bingo-{i}.txt", aligned([[*"BINGO"], *card], 5), "a card of bingo with its heading")
        card[2][2] = "*"
        yield Text(f"bingo-{i}-star.txt", joined(card), "a card of bingo with a star in the middle")
    tombola = [["."] * 9 for _ in range(3)]
    for row in tombola:
        for j in rng.sample(range(9), 5):
            row[j] = str(10 * j + rng.randint(1, 9))
    yield Text("tombola.txt", aligned(tombola), "a card of tombola")
    small = [rng.choices(range(1, 10), k=3) for _ in range(3)]
    yield Text("loto-3.txt", joined(small), "a card of three by three")
    seats = [[f"{name[:4]:5}" for name in rng.sample(_NAMES, 5)] for _ in range(5)]
    yield Text("seats.txt", joined(seats), "seats in a class")
    numbers = rng.sample(range(1, 26), 25)
    yield Text("seats-numbers.txt", joined([numbers[i : i + 5] for i in range(0, 25, 5)]), "seats by numbers")
    tables = "".join(f"Table {i}: {' '.join(map(str, rng.sample(range(1, 37), 6)))}\n" for i in range(1, 7))
    yield Text("tables.txt", tables, "guests at tables")
    taken = [[rng.choice("x.") for _ in range(10)] for _ in range(10)]
    taken[0][:3] = "xxx"
    yield Text("cinema.txt", joined(taken), "seats taken in a cinema")
    taken = [["1" if value == "x" else "0" for value in row] for row in taken]
    yield Text("cinema-bits.txt", joined(taken), "seats taken in a cinema as 0 and 1")


def marks(rng: Random) -> Iterator[Text]:
    for n in (4, 6):
        grades = random_matrix(rng, n, n, 1, n)
        grades[0][:2], grades[1][0] = [2, 2], 2
        yield Text(f"grades-{n}.txt", joined(grades), "marks from 1 on, rows of students")
        named = [[name, *row] for name, row in zip(_NAMES, grades, strict=False)]
        yield Text(f"grades-{n}-names.txt", joined(named), "marks with names")
        yield Text(f"grades-{n}.csv", joined([["name", *range(1, n + 1)], *named], ","), "marks as CSV")
        yield Text(f"grades-{n}.tsv", joined([["name", *"abcdef"[:n]], *named], "\t"), "marks as TSV")
    rolls = random_matrix(rng, 6, 6, 1, 6)
    rolls[0][:2] = [6, 6]
    yield Text("dice.txt", joined(rolls, ""), "rolls of a die")
    yield Text("dice-commas.txt", joined(rolls, ", "), "rolls of a die with commas")
    yield Text("ranks.txt", "Ranking of the judges\n" + joined([rng.sample(range(1, 6), 5) for _ in range(4)]), "ranks")


FAMILIES: tuple[Family, ...] = (rotas, timetables, tournaments, cards_and_seats, marks)
