"""The operator calls of a file: catalogue and syntax brought together."""

from padlint.sites.collecting import collect, interesting_names
from padlint.sites.reading import Axis, Reading, data_format, readings, spatial_rank
from padlint.sites.site import Site

__all__ = [
    "Axis",
    "Reading",
    "Site",
    "collect",
    "data_format",
    "interesting_names",
    "readings",
    "spatial_rank",
]
