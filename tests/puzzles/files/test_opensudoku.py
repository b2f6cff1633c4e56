"""Sudokus of OpenSudoku: any XML of its form, nothing but that, and every fault with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import F2cspError, InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.formats import Likeness, PuzzleFile, named_formats, read_puzzle, read_puzzles, written
from f2csp.puzzles.files.opensudoku import looks_like, parts
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from tests.puzzles.files.places import Place, faults, format_of, messages, read

NAME = "sudoku:opensudoku"

PUZZLE = "006000150890004000000000900300460000001003800540000003000250007100300060009600500"
OTHER = "300800000001700040000900057900100000600000003000045810000010000067000480050000600"
BOARD = Sudoku(
    9, 3, 3, clues=tuple(Clue(i // 9 + 1, i % 9 + 1, int(cell)) for i, cell in enumerate(PUZZLE) if cell != "0")
)
GAME = f'<game data="{PUZZLE}" />'


def document(*games: str) -> str:
    return "\n".join(["<opensudoku>", *games, "</opensudoku>", ""])


@pytest.mark.parametrize(
    "text",
    [
        document(GAME),
        GAME,
        f"\ufeff{document(GAME)}",
        document(GAME).replace("\n", "\r\n"),
        document(GAME).replace("\n", ""),
        f'<?xml version="1.0"?>\n{document(GAME)}',
        f"<?xml version='1.0' encoding='utf-8' standalone='yes'?>\n<!-- ours -->\n{document(GAME)}",
        f'<?xml version="1.0" encoding="ISO-8859-1"?>\n{document(GAME)}',
        f'<?xml version="1.0" encoding="UTF-16"?>\n{document(GAME)}',
        document("<name>é &amp; &#48;</name>", "<author/>", GAME),
        document(f"<folder name='a'>{GAME}</folder>"),
        document(f"<game\n\tdata\n=\n'{PUZZLE}'\n></game>"),
        document(f'<game state="1" note=" data=\'1\' > é" data="{PUZZLE}" time="0"/>'),
        document(f'<game xdata="1" data.x="2" data="{PUZZLE}" adata="3"/>'),
        document("<!-- <game data='1'/> -->", "<![CDATA[<game data='1'/>]]>", "<?game data='1'?>", GAME),
        document(f'<game data="{PUZZLE.replace("0", ".")}"/>'),
    ],
)
def test_spellings_of_one_document(text: str) -> None:
    assert read(text, NAME) == BOARD
    assert format_of(text) == NAME
    assert len(parts(Text.whole(Source("", text.encode())))) == 1


def test_any_game_can_be_taken() -> None:
    source = Source("games.opensudoku", document("<name>Two</name>", GAME, f"<game data='{OTHER}' />").encode())
    first, second = read_puzzles(source, named_formats("auto"))
    assert isinstance(first, PuzzleFile)
    assert isinstance(second, PuzzleFile)
    assert (first.puzzle, first.n_puzzles) == (BOARD, 2)
    assert [clue.value for clue in second.puzzle.clues] == [int(cell) for cell in OTHER if cell != "0"]
    with pytest.raises(F2cspError, match="has 2 puzzles, no number 3"):
        read_puzzle(source, named_formats(NAME), index=3)


def test_a_faulty_game_hides_no_other() -> None:
    text = document(GAME, '<game data="1"/>', "<game/>", GAME)
    found = list(read_puzzles(Source("", text.encode()), named_formats(NAME)))
    assert [isinstance(file, InvalidInput) for file in found] == [False, True, True, False]


@given(st.lists(st.sampled_from([GAME, "<x>", "</x>", "<y/>", "a", "é", "\n", "<!---->", "&lt;"]), max_size=8))
def test_games_are_found_wherever_they_stand(pieces: list[str]) -> None:
    text = document(*pieces)
    depth = 0
    for piece in pieces:
        depth += (piece == "<x>") - (piece == "</x>")
        if depth < 0:
            break
    source = Source("", text.encode())
    if depth != 0:
        assert [code for code, *_ in faults(text, NAME)] == ["F615"]
    elif GAME in pieces:
        assert [part.data.decode() for part in parts(Text.whole(source))] == [GAME] * pieces.count(GAME)
    else:
        assert messages(text, NAME) == [("the document has no element game", None)]


FAULTS: list[tuple[str, str, list[Place]]] = [
    # The cells
    ("a cell too few", document(f'<game data="{PUZZLE[:-1]}"/>'), [("F609", 2, 13, 93)]),
    ("a cell too much", document(f'<game data="{PUZZLE}0"/>'), [("F609", 2, 13, 95)]),
    ("another board", document(f'<game data="{"0" * 16}"/>'), [("F609", 2, 13, 29)]),
    ("no cells", document('<game data=""/>'), [("F609", 2, 13, 13)]),
    ("a letter", document(f'<game data="{PUZZLE.replace("8", "x")}"/>'), [("F610", 2, 22, 23)]),
    ("a letter behind others of two bytes", document(f"<game a='éé' data='x{PUZZLE[1:]}'/>"), [("F610", 2, 20, 21)]),
    ("no attribute", document("<game/>"), [("F615", 2, 1, 8)]),
    ("another attribute", document(f'<game Data="{PUZZLE}"/>'), [("F615", 2, 1, 97)]),
    ("a reference", document(f'<game data="&#48;{PUZZLE[1:]}"/>'), [("F615", 2, 13, 18)]),
    ("a reference to a letter", document(f'<game data="{PUZZLE[:-1]}&amp;"/>'), [("F615", 2, 93, 98)]),
    ("a blank", document(f'<game data="{PUZZLE[:9]}  {PUZZLE[9:]}"/>'), [("F615", 2, 22, 24)]),
    ("a game with notes", document('<game data="version: 3&#10;0|0|1|5|0|0|"/>'), [("F615", 2, 13, 21)]),
    # The document
    ("no game", document("<puzzle/>"), [("F615", 4, 1, 1)]),
    ("a document type", f"<!DOCTYPE opensudoku>\n{document(GAME)}", [("F615", 1, 1, 1)]),
    ("a document type with entities", f"<?xml version='1.0'?>\n <!DOCTYPE a [\n<!ENTITY b 'c'>\n]>\n{document(GAME)}",
     [("F615", 2, 2, 2)]),
    ("a document type of a file", f'<!DOCTYPE a SYSTEM "file:///etc/passwd">\n{document(GAME)}', [("F615", 1, 1, 1)]),
    ("an entity", document(GAME, "é&b;"), [("F615", 3, 2, 2)]),
    ("a tag that is not closed", document(GAME, "<x>"), [("F615", 4, 3, 3)]),
    ("a tag closed by another", document("<x></y>", GAME), [("F615", 2, 6, 6)]),
    ("an attribute twice", document("<x a='1' a='2'/>", GAME), [("F615", 2, 10, 10)]),
    ("no quotation marks", document("<game data=1/>"), [("F615", 2, 12, 12)]),
    ("text after", f"{document(GAME)}x", [("F615", 4, 1, 1)]),
    ("a blank before the declaration", f" <?xml version='1.0'?>\n{document(GAME)}", [("F615", 1, 2, 2)]),
    ("two documents", document(GAME) * 2, [("F615", 4, 1, 1)]),
    ("a declaration in the middle", document(GAME, "<?xml version='1.0'?>"), [("F615", 3, 1, 1)]),
    ("cut off in a tag", document(GAME)[:-9], [("F615", 3, 1, 1)]),
    ("cut off between tags", document(GAME)[:-15], [("F615", 2, 98, 98)]),
    ("elements in each other", f"{'<a>' * 101}{GAME}", [("F615", 1, 301, 301)]),
    ("a long tag", document(f"<x a='{'1' * 200_000}'/>", GAME), [("F615", 2, 1, 1)]),
    ("a long remark", document(f"<!--{'1' * 200_000}-->", GAME), [("F615", 2, 1, 1)]),
    ("a long name", document(f"<{'a' * 200_000}/>", GAME), [("F615", 2, 1, 1)]),
    ("no XML", "hello", [("F615", 1, 1, 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (document('<game data="version: 3&#10;0|0|1|"/>'),
         "the game has been begun and is saved with notes, as 'version: 3', which is not read",
         "write 81 digits row by row, 0 for a blank"),
        (document("<game/>"), "the game has no attribute data", "write 81 digits row by row, 0 for a blank"),
        (f"<!DOCTYPE a>{GAME}", "a document type is declared, and nothing may be declared here", None),
        ("<a>" * 200, "more than 100 elements are in each other", None),
        (f"<a b='{'1' * 200_000}'/>", "a tag or a comment is longer than 65,536 bytes", None),
        (document(f'<game data="{PUZZLE[:-1]}"/>'), "the puzzle has 80 cells, and a 9x9 board has 81",
         "add what is missing"),
    ],
)  # fmt: skip
def test_messages_name_the_cause(text: str, message: str, hint: str | None) -> None:
    assert messages(text, NAME) == [(message, hint)]


def test_tags_and_text_may_be_long_in_all() -> None:
    text = document("x" * 200_000, *[f"<game data='{PUZZLE}' note='{'1' * 50_000}'/>"] * 5, "<x/>" * 50_000)
    assert len(parts(Text.whole(Source("", text.encode())))) == 5
    assert read(text, NAME) == BOARD


def test_givens_that_break_a_rule_are_warned_of_at_their_places() -> None:
    text = document(GAME, f'<game note="é" data="{PUZZLE.replace("8", "6", 1)}"/>')
    (warning,) = read_puzzle(Source("", text.encode()), named_formats(NAME), index=2).warnings
    assert (warning.code, warning.span.line, warning.span.column, warning.span.end_column) == ("F608", 3, 31, 32)


def test_what_is_written() -> None:
    lines = written(BOARD, NAME).split("\n")
    assert lines == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<opensudoku>",
        "  <name>Sudoku 9x9</name>",
        f"  {GAME}",
        "</opensudoku>",
        "",
    ]


@pytest.mark.parametrize("puzzle", [Sudoku(4, 2, 2), Sudoku(9, 1, 9), Sudoku(9, 9, 1), Sudoku(16, 4, 4)])
def test_other_boards_are_not_written(puzzle: Sudoku) -> None:
    with pytest.raises(Unsuitable, match="the format has boards of 9x9 with boxes of 3x3, and none of"):
        written(puzzle, NAME)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (document(GAME), Likeness.SOUND),
        (f"\n {document(GAME)}", Likeness.SOUND),
        ("<?xml", Likeness.SOUND),
        ("<!-- ours -->", Likeness.SOUND),
        ("<html>", Likeness.SOUND),
        ("< 1", Likeness.NONE),
        ("1 < 2", Likeness.NONE),
        (PUZZLE, Likeness.NONE),
        ("", Likeness.NONE),
    ],
)
def test_likeness(text: str, expected: Likeness) -> None:
    assert looks_like(Text.whole(Source("", text.encode()))) == expected
