"""What of a trace belongs to a call: by its end, or by a row that no other call may have run in."""

from __future__ import annotations

from itertools import product

import pytest

from padlint.findings import Applicability, Finding, Fix, Location, Severity
from padlint.sites.collecting import Collector, interesting_names
from padlint.sites.site import Site
from padlint.sites.traced import moved
from padlint.syntax.source import Source, apply_edits
from padlint.syntax.units import open_file
from padlint.traces.model import Call, FileTrace, Place, Run

HEAD = """\
import math
import tensorflow as tf
from functools import partial
from keras import layers, regularizers
"""
CONV = "keras.layers.Conv2D"
RUN = Run((("kernel", (3, 3)),), "channels_last", (64, 64), (32, 32), "float32")


def sites(text: str, *places: Place, operator: str = CONV) -> list[Site]:
    """The sites of a text, with a trace of calls at these places."""
    trace = FileTrace("", tuple(Call(place, operator, {RUN: 1}) for place in places))
    return Collector(open_file(text, interesting_names()), {}, trace).sites()


AMBIGUOUS = [
    "layers.Conv2D(8, 3)(layers.Conv2D(8, 3)(x))",
    "layers.Conv2D(8, 3)(layers.Convolution2D(8, 3)(x))",  # an alias
    "layers.Conv2D(8, 3)(C(8, 3)(x))",  # a name for it
    "layers.Conv2D(8, 3)(conv(8, 3)(x))",  # not known
    "layers.Conv2D(8, 3)(self.conv(8, 3)(x))",
    "layers.Conv2D(8, 3)(x) + model(x)",
    "layers.Conv2D(8, 3)(partial(layers.Conv2D, 8)(3)(x))",
    "[layers.Conv2D(8, 3), *map(C, (8,), (3,))]",
    "[layers.Conv2D(8, 3), *filter(None, x)]",
    "layers.Conv2D(8, conv(\n    x))(x)",
    "layers.Conv2D(8, len(x))(x), len",  # a name that the file binds
]
CERTAIN = [
    "layers.Conv2D(8, 3)(x)",
    "layers.Activation('relu')(layers.BatchNormalization()(layers.Conv2D(8, 3)(x)))",
    "layers.MaxPooling2D()(layers.Conv2D(8, 3)(x))",
    "layers.Conv2D(8, int(math.ceil(k)), kernel_regularizer=regularizers.l2(1e-4))(x)",
    "model.add(layers.Conv2D(8, 3, name='c{}'.format(k)))",
    "tf.nn.relu(layers.Conv2D(8, 3)(tf.shape(x)))",
    "layers.Conv2D(\n    8, 3)(conv(x))",  # in the next row
    "layers.Conv2D(\n    8, 3)(\n    layers.ReLU()(x))",
]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_row_with_others_tells_nothing(text: str) -> None:
    text = f"{HEAD}C = layers.Conv2D\n{'len = conv' if text.endswith('len') else ''}\ny = {text}\n"
    row = text.count("\n") - text[text.index("y = ") :].count("\n") + 1
    found = sites(text, Place("net.py", row))
    assert found
    assert all(site.seen is None for site in found)
    # What is certain of one of them is known to be not all.
    (first, *_) = found
    at = Source(text).location(first.unit.span(first.call)[1])
    exact = Place("net.py", row, 5, at.row, at.column)
    seen = sites(text, Place("net.py", row), exact)[0].seen
    assert seen is not None
    assert not seen.complete
    assert str(seen).startswith("seen once")
    alone = sites(text, exact)[0].seen
    assert alone is not None
    assert alone.complete


@pytest.mark.parametrize("text", CERTAIN)
def test_a_row_of_its_own_tells_all(text: str) -> None:
    text = f"{HEAD}y = {text}\n"
    (site,) = (site for site in sites(text, Place("net.py", 5)) if site.operator.name == CONV)
    assert site.seen is not None
    assert site.seen.complete


def test_names_of_a_star_import_may_be_anything() -> None:
    text = "from keras import layers\nfrom own import *\ny = layers.Conv2D(8, len(z))(x)\n"
    assert [site.seen for site in sites(text, Place("net.py", 3))] == [None]


def test_places_that_the_file_does_not_have() -> None:
    """A hash tells that the text is the same, not that padlint wrote the trace."""
    text = HEAD + "y = layers.Conv2D(8, 3)(x)"
    source, edit = Source(text), Source(text).edit(0, 0, "import os\n")
    after = Source(apply_edits(text, [edit]))
    fix = Fix(Applicability.SAFE, "", (edit,), None, None)
    finding = Finding("PAD101", "", Severity.INFO, "", Location(1, 1), Location(1, 2), fix)
    rows, columns = (1, 4, 5, 6, 99, 2**31 - 1), (0, 1, 5, 26, 27, 28, 90, 2**31 - 1)
    places = [
        Place("net.py", r, c, max(r, e), 2**31 - 1 if c else 0) for r, c, e in product(rows, columns, rows)
    ]
    places += [Place("net.py", row, 1, row, column) for row, column in product(rows, columns[1:])]
    places = [*dict.fromkeys(places)]
    trace = moved(FileTrace("", tuple(Call(place, CONV) for place in places)), source, after, [finding])
    for call in trace.calls:
        place = call.place
        assert place.end_row <= 6
        assert place.end_column <= len(after.line(place.end_row)) + 1 if place.end_column else place.row <= 6
    assert Place("net.py", 6, 1, 6, 27) in {call.place for call in trace.calls}


def test_rows_after_fixes() -> None:
    """A row that was changed is forgotten; rows that stand as they were move along."""
    text = "a = 1\nb = 2\nc = 3\nd = 4\n"
    source = Source(text)
    start = source.line_start(2)
    edits = (
        source.edit(start, start, "x\n"),
        source.edit(source.line_start(4) + 4, source.line_start(4) + 5, "(\n5)"),
    )
    fix = Fix(Applicability.SAFE, "", edits, None, None)
    finding = Finding("PAD101", "", Severity.INFO, "", Location(1, 1), Location(1, 5), fix)
    trace = FileTrace("", tuple(Call(Place("net.py", row), CONV) for row in (1, 2, 3, 4)))
    left = moved(trace, source, Source(apply_edits(text, edits)), [finding])
    assert [call.place.row for call in left.calls] == [3, 4]
