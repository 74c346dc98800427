#!/usr/bin/env python3
"""Writes what PyTorch computes for every family and switch of our models; families_test.cpp and its neighbours compare.

    attention.safetensors       torch.nn.MultiheadAttention
    torch_layers.safetensors    torch.nn.TransformerEncoder, TransformerDecoder, GRU, RNN
    gpt2.safetensors            GPT-2, whose weights are also the Hugging Face folders gpt2_tiny and gpt2_tiny_untied
    switches.safetensors        every other switch, against the papers' formulas (plain_model.py)

Only this file lists the cases: each case carries its config as JSON, which the tests read.

    python3 tests/golden/make_golden_families.py       (python3-torch; on one kind of processor the
    files have the same bytes every time, on another a few last digits may differ)
"""
import pathlib
import types

import torch

from golden_files import PAD, STEPS, Parameters, record, rounded, write_cases
from gpt2_plain import Gpt2, write_folder
from plain_model import PlainModel
from torch_modules import Attention, RecurrentLayers, TransformerLayers

FOLDER = pathlib.Path(__file__).parent
LENGTHS = torch.tensor([3, 5])  # of the two sentences; SOURCE_LENGTHS of the source sentences
SOURCE_LENGTHS = torch.tensor([6, 4])
BATCH = {"batch": 2, "positions": 5, "source_positions": 6}

# Every field of TransformerConfig; tiny sizes, the rest as in config.h.
ATTENTION = {"projections": "separate", "biases": True, "d_head": 0, "d_value": 0, "hard": False, "scale": True,
             "padding_mask": True}
CONFIG = {"d_vocab": 11, "n_ctx": 8, "d_model": 8, "n_heads": 2, "n_layers": 2, "d_mlp": 12,
          "layer_norm_epsilon": 1e-5, "init_std": 0.08, "family": "encoder", "attention": ATTENTION,
          "positions": "learned", "norm_placement": "pre", "norm": "layer_norm", "norm_scalar": False,
          "activation": "gelu", "residual": True, "dropout": 0.0, "tied": True, "input": "words", "d_input": 0,
          "output": "words", "d_output": 0, "d_source_vocab": 0, "n_encoder_layers": 0}


def decoder(**options):
    return {"family": "decoder", **options}


def translator(**options):
    return {"family": "encoder_decoder", "n_layers": 1, **options}


def attention(**options):
    return {"attention": options}


def recurrent(family, **options):
    return {"family": family, "activation": "none", "positions": "none", "norm_placement": "none", "residual": False,
            **options}


ATTENTIONS = {  # name: (options of AttentionOptions, causal, crosses)
    f"{name}_{'biases' if biases else 'no_biases'}": ({"padding_mask": padded, "biases": biases}, causal, crosses)
    for name, padded, causal, crosses in (
        ("self", False, False, False), ("self_causal", False, True, False), ("self_padded", True, False, False),
        ("self_causal_padded", True, True, False), ("cross", False, False, True), ("cross_padded", True, False, True))
    for biases in (True, False)}

LAYERS = {
    f"encoder_{placement}_{activation}": {"norm_placement": placement, "activation": activation, "tied": False}
    for placement in ("pre", "post") for activation in ("relu", "gelu")}
LAYERS.update({
    f"translator_{placement}": translator(norm_placement=placement, activation="relu", tied=False, d_source_vocab=9,
                                          n_layers=2, n_encoder_layers=layers)
    for placement, layers in (("pre", 0), ("post", 1))})
RECURRENT = {f"{family}_{layers}": recurrent(family, n_layers=layers, tied=layers == 1)
             for family in ("rnn", "gru") for layers in (1, 2)}

GPT2 = {name: decoder(d_model=16, n_heads=4, d_mlp=64, activation="gelu_tanh", tied=name == "gpt2_tiny")
        for name in ("gpt2_tiny", "gpt2_tiny_untied")}

