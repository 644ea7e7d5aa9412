"""Notebooks as Python text and back: their code cells are one program, only its changed lines are written."""

from padlint.notebooks.document import Document
from padlint.notebooks.following import Following, LostCell
from padlint.notebooks.program import Program
from padlint.notebooks.walk import BadNotebook

__all__ = ["BadNotebook", "Document", "Following", "LostCell", "Program"]
