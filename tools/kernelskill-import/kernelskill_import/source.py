"""Loads the user's file, with constants replaced by --set."""
import ast
import os
import sys
import types

from .errors import ImportFailure


def parse_setting(text):
    """Splits NAME=VALUE or OLD=NEW; the value is a Python literal or a string.

    OLD is an integer; the name is an int then.
    """
    name, equals, value = text.partition("=")
    if equals and name.isdecimal() and value.isdecimal():
        return int(name), int(value)
    if not equals or not name.isidentifier():
        raise ImportFailure(f"--set needs NAME=VALUE, or OLD=NEW with two integers, but got '{text}'")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _targets(statement):
    """The simple names that a module-level statement assigns."""
    if isinstance(statement, ast.Assign):
        names = [t for t in statement.targets if isinstance(t, ast.Name)]
        for target in statement.targets:
            if isinstance(target, ast.Tuple):
                names += [t for t in target.elts if isinstance(t, ast.Name)]
        return [t.id for t in names]
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        if isinstance(statement.target, ast.Name):
            return [statement.target.id]
    return []


class _Numbers(ast.NodeTransformer):
    """Replaces integer literals, wherever they stand."""

    def __init__(self, values):
        self.values, self.met = values, set()

    def visit_Constant(self, node):
        if type(node.value) is int and node.value in self.values:
            self.met.add(node.value)
            return ast.copy_location(ast.Constant(self.values[node.value]), node)
        return node


def _apply(tree, settings, path):
    """Replaces the assigned values, so that what derives from them follows."""
    numbers = _Numbers({old: new for old, new in settings.items() if isinstance(old, int)})
    numbers.visit(tree)
    for old in numbers.values:
        if old not in numbers.met:
            raise ImportFailure(f"{path}: --set {old}: the file has no such integer")
    known = {}
    for statement in tree.body:
        for name in _targets(statement):
            known.setdefault(name, []).append(statement)
    for name, value in settings.items():
        if isinstance(name, int):
            continue
        if name not in known:
            have = ", ".join(sorted(known)) or "none"
            raise ImportFailure(f"{path}: --set {name}: no such module-level constant (there are: {have})")
        for statement in known[name]:
            new = ast.parse(repr(value), mode="eval").body
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if isinstance(target, ast.Tuple):
                if not isinstance(statement.value, ast.Tuple):
                    raise ImportFailure(
                        f"{path}:{statement.lineno}: --set {name}: its value comes from unpacking, which can't be replaced"
                    )
                index = [t.id if isinstance(t, ast.Name) else None for t in target.elts].index(name)
                statement.value.elts[index] = ast.copy_location(new, statement.value)
            else:
                statement.value = ast.copy_location(new, statement.value)
    ast.fix_missing_locations(tree)


def parse(path, settings):
    """Returns the file's syntax tree with the settings in it. Needs no torch."""
    try:
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read(), filename=path)
    except OSError as error:
        raise ImportFailure(f"{path}: {error.strerror.lower()}") from error
    except UnicodeDecodeError as error:
        raise ImportFailure(f"{path}: not a text file in UTF-8") from error
    except SyntaxError as error:
        raise ImportFailure(f"{path}:{error.lineno}: syntax error: {error.msg}") from error
    _apply(tree, settings, path)
    return tree


def run(path, tree):
    """Runs the tree as a module and returns it; checks that it has a model."""
    # Registered under its name, so that inspect and dataclasses work in it.
    module = types.ModuleType("kernelskill_payload")
    module.__file__ = os.path.abspath(path)
    sys.modules[module.__name__] = module
    sys.path.insert(0, os.path.dirname(module.__file__))
    try:
        exec(compile(tree, path, "exec"), module.__dict__)
    except Exception as error:
        raise ImportFailure(f"{path}: running it failed: {type(error).__name__}: {error}") from error
    for name, what in (("Model", "class"), ("get_inputs", "function")):
        if not callable(getattr(module, name, None)):
            raise ImportFailure(f"{path}: no {what} '{name}' (a payload file defines class Model and get_inputs())")
    return module
