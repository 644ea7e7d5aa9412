"""Writes a helper into a file once, with the imports that it needs, behind those that are there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from padlint import catalogue
from padlint.findings import Edit
from padlint.rewrites.helpers import KERAS_ROOT, Helper, in_package
from padlint.rewrites.model import Refusal
from padlint.rewrites.names import Spelled, spell, taken
from padlint.sites.collecting import interesting_names
from padlint.sites.site import Site
from padlint.syntax.preamble import Preamble, preamble_of
from padlint.syntax.scopes import BindingKind, Scope, resolve
from padlint.syntax.units import File

# Modules that are named by an import of their own if the file has no name for them: the path of one, the name
# that it gets, and the statement that gives it.
_IMPORTS = (
    (r"tensorflow(?=\.)", "tf", "import tensorflow as tf"),
    (r"jax\.numpy(?=\.)", "jnp", "import jax.numpy as jnp"),
    (r"torch\.nn\.functional(?=\.)", "F", "from torch.nn import functional as F"),
    (r"keras\.src\.(\w+)(?=\.)", r"\1", r"from keras.src import \1"),
    (r"keras(?=\.)", "keras", "import keras"),
    (r"tf_keras(?=\.)", "tf_keras", "import tf_keras"),
)
_KERAS_3 = frozenset({"keras", "keras.src"})
_BLANK = re.compile(r"(?:[ \t\f]*(?:\r\n|\n|\r))*")
_ROW_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Inserted:
    """A helper that the file has, or will have after the edits.

    `text` is its definition, `added` maps the names that the edits import to what they mean.
    """

    name: str
    text: str
    edits: tuple[Edit, ...]
    added: tuple[tuple[str, str], ...]


def package_of(site: Site) -> str:
    """The package that a site's operator is called from (`jax`, `keras`, `tensorflow.keras`) if it is one."""
    paths = resolve(site.scope, site.call.func, catalogue.star_exports).paths
    keras = [re.match(KERAS_ROOT, path) for path in paths]
    found = {match[0] if match else path.partition(".")[0] for path, match in zip(paths, keras, strict=True)}
    return found.pop() if len(found) == 1 else ""


def insert(file: File, site: Site, helper: Helper) -> Inserted | Refusal:
    """The helper for a file, found or newly written."""
    preamble = preamble_of(file.source, interesting_names())
    if preamble is None or not preamble.row:
        return Refusal("no place for a definition is seen above the code that would use it")
    package = package_of(site)
    if helper.needs and not _imported(file.module, package):
        return Refusal("the module itself imports nothing of the framework, only its functions do")
    words = _Words(file, preamble, package)
    spelled: dict[str, str] = {}
    for place, path in helper.needs.items():
        word = words.spell(in_package(path, package))
        if isinstance(word, Refusal):
            return word
        spelled[place] = word
    for name in (helper.name, f"{helper.name}_2"):
        text = helper.written(name, spelled)
        if preamble.defines(name, text):
            return Inserted(name, text, (), ())
        if not taken(file, name):
            definition = _definition(file, preamble, words.statements, text)
            return Inserted(name, text, (definition,), tuple(words.added.items()))
    return Refusal(f"the name {helper.name} is taken in this file")


def named(file: File, site: Site, path: str) -> Spelled | Refusal:
    """How a file can name something of Keras 3 (`keras.ops.pad`) at a site, by a new import if it has to."""
    package = package_of(site)
    if not package:
        name = path.partition(".")[2]
        return Refusal(f"which Keras it is from is not certain, and only that of Keras 3 has {name}")
    path = in_package(path, package)
    word = spell(site.scope, path)
    if word is not None:
        return Spelled(word)
    preamble = preamble_of(file.source, interesting_names())
    if package not in _KERAS_3 or preamble is None or not preamble.row or not _imported(file.module, package):
        return Refusal(f"the file has no name for {path}")
    words = _Words(file, preamble, package)
    new = words.spell(path)
    if isinstance(new, Refusal):
        return new
    offset = file.source.line_start(preamble.row + 1)
    head = "" if file.source.text[:offset].endswith(("\n", "\r")) else "\n"
    content = head + "".join(f"{statement}\n" for statement in words.statements)
    edit = file.source.edit(offset, offset, content.replace("\n", file.source.newline(offset)))
    return Spelled(new, (edit,), tuple(words.added.items()))


def _imported(module: Scope, path: str) -> bool:
    """Whether the module imports anything of the package of a path."""
    package = path.partition(".")[0]
    bindings = (binding for bound in module.bindings.values() for binding in bound)
    paths = [binding.path for binding in bindings if binding.kind is BindingKind.IMPORT]
    return any(
        name.partition(".")[0] == package for name in [*paths, *(star.module for star in module.stars)]
    )


class _Words:
    """Spells dotted paths for the module of a file, and collects the imports that it needs for that."""

    def __init__(self, file: File, preamble: Preamble, package: str) -> None:
        self._file, self._preamble, self._package = file, preamble, package
        self.statements: list[str] = []
        self.added: dict[str, str] = {}

    def spell(self, path: str) -> str | Refusal:
        """The words for a path, with an import where there are none."""
        module = self._file.module
        for candidate in (path, path.replace("tensorflow.", "tensorflow.compat.v1.", 1)):
            word = spell(module, candidate)
            if word is not None and self._is_above(word):
                return word
        for pattern, name, statement in _IMPORTS:
            match = re.match(pattern, path)
            if match is None:
                continue
            name, statement = match.expand(name), match.expand(statement)
            if name not in self.added and taken(self._file, name):
                return Refusal(f"the file has no name for {path}, and {name} is taken")
            if statement not in self.statements:
                self.statements.append(statement)
                self.added[name] = match[0]
            return name + path[match.end() :]
        return Refusal(f"the file has no name for {path}")

    def _is_above(self, word: str) -> bool:
        """Whether the name that a word begins with is bound where the helper stands."""
        bindings = self._file.module.bindings.get(word.partition(".")[0], ())
        return all(binding.row <= self._preamble.row for binding in bindings)


def _definition(file: File, preamble: Preamble, imports: list[str], text: str) -> Edit:
    """The edit that writes imports and a definition, two rows apart from what stands around them."""
    source = file.source
    offset = source.line_start(preamble.row + 1)
    head = "" if source.text[:offset].endswith(("\n", "\r")) else "\n"
    below = _BLANK.match(source.text, offset)
    blank = len(_ROW_END.findall(below[0])) if below is not None and below.end() < len(source.text) else 2
    statements = "".join(f"{statement}\n" for statement in sorted(imports))
    content = head + statements + "\n\n" + text + "\n" * max(2 - blank, 0)
    return source.edit(offset, offset, content.replace("\n", source.newline(offset)))
