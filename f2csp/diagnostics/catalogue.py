"""The codes of diagnostics, each with its meaning, an example and the cure.

Blocks: F0 file and form, F1 counts, F2 names, F3 domains and tuples, F4 warnings, F5 foreign formats and the answers
of foreign solvers, F6 puzzle files, F7 solutions.
"""

from typing import Literal, NamedTuple, cast

Severity = Literal["error", "warning"]


class CatalogueEntry(NamedTuple):
    name: str
    meaning: str
    example: str
    cure: str
    severity: Severity


# Three lines for each code: the code with its severity, name and meaning; an example; the cure.
_TABLE = """
F001 error not-utf8: The text holds bytes that are not UTF-8.
  a file saved as Latin-1 or UTF-16
  Save the file as UTF-8.
F002 error control-character: The text holds a control character other than tab and line end.
  a NUL byte, or a lone carriage return
  Remove the character; end lines with \\n or \\r\\n.
F003 error missing-section: A required section header is missing.
  Variables: right after the title, without Domains:
  Write the section, with its count, in the order Domains, Variables, Constraints, Goal; in a constraint: label, \
Vars, then Reject or Accept.
F004 error doubled-section: A section appears twice, or a constraint has two tables.
  a second Domains: after Variables:
  Merge the two sections into one.
F005 error misplaced-section: A section is in the wrong place.
  Variables: before Domains:
  Put the sections in the order title, Domains, Variables, Constraints, Goal.
F006 error missing-label: A constraint begins without its label line.
  Vars: right after the tuples of the previous constraint
  Write a label, such as C7, on the line before Vars:.
F007 error file-ends-early: The text ends inside a section, or before a declared count is reached.
  a file that was cut off in transfer
  Get the whole file again, or correct the counts.
F008 error unknown-goal: The goal is unknown.
  Goal: Maximise
  Write Satisfy.
F009 error text-after-goal: There is text after the goal, which ends the problem.
  a second problem in the same file
  Remove the text, or move it to a file of its own.
F010 error unbalanced-bracket: A brace or parenthesis is not closed on its line, or was never opened.
  (1, 2
  Close it, or remove it.
F011 error misplaced-punctuation: Unexpected comma, brace, parenthesis, colon or equals sign.
  1,, 2
  Remove it. Allowed: one comma between two values, braces around a whole domain, parentheses around a tuple.
F012 error malformed-line: A line does not have the form that its section requires.
  V1 D1 in the section Variables
  Write a domain as NAME: value value ..., a variable as NAME: DOMAIN, a label as one name.
F013 error text-too-large: A compressed file expands beyond the size limit.
  a few kilobytes that expand to terabytes
  Raise the limit if you trust the file.
F014 error broken-compression: A compressed file cannot be decompressed.
  a .gz file that was cut off in transfer
  Get the whole file again.
F015 error byte-order-mark: The title begins with a second byte-order mark.
  two files concatenated, each with its own mark
  Remove it.
F016 error misspelt-section: A section word is misspelt, or has no colon.
  Domain: or Vars
  Write Domains:, Variables:, Constraints:, Vars:, Reject:, Accept: or Goal:.

F101 error missing-count: A section header has no count, neither on its own line nor on the next.
  Domains: followed by D1: 1 2 3
  Write the number of entries.
F102 error malformed-count: A count is not a decimal number of at most 18 digits without leading zeros.
  Reject: four, or 04
  Write the number in digits.
F103 error count-mismatch: A count differs from the number of entries that follow.
  Constraints: 59 with 58 constraints
  Correct the count, or find the missing or surplus entry.
F104 error wrong-scope-size: The number under Vars: differs from the number of variables in the scope.
  Vars: 2 with the scope V1 V2 V3
  Correct the number or the scope.

F201 error duplicate-name: Two domains, two variables or two constraints have the same name.
  two lines V1: D1
  Rename or remove one.
F202 error section-word-as-name: One of the words Domains, Variables, Constraints, Vars, Reject, Accept, Goal is used \
as a name.
  a variable called Goal
  Choose another name.
F203 error unknown-domain: A variable names a domain that is not declared.
  V1: D7
  Declare the domain.
F204 error unknown-variable: A scope or a solution names a variable that is not declared; reported once per name.
  V1 V99 in a scope
  Declare the variable, or correct the name.
F205 error repeated-variable: A scope contains a variable twice.
  V1 V1
  Name each variable of a scope once.

F301 error empty-domain: A domain has no value.
  D1:
  Give the domain at least one value.
F302 error repeated-value: A domain contains a value twice.
  D1: 1 2 2
  Write each value once.
F303 error descending-range: A range ends below its start.
  9..1
  Write the smaller end first.
F304 error value-not-in-domain: A value of a tuple or a solution is not in the domain of its variable.
  9 for a variable of the domain 1 2 3 4
  Correct the value, or add it to the domain. Values are compared as words: 02 is not 2.
F305 error range-too-large: The ranges of a file add up to more values than the limit.
  1..1000000000000000000
  Write a smaller range, or raise the limit.
F306 error wrong-tuple-size: A tuple must have exactly one value for each variable of the scope.
  1 2 3 for two variables
  Write one value for each variable, in the order of the scope.
F307 error repeated-tuple: A constraint contains a tuple twice.
  1 2 on two lines
  Write each tuple once.
F308 error misplaced-range: A range in place of a single value, or with ends beyond 64 bits.
  1..3 in a tuple
  Write the values one by one; ranges are allowed in domains only.
F309 error foreign-spelling: A range, a list or a word is spelt as in another language, or there is a comment.
  1-9 or [1, 2] or "red", or a no-break space between two values, or # 1 2
  Write a range as 1..9, and words without brackets and quotation marks, with blanks or commas between them; put \
remarks in the title.

F401 warning no-title: The problem has no title.
  Domains: on line 1
  Write a line before Domains:.
F402 warning no-goal: The file has no goal.
  a last line with a tuple
  Write Goal: and Satisfy.
F403 warning unused-domain: No variable has this domain.
  D2: 1 2 without a variable
  Remove the domain.
F404 warning unconstrained-variable: No constraint names this variable, although there are constraints.
  a variable of a constraint that was forgotten
  Remove the variable, or write its constraints.
F405 warning never-true: No assignment satisfies the constraint: it accepts no tuple or rejects all of them.
  Accept: 0
  Correct the table; as it is, the problem has no solution.
F406 warning always-true: Every assignment satisfies the constraint: it rejects no tuple or accepts all of them.
  Reject: 0
  Correct the table, or remove the constraint.
F407 warning repeated-constraint: Two constraints have the same scope and the same table.
  the same constraint under two labels
  Remove one.
F408 warning contradicting-constraints: The unary constraints on a variable leave it no value.
  Accept 1 and Accept 2 for the same variable
  Correct one; as it is, the problem has no solution.
F409 warning range-as-symbols: Symbols of a domain look like a range in another spelling.
  1-3 or 1 .. 3 or 1, ..., 3
  Write the range as 1..3, or list all values.

F501 error malformed-file: The file is malformed.
  XML with a tag that is not closed, or a letter in a DIMACS clause
  Correct the place; the message says what is expected there.
F502 error not-supported: The file uses a feature that has no tables: an element, a constraint, a soft cost, an \
objective.
  <cumulative> in an XCSP3 file
  Remove this part, or write it as a table.
F503 error foreign-unknown-name: A variable, a domain or a value is used but never declared.
  a constraint on z where only x and y are declared
  Declare it, or correct the name.
F504 error foreign-tuple-size: A tuple or a list of variables has the wrong length.
  (1,2,3) in a table on two variables
  Give one value for each variable.
F506 error foreign-count-mismatch: A declared number differs from the number of entries.
  p cnf 3 5 with four clauses
  Correct the number, or find the missing or surplus entry.
F507 error foreign-file-ends-early: The file ends before everything it declares.
  a .wcsp cut in the middle of a cost function
  Get the whole file.
F509 error foreign-name: A name or a value is not a valid word in F2CSP.
  a variable whose name contains a blank or a comma
  Rename it, without white space and the characters : , ( ) { } =.
F510 error too-large-to-tabulate: A constraint would become a table with more tuples than the limit.
  a sum over twenty variables of ten values each
  Raise the limit, or split the constraint into smaller ones.
F511 error no-answer: The output of a solver contains no answer for this problem.
  a log without a line v
  Run the solver again, with the option that prints the solution.

F601 error wrong-size: The puzzle has no boards of this size.
  a Sudoku of size 6 without --box
  Write a size that fits the boxes, or give the boxes with --box ROWSxCOLUMNS.
F602 error clue-count-mismatch: The declared number of clues differs from the number of clues that follow.
  30 with 29 clue lines
  Correct the number, or find the missing or surplus clue.
F603 error out-of-range: A row, a column or a value does not exist on the board.
  1 1 10 on a 9x9 board
  Rows, columns and values count from 1; those of a Takuzu are 0 and 1.
F604 error missing-part: A part of a puzzle file is missing: a number, a row, or a header.
  the clue 1 1 without its value
  Write what is missing at the place.
F605 error repeated-cell: A cell is given twice.
  1 1 5 and 1 1 6
  Keep one of the two clues.
F606 error unexpected-text: A puzzle file has unexpected text.
  a remark at the end of a clue file
  Remove it.
F607 error not-a-number: A word was found where a number is expected.
  1 1 x
  Write the number in digits.
F608 warning conflicting-givens: Givens break a rule of the puzzle, so it has no solution.
  two 5s in one row
  Correct one of them.
F609 error wrong-number-of-cells: A puzzle, or a line of it, has too few or too many cells for its size.
  80 characters where a 9x9 board has 81 cells
  Add the missing cells, or remove the surplus ones.
F610 error unknown-symbol: A character or a word is not a valid cell, or is ambiguous.
  a letter in a 9x9 Sudoku
  Write a value, or a blank symbol of the format.
F611 error misplaced-sign: A sign is not between two cells, or points to none.
  a sign in the last cell of a row that compares it with its right neighbour
  Remove the sign, or write it between two cells.
F612 error contradicting-signs: Two signs between the same two cells contradict each other.
  one cell greater than its right neighbour, and that one greater than the cell
  Keep one of the two.
F613 error another-puzzle: The file contains another kind of puzzle, or only the seed of one.
  an identifier of a jigsaw Sudoku
  Convert a puzzle of a supported kind.
F614 error unclear-format: The format of a puzzle file is unknown or ambiguous.
  rows of 0 and 1, which can be a Takuzu or lines of a Sudoku
  Name the format with --from.
F615 error malformed-puzzle-file: The puzzle file is malformed.
  XML with a tag that is not closed
  Correct the place; the help of the puzzle's command lists the formats.
F616 warning rule-left-out: The file has a rule that the converted puzzle does not have, so that it may have more \
solutions.
  a file of Andoku with the colours of a jigsaw Sudoku
  Add the rule to the problem.
F617 warning assumed-format: The file can be read as puzzles of two kinds, and was read as the more common one.
  a clue file of size 9, which can be a Sudoku or a Latin square
  Name the format with --from.

F701 error malformed-solution: A solution is neither NAME = VALUE lines nor JSON of names and values.
  V1 2 without the equals sign
  Write NAME = VALUE on each line and --- between solutions, or a JSON object, or a list of them.
F702 error repeated-assignment: A solution gives a variable twice.
  two lines V1 = 1
  Keep one of the two; separate solutions by ---.
F703 error unassigned-variable: A solution gives no value to some variables.
  V3 of the problem is missing in the solution
  Give each variable of the problem a value.
"""


def _entries() -> dict[str, CatalogueEntry]:
    lines = [line.strip() for line in _TABLE.splitlines() if line]
    entries = {}
    for head, example, cure in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        code, severity, name, meaning = head.split(" ", 3)
        entries[code] = CatalogueEntry(name.removesuffix(":"), meaning, example, cure, cast("Severity", severity))
    return entries


CATALOGUE = _entries()
