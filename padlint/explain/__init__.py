"""What the calls at a place of a file do to the sizes: for `padlint explain`, and for editors."""

from padlint.explain.calls import explain
from padlint.explain.model import Explanation, Way
from padlint.explain.text import lines

__all__ = ["Explanation", "Way", "explain", "lines"]
