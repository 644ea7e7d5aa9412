"""Rewrites: how a call is turned into an equal one with explicit pads, for each framework and shape of code.

A rewrite is a value (text edits and the layer pair that proves them) or a refusal with its reason. What to
write, and whether it is exact, is decided by the rules.
"""

from padlint.rewrites.model import Refusal, Rewrite

__all__ = ["Refusal", "Rewrite"]
