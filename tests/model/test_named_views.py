"""Domains, variables and constraints as the dictionaries that Python programs expect, and what notebooks show."""

import f2csp


def test_a_view_has_the_methods_of_a_dictionary():
    problem = f2csp.generate("queens", size=4)
    for view in (problem.variables, problem.domains, problem.constraints):
        assert [*view.values()] == [*view] == [item for _, item in view.items()]
        assert [view[name] for name in view.keys()] == [*view]  # noqa: SIM118 - iteration gives the items
    assert dict(problem.variables.items())["Q2"].name == "Q2"
