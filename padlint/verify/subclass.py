"""The one class that programs may define: a convolution that pads its input and keeps its parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from padlint.verify.values import Unsupported


@dataclass(frozen=True, eq=False)
class PaddedClass:
    """A class whose `forward(self, argument)` is `self._conv_forward(padded, self.weight, self.bias)`."""

    base: ast.expr
    argument: str
    padded: ast.expr


def recognise(definition: ast.ClassDef | ast.FunctionDef) -> PaddedClass:
    """Take the class apart; `Unsupported` if it is any other than that."""
    match definition:
        case ast.ClassDef(bases=[base], keywords=[], decorator_list=[], body=body):
            match _without_docstring(body):
                case [ast.FunctionDef(name="forward", args=arguments, decorator_list=[], body=method)]:
                    names = _positional(arguments)
                    match _without_docstring(method):
                        case [
                            ast.Return(value=ast.Call(func=function, args=[padded, *rest], keywords=[]))
                        ] if len(names) == 2 and [ast.unparse(node) for node in (function, *rest)] == [
                            f"{names[0]}.{name}" for name in ("_conv_forward", "weight", "bias")
                        ]:
                            return PaddedClass(base, names[1], padded)
    raise Unsupported(f"the definition of {definition.name} is not of the form that can be run here")


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
    return body


def _positional(arguments: ast.arguments) -> list[str]:
    """The parameters' names if they are plain ones, else none."""
    other = (
        arguments.vararg,
        arguments.kwarg,
        *arguments.kwonlyargs,
        *arguments.posonlyargs,
        *arguments.defaults,
    )
    return [] if any(other) else [argument.arg for argument in arguments.args]
