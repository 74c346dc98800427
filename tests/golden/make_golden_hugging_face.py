#!/usr/bin/env python3
"""Writes tiny random models as Hugging Face folders, hugging_face/NAME, one per supported architecture, and what
PyTorch computes with them (hugging_face_plain.py). tests/golden/hugging_face_test.cpp compares.

    python3 tests/golden/make_golden_hugging_face.py       (python3-torch)
"""
import json
import pathlib
import zlib

import torch

from golden_files import rounded, write_safetensors
import hugging_face_plain as plain

FOLDER = pathlib.Path(__file__).parent / "hugging_face"
POSITIONS = 7
WITH_POOLER = ["bert_pooler"]  # config.json does not say this


def llama(model_type, **options):
    return {"model_type": model_type, "architectures": ["ForCausalLM"], "vocab_size": 13, "hidden_size": 12,
            "intermediate_size": 10, "num_hidden_layers": 2, "num_attention_heads": 3, "num_key_value_heads": 3,
            "max_position_embeddings": 16, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "hidden_act": "silu",
            "tie_word_embeddings": False, **options}


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 8}
CASES = {
    "llama2": (plain.llama, llama("llama")),
    "llama3": (plain.llama, llama("llama", num_attention_heads=4, hidden_size=16, num_key_value_heads=2,
                                  rope_theta=500000.0, rope_scaling=LLAMA3, head_dim=6, tie_word_embeddings=True)),
    "llama_linear": (plain.llama, llama("llama", rope_scaling={"type": "linear", "factor": 2.0}, attention_bias=True,
                                        num_key_value_heads=1)),
    "mistral": (plain.llama, llama("mistral", num_attention_heads=2, num_key_value_heads=1, sliding_window=3)),
    "qwen2": (plain.llama, llama("qwen2", num_attention_heads=6, num_key_value_heads=2, rms_norm_eps=1e-6,
                                 rope_theta=1000000.0, tie_word_embeddings=True, use_sliding_window=False,
                                 sliding_window=4)),
    "qwen3": (plain.llama, llama("qwen3", num_attention_heads=4, num_key_value_heads=2, head_dim=8,
                                 tie_word_embeddings=True)),
    "gemma3": (plain.llama, llama("gemma3_text", num_attention_heads=4, num_key_value_heads=1, head_dim=6,
                                  num_hidden_layers=3, sliding_window=3, rope_theta=1000000.0,
                                  rope_local_base_freq=10000.0, query_pre_attn_scalar=9, tie_word_embeddings=True,
                                  hidden_activation="gelu_pytorch_tanh",
                                  layer_types=["sliding_attention", "full_attention", "sliding_attention"])),
    "gpt_neox": (plain.gpt_neox, {
        "model_type": "gpt_neox", "vocab_size": 13, "hidden_size": 24, "intermediate_size": 20, "num_hidden_layers": 2,
        "num_attention_heads": 3, "max_position_embeddings": 16, "rotary_pct": 0.5, "rotary_emb_base": 10000,
        "layer_norm_eps": 1e-5, "hidden_act": "gelu", "use_parallel_residual": True, "tie_word_embeddings": False}),
    "gpt_neox_serial": (plain.gpt_neox, {
        "model_type": "gpt_neox", "vocab_size": 13, "hidden_size": 16, "intermediate_size": 20, "num_hidden_layers": 1,
        "num_attention_heads": 2, "max_position_embeddings": 16, "rotary_pct": 0.25, "rotary_emb_base": 10000,
        "layer_norm_eps": 1e-5, "hidden_act": "gelu", "use_parallel_residual": False, "tie_word_embeddings": False}),
    "gpt_neo": (plain.gpt_neo, {
        "model_type": "gpt_neo", "vocab_size": 13, "hidden_size": 12, "num_layers": 2, "num_heads": 2,
        "intermediate_size": None, "max_position_embeddings": 16, "window_size": 3,
        "attention_types": [[["global", "local"], 1]], "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5}),
    "bert": (plain.bert, {
        "model_type": "bert", "vocab_size": 13, "hidden_size": 12, "intermediate_size": 10, "num_hidden_layers": 2,
        "num_attention_heads": 3, "max_position_embeddings": 16, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        "hidden_act": "gelu"}),
    # BERT as in a folder that was also trained on next-sentence prediction: with the pooler.
    "bert_pooler": (plain.bert, {
        "model_type": "bert", "vocab_size": 13, "hidden_size": 12, "intermediate_size": 10, "num_hidden_layers": 1,
        "num_attention_heads": 3, "max_position_embeddings": 16, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
        "hidden_act": "gelu"}),
    "roberta": (plain.bert, {
        "model_type": "roberta", "vocab_size": 13, "hidden_size": 12, "intermediate_size": 10, "num_hidden_layers": 1,
        "num_attention_heads": 2, "max_position_embeddings": 18, "type_vocab_size": 1, "layer_norm_eps": 1e-5,
        "pad_token_id": 1, "hidden_act": "gelu"}),
    "distilbert": (plain.bert, {
        "model_type": "distilbert", "vocab_size": 13, "dim": 12, "hidden_dim": 10, "n_layers": 2, "n_heads": 3,
        "max_position_embeddings": 16, "activation": "gelu"}),
}


def shapes_of_llama(c):
    d, heads, shared = c["hidden_size"], c["num_attention_heads"], c["num_key_value_heads"]
    width, gemma = c.get("head_dim") or d // heads, c["model_type"] == "gemma3_text"
    yield "model.embed_tokens.weight", (c["vocab_size"], d)
    for layer in range(c["num_hidden_layers"]):
        t = f"model.layers.{layer}."
        norms = ["input_layernorm", "post_attention_layernorm"]
        for norm in norms + (["pre_feedforward_layernorm", "post_feedforward_layernorm"] if gemma else []):
            yield f"{t}{norm}.weight", (d,)
        for letter, rows in (("q", heads), ("k", shared), ("v", shared)):
            yield f"{t}self_attn.{letter}_proj.weight", (rows * width, d)
            if c.get("attention_bias") or c["model_type"] == "qwen2":
                yield f"{t}self_attn.{letter}_proj.bias", (rows * width,)
        yield t + "self_attn.o_proj.weight", (d, heads * width)
        if c.get("attention_bias"):
            yield t + "self_attn.o_proj.bias", (d,)
        if c["model_type"] in ("qwen3", "gemma3_text"):
            yield t + "self_attn.q_norm.weight", (width,)
            yield t + "self_attn.k_norm.weight", (width,)
        for name, shape in (("gate", (c["intermediate_size"], d)), ("up", (c["intermediate_size"], d)),
                            ("down", (d, c["intermediate_size"]))):
            yield f"{t}mlp.{name}_proj.weight", shape
    yield "model.norm.weight", (d,)
    if not c["tie_word_embeddings"]:
        yield "lm_head.weight", (c["vocab_size"], d)


def with_bias(name, rows, columns=None):
    yield name + ".weight", (rows,) if columns is None else (rows, columns)
    yield name + ".bias", (rows,)


def shapes_of_neox(c):
    d, inner = c["hidden_size"], c["intermediate_size"]
    yield "gpt_neox.embed_in.weight", (c["vocab_size"], d)
    for layer in range(c["num_hidden_layers"]):
        t = f"gpt_neox.layers.{layer}."
        yield from with_bias(t + "input_layernorm", d)
        yield from with_bias(t + "post_attention_layernorm", d)
        yield from with_bias(t + "attention.query_key_value", 3 * d, d)
        yield from with_bias(t + "attention.dense", d, d)
        yield from with_bias(t + "mlp.dense_h_to_4h", inner, d)
        yield from with_bias(t + "mlp.dense_4h_to_h", d, inner)
    yield from with_bias("gpt_neox.final_layer_norm", d)
    yield "embed_out.weight", (c["vocab_size"], d)


def shapes_of_neo(c):
    d = c["hidden_size"]
    yield "transformer.wte.weight", (c["vocab_size"], d)
    yield "transformer.wpe.weight", (c["max_position_embeddings"], d)
    for layer in range(c["num_layers"]):
        t = f"transformer.h.{layer}."
        yield from with_bias(t + "ln_1", d)
        yield from with_bias(t + "ln_2", d)
        for letter in "qkv":
            yield f"{t}attn.attention.{letter}_proj.weight", (d, d)
        yield from with_bias(t + "attn.attention.out_proj", d, d)
        yield from with_bias(t + "mlp.c_fc", 4 * d, d)
        yield from with_bias(t + "mlp.c_proj", d, 4 * d)
    yield from with_bias("transformer.ln_f", d)


def shapes_of_bert(c):
    kind = c["model_type"]
    distil = kind == "distilbert"
    d, inner = (c["dim"], c["hidden_dim"]) if distil else (c["hidden_size"], c["intermediate_size"])
    names, layers = (plain.DISTILBERT, "transformer.layer") if distil else (plain.BERT, "encoder.layer")
    yield kind + ".embeddings.word_embeddings.weight", (c["vocab_size"], d)
    yield kind + ".embeddings.position_embeddings.weight", (c["max_position_embeddings"], d)
    if not distil:
        yield kind + ".embeddings.token_type_embeddings.weight", (c["type_vocab_size"], d)
    yield from with_bias(kind + ".embeddings.LayerNorm", d)
    for layer in range(c["n_layers" if distil else "num_hidden_layers"]):
        t = f"{kind}.{layers}.{layer}."
        for word in ("query", "key", "value", "out"):
            yield from with_bias(t + names[word], d, d)
        yield from with_bias(t + names["norm1"], d)
        yield from with_bias(t + names["first"], inner, d)
        yield from with_bias(t + names["second"], d, inner)
        yield from with_bias(t + names["norm2"], d)
    dense, norm, bias = plain.HEADS[kind]
    yield from with_bias(dense, d, d)
    yield from with_bias(norm, d)
    yield bias, (c["vocab_size"],)


SHAPES = {plain.llama: shapes_of_llama, plain.gpt_neox: shapes_of_neox, plain.gpt_neo: shapes_of_neo,
          plain.bert: shapes_of_bert}


def main():
    for name, (model, config) in CASES.items():
        generator = torch.Generator().manual_seed(zlib.crc32(name.encode()))
        weights = {}
        shapes = list(SHAPES[model](config))
        if name in WITH_POOLER:
            shapes += with_bias("bert.pooler.dense", config["hidden_size"], config["hidden_size"])
        for tensor, shape in shapes:
            noise = torch.randn(shape, dtype=torch.float64, generator=generator)
            one = len(shape) == 1 and tensor.endswith("weight") and config["model_type"] != "gemma3_text"
            weights[tensor] = rounded((1.0 if one else 0.0) + (0.1 if len(shape) == 1 else 0.35) * noise)
        tokens = torch.randint(0, config["vocab_size"], (POSITIONS,), generator=generator)
        hooks = model(weights, config, tokens)
        folder = FOLDER / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        write_safetensors(folder / "model.safetensors", weights, {"format": "pt"})
        expected = {"tokens": tokens, **{"hook/" + hook: value for hook, value in hooks.items()}}
        if "type_vocab_size" in config:
            expected["token_types"] = torch.tensor(plain.types_of(config, tokens))
        write_safetensors(folder / "expected.safetensors", expected, {"torch": torch.__version__})
        print(name, len(hooks), "hooks")


if __name__ == "__main__":
    main()
