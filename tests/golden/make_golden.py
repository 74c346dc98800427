#!/usr/bin/env python3
"""Writes encoder.safetensors beside this file: what PyTorch says our encoder computes.

The model is written here independently, from the paper's formulas, in double precision (parameters are rounded to
float32 first, so that both sides start from the same numbers). tests/golden/encoder_test.cpp compares.

    python3 tests/golden/make_golden.py        (python3-torch; the file has the same bytes every time)
"""
import math
import pathlib

import torch

from golden_files import MASK, PAD, STEPS, rounded, train, write_safetensors

VOCAB, CONTEXT, WIDTH, HEADS, LAYERS, HIDDEN, BATCH = 23, 9, 16, 2, 2, 40, 3
HEAD = WIDTH // HEADS
EPSILON = 1e-5

torch.manual_seed(20)


def make_parameters():
    p = {"embed.W_E": (VOCAB, WIDTH), "pos_embed.W_pos": (CONTEXT, WIDTH)}

    def norm(name):
        p[name + ".w"] = p[name + ".b"] = (WIDTH,)

    for layer in range(LAYERS):
        block = f"blocks.{layer}."
        norm(block + "ln1")
        for letter in "QKVO":
            p[f"{block}attn.W_{letter}"] = (WIDTH, WIDTH)
            p[f"{block}attn.b_{letter}"] = (WIDTH,)
        norm(block + "ln2")
        p[block + "mlp.W_in"], p[block + "mlp.b_in"] = (WIDTH, HIDDEN), (HIDDEN,)
        p[block + "mlp.W_out"], p[block + "mlp.b_out"] = (HIDDEN, WIDTH), (WIDTH,)
    norm("ln_final")
    values = {}
    for name, shape in p.items():
        spread = 0.3 if len(shape) == 2 else 0.1
        mean = 1.0 if name.endswith(".w") else 0.0
        values[name] = rounded(mean + spread * torch.randn(shape, dtype=torch.float64)).requires_grad_()
    return values


def make_batch():
    """Sentences of 5, 7 and 9 words in any order; some words are hidden and must be predicted."""
    lengths = torch.tensor([5, 7, 9])[torch.randperm(BATCH)]
    present = torch.arange(CONTEXT)[None, :] < lengths[:, None]
    targets = torch.where(present, torch.randint(2, VOCAB, (BATCH, CONTEXT)), torch.tensor(PAD))
    hidden = (torch.rand(BATCH, CONTEXT) < 0.35) & present
    hidden[:, 1] = True
    replaced = hidden & (torch.rand(BATCH, CONTEXT) < 0.8)
    tokens = torch.where(replaced, torch.tensor(MASK), targets)
    # Weights other than 0 and 1, too.
    weights = torch.where(hidden, torch.tensor([1.0, 0.5, 2.0])[:, None], torch.tensor(0.0))
    return {"tokens": tokens, "key_mask": present, "targets": targets, "loss_weights": weights}


def layer_norm(p, name, x, hooks):
    mean = x.mean(-1, keepdim=True)
    scale = ((x - mean).pow(2).mean(-1, keepdim=True) + EPSILON).sqrt()
    hooks[name + ".hook_mean"], hooks[name + ".hook_scale"] = mean[..., 0], scale[..., 0]
    hooks[name + ".hook_normalized"] = (x - mean) / scale
    out = torch.nn.functional.layer_norm(x, (WIDTH,), p[name + ".w"], p[name + ".b"], EPSILON)
    hooks[name + ".hook_out"] = out
    return out


