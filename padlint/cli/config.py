"""`padlint config`: which settings hold, and where each comes from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from padlint.cli.check import check, configuration, given
from padlint.cli.completing import complete_settings
from padlint.cli.demands import NAMES
from padlint.cli.output import write_stdout
from padlint.config import ConfigError, absolute, suggestion
from padlint.config.schema import names as setting_names
from padlint.formats.printable import printable

if TYPE_CHECKING:
    from padlint.config.origins import Origin

_TABLES = {
    "per-file-ignores": 'Rules that do not run for some paths: "tests/*" = ["PAD301"].',
    "per-file-input-size": 'Spatial size of every model input, by path: "mobile/*" = 192.',
    "operators": 'Your own wrappers, and the operators they behave like: "lib.Conv" = "torch.nn.Conv2d".',
}
_NOT_SHOWN = NAMES | {"output_format", "stdin_filename", "watch"}


@click.command(short_help="Show the settings and where each comes from.")
@click.argument("names", nargs=-1, metavar="[SETTING]... [PATH]", shell_complete=complete_settings)
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
@click.pass_context
def config(context: click.Context, /, names: tuple[str, ...], output_format: str, **_flags: Any) -> None:
    """Show the settings that hold for a path (else: the current folder), and where each comes from.

    With the name of a setting, explain that one. Takes the flags of `padlint check`, too.
    """
    keys = [name for name in names if name in setting_names()]
    paths = [name for name in names if name not in keys]
    if len(paths) > 1 or not all(Path(path).exists() for path in paths):
        hint = suggestion(paths[-1], setting_names())
        raise click.UsageError(f"{paths[-1]!r} is neither a setting nor one existing path{hint}")
    try:
        shown = _Shown(context, Path(paths[0]) if paths else Path())
        write_stdout(shown.json(keys) if output_format == "json" else shown.text(keys))
    except ConfigError as error:
        click.echo(f"error: {error}", err=True)
        context.exit(2)


config.params += [
    option for option in check.params if isinstance(option, click.Option) and option.name not in _NOT_SHOWN
]


class _Shown:
    """The settings for one path."""

    def __init__(self, context: click.Context, path: Path) -> None:
        from padlint.config.origins import origins

        flags = given(context)
        place = absolute(path)
        self.path = path
        settings = configuration(context).settings(place if path.is_dir() else place.parent)
        self.settings = settings
        self.options = settings.options(place)
        self.origins: dict[str, Origin] = {o.key: o for o in origins(flags, settings.source)}

    def text(self, keys: list[str]) -> str:
        if keys:
            return "\n".join("\n".join(self._explained(key)) + "\n" for key in keys)
        return "\n".join((*map(_line, self.origins.values()), "", *self._outcome())) + "\n"

    def json(self, keys: list[str]) -> str:
        import json

        source = self.settings.source
        document = {
            "path": str(self.path),
            "file": None if source is None else str(source),
            "settings": [
                {**origin._asdict(), "where": [*origin.where], "help": _help(key)}
                for key, origin in self.origins.items()
                if not keys or key in keys
            ],
            "rules": sorted(self.options.codes),
            "unfixable": sorted(self.options.unfixable),
            "input_size": self.options.input_size,
        }
        return json.dumps(document, indent=2) + "\n"

    def _outcome(self) -> Iterator[str]:
        """What the settings come to for the path."""
        yield f"# for {printable(str(self.path))}"
        yield f"# rules: {', '.join(sorted(self.options.codes)) or 'none'}"
        if self.options.unfixable:
            yield f"# rules whose fixes are off: {', '.join(sorted(self.options.unfixable))}"
        if self.options.input_size:
            yield f"# input size: {'x'.join(map(str, self.options.input_size))}"

    def _explained(self, key: str) -> Iterator[str]:
        yield _line(self.origins[key])
        yield f"# {_help(key)}"
        option = _option(key)
        if option is not None and isinstance(option.type, click.Choice):
            yield f"# One of {', '.join(map(str, option.type.choices))}."
        if option is not None:
            yield f"# Flag: {', '.join((*option.opts, *option.secondary_opts))}"


def _line(origin: Origin) -> str:
    """The setting as a line of TOML, or a comment if it is not set."""
    if origin.value is None:
        return f"# {origin.key} is not set"
    return f"{origin.key} = {_toml(origin.value)}  # {printable(', '.join(origin.where) or origin.source)}"


def _toml(value: Any) -> str:
    import json

    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {_toml(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _option(key: str) -> click.Option | None:
    found = (p for p in check.params if isinstance(p, click.Option) and p.name == key.replace("-", "_"))
    return next(found, None)


def _help(key: str) -> str:
    option = _option(key)
    return _TABLES.get(key) or (option.help if option else None) or ""
