"""The bindings of every statement and expression in a LibCST tree."""

from __future__ import annotations

import libcst as cst

from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.walk import code_children


class Binder(cst.CSTVisitor):
    """Walks a tree and binds names in the scope that it is in; a subclass opens the scopes."""

    def __init__(self, module_scope: Scope, *, bind_module: bool) -> None:
        super().__init__()
        self.module_scope = module_scope
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self._scope = module_scope
        self._bind_module = bind_module
        self._of_module: dict[str, list[Binding]] = {}  # of a module whose scope is filled already
        self._nonlocal: list[tuple[Scope, str, Binding]] = []

    def _walk(self, node: cst.CSTNode) -> None:
        raise NotImplementedError

    def _children(self, node: cst.CSTNode) -> None:
        for child in code_children(node):
            self.parents[child] = node
            self._walk(child)

    def _child(self, node: cst.CSTNode, child: cst.CSTNode | None) -> None:
        if child is not None:
            self.parents[child] = node
            self._walk(child)

    def _finish(self) -> None:
        """Bind what `nonlocal` leads elsewhere; only now are all functions known that may own the names."""
        for scope, name, binding in self._nonlocal:
            scope.bind(name, binding)
        self._nonlocal.clear()

    def _bind(
        self,
        name: str,
        kind: BindingKind,
        node: cst.CSTNode,
        value: cst.BaseExpression | None = None,
        path: str = "",
        element: tuple[int, ...] = (),
    ) -> None:
        loop = node if kind is BindingKind.LOOP else None
        binding = Binding(kind, 0, path, value, node=node, element=element, loop=loop)
        if self._scope is self.module_scope and not self._bind_module:
            self._of_module.setdefault(name, []).append(binding)
        elif self._scope.outer_names.get(name) == "nonlocal":
            self._nonlocal.append((self._scope, name, binding))
        else:
            self._scope.bind(name, binding)

    def bindings_of(self, scope: Scope, name: str) -> list[Binding]:
        """The bindings of a name as this tree has them: of the module's maybe not all."""
        if scope is self.module_scope and not self._bind_module:
            return self._of_module.get(name, [])
        return scope.bindings[name]

    def _bind_target(
        self,
        target: cst.CSTNode,
        value: cst.BaseExpression | None,
        node: cst.CSTNode,
        whole: BindingKind = BindingKind.ASSIGN,
        element: tuple[int, ...] = (),
    ) -> None:
        """Bind what a target names. `whole` is the kind of a name that takes all of the value."""
        if isinstance(target, cst.Name):
            kind = BindingKind.OTHER if value is None else BindingKind.ELEMENT if element else whole
            kind = BindingKind.LOOP if value is not None and whole is BindingKind.LOOP else kind
            self._bind(target.value, kind, node, value, element=element)
        elif isinstance(target, cst.StarredElement):
            self._bind_target(target.value, None, node)
        elif isinstance(target, (cst.Tuple, cst.List)):
            elements: list[cst.CSTNode] = [
                e.value if isinstance(e, cst.Element) else e for e in target.elements
            ]
            if not all(isinstance(e, cst.Element) for e in target.elements):
                value = None
            if (
                whole is BindingKind.ASSIGN
                and not element
                and isinstance(value, (cst.Tuple, cst.List))
                and len(value.elements) == len(elements)
                and all(isinstance(e, cst.Element) for e in value.elements)
            ):
                for item, part in zip(elements, value.elements, strict=True):
                    self._bind_target(item, part.value, node)
            else:
                for i, item in enumerate(elements):
                    self._bind_target(item, value, node, whole, (*element, i))

    def _assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            self._bind_target(target.target, node.value, node)
        self._children(node)

    def _annotated(self, node: cst.AnnAssign) -> None:
        if node.value is not None:
            self._bind_target(node.target, node.value, node)
        self._children(node)

    def _augmented(self, node: cst.AugAssign) -> None:
        self._bind_target(node.target, None, node)
        self._children(node)

    def _walrus(self, node: cst.NamedExpr) -> None:
        scope, owner = self._scope, next(s for s in self._scope.chain() if s.kind != "comprehension")
        self._scope = owner
        # In a comprehension the value is made of names that the scope around it does not have.
        self._bind_target(node.target, node.value if owner is scope else None, node)
        self._scope = scope
        self._children(node)

    def _for(self, node: cst.For | cst.CompFor) -> None:
        self._bind_target(node.target, node.iter, node, BindingKind.LOOP)
        self._children(node)

    def _as_name(self, node: cst.AsName) -> None:
        """`with ... as x`, `except ... as x`; imports handle their own."""
        self._bind_target(node.name, None, node)
        self._children(node)

    def _delete(self, node: cst.Del) -> None:
        self._bind_target(node.target, None, node)
        self._children(node)

    def _capture(self, node: cst.CSTNode) -> None:
        """Names bound by a match pattern: `case x`, `case [*rest]`, `case {**rest}`."""
        for name in (getattr(node, "name", None), getattr(node, "rest", None)):
            if isinstance(name, cst.Name):
                self._bind(name.value, BindingKind.OTHER, node)
        self._children(node)

    def _global(self, node: cst.Global | cst.Nonlocal) -> None:
        where = "global" if isinstance(node, cst.Global) else "nonlocal"
        for item in node.names:
            self._scope.outer_names[item.name.value] = where
            if where == "global" and self._bind_module:
                self.module_scope.bind(item.name.value, Binding(BindingKind.OTHER, 0, node=node))

    def _import(self, node: cst.Import) -> None:
        for alias in node.names:
            path = _module_path(alias.name)
            if alias.asname is not None:
                self._bind_import(alias.asname, path, node)
            else:
                root = path.partition(".")[0]
                self._bind(root, BindingKind.IMPORT, node, path=root)

    def _import_from(self, node: cst.ImportFrom) -> None:
        # A relative import leads into the user's own package: a path with leading dots matches no operator.
        module = "." * len(node.relative) + (_module_path(node.module) if node.module is not None else "")
        if isinstance(node.names, cst.ImportStar):
            if self._bind_module:
                self.module_scope.bind_star(module)
            return
        for alias in node.names:
            self.parents[alias] = node
            path = f"{module}.{_module_path(alias.name)}"
            if alias.asname is not None:
                self._bind_import(alias.asname, path, alias)
            else:
                self._bind(_module_path(alias.name), BindingKind.IMPORT, alias, path=path)

    def _bind_import(self, asname: cst.AsName, path: str, node: cst.CSTNode) -> None:
        if isinstance(asname.name, cst.Name):
            self._bind(asname.name.value, BindingKind.IMPORT, node, path=path)


def _module_path(node: cst.Attribute | cst.Name) -> str:
    if isinstance(node, cst.Name):
        return node.value
    return (
        f"{_module_path(node.value)}.{node.attr.value}"
        if isinstance(node.value, (cst.Attribute, cst.Name))
        else ""
    )
