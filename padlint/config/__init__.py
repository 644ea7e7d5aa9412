"""From flags and configuration files to the settings of a run and of each file."""

from padlint.config.errors import ConfigError, suggestion
from padlint.config.globs import absolute
from padlint.config.loading import Configuration
from padlint.config.schema import (
    COLORS,
    KERAS_PADS,
    LEVELS,
    OUTPUT_FORMATS,
    TARGETS,
    UNKNOWN_SIZES,
    Layer,
    parse,
)
from padlint.config.settings import Settings

__all__ = [
    "COLORS",
    "KERAS_PADS",
    "LEVELS",
    "OUTPUT_FORMATS",
    "TARGETS",
    "UNKNOWN_SIZES",
    "ConfigError",
    "Configuration",
    "Layer",
    "Settings",
    "absolute",
    "parse",
    "suggestion",
]
