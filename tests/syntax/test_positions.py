"""Offsets of nodes, compared with those of CPython's own parser."""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

import padlint
from padlint.syntax.scopes import Scope
from padlint.syntax.source import Source
from padlint.syntax.units import File, Unparsable, _whole_file, open_file

Span = tuple[int, int]

SOURCES = {
    "empty": "",
    "blank rows": "\n\n  \n\t\nf()\n\n   \n",
    "no line end": "f(g())",
    "comments": "# a\nf(  # b\n    g(),  # c\n)  # d\n# e",
    "brackets": "(f)(((g)))((h(1)))",
    "calls of calls": "f(1)(2)(3).g(4)[h()](5)",
    "keywords": "f(a, *b(), c=d(), **e(), )",
    "line breaks": "f(\n    g(\n    )\n    .h()\n)",
    "continuation": "x = f(1) + \\\n    g(2)",
    "characters of several bytes": "größe = 日本('é', 😀='😀') + f('ß')(g('é'))".replace("😀=", "k="),
    "tabs": "if a:\n\tf(\tg(1)\t)\n\tif b:\n\t\th()",
    "tabs and blanks": "if a:\n    if b:\n    \tf()\n    g()\n",
    "CRLF": "x = f(\r\n    g(),\r\n)\r\ndef h():\r\n    return f()\r\n",
    "carriage returns": "x = f(\r    g(),\r)\rdef h():\r    return f()\r",
    "mixed line ends": "x = f(\r\n    g(),\r)\ndef h():\r    return f()\r\n",
    "line end in a string": 'x = """\r\na\rb\n""" + f()\r\ng()\r',
    "separators that are no line ends": "x = 'a\x0b\x1c\x85\u2028' + f()\ng()",
    "form feed between statements": "f()\n\f\ng()\n",
    "form feed before a statement": "\ff()\n\fg(h())\n",
    "form feed before a definition": "f()\n\fdef g():\n    h()\n",
    "form feed before indentation": "def f():\n    g()\n\f    h(i())\n    j()\n",
    "form feed after indentation": "def f():\n    g()\n    \f    h(i())\n    j()\n",
    "form feeds in a row": "def f():\n\f\f    g()\n\f \f    h()\n",
    "form feed in a row": "f(\f1,\f g())",
    "form feed in a string": 'f("""\n\f  a\n    \f b""", g())',
    "semicolons": "a = f(); b = g(1); h();\nif a: f(); g()",
    "one-line blocks": "if a: x = f()\nelif b: y = g()\nelse: z = h()\nfor i in f(): g(i)\nwhile f(): g()",
    "one-line definitions": "def f(a=g()): return h(a)\nclass A(f()): x = g()\n",
    "definition that ends in a continuation": "def f():\n    return g() \\\n\n\nx = h()\n",
    "decorators": "@f(1)\n@g\n# c\n@h(i(2))\nasync def f(a: g() = h()) -> i(): await j()\n",
    "decorated class": "@f\n@g(1)\nclass A(h(2), metaclass=i(3)):\n    x: j() = k()\n",
    "string before a statement": '"""a""" ; x = f()\n',
    "string over rows before a statement": '"""a\nb"""; x = f(); """c\nd"""; g()\n',
    "string at the margin": 'def f():\n    g("""\na\n""", h())\n',
    "f-strings": "f(f'{g(1)} {h(2)!r:>{i(3)}}')",
    "comprehensions": "[f(x) for x in g() if h(x)] + [*{f(x): g(x) for x in h()}]",
    "lambda": "f(lambda a=g(), *b, **c: h(a))",
    "conditional expression": "f() if g() else h()",
    "walrus": "f(x := g()); (y := h())",
    "slices": "x[f():g(), h()]",
    "chained comparison": "f() < g() <= h() not in i()",
    "async": "async def f():\n    async with g() as a, h(): [await i(b) async for b in j()]\n",
    "try": "try: f()\nexcept g() as e: h()\nelse: i()\nfinally: j()\n",
    "match": "match f():\n    case A(b=1) if g(): h()\n    case _: i()\n",
    "assert, raise, del": "assert f(), g()\nraise h() from i()\ndel f().a, g()[0]\n",
    "yield": "def f():\n    x = yield g()\n    yield from h()\n",
    "print with brackets": "print(f(), file=g())",
    "starred": "a, *b = f(), *g()\nf(*g(), *h())",
    "type comments": "x = f()  # type: g()\n",
    "deep blocks": "".join(f"{'  ' * i}if f({i}):\n" for i in range(20)) + "  " * 20 + "g()\n",
    "return outside of a function": "class A:\n    def f(self): return g()\n",
    "numbers and ellipsis": "f(1_000, 0xff, 1e3, 2j, ...)",
    "ends in blanks": "f()\n    ",
    "ends in a comment without line end": "f()\n# g()",
    "ends in an indented comment": "if a:\n    f()\n    # g()\n",
}


