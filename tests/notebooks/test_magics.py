"""What only IPython understands becomes Python of the same length."""

from __future__ import annotations

import ast

import pytest

from padlint.notebooks.magics import as_python


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1\ny = x % 2",
        "x = (1\n% 2\n)",
        's = """\n%matplotlib inline\n!ls\nwhat?\n"""',
        "x = [\n  # a?\n]",
        "y = 7 \\\n% 2",
    ],
)
def test_python_stays(text: str) -> None:
    assert as_python(text) == text


@pytest.mark.parametrize("text", ["%%bash\nls ((", "%%html\n<b>", "\n%%writefile a.py\nx = 1", "%%unknown"])
def test_cells_of_other_programs(text: str) -> None:
    assert as_python(text) is None


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("%matplotlib inline\nx = 1", "0#atplotlib inline\nx = 1"),
        ("!ls 'a", "0#s 'a"),
        ("if x:\n    !ls\nelse:\n    %cd\n", "if x:\n    0#s\nelse:\n    0#d\n"),
        ("files = !ls *.py\n", "files = 0#s *.py\n"),
        ("a, b = %who_ls int", "a, b = 0#ho_ls int"),
        ("model?", "0#del?"),
        ("?model", "0#odel"),
        ("a.b??  # why", "0#b??  # why"),
        ("!", "0"),
        ("!pip install \\\n  a \\\n  (b\nx = 1", "0#ip install \\\n# a \\\n# (b\nx = 1"),
        ("%time y = f(x)", "if 1: y = f(x)"),
        ("%timeit -n 10 f(\n x)", "if 1:         f(\n x)"),
        ("%%time\nx = 1", "#%time\nx = 1"),
        ("%%timeit -n 3\r\n!ls\r\nx = 1", "#%timeit -n 3\r\n0#s\r\nx = 1"),
        ('!ls\ns = """\n!ls\n"""\n!ls', '0#s\ns = """\n!ls\n"""\n0#s'),
        ("!ls\nx = (1\n% 2)\n%cd", "0#s\nx = (1\n% 2)\n0#d"),
    ],
)
def test_masked(text: str, python: str) -> None:
    masked = as_python(text)
    assert masked == python
    assert len(masked) == len(text)
    ast.parse(masked)


def test_what_is_neither_python_nor_ipython_stays_broken() -> None:
    assert as_python("x = = 1") == "x = = 1"
    assert as_python('s = """\n!ls') == 's = """\n!ls'
