from __future__ import annotations

from collections.abc import Iterator

import pytest

from padlint.verify import LayerProver


@pytest.fixture(scope="session")
def prover() -> Iterator[LayerProver]:
    """One prover for all tests: a framework takes seconds to load."""
    with LayerProver() as prover:
        yield prover
