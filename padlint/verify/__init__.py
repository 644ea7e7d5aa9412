"""Runs both sides of a fix in the real frameworks, in child processes. The only package that imports one."""

from padlint.verify.prover import LayerProver, MissingFramework

__all__ = ["LayerProver", "MissingFramework"]
