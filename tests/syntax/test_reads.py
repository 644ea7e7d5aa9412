"""Which reads can see the value that an assignment gave to a name."""

from __future__ import annotations

from textwrap import indent

import libcst as cst
import pytest

from padlint.syntax.units import Unit
from padlint.syntax.uses import block_of, is_store, reads_after
from tests.syntax.parsed import opened

# Bodies of a function whose first `y =` is asked about, and the rows of the body where it is read.
SEEN = {
    "read once": ("y = pad(x)\nreturn conv(y)", [2]),
    "read twice": ("y = pad(x)\nz = conv(y)\nreturn z + y", [2, 3]),
    "twice in one row": ("y = pad(x)\nreturn y + conv(y)", [2, 2]),
    "never read": ("y = pad(x)\nreturn x", []),
    "rebound by its reader": ("y = pad(x)\ny = conv(y)\nreturn y", [2]),
    "rebound at once": ("y = pad(x)\ny = x\nreturn y", []),
    "rebound by unpacking": ("y = pad(x)\ny, z = conv(y), x\nreturn y", [2]),
    "rebound by unpacking into a star": ("y = pad(x)\n[z, *y] = conv(y)\nreturn y", [2]),
    "rebound with an annotation": ("y = pad(x)\ny: T = conv(y)\nreturn y", [2]),
    "augmented": ("y = pad(x)\ny += 1\nreturn y", [2]),
    "augmented by its reader": ("y = pad(x)\nz = conv(y)\ny += z\nreturn y", [2, 3]),
    "augments another name": ("y = pad(x)\nz += y\nreturn z", [2]),
    "subscript target": ("y = pad(x)\ny[0] = 1\nreturn 3", [2]),
    "attribute target": ("y = pad(x)\ny.data = 1\nreturn 3", [2]),
    "deleted": ("y = pad(x)\nz = conv(y)\ndel y\nreturn z", [2]),
    "annotated only": ("y = pad(x)\ny: T\nreturn conv(y)", [2, 3]),
    "assigned with an annotation": ("y: T = pad(x)\nreturn conv(y)", [2]),
    "in a branch behind": ("y = pad(x)\nif a:\n  b(y)\nreturn conv(y)", [3, 4]),
    "in a loop behind": ("y = pad(x)\nfor i in a:\n  b(y)", [3]),
    "in both branches behind": ("y = pad(x)\nif a:\n  z = b(y)\nelse:\n  z = conv(y)", [3, 5]),
    "in a try behind": ("y = pad(x)\ntry:\n  z = b(y)\nexcept E:\n  z = y", [3, 5]),
    "assigned in a branch, read in it": ("if a:\n  y = pad(x)\n  y = conv(y)\nreturn y", [3]),
    "assigned at the end of a branch": ("if a:\n  y = pad(x)\n  return conv(y)\nreturn x", [3]),
    "assigned in with": ("with a:\n  y = pad(x)\n  y = conv(y)\nreturn y", [3]),
    "read in an f-string": ("y = pad(x)\nreturn f'{y}'", [2]),
    "read as a keyword argument": ("y = pad(x)\nreturn conv(input=y)", [2]),
    "a keyword of that name": ("y = pad(x)\nreturn conv(y=x)", []),
    "an attribute of that name": ("y = pad(x)\nreturn conv.y", []),
    "in an async function": ("y = pad(x)\nawait conv(y)", [2]),
}

