"""The textbook searches over one network of bitset domains, with counters that are defined."""

from f2csp.search.configuration import Configuration, Search
from f2csp.search.network import Network, Stopped, network_of
from f2csp.search.propagation import DEFINITIONS, Counters
from f2csp.search.trace import Step, Trace

__all__ = ["DEFINITIONS", "Configuration", "Counters", "Network", "Search", "Step", "Stopped", "Trace", "network_of"]
