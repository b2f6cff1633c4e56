"""Links that hold a puzzle: what LZ-string has compressed is expanded, and no link is taken for the name of a file."""

import json
from pathlib import Path
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.boards.puzzle_links import expanded
from f2csp.diagnostics import F2cspError
from f2csp.instances import puzzle
from tests.boards.puzzle_texts import diagnostics, read
from tests.cli.in_process import run

ALPHABET = ascii_letters[26:] + ascii_letters[:26] + digits + "+/"
ROWS = "53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79".split()


def compressed(text: str) -> str:
    """The text as LZ-string compresses it for Base64, written from the description of the algorithm."""
    data = text.encode("utf-16-le", "surrogatepass")
    units = [chr(data[i] + 256 * data[i + 1]) for i in range(0, len(data), 2)]
    codes, sent, bits, n_words, word = dict[str, int](), set[str](), "", 3, ""  # as many words as a reader has

    def put(value: int, width: int) -> str:
        return f"{value:0{width}b}"[::-1]

    for unit in [*units, ""]:  # the last one is the end
        if unit and unit not in codes:
            codes[unit] = len(codes) + 3
        if unit and word + unit in codes:
            word += unit
            continue
        if word:
            width, is_new = n_words.bit_length(), len(word) == 1 and word not in sent
            is_long = is_new and ord(word) > 255
            bits += put(is_long, width) + put(ord(word), 16 if is_long else 8) if is_new else put(codes[word], width)
            n_words += is_new + (n_words > 3)
            sent.add(word)
        codes[word + unit] = len(codes) + 3
        word = unit
    bits += put(2, n_words.bit_length())
    bits += "0" * (-len(bits) % 6)
    signs = "".join(ALPHABET[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return signs + "=" * (-len(signs) % 4)


def link(**more: object) -> str:
    grid = [[{"value": int(sign), "given": True} if sign != "." else {} for sign in row] for row in ROWS]
    return "https://f-puzzles.com/?load=" + compressed(json.dumps({"size": 9, "grid": grid, **more}))


@pytest.mark.parametrize(
    ("text", "by_lz_string"),
    [
        ("", "Q==="),
        ("a", "IZA="),
        ("aaaaaaaa", "IY0o"),
        ("TO BE OR NOT TO BE", "CoeQBAQgomIEpgHImGUkpA=="),
        ("é∑🧩é∑🧩", "JeRCJHwbiXu6lA=="),
    ],
)
def test_both_ways_agree_with_lz_string(text: str, by_lz_string: str) -> None:
    assert compressed(text) == by_lz_string
    assert expanded(by_lz_string) == text


@given(st.text(st.sampled_from("ab{é∑🧩}")) | st.text())
def test_what_is_compressed_is_expanded(text: str) -> None:
    assert expanded(compressed(text)) == text


@given(st.text(ALPHABET + "-$= !é") | st.text(ALPHABET).map(lambda end: compressed('{"size":4}')[:9] + end))
def test_a_broken_text_is_a_text_or_an_error(text: str) -> None:
    try:
        expanded(text)
    except ValueError:
        return


def test_an_expansion_has_a_limit() -> None:
    with pytest.raises(ValueError, match="limit of 1,048,576 characters"):
        expanded(compressed("a" * 5_000_000))
    with pytest.raises(ValueError, match="too long"):
        expanded("A" * 2_000_000)


def test_a_link_replaces_the_name_of_a_file(tmp_path: Path) -> None:
    text = link(ruleset="Normal rules apply. " * 9, author="".join(map(chr, range(300, 900))))
    assert len(text) > 1000
    assert puzzle(text) == read("\n".join(ROWS), "sudoku")
    (tmp_path / "puzzle.txt").write_text(f"{text}\n", encoding="utf-8")
    assert f2csp.read(tmp_path / "puzzle.txt") == f2csp.read(text)
    for command in ("solve", "convert --to sudoku:grid", "validate", "count", "stats", "board", "rate"):
        done = run(*command.split(), text)
        assert done.code == 0, (command, done.err)
        assert text not in done.out + done.err
    run("convert", text, "puzzle.csp", cwd=tmp_path)
    assert f2csp.read(tmp_path / "puzzle.csp") == f2csp.read(text)


def test_what_a_link_does_not_hold_is_refused() -> None:
    for text in ("https://sudokupad.app/abc123", "https://example.org/sudoku", "https://" + "a/" * 3000 + "a" * 300):
        with pytest.raises(F2cspError):
            puzzle(text)
        assert run("solve", text).code == 1
    (found,) = diagnostics(link(arrow=[{"lines": [["R1C1", "R1C2"]]}]), "sudoku")
    assert "one with arrow" in found.message
