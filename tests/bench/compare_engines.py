#!/usr/bin/env python3
"""Runs karpathy's C programs and Glassformer on the same work, in turns, and prints medians and spread.

Usage: /usr/bin/python3 tests/bench/compare_engines.py FOLDER [--only writing|training] [--rounds N] [path/to/bench]

FOLDER has llama2.c (its run.c) or llm.c (its train_gpt2.c), or both, as their authors publish them. They are built with
their own fastest flags (-Ofast -march=native, OpenMP), in a temporary folder that holds the random weights as well
(1.5 GB); FOLDER is only read.

writing: a Llama of 110 M parameters in float32 writes 128 words, with one thread and with two; both programs must write
the same words. training: a step of GPT-2's smallest size with B 4 and T 64, of ours forward, backward, clip and AdamW;
PyTorch's too, where python3-torch is.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import random_models
from whole_programs import bench, row_of

WORDS, STEPS = 128, 8


def built(source, name, folder, *flags):
    """The program made of a source file; None where the file is not there."""
    file = source / name
    if not file.is_file():
        return None
    program = folder / file.stem
    subprocess.run([os.environ.get("CC", "cc"), "-Ofast", "-march=native", "-fopenmp", *flags, file, "-o", program, "-lm"],
                   check=True, stderr=subprocess.DEVNULL)
    return program


def run_c(program, threads):
    """The words that run.c writes, and its milliseconds a word."""
    ran = subprocess.run([program, "model.bin", "-t", "0", "-n", str(WORDS)], cwd=program.parent, check=True,
                         capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    return ran.stdout.split(), 1000 / float(re.search(r"tok/s: ([\d.]+)", ran.stderr)[1])


def words_of(glassformer, model):
    ran = subprocess.run([glassformer, "generate", "--model", model, "--tokens", "1", "--count", str(WORDS),
                          "--temperature", "0"], check=True, capture_output=True, text=True)
    return ran.stdout.strip().split(",")[1:]


def compare_writing(asked, folder):
    program = built(asked.folder / "llama2.c", "run.c", folder)
    if not program:
        return print("writing: FOLDER has no llama2.c/run.c\n")
    model = folder / "llama"
    random_models.write_llama(model, folder)
    ours, theirs = words_of(asked.program.parent / "glassformer", model), run_c(program, 2)[0]
    same = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    print(f"Llama, 110 M, float32: the first {same} of {WORDS} words are the same")
    for threads in (1, 2):
        times = {"Glassformer": [], "run.c": []}
        for _ in range(asked.rounds):
            times["run.c"].append(run_c(program, threads)[1])
            found = bench(asked.program, "opened", "--model", model, "--threads", threads)
            times["Glassformer"].append(found["opened"]["word_ms"])
        print(row_of(f"  a word, ms, {threads} thread{'s' * (threads > 1)}", times))
    print()


def train_gpt2(program, threads):
    """Milliseconds of its steps but the first. It would go on to write words: it is ended before."""
    run = subprocess.Popen(["stdbuf", "-oL", program], cwd=program.parent, stdout=subprocess.PIPE, text=True,
                           env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    times = []
    for line in run.stdout:
        if step := re.match(r"step (\d+): .*took ([\d.]+) ms", line):
            times.append(float(step[2]))
            if len(times) > STEPS:
                break
    run.kill()
    run.wait()
    return statistics.median(times[1:])


def torch_step(threads):
    code = f"""
import sys, time, statistics
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import torch, torch.nn as nn, torch.nn.functional as F
from compare_torch import Gpt2
torch.set_num_threads({threads})
model = Gpt2()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
x, y = torch.randint(0, 50257, (4, 64)), torch.randint(0, 50257, (4, 64))
times = []
for _ in range({STEPS} + 1):
    start = time.perf_counter()
    logits = model(x, logits_only=True)
    loss = F.cross_entropy(logits.view(-1, 50257), y.view(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    times.append(1e3 * (time.perf_counter() - start))
print(statistics.median(times[1:]))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if ran.returncode == 0:
        return float(ran.stdout)
    if "No module named 'torch'" not in ran.stderr:
        sys.exit(ran.stderr)
    return None


def compare_training(asked, folder):
    threads = os.cpu_count() or 1
    source = asked.folder / "llm.c"
    program = built(source, "train_gpt2.c", folder, "-DOMP", f"-I{source}")
    if program:
        random_models.write_train_gpt2(folder)
    times = {"Glassformer": [], "train_gpt2.c": [], "PyTorch": []}
    for _ in range(asked.rounds):
        times["Glassformer"].append(bench(asked.program, "gpt2_step", "--threads", threads)["gpt2_step"]["step_ms"])
        if program:
            times["train_gpt2.c"].append(train_gpt2(program, threads))
        step = torch_step(threads)
        if step:
            times["PyTorch"].append(step)
    print(row_of(f"GPT-2's size, training step (B 4, T 64), ms, {threads} threads", times))


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description="Glassformer beside karpathy's C programs")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("program", nargs="?", type=pathlib.Path, default=root / "build/bench")
    parser.add_argument("--only", choices=["writing", "training"])
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_intermixed_args()
    asked.folder = asked.folder.resolve()
    for needed in (asked.program, asked.program.parent / "glassformer"):
        if not os.access(needed, os.X_OK):
            sys.exit(f"{needed} is not there; build it with ./test.sh, or name the program")
    with tempfile.TemporaryDirectory() as folder:
        if asked.only != "training":
            compare_writing(asked, pathlib.Path(folder))
        if asked.only != "writing":
            compare_training(asked, pathlib.Path(folder))


if __name__ == "__main__":
    main()
