"""Domains, variables and constraints as the dictionaries that Python programs expect, and what notebooks show."""

import io

import f2csp


def test_a_view_has_the_methods_of_a_dictionary():
    problem = f2csp.generate("queens", size=4)
    for view in (problem.variables, problem.domains, problem.constraints):
        assert [*view.values()] == [*view] == [item for _, item in view.items()]
        assert [view[name] for name in view.keys()] == [*view]  # noqa: SIM118 - iteration gives the items
    assert dict(problem.variables.items())["Q2"].name == "Q2"


def test_notebooks_show_what_a_question_answers():
    problem = f2csp.generate("queens", size=3)
    assert (
        f2csp.explain(problem)._repr_html_() == "<pre>the table on Q1 Q2\nthe table on Q2 Q3\nthe table on Q1 Q3</pre>"
    )
    check = f2csp.check(problem, {"Q1": 1, "Q2": 1, "Q3": 2})
    assert check._repr_html_().startswith("<pre>C1 rejects Q1 = 1, Q2 = 1\n")
    (fault,) = f2csp.validate(io.StringIO("<A>\nDomains: 2\n")).diagnostics
    assert repr(fault).startswith("<F007 <text>:3:1: the file ends early")
    assert "&lt;text&gt;:3:1" in fault._repr_html_()
