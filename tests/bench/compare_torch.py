#!/usr/bin/env python3
"""Runs what `glassformer bench` measures in PyTorch in the same run and prints the ratios.

Usage: /usr/bin/python3 tests/bench/compare_torch.py [path/to/glassformer]      (needs the packages python3-torch and
libopenblas0-pthread; without the latter PyTorch multiplies with the reference BLAS and is ten times slower)

Both sides make the same step: forward, backward, clipping to norm 1, AdamW, on a bidirectional pre-LayerNorm encoder
with tied unembedding and every word scored. A model of GPT-2's smallest size with random weights makes one pass over
128 tokens, with every intermediate result kept on both sides (PyTorch's list of them has what our trace has, but for
each head's own share of the output, which we compute when it is asked for), and reads one more word with kept keys and
values. PyTorch runs with 1 and with all threads; its better time counts. The two programs take turns, so that a machine
whose speed drifts is fair to both.
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
    "B 2, T 256, d 768": (2, 256, 768, 6, 12, 8192, 6),
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


class Gpt2Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.fc, self.proj = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x, kept, cache=None):
        """Adds every intermediate result to the list `kept`, where there is one. `cache` holds keys and values."""
        batch, positions, d = x.shape
        normed = self.ln1(x)
        qkv = self.qkv(normed)
        q, k, v = qkv.view(batch, positions, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        raw = q @ k.transpose(-1, -2)
        scaled = raw / math.sqrt(d // self.heads)
        if positions > 1:
            future = torch.ones(positions, positions, dtype=torch.bool).triu(1)
            scores = scaled.masked_fill(future, -math.inf)
        else:
            scores = scaled
        pattern = scores.softmax(-1)
        z = pattern @ v
        attention = self.out(z.transpose(1, 2).reshape(batch, positions, d))
        middle = x + attention
        normed2 = self.ln2(middle)
        pre = self.fc(normed2)
        post = F.gelu(pre, approximate="tanh")
        mlp = self.proj(post)
        result = middle + mlp
        if kept is not None:
            kept += [x, normed, qkv, raw, scaled, scores, pattern, z, attention, middle, normed2, pre, post, mlp, result]
        return result, (k, v)


class Gpt2(nn.Module):
    """GPT-2's smallest size, as in app/bench/gpt2.cpp."""

    def __init__(self, vocabulary=50257, context=1024, d=768, layers=12, heads=12):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, d), nn.Embedding(context, d)
        self.blocks = nn.ModuleList(Gpt2Block(d, heads) for _ in range(layers))
        self.ln = nn.LayerNorm(d)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, 0, 0.02)

    def forward(self, tokens, first=0, kept=None, caches=None):
        x = self.wte(tokens) + self.wpe(torch.arange(first, first + tokens.shape[1]))
        new = []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, kept, caches[i] if caches else None)
            new.append(cache)
        normed = self.ln(x)
        logits = normed @ self.wte.weight.t()
        probabilities = logits.softmax(-1)
        if kept is not None:
            kept += [normed, logits, probabilities]
        return probabilities, new


def median_ms(run, repeats):
    times = []
    for i in range(repeats + 2):
        start = time.perf_counter()
        run()
        if i >= 2:
            times.append(1e3 * (time.perf_counter() - start))
    return sorted(times)[len(times) // 2]


def torch_gpt2(threads):
    torch.set_num_threads(threads)
    with torch.no_grad():
        model, tokens = Gpt2(), (torch.arange(128)[None] * 7919 + 11) % 50257
        whole = median_ms(lambda: model(tokens, kept=[]), 7)
        caches = model(tokens)[1]
        word = median_ms(lambda: model(tokens[:, :1], first=128, caches=caches), 15)
    return whole, word


def ours(program):
    result = subprocess.run([program, "bench", "--only", "training,gpt2", "--json"], check=True, capture_output=True,
                            text=True)
    found = json.loads(result.stdout)
    times = {s["size"]: s["step_ms"] for s in found["training_steps"]}
    times["GPT-2, 128 tokens"] = found["gpt2_shaped"]["forward_and_trace_ms"]
    times["GPT-2, one more word"] = found["gpt2_shaped"]["next_word_ms"]
    return times


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "build", "glassformer")
    if not os.access(program, os.X_OK):
        sys.exit(f"{program} is not there; build it with ./run.sh, or name the program")
    cores = os.cpu_count() or 1
    before = ours(program)
    theirs = {name: min(torch_step_ms(size, t) for t in sorted({1, cores})) for name, size in SIZES.items()}
    gpt2 = [torch_gpt2(t) for t in sorted({1, cores})]
    theirs["GPT-2, 128 tokens"] = min(whole for whole, _ in gpt2)
    theirs["GPT-2, one more word"] = min(word for _, word in gpt2)
    after = ours(program)
    print(f"PyTorch {torch.__version__}, {cores} cores\n")
    print(f"{'':22}{'Glassformer ms':>16}{'PyTorch ms':>12}{'ratio':>8}")
    for name in theirs:
        mine = (before[name] + after[name]) / 2
        print(f"{name:22}{mine:16.2f}{theirs[name]:12.2f}{theirs[name] / mine:8.2f}")


if __name__ == "__main__":
    main()
