#!/usr/bin/env python3
"""check_links.py SOURCES OBJECTS LAYER=USED,USED... - checks the references of the object files of
src/.

SOURCES is src/. OBJECTS is its build directory, which may contain old objects of removed sources.
An object file may refer to functions and data of its own folder and of the folders that its layer
uses, and files may not refer to each other in a circle. The one exception is the table ep_upward,
by which the recording core calls the folder api (src/record/process.h). Code that the compiler
inlines from a header is not a reference.
"""
import collections
import os
import re
import subprocess
import sys

UPWARD = "ep_upward"


def object_files(sources, objects):
    """(layer, file) of each object file: CMake keeps those of the layer X below ep_X.dir."""
    for folder, _, names in os.walk(objects):
        layer = re.search(r"/ep_(\w+)\.dir(?:/|$)", folder + "/")
        for name in names:
            path = os.path.join(folder, name)
            if layer and name.endswith(".o") and os.path.exists(
                    os.path.join(sources, name_of(path))):
                yield layer.group(1), path


def symbols_of(path):
    """The names that an object file defines for others, and those that it lacks."""
    defined, lacking = set(), set()
    listed = subprocess.run(["nm", "-g", path], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        kind, name = line.split()[-2:]
        if kind in "Uw":
            lacking.add(name)
        else:
            defined.add(name)
    return defined, lacking


def name_of(path):
    return re.sub(r".*/ep_(\w+)\.dir/(?:\1/)?", r"\1/", path).removesuffix(".o")


def circles(graph):
    """The strongly connected components of more than one file (Tarjan 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def main(sources, objects, *layers):
    uses = dict(layer.split("=") for layer in layers)
    uses = {name: set(used.split(",")) | {name} for name, used in uses.items()}
    home, lacking, wrong = {}, {}, []
    for layer, path in object_files(sources, objects):
        name = name_of(path)
        defined, lacking[layer, name] = symbols_of(path)
        for symbol in defined:
            home[symbol] = (layer, name)
    graph = collections.defaultdict(set)
    for (layer, name), symbols in lacking.items():
        for symbol in symbols - {UPWARD}:
            if symbol not in home:
                continue
            graph[name].add(home[symbol][1])
            graph[home[symbol][1]] |= set()
            if home[symbol][0] not in uses[layer]:
                wrong.append(f"{name} refers to {symbol} of {home[symbol][1]}, "
                             f"but {layer} does not use {home[symbol][0]}")
    for circle in circles(graph):
        wrong.append("a circle of files: " + " ".join(circle))
        for name in circle:
            for other in sorted(graph[name] & set(circle)):
                wrong.append(f"    {name} refers to {other}")
    print(*wrong, sep="\n")
    print(f"{len(lacking)} object files of {len(uses)} layers")
    return 1 if wrong or len({layer for layer, _ in lacking}) != len(uses) else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main(*sys.argv[1:]))
