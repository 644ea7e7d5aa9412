"""Whether any size can enter a file at all. Following what flows through it takes most of the time."""

from __future__ import annotations

import re
from functools import cache

from padlint.catalogue import operator_names
from padlint.catalogue.model import Family
from padlint.options import Options
from padlint.syntax.directives import directives
from padlint.syntax.units import File

_WORDS = ("TensorSpec", "ShapeDtypeStruct", "input_shape", "batch_input_shape", "batch_shape")
_GIVEN = frozenset({Family.INPUT, Family.RESIZE, Family.RESHAPE})


def sizes_enter(file: File, options: Options) -> bool:
    """False only where no tensor of the file can get a known size: none is declared, made or promised."""
    if options.promises or options.trace is not None or options.operators:
        return True
    return file.facts.shapes or file.source.holds(_words()) or bool(directives(file.source))


@cache
def _words() -> re.Pattern[str]:
    names = sorted(operator_names(_GIVEN) | {*_WORDS})
    return re.compile(rf"\b(?:{'|'.join(names)})\b")