def _expected(text: str) -> list[Span]:
    """Offsets of all calls by `ast`, which counts rows and UTF-8 bytes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    starts = [*Source(text).line_starts, len(text)]
    rows = [text[start:end].encode() for start, end in pairwise(starts)]

    def offset(row: int, column: int) -> int:
        return starts[row - 1] + len(rows[row - 1][:column].decode())

    return sorted(
        (offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )


def _found(file: File) -> list[Span]:
    return sorted(unit.span(call) for unit in file.units for call in unit.index.calls)


def _without_end(text: str) -> str:
    """The text up to its last token; LibCST may lose blank rows and comments behind it."""
    return re.sub(r"(?:\s|#[^\r\n]*)+$", "", text)


def _whole(text: str) -> File:
    return _whole_file(Source(text), SyntaxError())


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_calls_stand_where_they_are(text: str) -> None:
    everything = frozenset("fghijkxyabzA") | {"print", "日本", "größe"}
    assert _found(_whole(text)) == _expected(text)
    assert _found(open_file(text, everything)) == _expected(text)


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_pieces_give_back_their_text(text: str) -> None:
    for file in (_whole(text), open_file(text, frozenset("fgh"))):
        for piece in (piece for unit in file.units for piece in unit.pieces):
            kept = text[piece.start : piece.end]
            for start, end in reversed(piece.removed):
                kept = kept[: start - piece.start] + kept[end - piece.start :]
            assert _without_end(piece.positions.code) == _without_end(kept)


def test_brackets_belong_to_the_outer_span() -> None:
    text = "x = ((f(1)))(a)"
    (unit,) = _whole(text).units
    outer, inner = unit.index.calls
    assert text[slice(*unit.span(inner))] == "f(1)"
    assert unit.text(inner) == "((f(1)))"
    assert unit.text(outer) == text[4:]
    assert unit.text_of_argument(outer.args[0]) == "a"


@pytest.mark.parametrize("argument", ["a", "k=1", "*a", "**a", "(a)", "k=(1, 2)", "lambda: 0", "a := 1"])
def test_an_argument_stands_without_its_comma(argument: str) -> None:
    text = f"f( {argument} , z=1 )"
    (unit,) = _whole(text).units
    (call,) = unit.index.calls
    assert unit.text_of_argument(call.args[0]) == argument


CORPUS = (
    *[path.parent for path in [Path(padlint.__file__)]],
    *(
        Path(package, *parts)
        for name, parts in (
            ("keras", ("src", "layers")),
            ("keras", ("src", "applications")),
            ("torch", ("nn",)),
        )
        if (spec := find_spec(name)) is not None
        for package in spec.submodule_search_locations or ()
    ),
)


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Trees hold no cycles, and looking for some takes a third of the time."""
    gc.disable()
    yield
    gc.enable()


def _bindings(scope: Scope) -> dict[str, set[tuple[str, str]]]:
    return {name: {(b.kind.name, b.path) for b in found} for name, found in scope.bindings.items()}


def _check(path: Path) -> Iterator[str]:
    """What the two ways to open a file disagree on, with each other or with CPython."""
    text = path.read_text("utf-8")
    whole = _whole(text)
    expected = _expected(text)
    if _found(whole) != expected:
        yield "calls"
    if whole.units[0].pieces[0].positions.code != text:
        yield "text"
    parts = open_file(text, frozenset({"conv", "Conv2D", "Conv2d", "Linear", "Dense"}))
    if not set(_found(parts)) <= set(expected):
        yield "calls of pieces"
    if _bindings(parts.module) != _bindings(whole.module):
        yield "bindings"
    if [star.module for star in parts.module.stars] != [star.module for star in whole.module.stars]:
        yield "star imports"
    for name in ("attributes", "foreign", "bases", "outer", "patched"):
        if getattr(parts.facts, name) != getattr(whole.facts, name):
            yield name


@pytest.mark.parametrize("folder", CORPUS, ids=lambda folder: "-".join(folder.parts[-2:]))
def test_both_ways_to_open_a_file_agree(folder: Path, no_collector: None) -> None:
    faults = {path: found for path in sorted(folder.rglob("*.py")) if (found := list(_check(path)))}
    assert not faults


