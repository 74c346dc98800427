#!/usr/bin/env python3
"""Runs the training step of `glassformer bench` in PyTorch in the same run and prints the ratios.

Usage: /usr/bin/python3 tests/bench/compare_torch.py [path/to/glassformer]      (needs the packages python3-torch and
libopenblas0-pthread; without the latter PyTorch multiplies with the reference BLAS and is ten times slower)

Both sides make the same step: forward, backward, clipping to norm 1, AdamW, on a bidirectional pre-LayerNorm encoder
with tied unembedding and every word scored. PyTorch runs with 1 and with all threads; its better time counts. The two
programs take turns, so that a machine whose speed drifts is fair to both.
"""
import json
import math
import os
import subprocess
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

# name: batch, positions, d_model, layers, heads, vocabulary, repeats (as in app/bench/training_steps.cpp)
SIZES = {
    "B 64, T 13, d 64": (64, 13, 64, 2, 4, 160, 60),
    "B 16, T 64, d 128": (16, 64, 128, 4, 4, 512, 20),
    "B 4, T 128, d 256": (4, 128, 256, 6, 8, 2048, 10),
}


SECONDS = 10  # at most this long for one size and number of threads


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.fc, self.proj = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        batch, positions, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(batch, positions, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        pattern = (q @ k.transpose(-1, -2) / math.sqrt(d // self.heads)).softmax(-1)
        x = x + self.out((pattern @ v).transpose(1, 2).reshape(batch, positions, d))
        return x + self.proj(F.gelu(self.fc(self.ln2(x))))


class Encoder(nn.Module):
    def __init__(self, vocabulary, positions, d, layers, heads):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, d)
        self.wpe = nn.Parameter(torch.randn(positions, d) * 0.05)
        self.blocks = nn.ModuleList(Block(d, heads) for _ in range(layers))
        self.ln = nn.LayerNorm(d)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe
        for block in self.blocks:
            x = block(x)
        return self.ln(x) @ self.wte.weight.t()


def torch_step_ms(size, threads):
    batch, positions, d, layers, heads, vocabulary, repeats = size
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = Encoder(vocabulary, positions, d, layers, heads)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    tokens = torch.randint(0, vocabulary, (batch, positions))
    times = []
    begin = time.perf_counter()
    for i in range(repeats + 5):
        start = time.perf_counter()
        if len(times) >= 5 and start - begin > SECONDS:  # a busy machine: the median of fewer steps has to do
            break
        loss = F.cross_entropy(model(tokens).view(-1, vocabulary), tokens.view(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if i >= 5:
            times.append(1e3 * (time.perf_counter() - start))
    return sorted(times)[len(times) // 2]


def ours(program):
    result = subprocess.run([program, "bench", "--json"], check=True, capture_output=True, text=True)
    return {s["size"]: s["step_ms"] for s in json.loads(result.stdout)["training_steps"]}


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "build", "glassformer")
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is not there; build it with ./run.sh, or name the program")
    cores = os.cpu_count() or 1
    before = ours(program)
    theirs = {name: min(torch_step_ms(size, t) for t in sorted({1, cores})) for name, size in SIZES.items()}
    after = ours(program)
    print(f"PyTorch {torch.__version__}, {cores} cores\n")
    print(f"{'training step':22}{'Glassformer ms':>16}{'PyTorch ms':>12}{'ratio':>8}")
    for name in SIZES:
        mine = (before[name] + after[name]) / 2
        print(f"{name:22}{mine:16.2f}{theirs[name]:12.2f}{theirs[name] / mine:8.2f}")


if __name__ == "__main__":
    main()