SWITCHES = {
    "plain": {},
    "causal": decoder(),
    "llama": decoder(norm="rms_norm", activation="swiglu", positions="rotary", tied=False, **attention(biases=False)),
    "rotary_encoder": {"positions": "rotary"},
    "rotary_shared": {"positions": "rotary", **attention(projections="shared")},
    "rotary_translator": translator(positions="rotary"),
    "alibi": {"positions": "alibi", "n_heads": 4},
    "alibi_causal": decoder(positions="alibi"),
    "alibi_translator": translator(positions="alibi"),
    "sinusoidal": {"positions": "sinusoidal"},
    "sinusoidal_translator": translator(positions="sinusoidal", d_source_vocab=9, tied=False),
    "index": {"positions": "index"},
    "index_over_length": {"positions": "index_over_length"},
    "no_positions": {"positions": "none"},
    "post": {"norm_placement": "post", "activation": "relu"},
    "stream_first": {"norm_placement": "stream_first"},
    "stream_first_translator": translator(norm_placement="stream_first", n_encoder_layers=2),
    "no_norm": {"norm_placement": "none"},
    "scalar_norm": {"norm_scalar": True},
    "scalar_rms_norm": {"norm_scalar": True, "norm": "rms_norm", "norm_placement": "post"},
    "large_epsilon": {"layer_norm_epsilon": 0.5},
    "batch_norm": {"norm": "batch_norm"},
    "batch_norm_post": {"norm": "batch_norm", "norm_placement": "post", "norm_scalar": True},
    "batch_norm_beside_padding": {"norm": "batch_norm", "n_layers": 1, **attention(padding_mask=False)},
    "batch_norm_translator": translator(norm="batch_norm"),
    "no_residual": {"residual": False},
    "no_residual_post": {"residual": False, "norm_placement": "post"},
    "attention_residual": {"mlp_residual": False},
    "attention_residual_no_norm": {"mlp_residual": False, "norm_placement": "none"},
    "attention_only": decoder(activation="none"),
    "attention_only_translator": translator(activation="none", norm_placement="post"),
    "no_biases": attention(biases=False),
    "shared_projections": attention(projections="shared"),
    "shared_projections_translator": translator(**attention(projections="shared", biases=False)),
    "no_projections": {"activation": "none", "norm_placement": "none", **attention(projections="none", scale=False)},
    "no_projections_translator": translator(**attention(projections="none")),
    "wide_heads": attention(d_head=6, d_value=3),
    "odd_heads": {"n_heads": 3, **attention(d_head=3, d_value=5)},
    "no_scale": attention(scale=False),
    "no_padding_mask": attention(padding_mask=False),
    "hard": attention(hard=True),
    "classes": {"output": "classes", "d_output": 3},
    "classes_first": {"output": "classes", "d_output": 3, "readout": "first"},
    "classes_last": {"family": "rnn", "activation": "none", "output": "classes", "d_output": 3, "readout": "last"},
    "values": decoder(input="values", d_input=3, output="values", d_output=2, tied=False),
    "values_to_words": {"input": "values", "d_input": 3, "tied": False},
    "shared_words_translator": translator(),
    "rnn_on_stream": {"family": "rnn", "activation": "none"},
    "gru_on_stream": {"family": "gru", "activation": "none", "norm_placement": "post", "norm": "rms_norm"},
    "rnn_alone": recurrent("rnn"),
    "gru_alone": recurrent("gru"),
}


def config_of(options):
    fields = {**CONFIG, **options, "attention": {**ATTENTION, **options.get("attention", {})}}
    return fields, types.SimpleNamespace(**{**fields, "attention": types.SimpleNamespace(**fields["attention"])})


