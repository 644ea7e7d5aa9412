"""Compares two sides: each in a process of its own, first in float64, then in float32."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from padlint.verify.compare import TOLERANCES
from padlint.verify.models.cause import Explainer
from padlint.verify.models.difference import (
    NOTHING,
    PARTS,
    Parts,
    Tolerance,
    first_difference,
    is_constant,
    max_abs,
    relative_difference,
    shows_something,
    weights_differ,
)
from padlint.verify.models.plan import RESIDUES, plan, shapes
from padlint.verify.models.request import Case, Request, Side
from padlint.verify.models.result import INCOMPARABLE, Comparison, Difference
from padlint.verify.models.runs import Runner
from padlint.verify.models.session import Failed, Limits, Session
from padlint.verify.protocol import DIFFERS, EQUAL

DTYPES = ("float64", "float32")
_EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23}
_HOPELESS = {"float64": 1e-6, "float32": 1e-2}
"""Where rounding alone changes more than this, nothing can be said."""
_MARGIN = 10.0
"""How much more than by rounding of its inputs and weights a model may change by rounding inside."""

Progress = Callable[[str], None]
"""Told what is about to be done."""


@dataclass
class Verifier:
    """Compares `before` with `after`. `exporters` are those whose ONNX files are compared as well."""

    before: Side
    after: Side
    request: Request
    limits: Limits = field(default_factory=Limits)
    residues: int = RESIDUES
    exporters: tuple[str, ...] = ()
    on_progress: Progress = lambda what: None
    open_session: Callable[..., Session] = Session
    result: Comparison = field(init=False)
    _folder: Path = field(init=False)
    _runner: Runner = field(init=False)
    _skipped: dict[str, list[str]] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        """About how many steps there will be."""
        cases = [case for dtype in DTYPES for case in plan(self.request, (False, True), dtype, self.residues)]
        return len(DTYPES) + len(cases) + len(self.exporters)

    def compare(self) -> Comparison:
        """The result. Code that cannot be run makes it `incomparable`."""
        self.result = Comparison(self.before.label, self.after.label)
        with tempfile.TemporaryDirectory(prefix="padlint-verify-") as folder:
            self._folder = Path(folder)
            self._runner = Runner(self._folder)
            reasons: list[str] = []
            for dtype in DTYPES:
                try:
                    self._in(dtype)
                except Failed as failure:
                    if not (dtype == "float64" and failure.side == self.before.label and not failure.is_over):
                        self.result.reason = str(failure)
                        self.result.result = INCOMPARABLE
                        return self.result
                    reasons.append(failure.reason)
                if self.result.difference or self.result.reason:
                    return self.result
        self.result.result = EQUAL
        self.result.notes += [f"not compared in float64: {reason}" for reason in reasons]
        return self.result

    def _in(self, dtype: str) -> None:
        """Everything in one precision; stops at the first difference."""
        with self._sessions(dtype, self.before, self.after) as (before, after):
            if not (built := self._build(before, after)):
                return
            for case in plan(self.request, built["modes"], dtype, self.residues):
                self.on_progress(f"{dtype}, {case.kind}")
                if not self._run(before, after, case, built):
                    return
            self._count(built, dtype)
            if dtype == DTYPES[-1]:
                self._extras(before, after, built)

    @contextmanager
    def _sessions(self, dtype: str, *sides: Side) -> Iterator[list[Session]]:
        sessions: list[Session] = []
        try:
            for side in sides:
                sessions.append(self.open_session(side, self.request, dtype, self._folder, self.limits))
            yield sessions
        finally:
            for session in sessions:
                session.close()

    def _build(self, before: Session, after: Session) -> Mapping[str, Any]:
        """Build both, and carry the weights over; nothing if they do not fit."""
        self.on_progress(f"{before.dtype}, loading")
        for session in (before, after):
            session.send("build")
        old = before.receive()
        new = after.receive()
        self.result.framework = old["framework"]
        if old["framework"] != new["framework"]:
            self.result.reason = f"a model of {old['framework']} became one of {new['framework']}"
            return {}
        if text := weights_differ(old["weights"], new["weights"], old["framework"]):
            self._refute(Difference("weights", text, f"the weights do not carry over: {text}"))
            return {}
        weights = str(self._folder / f"weights-{before.dtype}.npz")
        before.ask("save", path=weights)
        after.ask("load", path=weights)
        self.request = self.request.freed(old["free"])
        return {**old, "path": weights}

    def _run(self, before: Session, after: Session, case: Case, built: Mapping[str, Any]) -> bool:
        """Run one case; whether to go on."""
        try:
            old, new = self._runner.both(before, after, case)
        except Failed as failure:
            if failure.side == self.before.label and not failure.is_over and not _is_plain(case):
                self._skipped.setdefault(failure.reason, []).append(_called(case))
                return True  # the code before does not take this
            raise
        if not shows_something(old["outputs"]):
            text = f"the code before returns {NOTHING} for {_called(case)}"
            if _is_plain(case):
                self.result.reason = f"nothing to compare: {text}"
                return False
            self._note(f"{text}, which shows nothing")
        if (
            case.kind == "random" and not case.training and before.dtype == DTYPES[0]
        ) or self.result.max_abs is None:
            self.result.max_abs = max(self.result.max_abs or 0.0, max_abs(old, new))
        dtype = _precision(old, before.dtype)
        if dtype != before.dtype:
            self._note(f"in {before.dtype}, outputs are {dtype} and compared to {TOLERANCES[dtype]:g}")
        if is_constant(old["outputs"]) and case.kind == "random":
            self._note("for random inputs, each output is one number throughout, which shows little")
        found = first_difference(old, new, Tolerance.all(TOLERANCES[dtype]))
        if found is None:
            return True
        return self._settle(before, after, case, (old, new), found, built)

    def _settle(
        self,
        before: Session,
        after: Session,
        case: Case,
        runs: tuple[Parts, Parts],
        found: Difference,
        built: Mapping[str, Any],
    ) -> bool:
        """Whether a difference is the code's: not one of chance, nor of rounding. Then say why."""
        old, _ = runs
        dtype = _precision(old, before.dtype)
        try:
            with self._sessions(before.dtype, self.before) as (control,):
                control.ask("build")
                control.ask("load", path=built["path"])
                again = self._runner.one(control, case)
                jittered = self._runner.one(control, replace(case, jitter=4 * _EPSILON[dtype]))
        except Failed as failure:
            self.result.reason = f"there is a difference, but when run again, {failure}"
            return False
        if first_difference(old, again, Tolerance.all(TOLERANCES[dtype])):
            self.result.reason = (
                "the code before differs from itself when it is run twice with the same seeds: "
                "it is not deterministic"
            )
            return False
        if (
            found.what != "structure"
            and (is_equal := self._is_rounding(runs, jittered, found, dtype)) is not None
        ):
            return is_equal
        explainer = Explainer(
            lambda c, trace: self._runner.one(before, c, trace),
            lambda c, trace: self._runner.one(after, c, trace),
            built["first_axis"],
            dtype,
        )
        shape = shapes(self.request, [case])[0]
        found = replace(found, dtype=dtype, training=case.training, kind=case.kind, shapes=shape)
        with suppress(Failed):  # the difference is there, explained or not
            found = explainer.explain(found, case)
        self._refute(found)
        return False

    def _is_rounding(
        self, runs: tuple[Parts, Parts], jittered: Parts, found: Difference, dtype: str
    ) -> bool | None:
        """Whether a difference is no larger than what rounding does to the code before, which is said.

        None if it is larger; False if rounding changes so much that nothing can be said.
        """
        old, new = runs
        noise = {part: relative_difference(old[part], jittered[part], part) for part in PARTS}
        usual = TOLERANCES[dtype]
        allowed = {p: max(usual, min(_MARGIN * by, _HOPELESS[dtype])) for p, by in noise.items()}
        if first_difference(old, new, Tolerance(allowed)) is not None:
            part = next(part for part, what in PARTS.items() if what == found.what)
            if noise[part] <= _HOPELESS[dtype]:
                return None
            self.result.reason = (
                f"rounding alone changes the code before by {noise[part]:.1g} of the largest value"
            )
            return False
        self.result.notes.append(
            f"in {dtype}, both sides differ by more than {usual:g}, but no more than rounding the inputs and "
            f"weights changes the code before, which is {max(noise.values()):.1g}"
        )
        return True

    def _note(self, text: str) -> None:
        if text not in self.result.notes:
            self.result.notes.append(text)

    def _refute(self, difference: Difference) -> None:
        self.result.result = DIFFERS
        self.result.difference = difference
        self.result.max_abs = difference.max_abs if difference.what == "output" else None

    def _count(self, built: Mapping[str, Any], dtype: str) -> None:
        """Say what was found equal."""
        self.result.dtypes.append(dtype)
        cases = plan(self.request, built["modes"], dtype, self.residues)
        self.result.shapes = list(dict.fromkeys([*self.result.shapes, *shapes(self.request, cases)]))
        trained = sum(weight["trainable"] for weight in built["weights"])
        if not self.result.checks and built["weights"]:
            self.result.checks.append(
                f"{len(built['weights'])} weights, {trained} of them trained: names, shapes, gradients"
            )
        modes = "eval and train mode" if len(built["modes"]) > 1 else "eval mode"
        kinds = ", ".join(dict.fromkeys(case.kind for case in cases))
        self.result.checks.append(
            f"{dtype}: {kinds} inputs; {modes}; to {TOLERANCES[dtype]:g} of the largest"
        )
        for reason, skipped in self._skipped.items():
            self._note(f"not compared at {', '.join(skipped)}: the code before raises {reason}")
        self._skipped.clear()

    def _extras(self, before: Session, after: Session, built: Mapping[str, Any]) -> None:
        from padlint.verify.models.extras import compare_exports, compare_files

        if built["framework"] == "keras":
            self.on_progress("files of Keras")
            compare_files(before, after, self._folder, self.result)
        has_own = built["framework"] == "keras"  # which chooses by its backend
        for exporter in ("keras",) if has_own and self.exporters else self.exporters:
            if self.result.difference is None and self.result.reason is None:
                self.on_progress(f"ONNX ({exporter})")
                compare_exports(before, after, self._runner, self.request, exporter, self.result)


def _is_plain(case: Case) -> bool:
    """Whether it is a case that the code must be able to run."""
    return case.kind == "random" and not case.training and not case.sizes


def _called(case: Case) -> str:
    """What a case is called where it is left out."""
    if case.sizes:
        return "x".join(map(str, case.sizes.values()))
    return "train mode" if case.training else f"{case.kind} inputs"


def _precision(parts: Parts, dtype: str) -> str:
    """What the outputs are computed in, which may be less than what was asked for."""
    kinds = {array.dtype.name for array in parts["outputs"].values() if array.dtype.kind == "f"}
    return "float32" if kinds & {"float32", "float16"} else dtype
