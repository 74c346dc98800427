#!/usr/bin/env python3
"""Writes the part of each word in an answer, computed in double precision; word_parts_test.cpp compares.

    word_parts.safetensors      leave one out, gradient × input, integrated gradients, attention rollout

    python3 tests/golden/make_golden_word_parts.py       (python3-torch and numpy)
"""
import pathlib

import numpy
import torch

from golden_files import MASK, Parameters, write_cases
from make_golden_families import attention, config_of, decoder
from plain_model import PlainModel

TOKENS, POSITION, WORD, MINUS = [4, 7, 2, 9, 7, 5], 3, 6, 8
CASES = {  # name: (options of the config, how the answer is read)
    "encoder": ({}, "logit"),
    "encoder_less": ({}, "difference"),
    "decoder": (decoder(activation="gelu_tanh", tied=False), "mean"),
    "llama": (decoder(norm="rms_norm", activation="swiglu", positions="rotary", tied=False,
                      **attention(biases=False)), "difference"),
    "post": ({"norm_placement": "post", "activation": "relu"}, "logit"),
    "no_residual": ({"residual": False}, "mean"),
    "classes": ({"output": "classes", "d_output": 3}, "class"),
    "classes_first": ({"output": "classes", "d_output": 3, "readout": "first"}, "class"),
}


class ReadsEmbeddings(PlainModel):
    """The same model of given token embeddings."""

    def start(self, side, words):
        x = self.keep("hook_embed", self.embeddings if self.embeddings is not None else self.p["embed.W_E"][words])
        order = self.order(side, x.shape[1])
        return self.keep("blocks.0.hook_resid_pre", x if order is None else x + order)


class Answer:
    def __init__(self, name, options, reads):
        self.fields, self.config = config_of(options)
        self.parameters, self.reads = Parameters(name), reads
        self.parameters("embed.W_E", self.config.d_vocab, self.config.d_model)
        self.model = ReadsEmbeddings(self.config, self.parameters, training=False)

    def __call__(self, tokens, position, embeddings=None):
        self.model.embeddings = embeddings
        count = len(tokens)
        each = (1,) if self.config.output == "classes" else (1, count)
        hooks = self.model({"tokens": torch.tensor([tokens]), "key_mask": torch.ones(1, count, dtype=torch.bool),
                            "targets": torch.zeros(each, dtype=torch.long), "loss_weights": torch.ones(each)})
        if self.reads == "class":
            return hooks["logits"][0, 2] - hooks["logits"][0, 0]
        row = hooks["logits"][0, position]
        return row[WORD] - {"logit": 0.0, "difference": row[MINUS], "mean": row.mean()}[self.reads]

    def gradient(self, share):
        """Σ_j e_j ∂f/∂e_j of each word, where all embeddings e are multiplied by `share`."""
        e = self.parameters["embed.W_E"].detach()[torch.tensor([TOKENS])]
        at = (share * e).requires_grad_()
        self(TOKENS, POSITION, at).backward()
        return (e * at.grad).sum(-1)[0].detach()

    def integral(self):
        """By Gauss's rule in pieces that are cut in two until each adds up: near nothing a norm changes fast, and a ReLU
        has kinks."""
        nodes, weights = numpy.polynomial.legendre.leggauss(6)
        e = self.parameters["embed.W_E"].detach()[torch.tensor([TOKENS])]
        at = lambda share: self(TOKENS, POSITION, share * e).detach()

        def piece(a, b, at_a, at_b):
            sums = sum(w * (b - a) / 2 * self.gradient((a + b + x * (b - a)) / 2) for x, w in zip(nodes, weights))
            if abs(sums.sum() - (at_b - at_a)) < 1e-9 or b - a < 1e-9:
                return sums
            middle = (a + b) / 2
            at_middle = at(middle)
            return piece(a, middle, at_a, at_middle) + piece(middle, b, at_middle, at_b)

        return piece(0.0, 1.0, at(0.0), at(1.0))

    def rollout(self):
        self(TOKENS, POSITION)
        product = None
        for layer in range(self.config.n_layers):
            mean = self.model.hooks[f"blocks.{layer}.attn.hook_pattern"][0].mean(0)
            one = 0.5 * mean + 0.5 * torch.eye(len(TOKENS)) if self.config.residual else mean
            one = one / one.sum(-1, keepdim=True)
            product = one if product is None else one @ product
        return product.detach()


def case(name, options, reads):
    answer = Answer(name, options, reads)
    whole = answer(TOKENS, POSITION).detach()
    tensors = {"parameter/" + key: t for key, t in answer.parameters.first.items()}
    removed, hidden = [], []
    for i, token in enumerate(TOKENS):
        rest = TOKENS[:i] + TOKENS[i + 1:]
        here = i == POSITION and reads != "class"  # nothing is left to read the answer from
        removed.append(torch.tensor(float("nan")) if here else
                       whole - answer(rest, POSITION - (i < POSITION)).detach())
        hidden.append(whole - answer(TOKENS[:i] + [MASK] + TOKENS[i + 1:], POSITION).detach())
    integral = answer.integral()
    nothing = answer(TOKENS, POSITION, torch.zeros(1, len(TOKENS), answer.config.d_model, dtype=torch.float64)).detach()
    gap = abs(integral.sum() - (whole - nothing))  # completeness: the reference itself adds up
    assert gap < 1e-7 * max(1.0, abs(whole - nothing)), (name, gap)
    tensors.update({"answer/whole": whole[None], "answer/baseline": nothing[None], "answer/removed": torch.stack(removed),
                    "answer/hidden": torch.stack(hidden), "answer/gradient": answer.gradient(1.0),
                    "answer/integrated": integral, "answer/rollout": answer.rollout()})
    description = {"config": answer.fields, "reads": reads, "shape": {"batch": 1, "positions": len(TOKENS),
                                                                     "source_positions": 0}}
    return description, tensors


if __name__ == "__main__":
    write_cases(pathlib.Path(__file__).parent / "word_parts.safetensors",
                {name: case(name, *c) for name, c in CASES.items()})
