"""The textbook searches over one network of bitset domains, with counters that are defined."""

from f2csp.search.configuration import Configuration, Search, completions
from f2csp.search.network import Domains, Network, Stopped, bits_of, network_of, network_of_groups
from f2csp.search.propagation import DEFINITIONS, ArcConsistency, Counters
from f2csp.search.trace import Trace, TraceStep

__all__ = ["DEFINITIONS", "ArcConsistency", "Configuration", "Counters", "Domains", "Network", "Search", "Stopped"]
__all__ += ["Trace", "TraceStep", "bits_of", "completions", "network_of", "network_of_groups"]
