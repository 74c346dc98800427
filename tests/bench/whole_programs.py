#!/usr/bin/env python3
"""Measures what people do with models of published sizes with whole programs, each in a process of its own, and what
`bench` says of the window. With several programs (before and after a change) they take turns.

Usage: python3 tests/bench/whole_programs.py MODELS [--rounds N] [--only NAME,NAME] [path/to/glassformer …]

MODELS is a folder that tests/bench/random_models.py wrote; `bench` is looked for beside each program. Prints for each
row the medians, the least and the largest, in milliseconds or MB.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def bench(program, part, *options):
    """What `bench` prints. A program without one beside it has it as a command of its own, as it had at first."""
    beside = pathlib.Path(program).with_name("bench")
    start = [beside] if beside.exists() else [program, "bench"]
    ran = subprocess.run([*map(str, [*start, "--json", "--only", part, *options])], check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)


def ran(program, *arguments):
    """Milliseconds of a whole process, and the MB that it held at most."""
    start = time.perf_counter()
    process = subprocess.Popen([str(x) for x in (program, *arguments)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, process.args))}: {process.returncode}")
    return 1e3 * (time.perf_counter() - start), used.ru_maxrss / 1024


def row_of(name, times):
    """"name: A 12.3 (11.9 … 13.0), B …", with the ratio of the medians to the first."""
    medians = {who: statistics.median(ms) for who, ms in times.items() if ms}
    first = next(iter(medians.values()))
    parts = [f"{who} {medians[who]:.4g} ({min(times[who]):.4g} … {max(times[who]):.4g})" +
             (f" [{medians[who] / first:.2f}]" if medians[who] != first else "") for who in medians]
    return f"{name}: " + ", ".join(parts)


TOKENS = ",".join(str((p * 7919 + 11) % 50257) for p in range(512))
WORDS = 33


def generate(program, model, tokens, count):
    return ran(program, "generate", "--model", model, "--tokens", tokens, "--count", count)


def opening_and_writing(models, dtype):
    def measure(program):
        model = models / f"gpt2-{dtype.lower()}"
        one, memory = generate(program, model, "11", 1)
        return {f"GPT-2 {dtype}: opening + 1 word": one, f"GPT-2 {dtype}: opening + 1 word, peak MB": memory,
                f"GPT-2 {dtype}: a word": (generate(program, model, "11", WORDS)[0] - one) / (WORDS - 1),
                f"GPT-2 {dtype}: prompt of 512, then 1 word": generate(program, model, TOKENS, 1)[0] - one}
    return measure


def trace(models):
    def measure(program):
        with tempfile.TemporaryDirectory(dir=models) as folder:
            out = pathlib.Path(folder) / "trace.safetensors"
            ms, peak = ran(program, "trace", "--model", models / "gpt2-f32", "--tokens", TOKENS, "--out", out)
            size = out.stat().st_size / 2**20
        return {"trace of 512 words": ms, "trace of 512 words, peak MB": peak, "trace of 512 words, file MB": size}
    return measure


def check(models):
    def measure(program):
        ms, peak = ran(program, "check", "--model", models / "gpt2-f32", "--backend", "cpu")
        return {"check of GPT-2's size (processor)": ms, "check of GPT-2's size, peak MB": peak}
    return measure


def training(program):
    found = bench(program, "training")
    found = found.get("training", found)  # at first there was no part around them
    sizes = found.get("steps") or found["training_steps"]
    steps = {"step " + s["size"]: s["step_ms"] for s in sizes}
    shares = {f"share of the peak, {s['size']}, %": 100 * s["of_peak"] for s in sizes}
    return {"measured peak, GFLOP/s": found["peak_gflops"], **steps, **shares}


def window(program):
    found = {}
    for _ in range(2):  # the first one warms the files of the system
        found["first frame"] = bench(program, "frames")["frames"]["first_frame_ms"]
    beside = bench(program, "beside")["beside"]
    found["training beside the window: laid out, %"] = 100 * beside["built_share"]
    found["training beside the window: drawn, %"] = 100 * beside["drawn_share"]
    for how, figures in bench(program, "scrubbing")["scrubbing"].items():
        if isinstance(figures, dict):
            found[f"a kept step, {how}"] = figures["median_ms"]
    return found


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Whole programs, in turns")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", type=pathlib.Path, default=[root / "build/glassformer"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="f32, bf16, trace, check, training, window; all of them without")
    asked = parser.parse_intermixed_args()
    parts = {"f32": opening_and_writing(asked.models, "F32"), "bf16": opening_and_writing(asked.models, "BF16"),
             "trace": trace(asked.models), "check": check(asked.models), "training": training, "window": window}
    for name in asked.only.split(",") if asked.only else parts:
        rows = {}
        for _ in range(asked.rounds):
            for i, program in enumerate(asked.programs):
                for what, value in parts[name](program).items():
                    rows.setdefault(what, {}).setdefault(f"#{i + 1}", []).append(value)
        for what, values in rows.items():
            print(row_of(what, values), flush=True)


if __name__ == "__main__":
    main()
