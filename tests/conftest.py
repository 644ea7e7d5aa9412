from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from padlint.verify import LayerProver

os.environ["PADLINT_NO_CACHE"] = "1"  # except where the cache is tested
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # as for the children; read when PyTorch is imported


@pytest.fixture(scope="session")
def prover() -> Iterator[LayerProver]:
    """One prover for all tests: a framework takes seconds to load."""
    with LayerProver() as prover:
        yield prover
