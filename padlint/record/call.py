"""Builds the model that `PATH::CALLABLE` names, and runs it once. Runs in the child process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from padlint.verify.models.project import find, load
from padlint.verify.models.request import Case, decode


def run_callable(spec: Mapping[str, Any]) -> None:
    """Call what makes the model, and the model if there is something to call it with."""
    side, request = decode(spec)
    module = load(side, {})
    found = find(module, side.callable)
    if not request.inputs:
        if callable(found):
            found(**request.kwargs)
        return
    from padlint.verify.models.inputs import sample  # needs NumPy
    from padlint.verify.models.wrapping import wrap

    model: Any = wrap(found, module, request, "float32")
    case = Case("random")
    inputs = {
        given.name or str(index): sample(given, index, case, request.seed, model.first_axis)
        for index, given in enumerate(request.inputs)
    }
    model.prepare(inputs)
    model.run(inputs, case, None)
