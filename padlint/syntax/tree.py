"""One driven LibCST visitor: indexes parents, calls, names, attributes and scopes of a tree in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst

from padlint.syntax.inheritance import inherited_base_of
from padlint.syntax.limits import DEEPEST
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.walk import code_children

_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_SCOPES = (cst.FunctionDef, cst.ClassDef, cst.Lambda, *_COMPREHENSIONS)


class Index(cst.CSTVisitor):
    """What one pass over a tree finds. `module_scope` may already hold the module's names (see scout)."""

    def __init__(self, module_scope: Scope, *, bind_module: bool) -> None:
        super().__init__()
        self.module_scope = module_scope
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.scopes: dict[cst.CSTNode, Scope] = {}
        self.calls: list[cst.Call] = []
        self.names: dict[str, list[cst.Name]] = {}
        self.attributes: dict[str, list[cst.Attribute]] = {}
        self.functions: list[cst.FunctionDef] = []
        self.classes: list[cst.ClassDef] = []
        self._scope = module_scope
        self._bind_module = bind_module
        self._chained = 0
        self._nonlocal: list[tuple[Scope, str, Binding]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Walk the tree below `node` here; LibCST itself descends no further."""
        self._walk(node)
        # Only now are all functions known that may own the names.
        for scope, name, binding in self._nonlocal:
            scope.bind(name, binding)
        self._nonlocal.clear()
        return False

    def scope_of(self, node: cst.CSTNode) -> Scope:
        """The scope in which `node` is evaluated."""
        below, child, parent = node, node, self.parents.get(node)
        while parent is not None:
            if isinstance(parent, _SCOPES) and _inside(parent, child, below):
                return self.scopes[parent]
            below, child, parent = child, parent, self.parents.get(parent)
        return self.module_scope

    # -- walking ---------------------------------------------------------------------------------------------

    def _walk(self, node: cst.CSTNode) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node)
        else:
            self._children(node)

    def _children(self, node: cst.CSTNode) -> None:
        for child in code_children(node):
            self.parents[child] = node
            self._walk(child)

    def _child(self, node: cst.CSTNode, child: cst.CSTNode | None) -> None:
        if child is not None:
            self.parents[child] = node
            self._walk(child)

    def _call(self, node: cst.Call) -> None:
        self.calls.append(node)
        self._children(node)

    def _name(self, node: cst.Name) -> None:
        self.names.setdefault(node.value, []).append(node)

    def _attribute(self, node: cst.Attribute) -> None:
        self.attributes.setdefault(node.attr.value, []).append(node)
        self.parents[node.attr] = node
        self._child(node, node.value)

    def _chain(self, node: cst.BooleanOperation | cst.ConcatenatedString) -> None:
        """Chains that LibCST nests and `ast` does not, so that nobody has measured their depth yet."""
        self._chained += 1
        if self._chained > DEEPEST:
            raise RecursionError("nested too deeply")
        self._children(node)
        self._chained -= 1

    def _arg(self, node: cst.Arg) -> None:
        self._child(node, node.value)  # the keyword is no name that is read

    def _open(self, kind: str, node: cst.CSTNode, types: cst.TypeParameters | None = None) -> Scope:
        around = self._scope
        if types is not None:  # a scope of their own, which methods see too
            around = Scope("types", None, around)
            for parameter in types.params:
                name = parameter.param.name.value
                around.bind(name, Binding(BindingKind.OTHER, 0, node=parameter))
        scope = Scope(kind, node, around)
        self.scopes[node] = scope
        return scope

    def _function(self, node: cst.FunctionDef) -> None:
        self.functions.append(node)
        self._bind(node.name.value, BindingKind.DEFINITION, node)
        self._signature(node, node.params)
        for decorator in node.decorators:
            self._child(node, decorator)
        self._child(node, node.returns)
        scope = self._open("function", node, node.type_parameters)
        self._body(node, scope, node.params, (node.body,))

    def _lambda(self, node: cst.Lambda) -> None:
        self._signature(node, node.params)
        self._body(node, self._open("lambda", node), node.params, (node.body,))

    def _signature(self, node: cst.CSTNode, params: cst.Parameters) -> None:
        """Defaults and annotations belong to the scope around the function."""
        self.parents[params] = node
        for param in _parameters(params):
            self.parents[param] = params
            self._child(param, param.default)
            self._child(param, param.annotation)

    def _body(
        self, node: cst.CSTNode, scope: Scope, params: cst.Parameters | None, body: tuple[cst.CSTNode, ...]
    ) -> None:
        outer, self._scope = self._scope, scope
        if params is not None:
            for param in _parameters(params):
                scope.bind(
                    param.name.value, Binding(BindingKind.PARAMETER, 0, value=param.default, node=param)
                )
        for part in body:
            self._child(node, part)
        self._scope = outer

    def _class(self, node: cst.ClassDef) -> None:
        self.classes.append(node)
        self._bind(node.name.value, BindingKind.CLASS, node, path=inherited_base_of(node))
        for part in (*node.decorators, *node.bases, *node.keywords):
            self._child(node, part)
        scope = self._open("class", node, node.type_parameters)
        self._body(node, scope, None, (node.body,))

    def _type_alias(self, node: cst.TypeAlias) -> None:
        self._bind(node.name.value, BindingKind.OTHER, node)
        self._children(node)

    def _comprehension(self, node: cst.BaseSimpleComp | cst.DictComp) -> None:
        outer = node.for_in
        self.parents[outer] = node
        self._child(outer, outer.iter)  # in the scope around the comprehension
        scope, self._scope = self._scope, self._open("comprehension", node)
        self._bind_target(outer.target, None, outer)
        for part in code_children(outer):
            if part is not outer.iter:
                self._child(outer, part)
        for part in code_children(node):
            if part is not outer:
                self._child(node, part)
        self._scope = scope

    # -- binding ---------------------------------------------------------------------------------------------

    def _bind(
        self,
        name: str,
        kind: BindingKind,
        node: cst.CSTNode,
        value: cst.BaseExpression | None = None,
        path: str = "",
    ) -> None:
        if self._scope is self.module_scope and not self._bind_module:
            return
        binding = Binding(kind, 0, path, value, node=node)
        if self._scope.outer_names.get(name) == "nonlocal":
            self._nonlocal.append((self._scope, name, binding))
        else:
            self._scope.bind(name, binding)

    def _bind_target(self, target: cst.CSTNode, value: cst.BaseExpression | None, node: cst.CSTNode) -> None:
        if isinstance(target, cst.Name):
            kind = BindingKind.ASSIGN if value is not None else BindingKind.OTHER
            self._bind(target.value, kind, node, value)
        elif isinstance(target, cst.StarredElement):
            self._bind_target(target.value, None, node)
        elif isinstance(target, (cst.Tuple, cst.List)):
            elements: list[cst.CSTNode] = [
                e.value if isinstance(e, cst.Element) else e for e in target.elements
            ]
            values: list[cst.BaseExpression | None] = [None] * len(elements)
            if (
                isinstance(value, (cst.Tuple, cst.List))
                and len(value.elements) == len(elements)
                and all(isinstance(e, cst.Element) for e in (*value.elements, *target.elements))
            ):
                values = [element.value for element in value.elements]
            for element, part in zip(elements, values, strict=True):
                self._bind_target(element, part, node)

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
        self._bind_target(node.target, None, node)
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


def _parameters(params: cst.Parameters) -> Iterator[cst.Param]:
    yield from params.posonly_params
    yield from params.params
    if isinstance(params.star_arg, cst.Param):
        yield params.star_arg
    yield from params.kwonly_params
    if params.star_kwarg is not None:
        yield params.star_kwarg


def _inside(scope_node: cst.CSTNode, child: cst.CSTNode, below: cst.CSTNode) -> bool:
    """Whether `child`, reached from `below`, is evaluated inside the scope (and not in the one around it)."""
    if isinstance(scope_node, _COMPREHENSIONS):
        return below is not scope_node.for_in.iter
    return child is getattr(scope_node, "body", None)


# Each handler takes the node type that is its key.
_HANDLERS: dict[type, Callable[[Index, Any], None]] = {
    cst.Call: Index._call,
    cst.Name: Index._name,
    cst.Attribute: Index._attribute,
    cst.Arg: Index._arg,
    cst.BooleanOperation: Index._chain,
    cst.ConcatenatedString: Index._chain,
    cst.FunctionDef: Index._function,
    cst.Lambda: Index._lambda,
    cst.ClassDef: Index._class,
    cst.TypeAlias: Index._type_alias,
    cst.ListComp: Index._comprehension,
    cst.SetComp: Index._comprehension,
    cst.DictComp: Index._comprehension,
    cst.GeneratorExp: Index._comprehension,
    cst.Assign: Index._assign,
    cst.AnnAssign: Index._annotated,
    cst.AugAssign: Index._augmented,
    cst.NamedExpr: Index._walrus,
    cst.For: Index._for,
    cst.CompFor: Index._for,
    cst.AsName: Index._as_name,
    cst.Del: Index._delete,
    cst.MatchAs: Index._capture,
    cst.MatchStar: Index._capture,
    cst.MatchMapping: Index._capture,
    cst.Global: Index._global,
    cst.Nonlocal: Index._global,
    cst.Import: Index._import,
    cst.ImportFrom: Index._import_from,
}
