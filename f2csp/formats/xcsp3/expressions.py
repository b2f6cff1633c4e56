"""Expressions in functional form, such as ``eq(add(x,1),y)``.

An expression becomes the sequence of its constants, variables and functions, each function after its arguments; so
no depth of it is a recursion, and equal expressions over equal domains are looked at once.
"""

import re
from dataclasses import dataclass

from f2csp.diagnostics import Collector, near_word_hint, shown
from f2csp.formats.xcsp3.operators import BY_NAME, OPERATORS, SETS
from f2csp.formats.xcsp3.texts import Span, Text
from f2csp.formats.xcsp3.variables import Variables

_TOKEN = re.compile(
    rb"\s*+(?:(?P<open>[A-Za-z_][A-Za-z0-9_]*+)\s*+\(|(?P<operand>[A-Za-z_][^\s(),]*+|[-+]?+[0-9]{1,18}+(?=[\s(),]|$))"
    rb"|(?P<comma>,)|(?P<close>\))|(?P<other>[^\s(),]++|\())"
)
_INTEGER = re.compile(rb"[-+]?[0-9]{1,18}")
_MOST_NESTED = 200

Step = int | tuple[str, int]
"""A constant; or "" and the number of a variable in the scope; or a function and the number of its arguments."""

Program = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Expression:
    """What an expression says of its scope.

    Attributes:
        scope: the variables in the order in which they first appear.
        program: the steps to its value.
    """

    scope: tuple[int, ...]
    program: Program


class Draft:
    """An expression that is put together step by step."""

    def __init__(self) -> None:
        """Begin without steps."""
        self._scope: dict[int, int] = {}
        self._steps: list[Step] = []

    def variable(self, variable: int) -> None:
        """Add the value of a variable."""
        self._steps.append(("", self._scope.setdefault(variable, len(self._scope))))

    def constant(self, number: int) -> None:
        """Add a number."""
        self._steps.append(number)

    def function(self, name: str, n_arguments: int) -> None:
        """Add a function of the values before."""
        self._steps.append((name, n_arguments))

    def finish(self) -> Expression:
        """The expression."""
        return Expression(tuple(self._scope), tuple(self._steps))


def parse(text: Text, variables: Variables, collector: Collector) -> Expression | None:
    """Read an expression, or tell what is wrong with it."""
    parser = _Parser(text, variables, collector)
    return parser.draft.finish() if parser.parse() else None


def is_operand(draft: Draft, word: bytes, place: Span, variables: Variables) -> bool:
    """Whether a word is an integer or a variable, which is added to a draft; if not, it is told."""
    if _INTEGER.fullmatch(word):
        draft.constant(int(word))
    elif word in variables.index:
        draft.variable(variables.index[word])
    else:
        variables.tell_unknown(word, place)
        return False
    return True


@dataclass(slots=True)
class _Call:
    """A function whose arguments are being read."""

    name: str
    n_arguments: int = 0


class _Parser:
    def __init__(self, text: Text, variables: Variables, collector: Collector) -> None:
        self.draft = Draft()
        self._text = text
        self._variables = variables
        self._collector = collector
        self._calls: list[_Call] = []

    def parse(self) -> bool:
        """Read all of the text, and give whether it is an expression."""
        is_due = True  # an operand, and not what follows one
        for match in _TOKEN.finditer(self._text.data):
            kind, place = (
                str(match.lastgroup),
                self._text.span(match.start(match.lastgroup or 0), match.end(match.lastgroup or 0)),
            )
            token = match[kind]
            is_empty_set = kind == "close" and is_due and self._calls[-1:] == [_Call("set")]
            if kind == "other" or (is_due == (kind in ("comma", "close")) and not is_empty_set):
                return self._refuse(place, f"{shown(token.decode('utf-8', 'replace'))!r} does not belong here")
            if kind == "open":
                is_read = self._begin(token.decode(), place)
            elif kind == "operand":
                is_read = is_operand(self.draft, token, place, self._variables)
                self._count_argument()
            elif not self._calls:
                return self._refuse(place, f"{token.decode()!r} stands outside of all parentheses")
            else:
                is_read = kind == "comma" or self._finish(place)
            if not is_read:
                return False
            is_due = kind in ("open", "comma")
        if self._calls:
            return self._refuse(self._text.whole(), f"')' is missing behind {self._calls[-1].name}(")
        return not is_due or self._refuse(self._text.whole(), "there is no expression")

    def _begin(self, name: str, place: Span) -> bool:
        if name not in OPERATORS:
            hint = near_word_hint(name, OPERATORS)
            self._collector.add("F502", *place, f"the function {shown(name)} is not read", hint=hint)
            return False
        if len(self._calls) == _MOST_NESTED:
            self._collector.add("F502", *place, f"functions are nested more than {_MOST_NESTED} deep")
            return False
        self._calls.append(_Call(name))
        return True

    def _finish(self, place: Span) -> bool:
        call = self._calls.pop()
        if call.name == "set":  # its members are arguments of the function that it is in
            if not self._calls or self._calls[-1].name not in SETS or self._calls[-1].n_arguments != 1:
                return self._refuse(place, "a set is only read as the second argument of in or notin")
            self._calls[-1].n_arguments += call.n_arguments
            return True
        operator = BY_NAME[call.name]
        if not operator.n_least <= call.n_arguments <= operator.n_most:
            due = operator.n_least if operator.n_least == operator.n_most else f"at least {operator.n_least}"
            message = f"{call.name} has {call.n_arguments} arguments, and takes {due}"
            self._collector.add("F504", *place, message)
            return False
        self.draft.function(call.name, call.n_arguments)
        self._count_argument()
        return True

    def _count_argument(self) -> None:
        if self._calls:
            self._calls[-1].n_arguments += 1

    def _refuse(self, place: Span, message: str) -> bool:
        self._collector.add("F501", *place, message, hint="write functions as eq(add(x,1),y)")
        return False
