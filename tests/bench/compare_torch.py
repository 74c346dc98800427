#!/usr/bin/env python3
"""Runs what `build/bench` measures in PyTorch in the same run and prints the ratios.

Usage: /usr/bin/python3 tests/bench/compare_torch.py [--only training|gpt2|published] [--rounds N] [--device cuda] [path/to/bench]
(needs the packages python3-torch and libopenblas0-pthread; without the latter PyTorch multiplies with the reference
BLAS and is ten times slower)

Both sides make the same step: forward, backward, clipping to norm 1, AdamW, on a bidirectional pre-LayerNorm encoder
with tied unembedding and every word scored. A model of GPT-2's smallest size with random weights makes one pass over
128 tokens, with every intermediate result kept on both sides (PyTorch's list of them has what our trace has, but for
each head's own share of the output, which we compute when it is asked for), and reads one more word with kept keys and
values. Of both PyTorch runs with 1 and with all threads; its better time counts.

Models of the shapes of SmolLM2-135M and Qwen3-0.6B with random weights read 16 words and write 40 with kept keys and
values, with all threads: ours in bfloat16, PyTorch in bfloat16 and in float32, of which the faster counts. They run
only where you ask for them with --only published: ours lie in the temporary folder, 1.2 GB.

With --device cuda the training steps are compared on a graphics card: PyTorch with CUDA, ours in OpenGL.

The two programs take turns, with all these models in processes of their own, so that a machine whose speed drifts is
fair to both and each one's memory is its own.
"""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

# name: batch, positions, d_model, layers, heads, vocabulary, repeats (as in training_steps.cpp)
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


def torch_step_ms(size, threads, device="cpu"):
    batch, positions, d, layers, heads, vocabulary, repeats = size
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    torch.set_default_device(device)
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
        if device == "cuda":
            torch.cuda.synchronize()
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
    """GPT-2's smallest size, as in gpt2.cpp."""

    def __init__(self, vocabulary=50257, context=1024, d=768, layers=12, heads=12):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, d), nn.Embedding(context, d)
        self.blocks = nn.ModuleList(Gpt2Block(d, heads) for _ in range(layers))
        self.ln = nn.LayerNorm(d)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, 0, 0.02)

    def forward(self, tokens, first=0, kept=None, caches=None, logits_only=False):
        x = self.wte(tokens) + self.wpe(torch.arange(first, first + tokens.shape[1]))
        new = []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, kept, caches[i] if caches else None)
            new.append(cache)
        normed = self.ln(x)
        logits = normed @ self.wte.weight.t()
        if logits_only:
            return logits
        probabilities = logits.softmax(-1)
        if kept is not None:
            kept += [normed, logits, probabilities]
        return probabilities, new


class LlamaBlock(nn.Module):
    def __init__(self, d, mlp, heads, key_heads, d_head, normed_heads):
        super().__init__()
        self.heads, self.key_heads, self.d_head = heads, key_heads, d_head
        self.ln1, self.ln2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.ones(d))
        self.q_norm = nn.Parameter(torch.ones(d_head)) if normed_heads else None
        self.k_norm = nn.Parameter(torch.ones(d_head)) if normed_heads else None
        self.q, self.o = nn.Linear(d, heads * d_head, False), nn.Linear(heads * d_head, d, False)
        self.k, self.v = nn.Linear(d, key_heads * d_head, False), nn.Linear(d, key_heads * d_head, False)
        self.gate, self.up, self.down = nn.Linear(d, mlp, False), nn.Linear(d, mlp, False), nn.Linear(mlp, d, False)

    def forward(self, x, angles, cache):
        batch, positions, _ = x.shape
        normed = rms_norm(x, self.ln1)

        def heads_of(linear, count):
            return linear(normed).view(batch, positions, count, self.d_head).transpose(1, 2)

        q, k, v = heads_of(self.q, self.heads), heads_of(self.k, self.key_heads), heads_of(self.v, self.key_heads)
        if self.q_norm is not None:
            q, k = rms_norm(q, self.q_norm), rms_norm(k, self.k_norm)
        q, k = rotated(q, angles), rotated(k, angles)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        # The heads of a group read one key: they stand as more queries of it.
        group = q.reshape(batch, self.key_heads, -1, self.d_head)
        scores = (group @ k.transpose(-1, -2) / math.sqrt(self.d_head)).view(batch, self.heads, positions, -1)
        if positions > 1:
            scores = scores.masked_fill(torch.ones(positions, positions, dtype=torch.bool).triu(1), -math.inf)
        pattern = scores.softmax(-1).view(batch, self.key_heads, -1, k.shape[2])
        z = (pattern @ v).view(batch, self.heads, positions, self.d_head).transpose(1, 2).reshape(batch, positions, -1)
        x = x + self.o(z)
        normed = rms_norm(x, self.ln2)
        return x + self.down(F.silu(self.gate(normed)) * self.up(normed)), (k, v)