@pytest.mark.parametrize("text", [text for name, text in SOURCES.items() if "type" not in name])
def test_both_ways_agree_on_names(text: str) -> None:
    assert _bindings(open_file(text, frozenset("f")).module) == _bindings(_whole(text).module)


@pytest.mark.parametrize(
    ("text", "message", "row"),
    [
        ("x = (\n", "'(' was never closed", 1),
        ("a\nb c\n", "invalid syntax", 2),
        ("def f():\nreturn 3\n", "expected an indented block", 2),
        ("if a:\n    b\n  c\n", "unindent does not match", 3),
        ("x = 'a\n", "unterminated string", 1),
        ("x = 3\ny = $\n", "", 2),
        ("print 3\n", "Missing parentheses", 1),
        ("x = 3\n\ufeffy = 2\n", "invalid non-printable character", 2),
    ],
)
def test_what_does_not_parse_says_why_and_where(text: str, message: str, row: int) -> None:
    with pytest.raises(Unparsable) as caught:
        open_file(text, frozenset())
    assert message in caught.value.message
    assert caught.value.location.row == row


def test_newer_grammar_is_left_to_the_other_parser() -> None:
    text = "type A[T] = list[T]\ndef f[T: int](x: T): return g(x)\n"
    file = open_file(text, frozenset({"g"}))
    assert [text[slice(*span)] for span in _found(file)] == ["g(x)"]


# Sources by depth; most are valid up to some depth that CPython can bear.
DEEP = {
    "sum": lambda n: "x = " + " + ".join(["y"] * n),
    "sum of strings": lambda n: "x = " + " + ".join(["'a'"] * n),
    "imports": lambda n: f"if a: import a{'.a' * n}",
    "imports from": lambda n: f"if a: from a{'.a' * n} import b",
    "strings in rows": lambda n: "x = (\n" + "'a'  # b\n" * n + ")",
    "strings": lambda n: "x = " + " ".join(["'a'"] * n),
    "brackets": lambda n: f"x = {'(' * n}1{')' * n}",
    "lists": lambda n: f"x = {'[' * n}{']' * n}",
    "calls": lambda n: f"x = {'f(' * n}{')' * n}",
    "calls of calls": lambda n: f"x = f{'()' * n}",
    "attributes": lambda n: f"x = f{'.a' * n}",
    "methods": lambda n: f"x = f{'.a()' * n}",
    "minus": lambda n: f"x = {'-' * n}1",
    "not": lambda n: f"x = {'not ' * n}1",
    "and": lambda n: f"x = {' and '.join(['y'] * n)}",
    "comparison": lambda n: f"x = {' < '.join(['y'] * n)}",
    "lambda": lambda n: f"x = {'lambda: ' * n}1",
    "conditional expression": lambda n: f"x = {'a if b else ' * n}c",
    "elif": lambda n: "if a: pass\n" + "elif b: pass\n" * n,
    "blocks": lambda n: "".join(f"{' ' * i}if a:\n" for i in range(n)) + " " * n + "pass",
    "functions": lambda n: "".join(f"{' ' * i}def f():\n" for i in range(n)) + " " * n + "pass",
    "layers": lambda n: f"x = {'Conv2D(3)(' * n}y{')' * n}",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("end", ["", "\nx = (", "\ndef f[T](): pass"], ids=["valid", "invalid", "newer"])
def test_depth_is_parsed_or_refused(source: Callable[[int], str], end: str) -> None:
    for depth in (20, 90, 199, 390):
        text = f"{source(depth)}{end}\nc = Conv2D(3)\n"
        try:
            file = open_file(text, frozenset({"Conv2D"}))
        except Unparsable:
            assert end or depth > 90
        else:
            assert "Conv2D(3)" in {unit.text(call) for unit in file.units for call in unit.index.calls}


def test_depth_that_is_refused_is_told() -> None:
    for text in ("x = Conv2D(" + " + ".join(["1"] * 3000) + ")", "x = " + "(" * 3000):
        with pytest.raises(Unparsable, match="nested too deeply"):
            open_file(text, frozenset({"Conv2D"}))


def test_depth_elsewhere_does_not_matter() -> None:
    text = "x = " + " + ".join(["y"] * 2000) + "\ndef f():\n    return Conv2D()\n"
    (unit,) = open_file(text, frozenset({"Conv2D"})).units
    assert [unit.text(call) for call in unit.index.calls] == ["Conv2D()"]
