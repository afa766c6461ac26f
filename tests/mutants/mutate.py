"""Small faults, one at a time: every way to make a module slightly wrong."""

import ast
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}  # fmt: skip
"""What an operator is taken for by mistake."""


class Mutant(Struct, frozen=True):
    """One fault in a module: where it is and what is done there.

    *number* counts the places of the module, *choice* the faults of the place.
    """

    path: Path
    number: int
    choice: int
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line} {self.what}"

    def source(self) -> str:
        """Return the module's source with the fault."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        place = _places(tree)[self.number]
        _, fault = list(_faults(place))[self.choice]
        fault(place)
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of the functions in a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for number, place in enumerate(_places(tree)):
        for choice, (what, _) in enumerate(_faults(place)):
            yield Mutant(path, number, choice, place.lineno, what)


def _places(tree: ast.Module) -> list[ast.AST]:
    """Return what may be wrong in the functions of a module, in a fixed order."""
    return [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for node in _inside(statement)
    ]


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may be wrong in a statement: no annotation, message or docstring."""
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert | ast.FunctionDef):
        return
    if hasattr(node, "lineno"):
        yield node
    for name, value in ast.iter_fields(node):
        if name == "annotation":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _inside(child)


def _faults(node: ast.AST):
    """Yield (what it is, function that makes the fault in a copy) for one place."""
    match node:
        case ast.Constant():
            yield from _of_a_constant(node)
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition turned round", _negate
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield "returns None", _return_none
        case ast.AugAssign() | ast.Expr(value=ast.Call() | ast.Yield()):
            yield "left out", _leave_out
        case ast.Call(func=ast.Name(id="replace"), keywords=keywords):
            for index, keyword in enumerate(keywords):
                yield f"without {keyword.arg}=", _without(index)
        case _:
            yield from _of_an_operator(node)


def _of_a_constant(node: ast.Constant):
    if isinstance(node.value, bool):
        yield f"{node.value} flipped", _flip
    elif isinstance(node.value, int):
        yield f"{node.value} is one more", _one_more


def _of_an_operator(node: ast.AST):
    match node:
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            yield _named(op), _swap_compare
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OTHER:
            yield _named(op), _swap_operator
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", _drop_not


def _named(op: ast.AST) -> str:
    return f"{type(op).__name__} as {OTHER[type(op)].__name__}"


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _swap_compare(node):
    node.ops = [OTHER[type(node.ops[0])]()]


def _swap_operator(node):
    node.op = OTHER[type(node.op)]()


def _drop_not(node):
    # `not x` as a truth: `not not x`, so that the kind of the value stays.
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _flip(node):
    node.value = not node.value


def _one_more(node):
    node.value += 1


def _negate(node):
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _return_none(node):
    node.value = ast.Constant(None)


def _leave_out(node):
    node.__class__ = ast.Pass
    node._fields = ()


def _without(index):
    def drop(node):
        del node.keywords[index]

    return drop
