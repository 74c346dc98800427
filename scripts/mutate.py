#!/usr/bin/env python3
"""Changes operators of core at random, one at a time, and lists the changes that no fast test notices.

  scripts/mutate.py [--count N] [--seed S] [--tree FOLDER] [PATH…]
  scripts/mutate.py --again FOLDER/mutations.log      those that lived, once more: has a new test noticed them?

A change that lives shows a gap in the tests, or code that could go. Works in a clone of the last commit, in
build-mutate/, never in the sources themselves; --tree FOLDER takes a clone that has its build in FOLDER/build already.
PATH: files or folders under core to choose from; all of core but the OpenGL backend where not given. The tests are
those of ops, golden, faults and core, without the cases over a few seconds. An hour for 100 changes or so. Every change is a
line of FOLDER/mutations.log; the same seed makes the same changes. Exit codes: 0 done, 2 wrong arguments or no build.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWAPS = {
    " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ",
    " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ",
    " && ": " || ", " || ": " && ", " += ": " -= ", " -= ": " += ", " *= ": " /= ",
    "std::min(": "std::max(", "std::max(": "std::min(",
}
OPERATOR = re.compile("|".join(re.escape(operator) for operator in sorted(SWAPS, key=len, reverse=True)))
# What is not code: strings (those of several lines are Python), characters, comments, preprocessor lines.
NO_CODE = re.compile(r'R"(?P<end>\w*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*', re.S | re.M)
PROGRAMS = ["ops_tests", "golden_tests", "faults_tests", "core_tests"]
CORE = ["core_tests", "-tce=shipped models*,a long text without*"]  # without the cases that take long
# Run in parallel: core's tests take longest, so they are split in two.
RUNS = [["golden_tests"], ["faults_tests"], ["ops_tests", "-tce=the Python of*"], [*CORE, "--last=270"], [*CORE, "--first=271"]]
TIMEOUT = 240  # seconds for all of them: a change may cause an endless loop


def places(path):
    """The operators in a file: (offset, operator)."""
    text = path.read_text()
    blank = NO_CODE.sub(lambda match: re.sub(r"[^\n]", "_", match.group()), text)
    return [(match.start(), match.group()) for match in OPERATOR.finditer(blank)]


def run(command, **options):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)


def failed_case(name, log, code):
    cases = re.findall(r"TEST CASE:\s*(.*)", log)
    return f"{name}: {cases[-1] if cases else f'ended with {code}'}"


def noticed_by_its_own(tree, file):
    """As noticed_by(), but only the tests whose file is named after the changed one: they notice most, in a second."""
    for name in PROGRAMS:
        try:
            told = run([f"build/tests/{name}", "-aa=1", f"-sf=*/{file.stem}*", "-tce=the Python of*"], cwd=tree, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "no end"
        if told.returncode:
            return failed_case(name, told.stdout, told.returncode)
    return None


def noticed_by(tree):
    """The first test case that fails; None if all pass. Ends whatever is still running by then."""
    running = {}
    for number, (name, *arguments) in enumerate(RUNS):
        with open(tree / f"tests-{number}.log", "w") as told:
            running[number] = subprocess.Popen([f"build/tests/{name}", "-aa=1", *arguments], cwd=tree, stdout=told,
                                               stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True)
    end = time.monotonic() + TIMEOUT
    try:
        while running:
            time.sleep(0.1)
            for number in [number for number, process in running.items() if process.poll() is not None]:
                code = running.pop(number).returncode
                if code:
                    return failed_case(RUNS[number][0], (tree / f"tests-{number}.log").read_text(errors="replace"), code)
            if time.monotonic() > end:
                return "no end"
        return None
    finally:
        for process in running.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def lived_in(log, tree):
    """The changes that lived according to a log, if the line still exists: (file, offset, operator)."""
    found = []
    told = re.compile(r"^LIVED (\S+):(\d+) (\S+) → (\S+) \| (.*) \| $", re.M)
    for name, number, operator, swap, line in told.findall(log.read_text()):
        file = tree / name
        lines = file.read_text().splitlines(keepends=True)
        near = [i for i, text in enumerate(lines) if text.strip() == line]
        if not near:
            print(f"{name}:{number} is another line now: {line}")
            continue
        at = min(near, key=lambda i: abs(i + 1 - int(number)))
        begin = sum(map(len, lines[:at]))
        found += [(file, offset, text) for offset, text in places(file) if begin <= offset < begin + len(lines[at])
                  and (text.strip(), SWAPS[text].strip()) == (operator, swap)]
    return list(dict.fromkeys(found))


def build(tree):
    return run(["ninja", "-C", "build", *PROGRAMS], cwd=tree, env={**os.environ, "CCACHE_DISABLE": "1"}).returncode == 0


def prepare(tree):
    if not tree.exists():
        subprocess.run(["git", "clone", "-q", str(ROOT), str(tree)], check=True)
        # With the standard library's assertions, a read past the end of a vector is noticed as well.
        subprocess.run(["cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DGLASSFORMER_TESTS=ON", "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_ASSERTIONS"], check=True)
    subprocess.run(["ninja", "-C", tree / "build", *PROGRAMS], check=True)
    if told := noticed_by(tree):
        sys.exit(f"The tests fail before anything is changed: {told}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--count", type=int, default=142)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--tree", type=Path, default=ROOT / "build-mutate")
    arguments.add_argument("--again", type=Path)
    arguments.add_argument("paths", nargs="*", type=Path)
    options = arguments.parse_args()
    tree = options.tree.resolve()
    prepare(tree)

    chosen = [tree / path for path in options.paths] or [tree / "core"]
    files = sorted(file for path in chosen for file in ([path] if path.is_file() else path.rglob("*.cpp")))
    files = [file for file in files if not {"gl", "windows"} & set(file.relative_to(tree).parts)]
    all_places = [(file, *place) for file in files for place in places(file)]
    if not all_places:
        sys.exit(2)
    random.Random(options.seed).shuffle(all_places)
    if options.again:  # a line that has the operator twice is changed at both places
        all_places = lived_in(options.again, tree)
        options.count = len(all_places)

    tried = lived = 0
    with open(tree / "mutations.log", "a") as log:
        for file, offset, operator in all_places:
            if tried == options.count:
                break
            text = file.read_text()
            try:
                file.write_text(text[:offset] + SWAPS[operator] + text[offset + len(operator):])
                if not build(tree):
                    continue  # does not compile: a type without this operator
                told = noticed_by_its_own(tree, file) or noticed_by(tree)
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
