#!/usr/bin/env python3
"""Writes the part of each word in an answer, computed in double precision; word_parts_test.cpp compares.

    word_parts.safetensors      leave one out, gradient × input, integrated gradients, attention rollout; the gradient of
                                the answer at some nodes

    python3 tests/golden/make_golden_word_parts.py       (python3-torch and numpy)
"""
import pathlib

import numpy
import torch

from golden_files import MASK, Parameters, write_cases
from make_golden_families import attention, config_of, decoder
from plain_model import PlainModel

TOKENS, POSITION, WORD, MINUS = [4, 7, 2, 9, 7, 5], 3, 6, 8
SOURCE = [3, 8, 2, 6, 8]  # of the translation
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
    "encoder_loss": ({}, "loss"),
    "decoder_loss": (decoder(activation="gelu_tanh", tied=False), "next"),
    "llama_loss": (decoder(norm="rms_norm", activation="swiglu", positions="rotary", tied=False,
                           **attention(biases=False)), "next"),
    "classes_loss": ({"output": "classes", "d_output": 3}, "class_loss"),
    "translation": ({"family": "encoder_decoder", "n_encoder_layers": 1, "d_source_vocab": 9}, "difference"),
    "translation_loss": ({"family": "encoder_decoder", "n_encoder_layers": 2, "norm_placement": "post"}, "next"),
}
GRADIENTS = ["hook_embed", "encoder.hook_embed", "blocks.0.hook_resid_mid", "blocks.1.hook_resid_pre"] + [
    f"blocks.{b}.{a}.hook_{what}" for b in (0, 1) for a in ("attn", "cross_attn")
    for what in ("q", "k", "v", "pattern", "z")]


class ReadsEmbeddings(PlainModel):
    """The same model with given token embeddings, by side, and gradients for the values it keeps."""

    def keep(self, name, value):
        if value.requires_grad:
            value.retain_grad()
        return super().keep(name, value)

    def start(self, side, words):
        table = side + "embed.W_E" if self.c.d_source_vocab else "embed.W_E"
        given = self.embeddings[side] if self.embeddings else self.p[table][words]
        x = self.keep(side + "hook_embed", given)
        order = self.order(side, x.shape[1])
        return self.keep(side + "blocks.0.hook_resid_pre", x if order is None else x + order)


class Answer:
    def __init__(self, name, options, reads):
        self.fields, self.config = config_of(options)
        self.parameters, self.reads = Parameters(name), reads
        self.parameters("embed.W_E", self.config.d_vocab, self.config.d_model)
        self.source = SOURCE if self.config.family == "encoder_decoder" else []
        if self.config.d_source_vocab:
            self.parameters("encoder.embed.W_E", self.config.d_source_vocab, self.config.d_model)
        self.model = ReadsEmbeddings(self.config, self.parameters, training=False)

    def __call__(self, tokens, position, embeddings=None, source=None, truth=None):
        self.model.embeddings = embeddings
        count, source = len(tokens), self.source if source is None else source
        each = (1,) if self.config.output == "classes" else (1, count)
        hooks = self.model({"tokens": torch.tensor([tokens]), "key_mask": torch.ones(1, count, dtype=torch.bool),
                            "source_tokens": torch.tensor([source]),
                            "source_key_mask": torch.ones(1, len(source), dtype=torch.bool),
                            "targets": torch.zeros(each, dtype=torch.long), "loss_weights": torch.ones(each)})
        logits = hooks["logits"][0]
        if self.reads == "class":
            return logits[2] - logits[0]
        if self.reads == "class_loss":
            return -logits.log_softmax(-1)[2]
        if self.reads == "loss":
            return -logits[position].log_softmax(-1)[WORD]
        if self.reads == "next":
            truth = tokens if truth is None else truth
            return -sum(logits[i].log_softmax(-1)[truth[i + 1]] for i in range(count - 1)) / (count - 1)
        return logits[position][WORD] - {"logit": 0.0, "difference": logits[position][MINUS],
                                         "mean": logits[position].mean()}[self.reads]

    def embeddings(self, share, track=False):
        """The embeddings of both sides, multiplied by `share`."""
        table = self.parameters["encoder.embed.W_E" if self.config.d_source_vocab else "embed.W_E"].detach()
        sides = {"encoder.": table[torch.tensor([self.source], dtype=torch.long)]} if self.source else {}
        sides[""] = self.parameters["embed.W_E"].detach()[torch.tensor([TOKENS])]
        return {side: (share * e).requires_grad_(track) for side, e in sides.items()}

    def gradient(self, share):
        """Σ_j e_j ∂f/∂e_j of each word, with all embeddings e multiplied by `share`."""
        e, at = self.embeddings(1.0), self.embeddings(share, True)
        self(TOKENS, POSITION, at).backward()
        return torch.cat([(e[side] * at[side].grad).sum(-1)[0] for side in e]).detach()

    def gradients(self):
        """The gradients of the hooks above, at the unchanged sentence."""
        self(TOKENS, POSITION, self.embeddings(1.0, True)).backward()
        hooks = self.model.hooks
        return {name: hooks[name].grad[0] for name in GRADIENTS if name in hooks and hooks[name].grad is not None}

    def integral(self):
        """By Gauss's rule in pieces that are halved until each converges: near zero a norm changes fast, and a ReLU has
        kinks."""
        nodes, weights = numpy.polynomial.legendre.leggauss(6)
        at = lambda share: self(TOKENS, POSITION, self.embeddings(share)).detach()

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
    removed, hidden, source, none = [], [], answer.source, torch.tensor(float("nan"))
    for i in range(len(source)):
        removed.append(whole - answer(TOKENS, POSITION, source=source[:i] + source[i + 1:]).detach())
        hidden.append(none)
    for i, token in enumerate(TOKENS):
        rest = TOKENS[:i] + TOKENS[i + 1:]
        here = i == POSITION and reads not in ("class", "class_loss", "next")  # nothing is left to read the answer from
        removed.append(none if here else whole - answer(rest, POSITION - (i < POSITION)).detach())
        hidden.append(whole - answer(TOKENS[:i] + [MASK] + TOKENS[i + 1:], POSITION, truth=TOKENS).detach())
    integral = answer.integral()
    nothing = answer(TOKENS, POSITION, answer.embeddings(0.0)).detach()
    gap = abs(integral.sum() - (whole - nothing))  # completeness: the reference itself adds up
    assert gap < 1e-7 * max(1.0, abs(whole - nothing)), (name, gap)
    tensors.update({"answer/whole": whole[None], "answer/baseline": nothing[None], "answer/removed": torch.stack(removed),
                    "answer/hidden": torch.stack(hidden), "answer/gradient": answer.gradient(1.0),
                    "answer/integrated": integral})
    if not source:
        tensors["answer/rollout"] = answer.rollout()
    tensors.update({"gradient/" + hook: t for hook, t in answer.gradients().items()})
    description = {"config": answer.fields, "reads": reads, "shape": {"batch": 1, "positions": len(TOKENS),
                                                                     "source_positions": len(source)}}
    return description, tensors


if __name__ == "__main__":
    write_cases(pathlib.Path(__file__).parent / "word_parts.safetensors",
                {name: case(name, *c) for name, c in CASES.items()})
