"""GPT-2 in plain PyTorch under Hugging Face's names, and a small folder as Transformers would write it.

Parameters are laid out as in Hugging Face's Conv1D, [d_in, d_out], with query, key and value side by side.
"""
import json
import math

import torch

from golden_files import write_safetensors
from plain_model import activation, loss_of


def hugging_face(p, c):
    """The tensors of model.safetensors, made from our parameters."""
    d, named = c.d_model, {}
    named["transformer.wte.weight"] = p("embed.W_E", c.d_vocab, d)
    named["transformer.wpe.weight"] = p("pos_embed.W_pos", c.n_ctx, d)

    def norm(theirs, ours):
        named[theirs + ".weight"], named[theirs + ".bias"] = p(ours + ".w", d), p(ours + ".b", d)

    for i in range(c.n_layers):
        h, b = f"transformer.h.{i}.", f"blocks.{i}."
        norm(h + "ln_1", b + "ln1")
        named[h + "attn.c_attn.weight"] = torch.cat([p(f"{b}attn.W_{letter}", d, d) for letter in "QKV"], 1)
        named[h + "attn.c_attn.bias"] = torch.cat([p(f"{b}attn.b_{letter}", d) for letter in "QKV"])
        named[h + "attn.c_proj.weight"], named[h + "attn.c_proj.bias"] = p(b + "attn.W_O", d, d), p(b + "attn.b_O", d)
        norm(h + "ln_2", b + "ln2")
        for theirs, ours, d_in, d_out in (("c_fc", "in", d, c.d_mlp), ("c_proj", "out", c.d_mlp, d)):
            named[f"{h}mlp.{theirs}.weight"] = p(f"{b}mlp.W_{ours}", d_in, d_out)
            named[f"{h}mlp.{theirs}.bias"] = p(f"{b}mlp.b_{ours}", d_out)
    norm("transformer.ln_f", "ln_final")
    if not c.tied:
        named["lm_head.weight"] = p("unembed.W_U", d, c.d_vocab).t()
    return named


class Gpt2:
    def __init__(self, config, parameters):
        self.c, self.p = config, parameters

    def norm(self, w, name, x):
        return torch.nn.functional.layer_norm(x, (self.c.d_model,), w[name + ".weight"], w[name + ".bias"],
                                              self.c.layer_norm_epsilon)

    def attention(self, w, h, x):
        c, (rows, length, d) = self.c, x.shape
        q, k, v = (x @ w[h + "c_attn.weight"] + w[h + "c_attn.bias"]).split(d, 2)
        q, k, v = (y.view(rows, length, c.n_heads, d // c.n_heads).transpose(1, 2) for y in (q, k, v))
        scores = q @ k.transpose(2, 3) / math.sqrt(d // c.n_heads)
        seen = torch.ones(length, length, dtype=torch.bool).tril()
        z = scores.masked_fill(~seen, -torch.inf).softmax(-1) @ v
        return z.transpose(1, 2).reshape(rows, length, d) @ w[h + "c_proj.weight"] + w[h + "c_proj.bias"]

    def __call__(self, batch):
        c, w, hooks = self.c, hugging_face(self.p, self.c), {}
        x = w["transformer.wte.weight"][batch["tokens"]] + w["transformer.wpe.weight"][: batch["tokens"].shape[1]]
        for i in range(c.n_layers):
            h = f"transformer.h.{i}."
            x = x + self.attention(w, h + "attn.", self.norm(w, h + "ln_1", x))
            inner = self.norm(w, h + "ln_2", x) @ w[h + "mlp.c_fc.weight"] + w[h + "mlp.c_fc.bias"]
            x = x + activation("gelu_tanh", inner) @ w[h + "mlp.c_proj.weight"] + w[h + "mlp.c_proj.bias"]
            hooks[f"blocks.{i}.hook_resid_post"] = x
        head = w["transformer.wte.weight"] if c.tied else w["lm_head.weight"]
        hooks["logits"] = self.norm(w, "transformer.ln_f", x) @ head.t()
        loss_of(c, hooks, batch)
        return hooks


def write_folder(folder, config, parameters):
    """Writes config.json and model.safetensors with the parameters' initial values."""
    folder.mkdir(exist_ok=True)
    fields = {
        "activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.0,
        "bos_token_id": None, "embd_pdrop": 0.0, "eos_token_id": None, "initializer_range": config.init_std,
        "layer_norm_epsilon": config.layer_norm_epsilon, "model_type": "gpt2", "n_embd": config.d_model,
        "n_head": config.n_heads, "n_inner": config.d_mlp, "n_layer": config.n_layers, "n_positions": config.n_ctx,
        "resid_pdrop": 0.0, "scale_attn_weights": True, "tie_word_embeddings": config.tied, "torch_dtype": "float32",
        "vocab_size": config.d_vocab,
    }
    (folder / "config.json").write_text(json.dumps(fields, indent=2) + "\n")
    tensors = hugging_face(lambda name, *shape: parameters.first[name], config)
    write_safetensors(folder / "model.safetensors", tensors, {"format": "pt"})
