"""The codes of diagnostics, each with its meaning, an example and the cure.

Blocks: F0 file and form, F1 counts, F2 names, F3 domains and tuples, F4 warnings, F5 foreign formats, F6 puzzle files,
F7 solutions.
"""

from typing import Literal, NamedTuple


class Entry(NamedTuple):
    """One code of the catalogue."""

    name: str
    meaning: str
    example: str
    cure: str
    severity: Literal["error", "warning"] = "error"


CATALOGUE: dict[str, Entry] = {
    # F0: file and form
    "F001": Entry(
        "not-utf8",
        "The text holds bytes that are not UTF-8.",
        "a file saved as Latin-1 or UTF-16",
        "Save the file as UTF-8.",
    ),
    "F002": Entry(
        "control-character",
        "The text holds a control character other than tab and line end.",
        "a NUL byte, or a lone carriage return",
        "Remove the character; end lines with \\n or \\r\\n.",
    ),
    "F003": Entry(
        "missing-section",
        "A required section header is missing.",
        "Variables: right after the title, without Domains:",
        "Write the section, with its count, in the order Domains, Variables, Constraints, Goal; in a constraint: "
        "label, Vars, then Reject or Accept.",
    ),
    "F004": Entry(
        "doubled-section",
        "A section appears twice, or a constraint has two tables.",
        "a second Domains: after Variables:",
        "Merge the two sections into one.",
    ),
    "F005": Entry(
        "misplaced-section",
        "A section is in the wrong place.",
        "Variables: before Domains:",
        "Put the sections in the order title, Domains, Variables, Constraints, Goal.",
    ),
    "F006": Entry(
        "missing-label",
        "A constraint begins without its label line.",
        "Vars: right after the tuples of the previous constraint",
        "Write a label, such as C7, on the line before Vars:.",
    ),
    "F007": Entry(
        "file-ends-early",
        "The text ends inside a section, or before a declared count is reached.",
        "a file that was cut off in transfer",
        "Get the whole file again, or correct the counts.",
    ),
    "F008": Entry(
        "unknown-goal",
        "The goal is unknown.",
        "Goal: Maximise",
        "Write Satisfy.",
    ),
    "F009": Entry(
        "text-after-goal",
        "There is text after the goal, which ends the problem.",
        "a second problem in the same file",
        "Remove the text, or move it to a file of its own.",
    ),
    "F010": Entry(
        "unbalanced-bracket",
        "A brace or parenthesis is not closed on its line, or was never opened.",
        "(1, 2",
        "Close it, or remove it.",
    ),
    "F011": Entry(
        "misplaced-punctuation",
        "Unexpected comma, brace, parenthesis, colon or equals sign.",
        "1,, 2",
        "Remove it. Allowed: one comma between two values, braces around a whole domain, parentheses around a tuple.",
    ),
    "F012": Entry(
        "malformed-line",
        "A line does not have the form that its section requires.",
        "V1 D1 in the section Variables",
        "Write a domain as NAME: value value ..., a variable as NAME: DOMAIN, a label as one name.",
    ),
    "F013": Entry(
        "text-too-large",
        "A compressed file expands beyond the size limit.",
        "a few kilobytes that expand to terabytes",
        "Raise the limit if you trust the file.",
    ),
    "F014": Entry(
        "broken-compression",
        "A compressed file cannot be decompressed.",
        "a .gz file that was cut off in transfer",
        "Get the whole file again.",
    ),
    "F015": Entry(
        "byte-order-mark",
        "The title begins with a second byte-order mark.",
        "two files concatenated, each with its own mark",
        "Remove it.",
    ),
    # F1: counts
    "F101": Entry(
        "missing-count",
        "A section header has no count, neither on its own line nor on the next.",
        "Domains: followed by D1: 1 2 3",
        "Write the number of entries.",
    ),
    "F102": Entry(
        "malformed-count",
        "A count is not a decimal number of at most 18 digits without leading zeros.",
        "Reject: four, or 04",
        "Write the number in digits.",
    ),
    "F103": Entry(
        "count-mismatch",
        "A count differs from the number of entries that follow.",
        "Constraints: 59 with 58 constraints",
        "Correct the count, or find the missing or surplus entry.",
    ),
    "F104": Entry(
        "wrong-scope-size",
        "The number under Vars: differs from the number of variables in the scope.",
        "Vars: 2 with the scope V1 V2 V3",
        "Correct the number or the scope.",
    ),
    # F2: names
    "F201": Entry(
        "duplicate-name",
        "Two domains, two variables or two constraints have the same name.",
        "two lines V1: D1",
        "Rename or remove one.",
    ),
    "F202": Entry(
        "section-word-as-name",
        "One of the words Domains, Variables, Constraints, Vars, Reject, Accept, Goal is used as a name.",
        "a variable called Goal",
        "Choose another name.",
    ),
    "F203": Entry("unknown-domain", "A variable names a domain that is not declared.", "V1: D7", "Declare the domain."),
    "F204": Entry(
        "unknown-variable",
        "A scope or a solution names a variable that is not declared; reported once per name.",
        "V1 V99 in a scope",
        "Declare the variable, or correct the name.",
    ),
    "F205": Entry(
        "repeated-variable", "A scope contains a variable twice.", "V1 V1", "Name each variable of a scope once."
    ),
    # F3: domains and tuples
    "F301": Entry("empty-domain", "A domain has no value.", "D1:", "Give the domain at least one value."),
    "F302": Entry("repeated-value", "A domain contains a value twice.", "D1: 1 2 2", "Write each value once."),
    "F303": Entry("descending-range", "A range ends below its start.", "9..1", "Write the smaller end first."),
    "F304": Entry(
        "value-not-in-domain",
        "A value of a tuple or a solution is not in the domain of its variable.",
        "9 for a variable of the domain 1 2 3 4",
        "Correct the value, or add it to the domain. Values are compared as words: 02 is not 2.",
    ),
    "F305": Entry(
        "range-too-large",
        "The ranges of a file add up to more values than the limit.",
        "1..1000000000000000000",
        "Write a smaller range, or raise the limit.",
    ),
    "F306": Entry(
        "wrong-tuple-size",
        "A tuple must have exactly one value for each variable of the scope.",
        "1 2 3 for two variables",
        "Write one value for each variable, in the order of the scope.",
    ),
    "F307": Entry(
        "repeated-tuple", "A constraint contains a tuple twice.", "1 2 on two lines", "Write each tuple once."
    ),
    "F308": Entry(
        "misplaced-range",
        "A range in place of a single value, or with ends beyond 64 bits.",
        "1..3 in a tuple",
        "Write the values one by one; ranges are allowed in domains only.",
    ),
    # F4: warnings
    "F401": Entry(
        "no-title", "The problem has no title.", "Domains: on line 1", "Write a line before Domains:.", "warning"
    ),
    "F402": Entry(
        "no-goal", "The file has no goal.", "a last line with a tuple", "Write Goal: and Satisfy.", "warning"
    ),
    "F403": Entry(
        "unused-domain", "No variable has this domain.", "D2: 1 2 without a variable", "Remove the domain.", "warning"
    ),
    "F404": Entry(
        "unconstrained-variable",
        "No constraint names this variable, although there are constraints.",
        "a variable that was meant for a forgotten constraint",
        "Remove the variable, or write its constraints.",
        "warning",
    ),
    "F405": Entry(
        "never-true",
        "No assignment satisfies the constraint: it accepts no tuple or rejects all of them.",
        "Accept: 0",
        "Correct the table; as it is, the problem has no solution.",
        "warning",
    ),
    "F406": Entry(
        "always-true",
        "Every assignment satisfies the constraint: it rejects no tuple or accepts all of them.",
        "Reject: 0",
        "Correct the table, or remove the constraint.",
        "warning",
    ),
    "F407": Entry(
        "repeated-constraint",
        "Two constraints have the same scope and the same table.",
        "the same constraint under two labels",
        "Remove one.",
        "warning",
    ),
    "F408": Entry(
        "contradicting-constraints",
        "The unary constraints on a variable leave it no value.",
        "Accept 1 and Accept 2 for the same variable",
        "Correct one; as it is, the problem has no solution.",
        "warning",
    ),
    # F5: foreign formats, and the answers of foreign solvers
    "F501": Entry(
        "malformed-file",
        "The file is malformed.",
        "XML with a tag that is not closed, or a letter in a DIMACS clause",
        "Correct the place; the message says what is expected there.",
    ),
    "F502": Entry(
        "not-supported",
        "The file uses a feature that has no tables: an element, a constraint, a soft cost, an objective.",
        "<cumulative> in an XCSP3 file",
        "Remove this part, or write it as a table.",
    ),
    "F503": Entry(
        "foreign-unknown-name",
        "A variable, a domain or a value is used but never declared.",
        "a constraint on z where only x and y are declared",
        "Declare it, or correct the name.",
    ),
    "F504": Entry(
        "foreign-tuple-size",
        "A tuple or a list of variables has the wrong length.",
        "(1,2,3) in a table on two variables",
        "Give one value for each variable.",
    ),
    "F506": Entry(
        "foreign-count-mismatch",
        "A declared number differs from the number of entries.",
        "p cnf 3 5 with four clauses",
        "Correct the number, or find the missing or surplus entry.",
    ),
    "F507": Entry(
        "foreign-file-ends-early",
        "The file ends before everything it declares.",
        "a .wcsp cut in the middle of a cost function",
        "Get the whole file.",
    ),
    "F509": Entry(
        "foreign-name",
        "A name or a value is not a valid word in F2CSP.",
        "a variable whose name contains a blank or a comma",
        "Rename it, without white space and the characters : , ( ) { } =.",
    ),
    "F510": Entry(
        "too-large-to-tabulate",
        "A constraint would become a table with more tuples than the limit.",
        "a sum over twenty variables of ten values each",
        "Raise the limit, or split the constraint into smaller ones.",
    ),
    "F511": Entry(
        "no-answer",
        "The output of a solver contains no answer for this problem.",
        "a log without a line v",
        "Run the solver again, with the option that prints the solution.",
    ),
    # F6: puzzle files
    "F601": Entry(
        "wrong-size",
        "The puzzle has no boards of this size.",
        "a Sudoku of size 6 without --box",
        "Write a size that fits the boxes, or give the boxes with --box ROWSxCOLUMNS.",
    ),
    "F602": Entry(
        "clue-count-mismatch",
        "The declared number of clues differs from the number of clues that follow.",
        "30 with 29 clue lines",
        "Correct the number, or find the missing or surplus clue.",
    ),
    "F603": Entry(
        "out-of-range",
        "A row, a column or a value does not exist on the board.",
        "1 1 10 on a 9x9 board",
        "Rows, columns and values count from 1; those of a Takuzu are 0 and 1.",
    ),
    "F604": Entry(
        "missing-part",
        "A part of a puzzle file is missing: a number, a row, or a header.",
        "the clue 1 1 without its value",
        "Write what is missing at the place.",
    ),
    "F605": Entry("repeated-cell", "A cell is given twice.", "1 1 5 and 1 1 6", "Keep one of the two clues."),
    "F606": Entry(
        "unexpected-text",
        "A puzzle file has unexpected text.",
        "a remark at the end of a clue file",
        "Remove it.",
    ),
    "F607": Entry(
        "not-a-number",
        "A word was found where a number is expected.",
        "1 1 x",
        "Write the number in digits.",
    ),
    "F608": Entry(
        "conflicting-givens",
        "Givens break a rule of the puzzle, so it has no solution.",
        "two 5s in one row",
        "Correct one of them.",
        "warning",
    ),
    "F609": Entry(
        "wrong-number-of-cells",
        "A puzzle, or a line of it, has too few or too many cells for its size.",
        "80 characters where a 9x9 board has 81 cells",
        "Add the missing cells, or remove the surplus ones.",
    ),
    "F610": Entry(
        "unknown-symbol",
        "A character or a word is not a valid cell, or is ambiguous.",
        "a letter in a 9x9 Sudoku",
        "Write a value, or a blank symbol of the format.",
    ),
    "F611": Entry(
        "misplaced-sign",
        "A sign is not between two cells, or points to none.",
        "a sign in the last cell of a row that compares it with its right neighbour",
        "Remove the sign, or write it between two cells.",
    ),
    "F612": Entry(
        "contradicting-signs",
        "Two signs between the same two cells contradict each other.",
        "one cell greater than its right neighbour, and that one greater than the cell",
        "Keep one of the two.",
    ),
    "F613": Entry(
        "another-puzzle",
        "The file contains another kind of puzzle, or only the seed of one.",
        "an identifier of a jigsaw Sudoku",
        "Convert a puzzle of a supported kind.",
    ),
    "F614": Entry(
        "unclear-format",
        "The format of a puzzle file is unknown or ambiguous.",
        "a 4x4 square of digits, which can be a Sudoku or a Latin square",
        "Name the format with --from.",
    ),
    "F615": Entry(
        "malformed-puzzle-file",
        "The puzzle file is malformed.",
        "XML with a tag that is not closed",
        "Correct the place; the help of the puzzle's command lists the formats.",
    ),
    "F616": Entry(
        "rule-left-out",
        "The file has a rule that the converted puzzle does not have, so that it may have more solutions.",
        "a file of Andoku with the colours of a jigsaw Sudoku",
        "Add the rule to the problem.",
        "warning",
    ),
    # F7: solutions
    "F701": Entry(
        "malformed-solution",
        "A solution is neither NAME = VALUE lines nor JSON of names and values.",
        "V1 2 without the equals sign",
        "Write NAME = VALUE on each line and --- between solutions, or a JSON object, or a list of them.",
    ),
    "F702": Entry(
        "repeated-assignment",
        "A solution gives a variable twice.",
        "two lines V1 = 1",
        "Keep one of the two; separate solutions by ---.",
    ),
    "F703": Entry(
        "unassigned-variable",
        "A solution gives no value to some variables.",
        "V3 of the problem is missing in the solution",
        "Give each variable of the problem a value.",
    ),
}
