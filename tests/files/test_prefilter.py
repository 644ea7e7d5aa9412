"""The byte prefilter never hides a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.catalogue import PADDED, operator_names
from padlint.config import Settings
from padlint.files import Found, Sifting, is_candidate

CANDIDATES = [
    "import torch.nn as nn\nnn.Conv2d(3, 8, 3)",
    "import torch.nn as nn\nnn.Conv2d \\\n(3, 8, 3)",
    "import torch.nn as nn\nConv = nn.Conv2d  # why\nConv(3)",
    "from torch.nn import Conv2d as C\nC(3)",
    "import functools, torch\nfunctools.partial(torch.nn.MaxPool2d, 2)",
    "from tensorflow.keras.layers import *\nConv2D(3, 3)",
    "from .layers import *\nZeroPadding2D(1)",
    "def build(layers):\n    return layers.AveragePooling2D()",
    "import torch.nn.functional as F\nF.pad(x, (0, 1))",
    "import torch\ntorch.nn.functional.unfold(x, 3)",
    "import tensorflow as tf\ntf.nn.atrous_conv2d_transpose(x)",
    "helper.make_node('Conv', auto_pad='SAME_UPPER')",
    "x = 1  # noqa: PAD101",
    "x = 1  # padlint: ignore[PAD101] because",
    "# padlint: input-size=224",
]
OTHERS = [
    "",
    "x = 1",
    "import torch\nx = torch.zeros(3)",
    "import torch\nMyConv2d(3); conv2d_like(4); unpad(3); padded = padding",
    "from multiprocessing import Pool\npool = Pool()\npool.map(f, pad)",
    "import mypkg\nmypkg.Conv2d(3)",
    "x = 1  # noqa",
]


@pytest.mark.parametrize("text", CANDIDATES)
def test_candidates(text: str) -> None:
    assert is_candidate(text.encode())


@pytest.mark.parametrize("text", OTHERS)
def test_others(text: str) -> None:
    assert not is_candidate(text.encode())


@pytest.mark.parametrize("name", sorted(operator_names(PADDED)))
def test_every_operator_is_found(name: str) -> None:
    for text in (f"torch\n{name}", f"torch.{name}(", f"keras {name}=", f"tensorflow\nx.{name}\n"):
        assert is_candidate(text.encode())
    assert not is_candidate(f"torch x{name} {name}x _{name}_".encode())


def test_what_cannot_be_read_or_decoded_is_a_problem(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_bytes(b"# \xff")
    good.write_text(CANDIDATES[0])
    files = [Found(path, 1, Settings()) for path in (bad, good, tmp_path / "gone.py")]
    sifting = Sifting()
    assert [file.path for file in sifting.candidates(files)] == [good]
    assert [Path(problem.where).name for problem in sifting.problems] == ["bad.py", "gone.py"]
