"""The rules, one per file. `ALL` lists them in the order of their codes."""

from __future__ import annotations

from padlint.rules.base import Documentation, Rule
from padlint.rules.pad001 import SyntaxErrorRule
from padlint.rules.pad002 import UnusedSuppression
from padlint.rules.pad003 import IdlePromise
from padlint.rules.pad004 import InvalidSuppression
from padlint.rules.pad101 import StridedSameConv
from padlint.rules.pad102 import SamePool
from padlint.rules.pad103 import SameTransposedConv
from padlint.rules.pad104 import EvenKernelSame
from padlint.rules.pad105 import OnnxAutoPad
from padlint.rules.pad201 import AsymmetricPaddingArgument
from padlint.rules.pad202 import ZeroPadBeforeMaxPool
from padlint.rules.pad203 import AveragePoolCountsPadding
from padlint.rules.pad204 import PadBeforeTransposedConv
from padlint.rules.pad205 import PoolCeilMode
from padlint.rules.pad206 import AsymmetricZeroPad
from padlint.rules.pad301 import FoldableZeroPad
from padlint.rules.pad302 import SizeDependentPad
from padlint.rules.pad303 import ExportUnsafeCeil
from padlint.rules.pad304 import UnfoldedFunctionalPad
from padlint.rules.pad305 import SameString
from padlint.rules.pad306 import NonZeroPaddingMode
from padlint.rules.pad307 import KerasDynamicExport
from padlint.rules.pad401 import SameWithStride
from padlint.rules.pad402 import InvalidPaddingValue
from padlint.rules.pad403 import StrideWithDilation
from padlint.rules.pad404 import PadTooLarge
from padlint.rules.pad406 import LayerAsInput
from padlint.rules.pad501 import HalfKernelEven
from padlint.rules.pad502 import SameIgnoresDilation
from padlint.rules.pad503 import SameExtraFirst
from padlint.rules.pad504 import LateGeometryChange
from padlint.rules.pad505 import OneSizeForAllLayers
from padlint.rules.pad601 import SizeMismatch
from padlint.rules.pad602 import VanishingMap
from padlint.rules.pad701 import RawQuantisedPad
from padlint.rules.pad702 import UntrainableQuantisedLayer
from padlint.rules.pad703 import InfinitePadInInt8
from padlint.rules.pad801 import NoSingleCallTwin

__all__ = ["ALL", "Documentation", "Rule"]

ALL: tuple[type[Rule], ...] = (
    SyntaxErrorRule,
    UnusedSuppression,
    IdlePromise,
    InvalidSuppression,
    StridedSameConv,
    SamePool,
    SameTransposedConv,
    EvenKernelSame,
    OnnxAutoPad,
    AsymmetricPaddingArgument,
    ZeroPadBeforeMaxPool,
    AveragePoolCountsPadding,
    PadBeforeTransposedConv,
    PoolCeilMode,
    AsymmetricZeroPad,
    FoldableZeroPad,
    SizeDependentPad,
    ExportUnsafeCeil,
    UnfoldedFunctionalPad,
    SameString,
    NonZeroPaddingMode,
    KerasDynamicExport,
    SameWithStride,
    InvalidPaddingValue,
    StrideWithDilation,
    PadTooLarge,
    LayerAsInput,
    HalfKernelEven,
    SameIgnoresDilation,
    SameExtraFirst,
    LateGeometryChange,
    OneSizeForAllLayers,
    SizeMismatch,
    VanishingMap,
    RawQuantisedPad,
    UntrainableQuantisedLayer,
    InfinitePadInInt8,
    NoSingleCallTwin,
)
