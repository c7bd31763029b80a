#!/usr/bin/env python3
"""Prints which folders of Sources name types of which others, and the circles among them.

    scripts/dependencies.py             every module: its folders, and the folders each depends on
    scripts/dependencies.py MODULE      one module, with the types that are named
    scripts/dependencies.py --circles   only the circles; ends with 1 when there is one

A folder depends on another one of the same module when its code names a type that the other declares. A file that
lies in the module's own folder counts as the folder ".".
"""
import collections
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? +)*((?:(?:public|package|internal|private|fileprivate|final|indirect|nonisolated) +)*)"
    r"(?:struct|enum|class|protocol|actor|typealias) +(\w+)", re.M)
WORD = re.compile(r"\b[A-Z]\w*\b")


def code(text):
    """The text without comments and without what stands in quotes, interpolations apart."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    def interpolations(match):
        return " " + " ".join(re.findall(r"\\\(([^()]*(?:\([^()]*\)[^()]*)*)\)", match.group(0))) + " "
    text = re.sub(r'"""(?:.|\n)*?"""', interpolations, text)
    return re.sub(r'"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\\n])*"', interpolations, text)


def folder(path, module):
    parts = path.relative_to(module).parts
    return "." if len(parts) == 1 else "/".join(parts[:-1])


def graph(module):
    """For each folder: the folders it depends on, each with the types that it names."""
    texts = {path: code(path.read_text()) for path in sorted(module.rglob("*.swift"))}
    home = {}
    for path, text in texts.items():
        for modifiers, name in DECLARATION.findall(text):
            if "private" not in modifiers:
                home.setdefault(name, folder(path, module))
    edges = collections.defaultdict(lambda: collections.defaultdict(set))
    for path, text in texts.items():
        here = folder(path, module)
        edges[here]
        own = {name for _, name in DECLARATION.findall(text)}
        for name in set(WORD.findall(text)) - own:
            if name in home and home[name] != here:
                edges[here][home[name]].add(name)
    return edges


def circles(edges):
    """The sets of folders that depend on each other, each sorted."""
    def reach(start):
        seen, rest = set(), [start]
        while rest:
            for other in edges.get(rest.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    rest.append(other)
        return seen
    reached = {name: reach(name) for name in list(edges)}
    found = {tuple(sorted([a] + [b for b in reached if b != a and b in reached[a] and a in reached[b]]))
             for a in reached if a in reached[a]}
    return sorted(found)


def main(arguments):
    only_circles = "--circles" in arguments
    names = [a for a in arguments if not a.startswith("-")]
    modules = sorted(module_folders())
    if names:
        modules = [m for m in modules if str(m.relative_to(SOURCES)) in names]
        if not modules:
            print(f"dependencies.py: there is no module {' '.join(names)}", file=sys.stderr)
            return 64
    has_circle = False
    for module in modules:
        edges = graph(module)
        name = module.relative_to(SOURCES)
        if not only_circles:
            print(f"{name}")
            for here in sorted(edges):
                others = sorted(edges[here])
                if names:
                    print(f"  {here}")
                    for other in others:
                        print(f"    {other}: {', '.join(sorted(edges[here][other]))}")
                else:
                    print(f"  {here} -> {', '.join(others) or '(nothing)'}")
        for circle in circles(edges):
            has_circle = True
            print(f"  circle in {name}: {', '.join(circle)}")
    return 1 if only_circles and has_circle else 0


def module_folders():
    """The folders that Package.swift names as the path of a target below Sources."""
    text = (SOURCES.parent / "Package.swift").read_text()
    for path in re.findall(r'path: "Sources/([^"]+)"', text):
        yield SOURCES / path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
