"""``f2csp hint`` and ``rate``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from f2csp.cli.drawing import SolutionPrinter
from f2csp.cli.failures import refuse, say
from f2csp.cli.options import FILES, JSON, LOOK, NUMBER, OUT, PROBLEMS, SECONDS, TIME_LIMIT, Look, picture_ending
from f2csp.cli.progress import Display, clock
from f2csp.cli.session import Answer, Session, command, gathered, reads, setting, switch
from f2csp.diagnostics import ProblemError
from f2csp.files import STDIN, write_chunks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from f2csp.instances import Instance
    from f2csp.reasoning.hints import Hint

_CELL = re.compile(r"[rR]?([1-9][0-9]*)[cC,]([1-9][0-9]*)")
_ENDINGS = (".svg", ".png", ".pdf", ".html")
_RECORDED = ("technique", "difficulty", "sentence", "placed", "removed", "pattern", "where")
_UNTIL_HELP = "Go on until CELL, such as 3,5, r3c5 or a name, has a value."
_UNIQUE_HELP = "Use no technique that assumes a single solution."


@dataclass
class _Hinting(Session):
    all_: bool = switch("--all", "Go on as long as there are steps.")
    steps: int | None = setting("--steps", "Show N steps.", **NUMBER)
    until: str | None = setting("--until", _UNTIL_HELP, metavar="CELL")
    less: bool = switch("--less", "Show only where to look.")
    guess: bool = switch("--guess", "Take a value of a solution where there is no other step.")
    no_uniqueness: bool = switch("--no-uniqueness", _UNIQUE_HELP)
    output: str | None = setting("-o --output", "Write a picture of each step to OUT.", **OUT)
    time_limit: float | None = setting("--time-limit", "Stop after SECONDS.", **SECONDS)

    def answer(self, look: Look, ending: str, instance: Instance) -> Answer:
        refuse(ending and self.has_others(instance), "-o applies to a single problem; select one with --index")
        from f2csp.reasoning.hints import LATE

        found = self._found(instance)
        last = found[-1]
        code = 4 if last.sentence == LATE else 3 if not last.has_solution or (not last and last.left) else 0
        verdict = "no solution" if not last.has_solution else "hinted" if found[0] or not last.left else "needs a guess"
        if ending:
            self._draw(instance, found, ending)
        outcome = None if last else last.sentence
        steps = [{name: getattr(step, name) for name in _RECORDED} for step in found if step]
        record = {"steps": steps, "outcome": outcome}
        show = partial(self._show, instance, found, look) if self.output != STDIN else None
        return Answer(verdict, code, record, show)

    def _found(self, instance: Instance) -> list[Hint]:
        """The steps that are wanted, without techniques that assume a single solution where there are several."""
        from f2csp.reasoning.ladder import ASSUMING_ONE_SOLUTION
        from f2csp.solving.ratings import has_several_solutions

        found = self._steps(instance, unique=not (self.no_uniqueness or self.guess))
        is_assumed = not ASSUMING_ONE_SOLUTION.isdisjoint({step.technique for step in found})
        if is_assumed and has_several_solutions(instance.problem, self.time_limit):
            return self._steps(instance, unique=False)
        return found

    def _steps(self, instance: Instance, *, unique: bool) -> list[Hint]:
        """The steps that are wanted; the last is false where there are no more."""
        from f2csp.solving import solve
        from f2csp.solving.ratings import hints

        cell = _CELL.fullmatch(self.until or "")
        until = f"V{cell[1]}-{cell[2]}" if cell else self.until
        problem = instance.recognised or instance.problem
        if until is not None and until not in instance.problem.variable_names:
            raise ProblemError(f"the problem has no variable {until}")
        n_wanted = None if self.all_ or until else self.steps or 1
        found: list[Hint] = []
        with Display("Reasoning", unit="steps", limit=self.time_limit) as display:
            solution = solve(instance.problem, seconds=self.time_limit).solution if self.guess else None
            for step in hints(problem, unique=unique, solution=solution, seconds=self.time_limit):
                if until in step.values:
                    raise ProblemError(f"{self.until} has a value already: {step.values[str(until)]}")
                found.append(step)
                display.advance(1)
                if len(found) == n_wanted or until in step.placed:
                    break
        return found

    def _show(self, instance: Instance, found: Sequence[Hint], look: Look) -> None:
        steps = [step for step in found if step]
        for number, step in enumerate(steps, 1):
            prefix = f"{number}. " if len(steps) > 1 else ""
            say(f"{prefix}{step.clue if self.less else f'{step.sentence} ({step.technique})'}", err=False)
        last = found[-1]
        if not last:
            say(last.sentence, err=False)
        marked = last.pattern if len(steps) <= 1 and not self.less else ()
        values = {**last.values, **({} if self.less else last.placed)}
        if instance.recognised and not self.less:
            SolutionPrinter(instance, look, marked).show(values)

    def _draw(self, instance: Instance, found: Sequence[Hint], ending: str) -> None:
        from f2csp.rendering.hint_pictures import hint_page, hint_picture
        from f2csp.rendering.pictures import encoded

        pictures = [hint_picture(instance.puzzle, step) for step in found]
        data = hint_page(instance.puzzle.title, pictures) if ending == ".html" else encoded(pictures, ending)
        write_chunks([data], self.output or "")


@command("hint")
@gathered("session", _Hinting, FILES, *PROBLEMS, JSON)
@LOOK
def hint_command(session: _Hinting, look: Look) -> int:
    """Show the easiest next step towards the solution of the problems in FILE, and why it is one.

    The steps are those of people: singles, pairs, fish, wings, chains, and what a rule of the puzzle requires. Each is
    the easiest that there is; its cells are marked on the board. FILE has any format, and may hold several puzzles. OUT
    ends in .svg, .png, .pdf or .html. Exit code 0: a step was found, or all variables have a value; 3: there is no step
    without a guess, or no solution, as a search of a second at most shows; 4: the time limit was reached.

    \b
    Examples:
      f2csp hint puzzle.csp
      f2csp hint puzzles.sdm --index 7 --less
      f2csp hint puzzle.csp --all --json
      f2csp hint puzzle.csp --until r3c5 -o steps.html
    """
    n_goals = session.all_ + (session.steps is not None) + (session.until is not None)
    refuse(n_goals > 1, "expected one of --all, --steps and --until")
    refuse(session.as_json and session.output == STDIN, "only one result can be written to standard output")
    ending = "" if session.output is None else picture_ending(session.output, _ENDINGS)
    return session.answer_each(partial(session.answer, look, ending))


@command("rate")
@reads(FILES, *PROBLEMS, JSON)
@TIME_LIMIT
def rate_command(session: Session, time_limit: float | None) -> int:
    """Rate how hard the problems in FILE are for people.

    A problem is as hard as the hardest step that f2csp hint needs to solve it: easy (singles), medium (such as pairs),
    hard (such as wings) or expert (chains). The number is for a Sudoku that of Sudoku Explainer's published
    table, and for other puzzles on the same scale. FILE has any format, and may hold several puzzles: then a line for
    each, and the totals. Exit code 3: there is no solution, there are several, or it needs a guess; 4: the time limit
    was reached.

    \b
    Examples:
      f2csp rate puzzle.csp
      f2csp rate puzzles.sdm --json
    """
    from f2csp.solving.ratings import rate

    def answer(instance: Instance) -> Answer:
        with clock("Reasoning", time_limit):
            found = rate(instance.recognised or instance.problem, seconds=time_limit)
        record = {name: getattr(found, name) for name in ("grade", "difficulty", "hardest", "techniques", "outcome")}
        code = 0 if found else 4 if found.grade == "unknown" else 3
        return Answer(found.grade, code, record, partial(say, str(found), err=False), str(found))

    return session.answer_each(answer)
