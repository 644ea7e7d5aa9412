"""One driven LibCST visitor: indexes parents, calls, names, attributes and scopes of a tree in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import libcst as cst

from padlint.syntax.binder import Binder
from padlint.syntax.inheritance import inherited_base_of
from padlint.syntax.limits import DEEPEST
from padlint.syntax.scopes import Binding, BindingKind, Scope
from padlint.syntax.walk import code_children

_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
_SCOPES = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda, *_COMPREHENSIONS})


class Index(Binder):
    """What one pass over a tree finds. `module_scope` may already hold the module's names (see scout)."""

    def __init__(self, module_scope: Scope, *, bind_module: bool) -> None:
        super().__init__(module_scope, bind_module=bind_module)
        self.scopes: dict[cst.CSTNode, Scope] = {}
        self.calls: list[cst.Call] = []
        self.names: dict[str, list[cst.Name]] = {}
        self.attributes: dict[str, list[cst.Attribute]] = {}
        self.functions: list[cst.FunctionDef] = []
        self.classes: list[cst.ClassDef] = []
        self._chained = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Walk the tree below `node` here; LibCST itself descends no further."""
        self._walk(node)
        self._finish()
        return False

    def scope_of(self, node: cst.CSTNode) -> Scope:
        """The scope in which `node` is evaluated."""
        parents = self.parents
        below, child, parent = node, node, parents.get(node)
        while parent is not None:
            if type(parent) in _SCOPES and _inside(parent, child, below):
                return self.scopes[parent]
            below, child, parent = child, parent, parents.get(parent)
        return self.module_scope

    # -- walking ---------------------------------------------------------------------------------------------

    def _walk(self, node: cst.CSTNode) -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node)
        else:
            self._children(node)

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
        self._bind_target(outer.target, outer.iter, outer, BindingKind.LOOP)
        for part in code_children(outer):
            if part is not outer.iter:
                self._child(outer, part)
        for part in code_children(node):
            if part is not outer:
                self._child(node, part)
        self._scope = scope


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
