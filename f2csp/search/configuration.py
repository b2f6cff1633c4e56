"""A search put together from its parts: inference, orders, backtracking, preprocessing, restarts, what is counted."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

from f2csp.diagnostics import F2cspError
from f2csp.search.backtracking import Alarm, PlainBacktracking, look_ahead
from f2csp.search.consistency import PREPROCESSING
from f2csp.search.network import Network, Stopped, is_single
from f2csp.search.ordering import STATIC_ORDERS, OrderValues, static_order, value_order, variable_order
from f2csp.search.propagation import ArcConsistency, Counters, ForwardChecking, Propagation
from f2csp.search.state_space import state_space
from f2csp.search.trace import Trace

_RESTART_UNIT = 64  # failures


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a search does, as options of the engine ``search``; the registry lists their values, and what these mean.

    Raises:
        F2cspError: two of them do not go together.
    """

    inference: str = "mac"
    variable_order: str = "dom/wdeg"
    value_order: str = "static"
    backtracking: str = "chronological"
    strategy: str = "backtracking"
    preprocess: str = "none"
    restarts: str = "none"
    counted: str = "choices"
    node_limit: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.backtracking == "cbj":
            if self.inference == "mac":
                raise F2cspError("backtracking=cbj needs inference=none or inference=fc")
            if self.inference == "none" and not self.is_plain:
                rest = f"variable-order={'|'.join(STATIC_ORDERS)}, value-order=static|recent and restarts=none"
                raise F2cspError(f"backtracking=cbj with inference=none needs {rest}")
        if self.strategy != "backtracking" and (self.backtracking, self.restarts) != ("chronological", "none"):
            raise F2cspError(f"strategy={self.strategy} neither jumps back nor restarts")

    @property
    def is_plain(self) -> bool:
        """Whether it is plain backtracking: no inference, and nothing that depends on current domains."""
        is_static = self.variable_order in STATIC_ORDERS and self.value_order in ("static", "recent")
        return self.inference == "none" and is_static and (self.strategy, self.restarts) == ("backtracking", "none")


