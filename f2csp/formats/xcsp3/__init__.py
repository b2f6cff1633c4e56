"""XCSP3, the XML format of the CSP community, its solvers and its competitions.

    <instance format="XCSP3" type="CSP">
      <variables>
        <var id="x"> 1..4 </var>
        <var id="y"> 1..4 </var>
      </variables>
      <constraints>
        <extension>
          <list> x y </list>
          <conflicts> (1,1)(2,2)(3,3)(4,4) </conflicts>
        </extension>
      </constraints>
    </instance>

Specification: https://xcsp.org, "XCSP3: An Integrated Format for Benchmarking Combinatorial Constrained Problems".
"""

from f2csp.formats.xcsp3.instance_reader import read
from f2csp.formats.xcsp3.xcsp3_writer import answers, chunks

__all__ = ["answers", "chunks", "read"]
