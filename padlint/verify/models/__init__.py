"""Whole models before and after a change, compared in their real framework. Runs the user's code."""

from padlint.verify.models.places import PlaceError, is_unchanged, repository, revision, standing_in, working
from padlint.verify.models.request import Input, Request, Side
from padlint.verify.models.result import Comparison
from padlint.verify.models.session import Limits

__all__ = [
    "Comparison",
    "Input",
    "Limits",
    "PlaceError",
    "Request",
    "Side",
    "is_unchanged",
    "repository",
    "revision",
    "standing_in",
    "working",
]