def rms_norm(x, weight):
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * weight


def rotated(x, angles):
    cos, sin = angles
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat([-right, left], -1) * sin


class Llama(nn.Module):
    """A model of a published shape, as in published.cpp."""

    def __init__(self, words, d, mlp, layers, heads, key_heads, d_head, normed_heads):
        super().__init__()
        self.d_head = d_head
        self.embed = nn.Parameter(torch.empty(words, d).uniform_(-0.06, 0.06))
        self.blocks = nn.ModuleList(LlamaBlock(d, mlp, heads, key_heads, d_head, normed_heads) for _ in range(layers))
        self.ln = nn.Parameter(torch.ones(d))

    def forward(self, tokens, first=0, caches=None):
        x = self.embed[tokens]
        places = torch.arange(first, first + tokens.shape[1]).float()
        turns = places[:, None] * 100000.0 ** (-torch.arange(0, self.d_head, 2).float() / self.d_head)
        angles = [f(torch.cat([turns, turns], -1)).to(x.dtype) for f in (torch.cos, torch.sin)]
        new = []
        for i, block in enumerate(self.blocks):
            x, cache = block(x, angles, caches[i] if caches else None)
            new.append(cache)
        return rms_norm(x[:, -1], self.ln) @ self.embed.t(), new


# name: words, d_model, d_mlp, layers, heads, key heads, d_head, queries and keys normalized
PUBLISHED = {
    "SmolLM2-135M": (49152, 576, 1536, 30, 9, 3, 64, False),
    "Qwen3-0.6B": (151936, 1024, 3072, 28, 16, 8, 128, True),
}


def resident_mb():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def torch_published(name, dtype, threads):
    """What a process of its own prints for compare_published()."""
    torch.set_num_threads(threads)
    before = resident_mb()
    torch.set_default_dtype({"bfloat16": torch.bfloat16, "float32": torch.float32}[dtype])
    with torch.no_grad():
        model = Llama(*PUBLISHED[name])
        words = PUBLISHED[name][0]
        logits, caches = model(torch.tensor([[(p * 7919 + 11) % words for p in range(16)]]))
        times = []
        for i in range(42):
            start = time.perf_counter()
            logits, caches = model(logits.argmax(-1, keepdim=True), first=16 + i, caches=caches)
            if i >= 2:
                times.append(time.perf_counter() - start)
    print(json.dumps({"words a second": 1 / median(times), "memory, MB": resident_mb() - before}))


def median_ms(run, repeats):
    times = []
    for i in range(repeats + 2):
        start = time.perf_counter()
        run()
        if i >= 2:
            times.append(1e3 * (time.perf_counter() - start))
    return sorted(times)[len(times) // 2]


def torch_gpt2(threads):
    """What a process of its own prints for in_turns()."""
    torch.set_num_threads(threads)
    with torch.no_grad():
        model, tokens = Gpt2(), (torch.arange(128)[None] * 7919 + 11) % 50257
        plain, kept = [], []
        for _ in range(7):  # in turns as well
            plain.append(median_ms(lambda: model(tokens), 1))
            kept.append(median_ms(lambda: model(tokens, kept=[]), 1))
        caches = model(tokens)[1]
        word = median_ms(lambda: model(tokens[:, :1], first=128, caches=caches), 15)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"pass, ms": median(plain), "pass with every value kept, ms": median(kept), "one more word, ms": word,
                      "peak memory, MB": peak}))


def our_gpt2(program):
    found = bench(program, "gpt2")
    ours = found["gpt2"]
    return {"pass, ms": ours["forward_ms"], "pass with every value kept, ms": ours["forward_and_trace_ms"],
            "one more word, ms": ours["next_word_ms"], "peak memory, MB": found["peak_memory_mb"]}