def attention(p, block, x, key_mask, hooks):
    a = block + ".attn."

    def heads(letter):
        flat = x @ p[a + "W_" + letter.upper()] + p[a + "b_" + letter.upper()]
        hooks[f"{a}{letter}_merged"] = flat
        hooks[f"{a}hook_{letter}"] = flat.view(BATCH, CONTEXT, HEADS, HEAD)
        return flat.view(BATCH, CONTEXT, HEADS, HEAD).transpose(1, 2)

    q, k, v = heads("q"), heads("k"), heads("v")
    raw = q @ k.transpose(-1, -2)
    scores = (raw / math.sqrt(HEAD)).masked_fill(~key_mask[:, None, None, :], -math.inf)
    pattern = scores.softmax(-1)
    z = (pattern @ v).transpose(1, 2)
    merged = z.reshape(BATCH, CONTEXT, WIDTH)
    out = torch.nn.functional.linear(merged, p[a + "W_O"].t(), p[a + "b_O"])
    hooks[a + "hook_attn_scores_raw"], hooks[a + "hook_attn_scores_scaled"] = raw, raw / math.sqrt(HEAD)
    hooks[a + "hook_attn_scores"], hooks[a + "hook_pattern"], hooks[a + "hook_z"] = scores, pattern, z
    hooks[a + "z_merged"] = merged
    hooks[a + "hook_result"] = torch.einsum("bphd,hdm->bphm", z, p[a + "W_O"].view(HEADS, HEAD, WIDTH))
    hooks[block + ".hook_attn_out"] = out
    return out


def encoder(p, batch):
    hooks = {"hook_embed": p["embed.W_E"][batch["tokens"]], "hook_pos_embed": p["pos_embed.W_pos"][:CONTEXT]}
    x = hooks["hook_embed"] + hooks["hook_pos_embed"]
    for layer in range(LAYERS):
        block = f"blocks.{layer}"
        hooks[block + ".hook_resid_pre"] = x
        x = x + attention(p, block, layer_norm(p, block + ".ln1", x, hooks), batch["key_mask"], hooks)
        hooks[block + ".hook_resid_mid"] = x
        pre = layer_norm(p, block + ".ln2", x, hooks) @ p[block + ".mlp.W_in"] + p[block + ".mlp.b_in"]
        post = torch.nn.functional.gelu(pre)
        hooks[block + ".mlp.hook_pre"], hooks[block + ".mlp.hook_post"] = pre, post
        hooks[block + ".hook_mlp_out"] = post @ p[block + ".mlp.W_out"] + p[block + ".mlp.b_out"]
        x = x + hooks[block + ".hook_mlp_out"]
        hooks[block + ".hook_resid_post"] = x
    logits = layer_norm(p, "ln_final", x, hooks) @ p["embed.W_E"].t()
    hooks["logits"], hooks["probabilities"] = logits, logits.softmax(-1)
    each = torch.nn.functional.cross_entropy(logits.view(-1, VOCAB), batch["targets"].reshape(-1), reduction="none")
    weights = batch["loss_weights"].reshape(-1).double()
    hooks["loss"] = (weights * each).sum() / weights.sum()
    return hooks


def main():
    p = make_parameters()
    batches = [make_batch() for _ in range(STEPS)]
    tensors = {"parameter/" + name: t.clone() for name, t in p.items()}
    for field in batches[0]:
        tensors["batches/" + field] = torch.stack([b[field] for b in batches])
    hooks = encoder(p, batches[0])
    tensors.update({"hook/" + name: t.detach().clone() for name, t in hooks.items()})
    hooks["loss"].backward()
    tensors.update({"gradient/" + name: t.grad.clone() for name, t in p.items()})
    losses, norms = train(list(p.values()), lambda batch: encoder(p, batch)["loss"], batches)
    tensors["training/losses"], tensors["training/gradient_norms"] = losses, norms
    tensors.update({"trained/" + name: t for name, t in p.items()})
    metadata = {"made_by": "tests/golden/make_golden.py", "torch": torch.__version__}
    write_safetensors(pathlib.Path(__file__).with_name("encoder.safetensors"), tensors, metadata)
    print("losses", [round(x, 4) for x in losses.tolist()], "norms", [round(x, 3) for x in norms.tolist()])


if __name__ == "__main__":
    main()