# Bodies where other reads may see it than those that the rows behind it show.
UNCLEAR = {
    "in a loop": "for i in x:\n  y = pad(x)\n  y = conv(y)",
    "in a while loop": "while x:\n  y = pad(x)\n  y = conv(y)",
    "in a while's else": "while x:\n  pass\nelse:\n  y = pad(x)\n  y = conv(y)",
    "in a try": "try:\n  y = pad(x)\n  y = conv(y)\nexcept E:\n  pass\nreturn y",
    "in a handler": "try:\n  pass\nexcept E:\n  y = pad(x)\n  y = conv(y)\nreturn y",
    "in a branch, read behind it": "if a:\n  y = pad(x)\nreturn conv(y)",
    "in a branch, read by an elif": "if a:\n  y = pad(x)\nelif y:\n  pass",
    "in a case, read behind it": "match a:\n  case 1:\n    y = pad(x)\nreturn conv(y)",
    "in with, read behind it": "with a:\n  y = pad(x)\nreturn conv(y)",
    "rebound in a branch": "y = pad(x)\nif a:\n  y = x\nreturn conv(y)",
    "rebound in a loop": "y = pad(x)\nfor i in a:\n  y = conv(y)\nreturn y",
    "rebound by a loop": "y = pad(x)\nfor y in a:\n  conv(y)\nreturn y",
    "rebound in a try": "y = pad(x)\ntry:\n  y = conv(y)\nexcept E: pass\nreturn y",
    "rebound in with": "y = pad(x)\nwith a:\n  y = conv(y)\nreturn y",
    "rebound by with": "y = pad(x)\nwith a as y:\n  pass\nreturn conv(y)",
    "rebound by except": "y = pad(x)\ntry:\n  pass\nexcept E as y:\n  pass\nreturn conv(y)",
    "rebound by a walrus": "y = pad(x)\nz = a and (y := x)\nreturn conv(y)",
    "rebound by a case": "y = pad(x)\nmatch a:\n  case y:\n    pass\nreturn conv(y)",
    "rebound by an import": "y = pad(x)\nimport y\nreturn conv(y)",
    "rebound by a definition": "y = pad(x)\ndef y(): pass\nreturn conv(y)",
    "rebound by a class": "y = pad(x)\nclass y: pass\nreturn conv(y)",
    "read by a closure": "y = pad(x)\nf = lambda: y\nreturn conv(y)",
    "read by a function above": "def f(): return y\ny = pad(x)\nreturn conv(y)",
    "read by a class": "y = pad(x)\nclass A:\n  z = y\nreturn conv(y)",
    "read by a comprehension": "y = pad(x)\nreturn [conv(y) for _ in a]",
    "rebound by a closure": "y = pad(x)\ndef f():\n  nonlocal y\n  y = x\nreturn conv(y)",
    "global": "global y\ny = pad(x)\nreturn conv(y)",
    "two statements in its row": "y = pad(x); z = 1\nreturn conv(y)",
    "one-line branch": "if a: y = pad(x)\nreturn conv(y)",
    "read by locals": "y = pad(x)\nreturn conv(y), locals()",
    "read by eval": "y = pad(x)\nreturn eval('y')",
}


def _target(body: str) -> tuple[Unit, cst.Name]:
    """The first name that the body binds to a call of pad."""
    (unit,) = opened(f"async def f(x):\n{indent(body, '    ')}\n", frozenset({"pad"})).units
    return unit, next(name for name in unit.index.names["y"] if is_store(unit, name))


@pytest.mark.parametrize(("body", "rows"), SEEN.values(), ids=SEEN)
def test_reads(body: str, rows: list[int]) -> None:
    unit, target = _target(body)
    reads = reads_after(unit, target)
    assert reads is not None
    assert [unit.row(name) - 1 for name in reads] == rows


@pytest.mark.parametrize("body", UNCLEAR.values(), ids=UNCLEAR)
def test_unclear(body: str) -> None:
    assert reads_after(*_target(body)) is None


def test_a_name_of_the_module_may_be_read_anywhere() -> None:
    (unit,) = opened("y = pad(x)\nconv(y)\n", frozenset({"pad"})).units
    assert reads_after(unit, unit.index.names["y"][0]) is None


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("a = pad(x)\ny = 1", 1),
        ("if x:\n  pad(x)\n  a = 3\n  y = 1", 2),
        ("pad(x); y = 1", None),
        ("if pad(x): y = 1", None),
        ("a = 3\nf(y := pad(x))", None),
    ],
)
def test_block_of(body: str, place: int | None) -> None:
    unit, target = _target(body)
    assign = unit.index.parents[unit.index.parents[target]]
    found = block_of(unit, assign)
    assert (found[1] if found is not None else None) == place