def median(values):
    return sorted(values)[len(values) // 2]


def bench(program, part, *options):
    result = subprocess.run([program, "--only", part, "--json", *options], check=True, capture_output=True, text=True)
    return json.loads(result.stdout)


def of_process(*arguments):
    result = subprocess.run([sys.executable, os.path.abspath(__file__), *map(str, arguments)], check=True,
                            capture_output=True, text=True)
    return json.loads(result.stdout)


def in_turns(program, cores, rounds=3):
    """Medians over the rounds, by what was measured: ours and PyTorch's with its better number of threads."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(our_gpt2(program))
        runs = [of_process("--torch-gpt2", threads) for threads in sorted({1, cores})]
        theirs.append({what: min(run[what] for run in runs) for what in runs[0]})
    return {what: (median([run[what] for run in ours]), median([run[what] for run in theirs])) for what in ours[0]}


def show(rows):
    print(f"{'':40}{'Glassformer':>12}{'PyTorch':>12}{'ratio':>8}")
    for name, (mine, other) in rows.items():
        print(f"{name:40}{mine:12.2f}{other:12.2f}{other / mine:8.2f}")
    print()


def compare_training(program, cores):
    def ours():
        return {s["size"]: s["step_ms"] for s in bench(program, "training")["training"]["steps"]}

    before = ours()
    theirs = {name: min(torch_step_ms(size, t) for t in sorted({1, cores})) for name, size in SIZES.items()}
    after = ours()
    show({"step, ms: " + name: ((before[name] + after[name]) / 2, theirs[name]) for name in theirs})


def compare_training_on_card(program):
    def ours():
        found = bench(program, "training", "--backend", "gl", "--full")
        print(f"Glassformer on {found['backend']}")
        return {s["size"]: s["step_ms"] for s in found["open_gl"]["training_steps"]}

    print(f"PyTorch on {torch.cuda.get_device_name()}")
    before = ours()
    theirs = {name: torch_step_ms(SIZES[name], 1, "cuda") for name in before if name in SIZES}
    after = ours()
    show({"step, ms: " + name: ((before[name] + after[name]) / 2, theirs[name]) for name in theirs})


def compare_gpt2(program, cores):
    rows = in_turns(program, cores)
    show({"GPT-2's size, 128 tokens: " + name if name.startswith("pass") else "GPT-2's size: " + name: pair
          for name, pair in rows.items()})
    passed, kept = rows["pass, ms"], rows["pass with every value kept, ms"]
    word = rows["one more word, ms"]
    print(f"keeping every value costs {100 * (kept[0] / passed[0] - 1):.0f} % (PyTorch {100 * (kept[1] / passed[1] - 1):.0f} %)")
    print(f"words a second: {1000 / word[0]:.1f} (PyTorch {1000 / word[1]:.1f})")


def compare_published(program, cores, rounds):
    ours, theirs = {name: [] for name in PUBLISHED}, {}
    for _ in range(rounds):
        for found in bench(program, "published")["published"]:
            ours[found["model"]].append(found)
        for name in PUBLISHED:
            for dtype in ("bfloat16", "float32"):
                theirs.setdefault((name, dtype), []).append(of_process("--torch-published", name, dtype, cores))
    print(f"{'':42}{'words a second':>16}{'memory, MB':>12}")
    for name, runs in ours.items():
        mine = median([run["tokens_per_s"] for run in runs])
        print(f"{name + ', Glassformer, bfloat16':42}{mine:16.1f}{median([run['resident_mb'] for run in runs]):12.0f}")
        best = 0
        for dtype in ("bfloat16", "float32"):
            speed = median([run["words a second"] for run in theirs[name, dtype]])
            memory = median([run["memory, MB"] for run in theirs[name, dtype]])
            print(f"{name + ', PyTorch, ' + dtype:42}{speed:16.1f}{memory:12.0f}")
            best = max(best, speed)
        print(f"{name}: {mine / best:.2f} × the words a second of PyTorch's faster type\n")


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description="Glassformer beside PyTorch")
    parser.add_argument("program", nargs="?", default=os.path.join(root, "build", "bench"))
    parser.add_argument("--only", choices=["training", "gpt2", "published"])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rounds", type=int, default=3, help="of the published shapes; the medians count")
    parser.add_argument("--torch-gpt2", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--torch-published", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.torch_gpt2:
        return torch_gpt2(asked.torch_gpt2)
    if asked.torch_published:
        name, dtype, threads = asked.torch_published
        return torch_published(name, dtype, int(threads))
    if not os.access(asked.program, os.X_OK):
        sys.exit(f"{asked.program} is not there; build it with ./run.sh, or name the program")
    if asked.device == "cuda":
        return compare_training_on_card(asked.program)
    cores = os.cpu_count() or 1
    print(f"PyTorch {torch.__version__}, {cores} cores\n")
    if asked.only in (None, "training"):
        compare_training(asked.program, cores)
    if asked.only in (None, "gpt2"):
        compare_gpt2(asked.program, cores)
    if asked.only == "published":
        compare_published(asked.program, cores, asked.rounds)


if __name__ == "__main__":
    main()
