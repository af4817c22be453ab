"""Writes docs/python-api*.md from the signatures and docstrings of the package: python python/reference.py"""

from __future__ import annotations

import enum
import inspect
import os
import re
import sys
from typing import Any, Dict, List, Tuple

PACKAGE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(PACKAGE, "..", "docs")
sys.path.append(PACKAGE)

import plaudit  # noqa: E402

WRITTEN = "Written by `python python/reference.py` from the docstrings: change those."
# Each page: its file in docs/, its head, and its sections with their names.
PAGES = [
    (
        "python-api.md",
        """# Python API: audits

Look up every function that audits something: its parameters, their defaults and what it returns.
[python.md](python.md) is the guide; [python-api-results.md](python-api-results.md) has results and certificates,
[python-api-more.md](python-api-more.md) datasets, compositions and programs.""",
        [("Audits", ["audit", "staged", "search", "mutant", "check"])],
    ),
    (
        "python-api-results.md",
        """# Python API: results

Look up what an audit returns: its result, its certificate and its plots, and how to save and replay them.""",
        [("Results", ["Result", "Verdict", "Certificate", "Replay", "Plot", "save", "replay"])],
    ),
    (
        "python-api-more.md",
        """# Python API: datasets, compositions, programs

Look up the functions that make datasets, account for compositions and serve a function as a program.""",
        [
            ("Datasets", ["neighbors", "rows", "table", "column"]),
            ("Compositions", ["account", "Bracket"]),
            ("Programs", ["serve", "seed_generators"]),
            ("Errors", ["ChangedDataset"]),
        ],
    ),
]


def signature(value: Any, name: str) -> str:
    """The signature as a block of code, with a parameter on each line if it is long."""
    found = inspect.signature(value)
    parameters = [p.replace(annotation=readable(p.annotation)) for p in found.parameters.values() if p.name != "self"]
    shown: List[str] = []
    keyword_only = False
    for parameter in parameters:
        if parameter.kind == parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            shown.append("*")
        shown.append(default(parameter))
    returned = "" if found.return_annotation is found.empty else " -> " + readable(found.return_annotation)
    line = "%s(%s)%s" % (name, ", ".join(shown), returned)
    if len(line) > 100:
        line = "%s(\n%s)%s" % (name, "".join("    %s,\n" % part for part in shown), returned)
    return "```text\n%s\n```" % line


def readable(annotation: Any) -> Any:
    """An annotation in the words of Python today."""
    if annotation is inspect.Parameter.empty:
        return annotation
    words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    words = re.sub(r"[\"']", "", words).replace("os.PathLike[str]", "os.PathLike")
    words = words.replace("Union[None, bool, Told]", "bool | Callable[[int, int], None] | None")
    for old, new in (("Dict[", "dict["), ("List[", "list["), ("Tuple[", "tuple["), ("Function", "Callable[..., Any]")):
        words = words.replace(old, new)
    words = "Optional[Callable[[int], None]]" if words == "Seed" else words
    return alternatives(words)


def alternatives(words: str) -> str:
    """`Optional[X]` as `X | None`, and `Union[X, Y]` as `X | Y`."""
    found = re.fullmatch(r"(Optional|Union)\[(.*)\]", words)
    if not found:
        return words
    parts: List[str] = [""]
    depth = 0
    for letter in found.group(2):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return " | ".join([part.strip() for part in parts] + ["None"] * (found.group(1) == "Optional"))


def default(parameter: inspect.Parameter) -> str:
    name = str(parameter.replace(annotation=parameter.empty, default=parameter.empty))
    typed = name if parameter.annotation is parameter.empty else "%s: %s" % (name, parameter.annotation)
    if parameter.default is parameter.empty:
        return typed
    value = getattr(parameter.default, "__name__", None) or repr(parameter.default)
    return typed + (" = " if ": " in typed else "=") + value


def text(value: Any, what: str) -> str:
    """The docstring of a value; each that users see has one."""
    found = inspect.getdoc(value)
    if not found:
        raise SystemExit("%s has no docstring" % what)
    found = re.sub(r"docs/(\w[\w-]*\.md)", r"[\1](\1)", found)
    # Outside of code, Markdown would read these as emphasis.
    return "`".join(part if at % 2 else part.replace("**", r"\*\*") for at, part in enumerate(found.split("`")))


def members(kind: type) -> str:
    """The properties and methods that a class has of its own."""
    found = []
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        what = "%s.%s" % (kind.__name__, name)
        if isinstance(member, property) and member.fget is not None:
            returned = readable(inspect.signature(member.fget).return_annotation)
            found.append("* `%s: %s`: %s" % (name, returned, " ".join(text(member, what).split())))
        elif inspect.isfunction(member):
            found.append("\n%s\n\n%s\n" % (signature(member, what), text(member, what)))
    return "\n".join(found)


def entry(name: str) -> str:
    value = getattr(plaudit, name)
    parts = ["### %s" % name]
    if not inspect.isclass(value):
        return "\n\n".join(parts + [signature(value, "plaudit." + name), text(value, name)])
    parts.append(text(value, name))
    if issubclass(value, enum.Enum):
        parts.append("\n".join("* `%s.%s`: “%s”" % (name, one.name, one.value) for one in value))
    else:
        parts.append(members(value))
    return "\n\n".join(part for part in parts if part)


def pages() -> Dict[str, str]:
    """The text of each page, by the name of its file."""
    listed = sorted(name for _, _, sections in PAGES for _, names in sections for name in names)
    if listed != sorted(plaudit.__all__):
        raise SystemExit("not in PAGES, or too much there: %s" % sorted(set(listed) ^ set(plaudit.__all__)))
    return {file: page(head, sections) for file, head, sections in PAGES}


def page(head: str, sections: List[Tuple[str, List[str]]]) -> str:
    parts = [head, WRITTEN]
    for title, names in sections:
        parts.append("## " + title)
        parts += [entry(name) for name in names]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(parts)).rstrip("\n") + "\n"


if __name__ == "__main__":
    for name, whole in pages().items():
        with open(os.path.join(DOCS, name), "w", encoding="utf-8") as file:
            file.write(whole)