class Batches:
    """Random batches of what a model reads; sentences of several lengths in any order."""

    def __init__(self, name, config, padded=True, random_inputs=True):
        self.c, self.padded = config, padded
        self.generator = torch.Generator().manual_seed(len(name) + 97 * sum(map(ord, name)))

    def mask(self, lengths, positions):
        lengths = lengths[torch.randperm(len(lengths), generator=self.generator)]
        if not self.padded:
            lengths = torch.full_like(lengths, positions)
        return torch.arange(positions)[None, :] < lengths[:, None]

    def words(self, most, present):
        ids = torch.randint(2, most, present.shape, generator=self.generator)
        return torch.where(present, ids, torch.tensor(PAD))

    def normal(self, *shape):
        return rounded(torch.randn(shape, generator=self.generator))

    def weights(self, present):
        """About half the words count, not all the same; the first of each sentence always does."""
        chosen = torch.rand(present.shape, generator=self.generator) < 0.5
        chosen[:, 0] = True
        return torch.where(chosen & present, torch.tensor([2.0, 0.5])[:, None], torch.tensor(0.0))

    def draw(self):
        c, rows, positions = self.c, BATCH["batch"], BATCH["positions"]
        present = self.mask(LENGTHS, positions)
        batch = {"key_mask": present, "loss_weights": self.weights(present)}
        if c.input == "values":
            batch["values"] = self.normal(rows, positions, c.d_input)
        else:
            batch["tokens"] = self.words(c.d_vocab, present)
        if c.output == "values":
            batch["target_values"] = self.normal(rows, positions, c.d_output)
        elif c.output == "classes":
            batch["targets"] = torch.randint(0, c.d_output, (rows,), generator=self.generator)
            batch["loss_weights"] = torch.tensor([2.0, 0.5])
        else:
            batch["targets"] = self.words(c.d_vocab, present)
        if c.family == "encoder_decoder":
            batch["source_key_mask"] = self.mask(SOURCE_LENGTHS, BATCH["source_positions"])
            batch["source_tokens"] = self.words(c.d_source_vocab or c.d_vocab, batch["source_key_mask"])
        return batch

    def attended(self, keys):
        """For one attention alone: a mask for its keys, and target values."""
        rows, queries = BATCH["batch"], BATCH["positions"]
        present = self.mask(SOURCE_LENGTHS if keys > queries else LENGTHS, keys)
        weights = self.weights(torch.ones(rows, queries, dtype=torch.bool))
        return {"key_mask": present, "loss_weights": weights,
                "target_values": self.normal(rows, queries, self.c.d_model)}


def model_case(name, options, make_model, padded=True):
    fields, config = config_of(options)
    parameters, source = Parameters(name), Batches(name, config, padded)
    batches = [source.draw() for _ in range(STEPS)]
    tensors = record(parameters, make_model(config, parameters), batches)
    shape = {**BATCH, "source_positions": BATCH["source_positions"] if config.family == "encoder_decoder" else 0}
    description = {"config": fields, "shape": shape, "every_node": make_model is PlainModel}
    if config.norm == "batch_norm":
        tensors.update(after_one_step(config, parameters, batches[0]))
    return description, tensors, config, parameters


def after_one_step(config, parameters, batch):
    """Batch normalization: the running statistics after the first batch, and the model's values outside training then
    (with the parameters' initial values)."""
    again = Parameters("")
    again.update({name: t.clone() for name, t in parameters.first.items()})
    PlainModel(config, again)(batch)
    running = {"running/" + name: t.clone() for name, t in again.items() if ".running_" in name}
    return {**running, "evaluation/logits": PlainModel(config, again, training=False)(batch)["logits"].detach()}


def attention_case(name, options, causal, crosses):
    fields, config = config_of({"attention": options})
    keys = BATCH["source_positions"] if crosses else BATCH["positions"]
    source, parameters = Batches(name, config), Parameters(name)
    model = Attention(config, parameters, (BATCH["batch"], BATCH["positions"], keys), causal, crosses)
    tensors = record(parameters, model, [source.attended(keys) for _ in range(STEPS)])
    shape = {**BATCH, "source_positions": keys if crosses else 0}
    return {"config": fields, "shape": shape, "every_node": False, "causal": causal}, tensors


def main():
    write_cases(FOLDER / "attention.safetensors", {name: attention_case(name, *a) for name, a in ATTENTIONS.items()})
    layers = {name: model_case(name, o, TransformerLayers)[:2] for name, o in LAYERS.items()}
    layers.update({name: model_case(name, o, RecurrentLayers)[:2] for name, o in RECURRENT.items()})
    write_cases(FOLDER / "torch_layers.safetensors", layers)
    gpt2 = {}
    for name, options in GPT2.items():
        *gpt2[name], config, parameters = model_case(name, options, Gpt2, padded=False)
        write_folder(FOLDER / name, config, parameters)
    write_cases(FOLDER / "gpt2.safetensors", gpt2)
    write_cases(FOLDER / "switches.safetensors",
                {name: model_case(name, o, PlainModel)[:2] for name, o in SWITCHES.items()})


if __name__ == "__main__":
    main()
