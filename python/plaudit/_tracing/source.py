"""The source of functions under trace: code that keeps histories through int and float, and lines to show."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
import types
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

from .record import _LIBRARY, Foreign, Site
from .scalars import as_bool, as_float, as_int

_KEPT = {"int": as_int, "float": as_float, "bool": as_bool}
_NAME = "_plaudit_traced_%s"


def functions_in(function: Any) -> List[types.FunctionType]:
    """The Python functions that a callable consists of, with those in its closure and those of its class."""
    found: List[types.FunctionType] = []
    seen: Set[int] = set()

    def of(one: Any, depth: int) -> None:
        if id(one) in seen or depth > 4:
            return
        seen.add(id(one))
        if isinstance(one, functools.partial):
            of(one.func, depth + 1)
        elif isinstance(one, types.MethodType):
            of(one.__func__, depth + 1)
            of_class(type(one.__self__), depth)
        elif isinstance(one, types.FunctionType):
            if str(one.__globals__.get("__name__", "")).startswith("plaudit."):
                return  # Of this package: a wrapper must keep what it wraps.
            found.append(one)
            of(getattr(one, "__wrapped__", None), depth + 1)
            for cell in one.__closure__ or ():
                try:
                    of(cell.cell_contents, depth + 1)
                except ValueError:
                    continue
        elif hasattr(one, "clean") and hasattr(one, "noise"):
            of(one.clean, depth + 1)
            of(one.noise, depth + 1)
        elif callable(one) and not isinstance(one, type):
            of_class(type(one), depth)

    def of_class(kind: type, depth: int) -> None:
        for value in vars(kind).values():
            of(getattr(value, "__func__", value), depth + 1)

    of(function, 0)
    return found


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@functools.lru_cache(maxsize=None)
def is_users(file: Optional[str]) -> bool:
    """Whether a file is a user's own: neither Python's, nor installed, nor of this package."""
    if not file or file.startswith("<") and not file.startswith("<ipython"):
        return False
    path = os.path.abspath(file)
    return not path.startswith((_LIBRARY + os.sep, _PACKAGE)) and os.sep + "site-packages" + os.sep not in path


def put(undo: List[Callable[[], Any]], function: Any) -> None:
    """Gives the functions of a user's files code in which int, float and bool keep the history of a number."""
    every: Dict[int, types.FunctionType] = {id(one): one for one in functions_in(function)}
    files = {one.__code__.co_filename for one in every.values() if is_users(one.__code__.co_filename)}
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not is_users(file):
            continue
        for one in _functions_of(module):
            if one.__code__.co_filename == file:
                every[id(one)] = one
                files.add(file)
    codes = {file: _rewritten(file) for file in files}
    for one in every.values():
        own = one.__code__
        found = codes.get(own.co_filename, {}).get((own.co_name, own.co_firstlineno), [])
        same = [code for code in found if _columns(code) == _columns(own)]
        code = same[0] if len(same) == 1 else found[0] if len(found) == 1 else None
        if code is None or code.co_freevars != one.__code__.co_freevars:
            continue
        undo.append(functools.partial(setattr, one, "__code__", one.__code__))
        one.__code__ = code
        for name, keeps in _KEPT.items():
            key = _NAME % name
            if key not in one.__globals__:
                one.__globals__[key] = keeps
                undo.append(functools.partial(one.__globals__.pop, key, None))


def _functions_of(module: Any) -> Iterator[types.FunctionType]:
    for value in list(vars(module).values()):
        if isinstance(value, types.FunctionType):
            yield value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for member in vars(value).values():
                member = getattr(member, "__func__", getattr(member, "fget", member))
                if isinstance(member, types.FunctionType):
                    yield member


class _Keep(ast.NodeTransformer):
    """Calls of int, float and bool become calls that keep histories."""

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _KEPT:
            node.func = ast.copy_location(ast.Name(_NAME % node.func.id, ast.Load()), node.func)
        return node


_Codes = Dict[Tuple[str, int], List[types.CodeType]]
_seen: Dict[Tuple[str, int], _Codes] = {}


def _rewritten(file: str) -> _Codes:
    """The code of a file's functions by name and line, rewritten; empty where its source is not at hand."""
    text = "".join(linecache.getlines(file))
    key = (file, hash(text))
    if key not in _seen:
        found: _Codes = {}
        try:
            tree = _Keep().visit(ast.parse(text))
            _collect(compile(tree, file, "exec", dont_inherit=True), found)
        except (SyntaxError, ValueError):
            found = {}
        _seen[key] = found
    return _seen[key]


_columns_of: Dict[int, Tuple[types.CodeType, Any]] = {}


