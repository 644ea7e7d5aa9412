"""Shared steps of the rewrites: setting the padding of a call, wrapping its input, telling what is proved."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import libcst as cst

from padlint.catalogue.model import Kind
from padlint.findings import Edit, Program
from padlint.rewrites.model import Refusal, Rewrite, unique
from padlint.rewrites.names import means_the_same
from padlint.sites.site import Site
from padlint.syntax.edits import add_argument, edited, same_style
from padlint.syntax.units import Unit
from padlint.syntax.uses import block_of

_UPPER = frozenset({"tf", "slim", "flax", "jax", "haiku"})  # write SAME and VALID in upper case
SAMPLE = "padlint_input"
"""Stands for the input tensor where a layer is built without being applied."""


def set_padding(site: Site, content: str) -> Edit:
    """Write `content` as the padding argument: in place, over what `**kwargs` carries, or as a keyword."""
    argument, name = site.argument("padding"), site.operator.roles["padding"]
    if argument is not None:
        return site.unit.replace(argument.value, content)
    if site.bound.splats and site.carries(name):
        carrier = site.bound.splats[-1].value
        text = site.unit.text(carrier)
        text = text if isinstance(carrier, (cst.Name, cst.Attribute, cst.Call)) else f"({text})"
        return site.unit.replace(carrier, f'{{**{text}, "{name}": {content}}}')
    return add_argument(site.unit, site.call, f"{name}={content}")


def set_padding_word(site: Site, word: str) -> Edit:
    """Write `word` as the padding, quoted and cased as the argument that it replaces."""
    argument = site.argument("padding")
    style = site.unit.text(argument.value) if argument is not None else ""
    if site.operator.framework in _UPPER and not style.strip("'\"rRuU").isupper():
        return set_padding(site, f'"{word.upper()}"')
    return set_padding(site, same_style(style, word))


def wrap(unit: Unit, node: cst.BaseExpression, opening: str, closing: str = ")") -> list[Edit]:
    """Put a call around an expression: `x` becomes `f(x)` for the opening `f(`."""
    start, end = unit.outer_span(node)
    return [unit.insert(start, opening), unit.insert(end, closing)]


def whole_assignment(unit: Unit, call: cst.Call) -> tuple[cst.Assign, cst.Name] | None:
    """The statement and target if the call is the whole right side of `name = call`, alone in its row."""
    statement = unit.index.parents[call]
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    if not isinstance(target, cst.Name) or block_of(unit, statement) is None:
        return None
    return statement, target


def new_row_before(unit: Unit, statement: cst.CSTNode, text: str) -> Edit:
    """Insert a row before the row of a statement, with its indentation."""
    start = unit.span(statement)[0]
    row_start = unit.source.line_start(unit.source.row(start))
    indentation = unit.source.text[row_start:start]
    return unit.insert(start, f"{text}{unit.source.newline(start)}{indentation}")


def new_row_after(unit: Unit, statement: cst.CSTNode, text: str) -> Edit:
    """Insert a row behind the row where a statement ends, with its indentation."""
    start, end = unit.span(statement)
    source = unit.source
    following = source.line_start(source.row(end) + 1)
    newline = source.newline(following)
    line = f"{source.indentation(start)}{text}"
    if source.text[:following].endswith(("\n", "\r")):
        return unit.insert(following, f"{line}{newline}")
    return unit.insert(following, f"{newline}{line}")  # the file ends without a line end


def own_row(unit: Unit, statement: cst.CSTNode | None) -> bool:
    """Whether a simple statement stands alone in its row, in an indented block."""
    return statement is not None and block_of(unit, statement) is not None


def before_program(site: Site, application: cst.Call, source: cst.BaseExpression) -> Program:
    """What an application computes now: the layer as it is built, and the call that runs it."""
    unit = site.unit
    setup: tuple[str, ...] = ()
    if application is not site.call and application.func is not site.call:
        setup = (f"{unit.text(application.func)} = {unit.text(site.call)}",)
    return Program(setup, unit.text(application), unit.text(source))


def layer_program(text: str) -> Program:
    """A layer that is built and applied to a sample."""
    return Program((f"padlint_layer = {text}",), f"padlint_layer({SAMPLE})", SAMPLE)


def layer_programs(
    site: Site,
    application: tuple[cst.Call, cst.BaseExpression],
    wrapped: list[Edit],
    edits: list[Edit],
    setup: tuple[str, ...] = (),
) -> tuple[Program, Program]:
    """Both sides where `edits` change the layer and what goes before it, and `wrapped` pads the input."""
    (call, source), unit = application, site.unit
    before = before_program(site, call, source)
    if before.setup:
        setup = (*setup, f"{unit.text(call.func)} = {edited_call(site, edits)}")
    output = edited(unit, unit.outer_span(call), [*edits, *wrapped])
    return before, Program(setup, output, unit.text(source))


def padded_inputs(
    site: Site, function: str, arguments: Callable[[cst.Call], str], edit: Edit, shared: str = ""
) -> Rewrite | Refusal:
    """`function(input, arguments)` instead of the input of every application, and `edit` in the site's call.

    The names in `function` and `shared` have to mean there what they mean at the site.
    """
    found = applications(site)
    if isinstance(found, Refusal):
        return found
    if not all(means_the_same(site, call, f"{function} {shared}") for call, _ in found):
        return Refusal(f"{function} means something else where it would be called")
    wraps = [wrap(site.unit, source, f"{function}(", f", {arguments(call)})") for call, source in found]
    before, after = layer_programs(site, found[-1], wraps[-1], [edit])
    return Rewrite(unique((edit, *chain(*wraps))), before, after)


def edited_call(site: Site, edits: list[Edit]) -> str:
    """The text of the site's call after the edits inside it."""
    return edited(site.unit, site.unit.outer_span(site.call), edits)


def applications(site: Site) -> list[tuple[cst.Call, cst.BaseExpression]] | Refusal:
    """Every application with its input, or why they are not all known. The last one contains no other."""
    use = site.use
    if site.operator.kind is Kind.LAYER and use.escapes:
        return Refusal(use.escapes)
    found = [(call, site.input_of(call)) for call in site.applications]
    if not found:
        return Refusal("where it is applied is not seen")
    pairs = [(call, source) for call, source in found if source is not None]
    if len(pairs) != len(found):
        return Refusal("its input is not written as an argument")
    return pairs
