"""padlint finds, explains, fixes and proves padding that differs across frameworks, sizes and exporters."""

__version__ = "0.1.0"
