"""Runs the user's program with hooks in its frameworks, and shows what they saw."""
