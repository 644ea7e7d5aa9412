"""What is compared besides the models themselves: the files of Keras, and ONNX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from padlint.verify.compare import TOLERANCES, differences, largest
from padlint.verify.models.difference import Parts
from padlint.verify.models.plan import shapes, sizes
from padlint.verify.models.request import Case, Request
from padlint.verify.models.result import Comparison, Difference, Exported
from padlint.verify.models.runs import Runner, read
from padlint.verify.models.session import Failed, Session
from padlint.verify.protocol import DIFFERS

_OTHER_SIZES = 8
"""Number of sizes, less one, that a dynamic export is run at besides its own."""
_ONNX_TOLERANCE = 10 * TOLERANCES["float32"]
"""Other kernels round in another order."""


def compare_files(before: Session, after: Session, folder: Path, result: Comparison) -> None:
    """Whether `.weights.h5` and `.keras` files of the code before load into the code after.

    A file that not even the code before can load (its classes are not registered) shows nothing.
    """
    place = folder / "keras"
    place.mkdir()
    problems = dict(before.ask("keras_save", folder=str(place))["problems"])
    problems |= before.ask("keras_restore", folder=str(place))["problems"]
    result.notes += [
        f"not compared: {suffix} files, which the code before cannot load itself: {problem}"
        for suffix, problem in problems.items()
    ]
    for suffix in problems:
        (place / f"model{suffix}").unlink(missing_ok=True)
    restored = after.ask("keras_restore", folder=str(place))
    for suffix, problem in restored["problems"].items():
        text = f"a {suffix} file of the code before does not load: {problem}"
        _refute(result, Difference("file", suffix, text))
        return
    if (place / "model.weights.h5").exists() and restored["moved"]:
        first = restored["moved"][0]
        text = f"a .weights.h5 file of the code before loads other values into {first!r}"
        _refute(result, Difference("file", ".weights.h5", text))
    elif loaded := sorted(file.name.removeprefix("model") for file in place.iterdir()):
        result.checks.append(f"files of the code before load: {', '.join(loaded)}")


def compare_exports(
    before: Session, after: Session, runner: Runner, request: Request, exporter: str, result: Comparison
) -> None:
    """Export both sides; run that of the code after, at other sizes as well, and compare with the model."""
    old = _export(before, runner, request, exporter)
    new = _export(after, runner, request, exporter)
    result.onnx.append({"before": old, "after": new})
    if new.failure and old.failure:
        result.reason = f"ONNX ({exporter}): neither side can be exported: {new.failure}"
        return
    if new.failure or new.difference:
        text = f"it cannot be exported: {new.failure}" if new.failure else new.difference
        also = " (that of the code before is wrong, too)" if old.difference else ""
        _refute(result, Difference("onnx", exporter, f"ONNX ({exporter}): {text}{also}"))
        return
    ran = ", ".join("x".join(map(str, shape)) for shape in (found[0] for found in new.sizes))
    result.checks.append(f"ONNX ({exporter}): onnxruntime gives what the code after gives, at {ran}")


def _export(session: Session, runner: Runner, request: Request, exporter: str) -> Exported:
    path = runner.path(".onnx")
    try:
        counts = session.ask("export", exporter=exporter, path=str(path))
    except Failed as failure:
        if failure.is_over:
            raise
        return Exported(exporter, failure=failure.reason)
    exported = Exported(exporter, **{key: counts[key] for key in ("nodes", "pads", "shape_nodes")})
    cases = [Case("random"), *(Case("random", sizes=size) for size in sizes(request, _OTHER_SIZES))]
    ran: list[Case] = []
    for case in cases:
        try:
            expected = runner.one(session, case)
        except Failed as failure:
            if failure.is_over:
                raise
            continue  # the model itself does not take this size
        ran.append(case)
        if text := _wrong(session, runner, case, path, expected):
            at = " and ".join("x".join(map(str, shape)) for shape in shapes(request, [case])[0])
            return replace(exported, difference=f"{text} at {at}", sizes=tuple(shapes(request, ran)))
    return replace(exported, sizes=tuple(shapes(request, ran)))


def _wrong(session: Session, runner: Runner, case: Case, model: Path, expected: Parts) -> str | None:
    """What onnxruntime gives that the model does not."""
    path = runner.path(".npz")
    try:
        answer = session.ask("infer", model=str(model), case=asdict(case), path=str(path))
    except Failed as failure:
        if failure.is_over:
            raise
        return f"onnxruntime raises: {failure.reason}"
    got: Mapping[str, Any] = read(path, answer)["outputs"]
    if len(got) != len(expected["outputs"]):
        return f"it gives {len(got)} outputs instead of {len(expected['outputs'])}"
    for (name, old), new in zip(expected["outputs"].items(), got.values(), strict=True):
        if old.shape != new.shape:
            return f"{name} has shape {new.shape} in onnxruntime instead of {old.shape}"
        worst = float(differences(old, new).max(initial=0.0))
        if worst > _ONNX_TOLERANCE * float(largest(old).max(initial=0.0)):
            return f"{name} differs by up to {worst:.3g} in onnxruntime"
    return None


def _refute(result: Comparison, difference: Difference) -> None:
    result.result = DIFFERS
    result.difference = difference
