"""Notebooks for the tests."""

from __future__ import annotations

import json
from typing import Any

SAME = 'conv = nn.Conv2d(3, 8, 3, padding="same")'
FIXED = "conv = nn.Conv2d(3, 8, 3, padding=1)"
IMPORT = "import torch.nn as nn"


def code(source: str | list[str], **more: Any) -> dict[str, Any]:
    """A code cell that has been run."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": ["padding='same' é\n"]}]
    cell = {"cell_type": "code", "execution_count": 1, "id": "a1", "metadata": {}, "outputs": outputs}
    return {**cell, "source": source, **more}


def markdown(source: str) -> dict[str, Any]:
    """A cell with words."""
    return {"cell_type": "markdown", "id": "b2", "metadata": {}, "source": source}


def notebook(*cells: dict[str, Any], language: str = "python", **style: Any) -> str:
    """The JSON text of a notebook."""
    metadata = {"kernelspec": {"display_name": "K", "language": language, "name": "k"}}
    content = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, **{"indent": 1, "ensure_ascii": False, **style}) + "\n"
