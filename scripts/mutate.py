#!/usr/bin/env python3
"""Changes operators of core at random, one at a time, and tells which changes no fast test notices.

  scripts/mutate.py [--count N] [--seed S] [--tree FOLDER] [PATH…]

A change that lives shows a gap in the tests, or code that could go. Works in a clone of the last commit, in
build-mutate/, never in the sources themselves; --tree FOLDER takes a clone that has its build in FOLDER/build already.
PATH: files or folders under core to choose from; all of core but the OpenGL backend where not given. The tests are
those of ops, golden and core, without the cases over a few seconds. An hour for 100 changes or so. Every change is a
line of FOLDER/mutations.log; the same seed makes the same changes. Exit codes: 0 told, 2 wrong arguments or no build.
"""

import argparse
import os
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWAPS = {
    " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ",
    " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ",
    " && ": " || ", " || ": " && ", " += ": " -= ", " -= ": " += ", " *= ": " /= ",
    "std::min(": "std::max(", "std::max(": "std::min(",
}
OPERATOR = re.compile("|".join(re.escape(operator) for operator in sorted(SWAPS, key=len, reverse=True)))
# What is no code: strings, characters, comments, lines of the preprocessor.
NO_CODE = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*', re.S | re.M)
TESTS = {  # without the cases that take long
    "ops_tests": ["-tce=the Python of*"],
    "golden_tests": [],
    "core_tests": ["-tce=shipped models*,a long text without*"],
}
TIMEOUT = 240  # seconds for a test program: a change may make an endless loop


def places(path):
    """Where operators stand in a file: (offset, operator)."""
    text = path.read_text()
    blank = NO_CODE.sub(lambda match: re.sub(r"[^\n]", "_", match.group()), text)
    return [(match.start(), match.group()) for match in OPERATOR.finditer(blank)]


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)


def noticed_by(tree, order):
    """The first test program that fails, with the case's name; None where all pass."""
    for name in order:
        try:
            result = run([f"build/tests/{name}", "-aa=1", *TESTS[name]], cwd=tree, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return f"{name}: no end"
        if result.returncode:
            case = re.search(r"TEST CASE:\s*(.*)", result.stdout)
            return f"{name}: {case.group(1) if case else 'ended with ' + str(result.returncode)}"
    return None


def build(tree):
    return run(["ninja", "-C", "build", *TESTS], cwd=tree, env={**os.environ, "CCACHE_DISABLE": "1"}).returncode == 0


def prepare(tree):
    if not tree.exists():
        subprocess.run(["git", "clone", "-q", str(ROOT), str(tree)], check=True)
        subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DGLASSFORMER_TESTS=ON"], check=True)
    subprocess.run(["ninja", "-C", tree / "build", *TESTS], check=True)
    for name in TESTS:
        if told := noticed_by(tree, [name]):
            sys.exit(f"The tests fail before anything is changed: {told}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=142)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--tree", type=Path, default=ROOT / "build-mutate")
    arguments.add_argument("paths", nargs="*", type=Path)
    options = arguments.parse_args()
    tree = options.tree.resolve()
    prepare(tree)

    chosen = [tree / path for path in options.paths] or [tree / "core"]
    files = sorted(file for path in chosen for file in ([path] if path.is_file() else path.rglob("*.cpp")))
    files = [file for file in files if "gl" not in file.relative_to(tree).parts]
    all_places = [(file, *place) for file in files for place in places(file)]
    if not all_places:
        sys.exit(2)
    random.Random(options.seed).shuffle(all_places)

    tried = lived = 0
    with open(tree / "mutations.log", "a") as log:
        for file, offset, operator in all_places:
            if tried == options.count:
                break
            text = file.read_text()
            try:
                file.write_text(text[:offset] + SWAPS[operator] + text[offset + len(operator):])
                if not build(tree):
                    continue  # no C++: a type without this operator
                ops_first = file.relative_to(tree).parts[1] in ("ops", "backend", "tensor", "graph", "nn")
                order = list(TESTS) if ops_first else ["core_tests", "golden_tests", "ops_tests"]
                told = noticed_by(tree, order)
            finally:
                file.write_text(text)
            tried += 1
            lived += told is None
            number = text.count("\n", 0, offset) + 1
            line = text.splitlines()[number - 1].strip()
            print(f"{'LIVED' if told is None else 'noticed'} {file.relative_to(tree)}:{number} "
                  f"{operator.strip()} → {SWAPS[operator].strip()} | {line} | {told or ''}", file=log, flush=True)
    print(f"{tried} changes, {tried - lived} noticed, {lived} lived; see {tree / 'mutations.log'}")


if __name__ == "__main__":
    main()
