#!/usr/bin/env python3
"""Draws docs/rooms.svg: the rooms of app and core, and which room may use which.

    scripts/rooms.py docs/rooms.svg

The arrows are those of core/CMakeLists.txt, core/gl.cmake and app/CMakeLists.txt, except those that follow from
others. Graphviz (Debian: graphviz) does the layout.
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
# A room's line in CMake: its name, then the rooms it uses.
rooms = {"core": set(), "context": set()}  # context: app/context/CMakeLists.txt, which uses none
for place in ("core/CMakeLists.txt", "core/gl.cmake", "app/CMakeLists.txt"):
    text = re.sub(r"#.*", "", (root / place).read_text())
    calls = re.findall(r"glassformer_(app_)?room\(([^)$]+)\)|target_link_libraries\(glassformer_(gl|shaders|context)([^)]*)\)", text)
    for app, line, lone, rest in calls:
        words = (line or lone + " " + rest).split()
        name = ("app_" if app else "") + words[0]
        rooms.setdefault(name, set()).update(
            "core" if word == "glassformer::core" else word.removeprefix("glassformer_")
            for word in words[1:]
            if word.startswith("glassformer"))
for uses in rooms.values():
    uses &= set(rooms)


def reached(name, seen=None):
    """All rooms below one."""
    seen = set() if seen is None else seen
    for below in rooms[name]:
        if below not in seen:
            seen.add(below)
            reached(below, seen)
    return seen


def arrows(names):
    for name in sorted(names):
        for below in sorted(rooms[name] & names):
            if not any(below in reached(other) for other in rooms[name] - {below}):
                yield f'    "{name}" -> "{below}"'


def house(title, names):
    nodes = [f'    "{n}" [label="{n.removeprefix("app_")}"]' for n in sorted(names)]
    return [f'  subgraph "cluster {title}" {{', f'    label="{title}"', *nodes, *arrows(names), "  }"]


app = {n for n in rooms if n.startswith("app_")} | {"context"}
dot = [
    "digraph rooms {",
    '  graph [fontname="Inter" fontsize=15 style="rounded,filled" color="#cbd5e1" fillcolor="#f8fafc" nodesep=0.18 ranksep=0.34]',
    '  node [shape=box style="rounded,filled" fillcolor="#ffffff" color="#475569" fontcolor="#0f172a" fontname="Inter" fontsize=12 height=0.32 margin="0.12,0.04"]',
    '  edge [color="#94a3b8" arrowsize=0.6]',
    *house("app/: the program", app),
    *house("core/: the library, glassformer::core", rooms.keys() - app - {"core"}),
    "}",
]
if len(sys.argv) != 2:
    sys.exit("Usage: scripts/rooms.py FILE.svg")
picture = subprocess.run(["dot", "-Tsvg"], input="\n".join(dot), text=True, capture_output=True, check=True).stdout
# Graphviz puts its name and version into comments, which would differ from machine to machine.
picture = re.sub(r"<!--.*?-->\n?", "", picture, flags=re.S)
picture = re.sub(r'width="[^"]*" height="[^"]*"\n', "", picture, count=1)
pathlib.Path(sys.argv[1]).write_text(picture)
