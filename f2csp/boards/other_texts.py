"""Texts that are known not to be puzzle files of this program: those of other programs, and other puzzles."""

import re

from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import unclear
from f2csp.diagnostics import InvalidInput

_TEXTS = {
    "the answer of a SAT solver": rb"\A(?:c[^\n]*\n)*+s (?:[0-9]\s|SATISFIABLE|UNSATISFIABLE|UNKNOWN|OPTIMUM)"
    rb"|\A(?:UN)?SAT\b",
    "an answer of MiniZinc": rb"^(?:={10}|=====[A-Z]+=====)\r?$|^-{10}\r?\n\Z",
    "an LP model": rb"\A(?:\\[^\n]*\n|\s)*+(?i:max(?:imi[sz]e|imum)?|min(?:imi[sz]e|imum)?)\b[ \t]*:?"
    rb"(?s:.)*?^[ \t]*(?i:subject to|such that|s\.?t\.)",
    "an MPS model": rb"\A(?:\*[^\n]*\n)*+NAME\b[^\n]*\n(?:[^\n]*\n)*?ROWS\b",
    "a pseudo-Boolean problem (OPB)": rb"\A\* #variable="
    rb"|^[ \t]*(?:min:|max:)?[ \t]*(?:[+-]?[0-9]+ +~?x[0-9]+ +)+(?:>=|=|<=|;)",
    "SMT-LIB": rb"^[ \t]*\((?:set-logic|set-option|declare-(?:fun|const|sort)|assert|define-fun|check-sat)\b",
    "FlatZinc": rb"^[ \t]*(?:array \[1\.\.|var [^\n]*:: |constraint [a-z]+_[a-z_]+\()[^\n]*;(?s:.)*^solve\b",
    "UAI": rb"\A\s*(?:MARKOV|BAYES)\s",
    "CFN of toulbar2": rb"\A\s*+[\[{][\s:]*+\"?problem\"?[\s:]*+[\[{][^{}\[\]]*?\bmustbe",
    "clauses without a line p cnf": rb"\A(?:c[^\n]*\n)*(?:(?:-?[1-9][0-9]* +)+0 *\r?\n){3}",
    "an automaton or graph in DOT": rb"\A\s*(?:strict\s+)?(?:di)?graph\b[^\n{]*\{",
    "PDDL": rb"\A\s*(?:;[^\n]*\n\s*)*\(define\s*\((?:domain|problem)\b",
    "a nonogram": rb"(?i)^(?:catalogue \"|goal \"?[01]|(?:rows|columns)\r?$)|\bnonograms?\b",
    "a Kakuro": rb"(?i)\bkakuro\b",
    "a Skyscrapers puzzle": rb"(?i)\bskyscrapers?\b|\AG(?:;[0-9]+)+\s",
    "a KenKen": rb"(?i)\b(?:kenken|calcudoku|mathdoku|inshi no heya)\b",
}
"""Texts of other programs and puzzles, by a pattern at their beginning."""
_PATTERNS = {title: re.compile(pattern, re.MULTILINE) for title, pattern in _TEXTS.items()}

_VARIANT = re.compile(
    rb"(?<![a-z])(?:samurai|windoku|hyper[- ]?sudoku|thermo\w*|sandwich|kropki|arrows?|"
    rb"(?:anti-?)?(?:knight|king)(?:'s|s)?|anti-?diagonal|(?:pan)?diagonal latin|symmetric latin|"
    rb"(?:non-?)?consecutive|renban|palindromes?|little ?killer|"
    rb"xv|quadruples?|between ?lines?|clones?|roxdoku|german whispers|even[-/ ]odd|greater than|asterisk|girandola|"
    rb"(?:center|centre) ?dots?|argyle|disjoint|toroidal|star ?battle|hitori|slitherlink|nurikabe|hashi\w*|"
    rb"minesweeper|battleships?|(?:extra|four|shaded|grey|gray) (?:regions?|windows?)|adds? up|sums? (?:to|of|is)|"
    rb"differ(?:s|ence)? by|cages?|outside clues)(?![a-z])",
    re.IGNORECASE,
)
"""Names and words of rules that no puzzle of this program has."""


def refuse_other_text(text: Text) -> None:
    """Raise InvalidInput for a text of another program, or another puzzle, by its name."""
    head = text.data[: 1 << 12]
    for title, pattern in _PATTERNS.items():
        if pattern.search(head):
            message = f"the file is {title}, which is not read"
            raise InvalidInput(unclear("F614", text, message, "f2csp formats lists the formats that are read"))


def refuse_variant(text: Text, name: str) -> None:
    """Raise InvalidInput for a file that names rules which a plain board of a kind would lack."""
    match = _VARIANT.search(text.first_bytes(1 << 16).data)
    if match is not None:
        message = f"expected a {name}, found the variant {match[0].decode()!r}"
        hint = "a board without its rules would be another puzzle; f2csp formats lists the puzzles and their formats"
        raise InvalidInput(unclear("F613", text, message, hint))
