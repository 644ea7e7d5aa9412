"""The notation of the tables: rows of names that share a signature, made into operators on demand."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from padlint.catalogue.model import REQUIRED, Family, Kind, Operator, PadStyle, Parameter


class Row(NamedTuple):
    """Operators that share a family and a signature.

    `names` are separated by blanks; `#` stands for each of `dims`, and `Conv#D=Convolution#D` gives a second
    name of the same operator. `signature` is Python text; in it `{1}` and `{2}` are 1 and 2 for a single
    spatial axis and tuples of them for more, `{NHWC}` is the channels-last format of that many axes, and
    `...` is a default that is no literal.
    `older` is the signature of the framework's previous generation, where it differs in what matters.
    `rank` names the roles whose lists show the number of spatial axes: `kernel` has an entry for each,
    `kernel+2` for batch and channels too.
    """

    family: Family
    names: str
    signature: str
    dims: str = "123"
    ndim: int | None = None  # for names without `#`
    zero: bool = False
    positive: bool = False
    unless: str = ""
    pads: PadStyle | None = None
    older: str = ""
    rank: str = ""
    kind: Kind | None = None  # where it is not the namespace's, like the next one
    channels_last: bool | None = None


same = partial(Row, Family.ELEMENTWISE)
"""A row of operators that keep every spatial size."""


class Namespace(NamedTuple):
    """The operators of one public module.

    `roles` maps the names of parameters to the roles they play; a star (`kernel*`) is for parameters that
    play it for one spatial axis each. `pads` is the style of the pad and crop operators, `stride_is_kernel`
    that of the pools, and `older` names the namespace with the operators of the framework's previous
    generation. `module` is the public module where `name` is not.
    """

    name: str
    framework: str
    kind: Kind
    roles: Mapping[str, str]
    rows: tuple[Row, ...]
    pads: PadStyle | None = None
    stride_is_kernel: bool = False
    older: str = ""
    module: str = ""
    channels_last: bool = True
    quantized: bool = False
    retired: bool = False


class Spelling(NamedTuple):
    """Modules, as a pattern of their dotted paths, that hold the operators of a namespace.

    `only` limits them to some names. `star` says that `from module import *` brings these names, `older`
    that the modules are of the previous generation.
    """

    modules: str
    namespace: str
    only: frozenset[str] | None = None
    star: bool = False
    older: bool = False


class Entry(NamedTuple):
    """One name of a row, with the number of spatial axes that its `#` stands for."""

    canonical: str
    ndim: int | None
    row: Row


def entries(namespace: Namespace) -> Iterator[tuple[str, Entry]]:
    """Every name in the namespace, aliases included, with what it stands for."""
    for row in namespace.rows:
        for group in row.names.split():
            for digit in row.dims if "#" in group else " ":
                names = group.replace("#", digit).split("=")
                ndim = int(digit) if digit.isdigit() else row.ndim
                for name in names:
                    yield name, Entry(names[0], ndim, row)


@cache
def parse(signature: str) -> tuple[tuple[Parameter, ...], bool, bool]:
    """The parameters in a signature's text, and whether it has `*args` and `**kwargs`."""
    function = ast.parse(f"def _({signature}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    required = len(arguments.args) - len(arguments.defaults)
    defaults: list[Any] = [REQUIRED] * required + [ast.literal_eval(node) for node in arguments.defaults]
    parameters = [Parameter(a.arg, default) for a, default in zip(arguments.args, defaults, strict=True)]
    for argument, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = REQUIRED if node is None else ast.literal_eval(node)
        parameters.append(Parameter(argument.arg, default, keyword_only=True))
    return tuple(parameters), arguments.vararg is not None, arguments.kwarg is not None


def _expand(signature: str, ndim: int | None) -> str:
    """The signature with its per-axis placeholders filled in."""
    if ndim is not None:
        for digit in "12":
            text = digit if ndim == 1 else f"({', '.join(digit * ndim)})"
            signature = signature.replace(f"{{{digit}}}", text)
        signature = signature.replace("{NHWC}", repr(f"N{'DHW'[3 - ndim :]}C"))
    return signature


def operator(namespace: Namespace, entry: Entry, *, older: bool = False) -> Operator:
    """The operator of an entry, in the signature of the previous generation if `older`."""
    row = entry.row
    signature = (row.older or row.signature) if older else row.signature
    parameters, var_positional, var_keyword = parse(_expand(signature, entry.ndim))
    roles, aliases, per_axis = _roles(namespace, row, parameters)
    pads = namespace.pads if row.family in (Family.PAD, Family.CROP) else row.pads
    return Operator(
        name=f"{namespace.module or namespace.name}.{entry.canonical}",
        framework=namespace.framework,
        family=row.family,
        kind=row.kind or namespace.kind,
        ndim=entry.ndim,
        signature=parameters,
        roles=roles,
        aliases=aliases,
        per_axis=per_axis,
        rank_from=tuple((role, int(more or 0)) for role, _, more in _parts(row.rank)),
        stride_is_kernel=namespace.stride_is_kernel and row.family.is_pooling,
        pads=pads,
        channels_last=namespace.channels_last if row.channels_last is None else row.channels_last,
        zero_preserving=row.zero,
        non_negative=row.positive,
        unless=frozenset(row.unless.split()),
        quantized=namespace.quantized,
        retired=namespace.retired,
        var_positional=var_positional,
        var_keyword=var_keyword,
    )


def _parts(rank: str) -> list[tuple[str, str, str]]:
    return [role.partition("+") for role in rank.split()]


def _roles(
    namespace: Namespace, row: Row, parameters: tuple[Parameter, ...]
) -> tuple[dict[str, str], dict[str, str], dict[str, tuple[str, ...]]]:
    """The roles that the parameters play alone, those that are second spellings, and those that share one."""
    roles: dict[str, str] = {}
    aliases: dict[str, str] = {}
    per_axis: dict[str, tuple[str, ...]] = {}
    for parameter in parameters:
        role = namespace.roles.get(parameter.name)
        if role is None or (row.family is Family.ELEMENTWISE and role != "input"):
            continue
        if role.endswith("*"):
            per_axis[role[:-1]] = (*per_axis.get(role[:-1], ()), parameter.name)
        elif roles.setdefault(role, parameter.name) != parameter.name:
            aliases[parameter.name] = roles[role]
    return roles, aliases, per_axis
