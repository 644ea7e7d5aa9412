"""`padlint shape`: what every framework pads for one geometry, and how large the output is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from padlint.cli.output import write_stdout

if TYPE_CHECKING:
    from padlint.conventions import Convention

_POSITIVE = click.IntRange(1, 8192)


@click.command(short_help="Compare what frameworks pad for a kernel, a stride and sizes.")
@click.option("--kernel", "-k", type=_POSITIVE, required=True, help="Size of the kernel or window.")
@click.option("--stride", "-s", type=_POSITIVE, default=1, help="[1]")
@click.option("--dilation", "-d", type=_POSITIVE, default=1, help="[1]")
@click.option(
    "--size", "-n", "sizes", type=click.IntRange(min=1), multiple=True, help="Input size; may be repeated."
)
@click.option("--transposed", is_flag=True, help="Of a transposed convolution, which crops.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
def shape(
    kernel: int, stride: int, dilation: int, sizes: tuple[int, ...], transposed: bool, output_format: str
) -> None:
    """Show, along one axis, what each framework pads (before, after) and the size of the output.

    Without --size the pads are shown for every residue of the size modulo the stride.
    """
    from padlint.conventions import transposed_conventions, window_conventions
    from padlint.geometry import UNKNOWN, Exact

    conventions = transposed_conventions if transposed else window_conventions
    known = map(Exact, sizes) if sizes else [UNKNOWN]
    columns = [conventions(kernel, stride, dilation, size) for size in known]
    if output_format == "json":
        write_stdout(_json(sizes, columns))
    else:
        what = "crops of a transposed convolution, " if transposed else ""
        header = f"{what}kernel {kernel}, stride {stride}, dilation {dilation}"
        write_stdout(f"{header}\n{_table(sizes, columns, stride)}")


def _table(sizes: tuple[int, ...], columns: list[list[Convention]], stride: int) -> str:
    """One row per convention, one column per size."""
    names = [convention.who for convention in columns[0]]
    body = [[_cell(convention, stride, bool(sizes)) for convention in column] for column in columns]
    if sizes:
        names.insert(0, "size")
        body = [[str(size), *column] for size, column in zip(sizes, body, strict=True)]
    table = [names, *body]
    widths = [max(map(len, column)) for column in table]
    rows = zip(*table, strict=True)
    return "".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows)


def _cell(convention: Convention, stride: int, sized: bool) -> str:
    from padlint.explain.calls import convention_text
    from padlint.geometry import Exact

    if not sized or convention.refused:
        return convention_text(convention, stride)
    out = convention.output.n if isinstance(convention.output, Exact) else "nothing"
    return f"{convention.pads} -> {out}"


def _json(sizes: tuple[int, ...], columns: list[list[Convention]]) -> str:
    import json

    items = [
        {"size": size, "conventions": [_item(convention) for convention in column]}
        for size, column in zip(sizes or (None,), columns, strict=True)
    ]
    return json.dumps(items, indent=2) + "\n"


def _item(convention: Convention) -> dict[str, Any]:
    return {
        "name": convention.who,
        "pads": convention.pads,
        "output": getattr(convention.output, "n", None),
        "by_residue": convention.by_residue or None,
        "refused": convention.refused or None,
    }
