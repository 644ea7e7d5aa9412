"""`padlint completion`: what teaches a shell to complete the command line."""

from __future__ import annotations

import click

from padlint.cli.output import write_stdout

_LISTS = 'string split "," $completion', 'string split --max 1 "," $completion'
"""In click's script for fish: only the first comma is no part of what is completed."""
_VARIABLE = "_PADLINT_COMPLETE"  # in which the scripts tell the command what to do; click looks for this one


@click.command(short_help="Print a script for the completion of your shell.")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(context: click.Context, /, shell: str) -> None:
    """Print a script that completes commands, options, codes of rules and names of formats and settings.

    \b
    bash  echo 'eval "$(padlint completion bash)"' >> ~/.bashrc
    zsh   echo 'eval "$(padlint completion zsh)"' >> ~/.zshrc
    fish  padlint completion fish > ~/.config/fish/completions/padlint.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:  # click knows all three
        raise click.UsageError(f"there is no completion for {shell}.")
    script = found(context.find_root().command, {}, "padlint", _VARIABLE).source()
    write_stdout(script.replace(*_LISTS))