def _columns(code: types.CodeType) -> Any:
    """Where its instructions stand, which tells functions of one line apart; nothing before Python 3.11."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return None
    # By identity, as codes of two files can be equal: each is kept, so that its id stays its own.
    if id(code) not in _columns_of:
        if len(_columns_of) >= 20_000:
            _columns_of.clear()
        found = frozenset((line, column) for line, _, column, _ in positions() if column is not None)
        _columns_of[id(code)] = code, found
    return _columns_of[id(code)][1]


def _collect(code: types.CodeType, found: _Codes) -> None:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.setdefault((constant.co_name, constant.co_firstlineno), []).append(constant)
            _collect(constant, found)


def named(file: str) -> str:
    """The path of a file, from the current folder if it is in it."""
    here = os.getcwd() + os.sep
    return file[len(here) :] if file.startswith(here) else file


def line(site: Site) -> str:
    """The text of a line."""
    if isinstance(site, Foreign):
        return site.text
    return linecache.getline(site.file, site.line).strip()


@functools.lru_cache(maxsize=16)
def _functions_in_text(text: str) -> List[Any]:
    """The functions of a source, in the order of `ast.walk`; none if it is not Python. Nobody changes their nodes."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]


def _function_at(site: Site) -> Optional[ast.AST]:
    """The innermost function around a line."""
    if isinstance(site, Foreign):
        return None
    found: Any = None
    for node in _functions_in_text("".join(linecache.getlines(site.file))):
        if node.lineno <= site.line <= (node.end_lineno or 0):
            if found is None or node.lineno >= found.lineno:
                found = node
    result: Optional[ast.AST] = found
    return result


_GROW = ("append", "extend", "insert", "add", "update", "setdefault")


def assignments(site: Site, names: Set[str]) -> List[Tuple[str, int]]:
    """The lines above a line, in its function, that set these names: (name, line), the last first."""
    node = _function_at(site)
    found: List[Tuple[str, int]] = []
    if node is None:
        return found
    for inner in ast.walk(node):
        one: Any = inner
        targets: List[Any] = []
        if isinstance(one, ast.Assign):
            targets = list(one.targets)
        elif isinstance(one, (ast.AugAssign, ast.AnnAssign, ast.For)):
            targets = [one.target]
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in _GROW:
            targets = [one.func.value]
        for target in targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name) and name.id in names and one.lineno <= site.line:
                    found.append((name.id, one.lineno))
    return sorted(set(found), key=lambda pair: -pair[1])


def names_in(site: Site) -> Set[str]:
    """The names that the statement of a line reads."""
    node = _function_at(site)
    found: Set[str] = set()
    for one in ast.walk(node) if node is not None else ():
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.lineno == site.line:
            found.add(one.id)
    return found


def returned(function: Any, path: Tuple[Any, ...], drawing: Set[int]) -> List[Tuple[Site, str]]:
    """The lines that make a part of what a function returns: of the `return`, then of the names in it; those that draw
    noise come last."""
    for one in functions_in(function):
        code = one.__code__
        site = Site(code.co_filename, code.co_firstlineno, code.co_name)
        tree = _function_of(site)
        if tree is None:
            continue
        found: List[Tuple[Site, str]] = []
        for node, line_number in _parts_of_returns(tree, path):
            here = [(Site(code.co_filename, line_number, code.co_name), ast.unparse(node))]
            names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
            above = [
                (Site(code.co_filename, number, code.co_name), name)
                for name in names
                for _, number in assignments(Site(site.file, line_number, site.function), {name})[:4]
            ]
            # A name alone is set elsewhere: there, its value lacks noise.
            found += above + here if isinstance(node, ast.Name) else here + above
        if found:
            quiet = [pair for pair in found if pair[0].line not in drawing]
            return quiet + [pair for pair in found if pair[0].line in drawing]
    return []


def attributes(function: Any, path: Tuple[Any, ...]) -> List[str]:
    """The attributes that a part of what a function returns reads."""
    found: List[str] = []
    for one in functions_in(function):
        tree = _function_of(Site(one.__code__.co_filename, one.__code__.co_firstlineno, one.__code__.co_name))
        for node, _ in _parts_of_returns(tree, path) if tree is not None else ():
            found += [inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)]
    return found


def _function_of(site: Site) -> Optional[ast.AST]:
    for node in _functions_in_text("".join(linecache.getlines(site.file))):
        first = min([node.lineno, *[one.lineno for one in getattr(node, "decorator_list", [])]])
        if first == site.line and (isinstance(node, ast.Lambda) or node.name == site.function):
            found: ast.AST = node
            return found
    return None


def _parts_of_returns(tree: Any, path: Tuple[Any, ...]) -> Iterator[Tuple[ast.AST, int]]:
    values = (
        [tree.body]
        if isinstance(tree, ast.Lambda)
        else [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    )
    for value in values:
        for step in path:
            inner = _part(value, step, tree)
            if inner is None:
                break
            value = inner
        yield value, value.lineno


def _part(node: Any, step: Any, tree: Any) -> Any:
    if isinstance(node, ast.Name):
        assigned = [
            one
            for one in ast.walk(tree)
            if isinstance(one, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == node.id for target in one.targets)
        ]
        node = assigned[-1].value if assigned else node
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and key.value == step:
                return value
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(step, int) and step < len(node.elts):
        if not any(isinstance(one, ast.Starred) for one in node.elts):
            return node.elts[step]
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg is not None and keyword.arg == step:
                return keyword.value
    return None


def setting(file: str, name: str) -> List[Tuple[Site, str]]:
    """The lines of a file that set an attribute of this name."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for one in ast.walk(target):
                    if isinstance(one, ast.Attribute) and one.attr == name:
                        found.append((Site(file, node.lineno, ""), name))
    return found[::-1]
