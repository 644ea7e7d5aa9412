"""`python -m padlint` is the `padlint` command."""

from padlint.cli import main

if __name__ == "__main__":
    main()
