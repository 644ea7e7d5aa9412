"""The language server behind `padlint server`. Only `app` and what it imports need pygls."""