@dataclass(eq=False)
class Search:
    """A search for the solutions of a network.

    Attributes:
        network: the network.
        variables: those that the search branches on and counts; the others follow by propagation, or else by a search
            of their own for each assignment of these, which is not counted.
        configuration: the parts of the search.
        is_late: whether the search is to stop.
        is_projected: whether solutions are to differ in these variables.
        trace: receives each step.
    """

    network: Network
    variables: Sequence[int]
    configuration: Configuration
    is_late: Callable[[], bool]
    is_projected: bool = False
    trace: Trace | None = None

    def __post_init__(self) -> None:
        self.counters = Counters()
        self.is_complete = False  # whether all solutions were found
        self._domains = list(self.network.domains)  # before the search
        self._alarm = Alarm(self.is_late, self.configuration.node_limit)
        self._tree: Propagation | PlainBacktracking | None = None  # at the present node

    def solutions(self) -> Generator[list[int], None, None]:
        """The domains at each solution, a single value for each variable; to be used at once."""
        try:
            self._alarm.next_check(0)
            if self.trace is not None:
                self.trace.start()
            if all(self._domains) and self._preprocess():
                for domains in self._assignments():
                    for completed in self._completed(domains):
                        if self.trace is not None and self._tree is not None:
                            self.trace.solution(self._tree.node, completed)
                        yield completed
            self.is_complete = True
        except Stopped:
            pass

    def _preprocess(self) -> bool:
        """Make the network consistent before the search; false for a wipeout."""
        kind = self.configuration.preprocess
        if kind == "none":
            return True
        found = self._consistent(PREPROCESSING[kind])
        self._domains = self._domains if found is None else found.domains
        return found is not None

    def _consistent(self, establish: Callable[[ArcConsistency, Alarm], bool]) -> ArcConsistency | None:
        """The network with a kind of arc consistency; None for a wipeout."""
        propagation = ArcConsistency(self.network, self._domains, self.counters)
        propagation.trace = self.trace
        holds = establish(propagation, self._alarm)
        propagation.report(0, holds)
        return propagation if holds else None

    def _assignments(self) -> Iterator[list[int]]:
        """The domains at each consistent assignment of the variables."""
        chosen = self.configuration
        order = static_order(self.network, self.variables, chosen.variable_order)
        is_mac = chosen.inference == "mac"
        propagation = self._consistent(lambda one, _: one.establish()) if is_mac else self._forward_checking(order)
        if propagation is None:
            return
        self._tree = propagation
        for variable in self._given(propagation) if is_mac else ():
            propagation.is_assigned[variable] = 1
        order = [variable for variable in order if not propagation.is_assigned[variable]]
        if chosen.is_plain and order:
            given = [variable for variable, is_given in enumerate(propagation.is_assigned) if is_given]
            moves, counters = chosen.value_order == "recent", self.counters
            self._tree = plain = PlainBacktracking(
                self.network, self._domains, given, order, counters, self._alarm, moves=moves, trace=self.trace
            )
            yield from plain.solutions(jumps=chosen.backtracking == "cbj")
            return
        only_choices = chosen.counted == "choices"
        choose = variable_order(chosen.variable_order, propagation, order, skips_single=is_mac and only_choices)
        values = value_order(chosen.value_order, chosen.seed)

        def is_counted(variable: int) -> bool:
            return not (only_choices and is_single(propagation.domains[variable]))

        if chosen.strategy != "backtracking":
            yield from state_space(propagation, choose, values, self._alarm, is_counted, chosen.strategy)
            return
        search = partial(look_ahead, propagation, choose, values, self._alarm, is_counted)
        for limit in _luby() if chosen.restarts == "luby" else (inf,):
            gave_up = yield from search(jumps=chosen.backtracking == "cbj", max_failures=limit)
            if not gave_up:
                return

    def _forward_checking(self, order: Sequence[int]) -> ForwardChecking | None:
        """The network with its single values propagated, which is not counted; None for a conflict among them."""
        rank = {variable: i for i, variable in enumerate(dict.fromkeys((*order, *range(len(self._domains)))))}
        propagation = ForwardChecking(self.network, self._domains, Counters(), rank)
        propagation.trace = self.trace
        holds = True
        for variable in self._given(propagation):
            propagation.is_assigned[variable] = 1
            holds = holds and propagation.assign(variable, propagation.domains[variable])
        if not (holds and self.configuration.is_plain):  # which looks at no domains
            propagation.report(0, holds)
        propagation.counters, propagation.stops = self.counters, self.configuration.inference == "fc"
        return propagation if holds else None

    def _given(self, propagation: Propagation) -> list[int]:
        """The variables with a single value before the search, unless they are to be counted."""
        if self.configuration.counted == "all":
            return []
        return [variable for variable, domain in enumerate(propagation.domains) if is_single(domain)]

    def _completed(self, domains: list[int]) -> Iterator[list[int]]:
        """The domains at each solution with these values of the variables; at one if solutions must differ in them."""
        is_mac = self.configuration.inference == "mac"
        if len(self.variables) == len(domains) or (is_mac and all(map(is_single, domains))):
            yield domains
            return
        propagation = ArcConsistency(self.network, domains, Counters())
        if propagation.establish():
            for found in completions(propagation, is_late=self.is_late):
                yield found
                if self.is_projected:
                    return


def completions(
    propagation: ArcConsistency,
    values: OrderValues | None = None,
    max_tried: float = inf,
    is_late: Callable[[], bool] = lambda: False,
) -> Iterator[list[int]]:
    """The domains at each solution of a network that is consistent, by MAC and smallest domain first.

    Raises:
        Stopped: ``max_tried`` values were tried, or it is late.
    """
    counters, in_order = propagation.counters, values or value_order("static", 0)
    last = counters.values_tried + max_tried

    def limited(propagation: Propagation, variable: int) -> Iterator[int]:
        for bit in in_order(propagation, variable):
            if counters.values_tried >= last:
                raise Stopped
            yield bit

    choose = variable_order("mrv", propagation, range(len(propagation.domains)), skips_single=True)
    return look_ahead(propagation, choose, limited, Alarm(is_late), lambda _: True)


def _luby() -> Iterator[int]:
    """Failures up to each restart, in the ratios of Luby, Sinclair and Zuckerman, 1993: 1 1 2 1 1 2 4 ..."""
    one, other = 1, 1
    while True:
        yield _RESTART_UNIT * other
        one, other = (one + 1, 1) if one & -one == other else (one, 2 * other)
