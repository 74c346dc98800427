"""Checks an exported model using only Hugging Face's names and layout.

    glassformer trace --model FOLDER --tokens 1,2,3 --out TRACE
    check_hugging_face.py FOLDER TRACE 1,2,3

Computes GPT-2 (Radford et al. 2019) in PyTorch from config.json and model.safetensors, as Transformers reads them, and
compares its logits with those of the trace. Does not need Transformers.
"""

import json
import struct
import sys

import numpy
import torch
import torch.nn.functional as F


def read_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    header.pop("__metadata__", None)
    kinds = {"F32": numpy.float32, "F16": numpy.float16}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        cells = numpy.frombuffer(data[begin:end], kinds[entry["dtype"]]).astype(numpy.float32)
        tensors[name] = torch.from_numpy(cells).reshape(entry["shape"])
    return tensors


def logits(config, tensors, tokens):
    def get(name):
        return tensors["transformer." + name if "transformer.wte.weight" in tensors else name]

    def norm(name, x):
        return F.layer_norm(x, x.shape[-1:], get(name + ".weight"), get(name + ".bias"), config["layer_norm_epsilon"])

    def conv1d(name, x):  # the weight is [in, out]
        return x @ get(name + ".weight") + get(name + ".bias")

    activation = {
        "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
        "gelu": F.gelu,
        "relu": F.relu,
    }[config["activation_function"]]
    n, heads = len(tokens), config["n_head"]
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    x = get("wte.weight")[tokens] + get("wpe.weight")[:n]
    for layer in range(config["n_layer"]):
        block = f"h.{layer}."
        q, k, v = (
            part.view(n, heads, -1).transpose(0, 1)
            for part in conv1d(block + "attn.c_attn", norm(block + "ln_1", x)).chunk(3, dim=-1)
        )
        scores = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(hidden, float("-inf"))
        mixed = (scores.softmax(-1) @ v).transpose(0, 1).reshape(n, -1)
        x = x + conv1d(block + "attn.c_proj", mixed)
        inner = activation(conv1d(block + "mlp.c_fc", norm(block + "ln_2", x)))
        x = x + conv1d(block + "mlp.c_proj", inner)
    head = get("wte.weight") if config["tie_word_embeddings"] else tensors["lm_head.weight"]
    return norm("ln_f", x) @ head.T


def main():
    folder, trace, ids = sys.argv[1:]
    with open(folder + "/config.json") as file:
        config = json.load(file)
    expected = logits(config, read_safetensors(folder + "/model.safetensors"), [int(i) for i in ids.split(",")])
    found = read_safetensors(trace)["logits"]
    difference = (expected - found).abs().max().item()
    print(f"largest difference of a logit {difference:.2e}, largest logit {expected.abs().max().item():.2e}")
    if not difference <= 1e-4 * max(1.0, expected.abs().max().item()):
        sys.exit("the logits differ")


if __name__ == "__main__":
    main()
