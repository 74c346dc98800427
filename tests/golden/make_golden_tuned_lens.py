#!/usr/bin/env python3
"""Writes what a lens with an affine map per layer reads from the models in switches.safetensors, computed in double
precision from the streams stored there; tuned_lens_test.cpp compares.

    python3 tests/golden/make_golden_tuned_lens.py       (Python alone)
"""
import json
import math
import pathlib
import random
import struct
import zlib

FOLDER = pathlib.Path(__file__).parent
CASES = ["plain", "causal", "llama", "scalar_norm", "post", "no_norm"]


def rounded(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Case:
    def __init__(self, file, header, name, config):
        self.file, self.header, self.name, self.config = file, header, name, config

    def has(self, what):
        return f"{self.name}/{what}" in self.header

    def __getitem__(self, what):
        """Rows of the last axis."""
        entry = self.header[f"{self.name}/{what}"]
        begin, end = entry["data_offsets"]
        cells = [x for x, in struct.iter_unpack("<f", self.file[begin:end])]
        width = entry["shape"][-1]
        return [cells[i:i + width] for i in range(0, len(cells), width)]

    def norm(self, x):
        if not self.has("parameter/ln_final.w"):
            return x
        mean = math.fsum(x) / len(x) if self.config["norm"] == "layer_norm" else 0.0
        scale = math.sqrt(math.fsum((v - mean) ** 2 for v in x) / len(x) + self.config["layer_norm_epsilon"])
        w = self["parameter/ln_final.w"][0]
        b = self["parameter/ln_final.b"][0] if self.has("parameter/ln_final.b") else [0.0]
        return [(v - mean) / scale * w[i % len(w)] + b[i % len(b)] for i, v in enumerate(x)]

    def logits(self, x):
        x = self.norm(x)
        if self.config["tied"]:
            return [math.fsum(a * b for a, b in zip(x, row)) for row in self["parameter/embed.W_E"]]
        columns = zip(*self["parameter/unembed.W_U"])
        bias = self["parameter/unembed.b_U"][0] if self.has("parameter/unembed.b_U") else [0.0] * self.config["d_vocab"]
        return [math.fsum(a * b for a, b in zip(x, column)) + c for column, c in zip(columns, bias)]

    def read(self):
        noise, d = random.Random(zlib.crc32(self.name.encode())), self.config["d_model"]
        positions = len(self["batches/tokens"][0])
        sentence = self["batches/key_mask"].index([1.0] * positions)  # the sentence without padding
        layers = []
        for layer in range(self.config["n_layers"]):
            change = [[rounded(noise.gauss(0, 0.3)) for _ in range(d)] for _ in range(d)]
            bias = [rounded(noise.gauss(0, 0.3)) for _ in range(d)]
            stream = self[f"hook/blocks.{layer}.hook_resid_pre"][sentence * positions:(sentence + 1) * positions]
            mapped = [[x[j] + math.fsum(x[i] * change[i][j] for i in range(d)) + bias[j] for j in range(d)]
                      for x in stream]
            layers.append({"map": sum(change, []) + bias, "logits": sum((self.logits(x) for x in mapped), [])})
        return {"sentence": sentence, "layers": layers}


if __name__ == "__main__":
    data = (FOLDER / "switches.safetensors").read_bytes()
    length, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    configs = {c["name"]: c["config"] for c in json.loads(header["__metadata__"]["cases"])}
    found = {name: Case(data[8 + length:], header, name, configs[name]).read() for name in CASES}
    (FOLDER / "tuned_lens.json").write_text(json.dumps(found, separators=(",", ":")) + "\n")
    print(f"tuned_lens.json: {len(found)} cases")
