"""The architectures of small published language models, written out in plain PyTorch from their published definitions.

Each takes the tensors of a folder by Hugging Face's names, its config.json and the ids of one sentence, and returns
every value under its name in our graph. docs/variants.md lists the definitions used.
"""
import math

import torch

from plain_model import activation


class Hooks(dict):
    def keep(self, name, value):
        self[name] = value
        return value


def rms_norm(h, name, x, weight, epsilon, added=0.0):
    scale = h.keep(name + ".hook_scale", (x.pow(2).mean(-1) + epsilon).sqrt())
    normalized = h.keep(name + ".hook_normalized", x / scale[..., None])
    return h.keep(name + ".hook_out", normalized * (weight + added))


def layer_norm(h, name, x, weight, bias, epsilon):
    mean = h.keep(name + ".hook_mean", x.mean(-1))
    centred = x - mean[..., None]
    scale = h.keep(name + ".hook_scale", (centred.pow(2).mean(-1) + epsilon).sqrt())
    return h.keep(name + ".hook_out", h.keep(name + ".hook_normalized", centred / scale[..., None]) * weight + bias)


def inverse_frequencies(dims, base, scaling):
    """Turns per position of each pair; "linear" and "llama3" as their papers and model cards describe them."""
    speed = 1.0 / base ** (torch.arange(0, dims, 2, dtype=torch.float64) / dims)
    kind = scaling.get("rope_type", scaling.get("type", "default")) if scaling else "default"
    if kind == "linear":
        return speed / scaling["factor"]
    if kind == "llama3":
        low, high, length = (scaling[k] for k in ("low_freq_factor", "high_freq_factor",
                                                  "original_max_position_embeddings"))
        new = []
        for s in speed.tolist():
            wavelength = 2 * math.pi / s
            if wavelength < length / high:
                new.append(s)
            elif wavelength > length / low:
                new.append(s / scaling["factor"])
            else:
                smooth = (length / wavelength - low) / (high - low)
                new.append((1 - smooth) * s / scaling["factor"] + smooth * s)
        return torch.tensor(new, dtype=torch.float64)
    return speed


def turned(x, dims, base, scaling=None):
    """The first `dims` features of every head of x [pos, head, d_head]: halves a, b become a·cos − b·sin, b·cos + a·sin."""
    angle = torch.arange(x.shape[0], dtype=torch.float64)[:, None] * inverse_frequencies(dims, base, scaling)
    cos, sin = angle.cos()[:, None, :], angle.sin()[:, None, :]
    a, b, rest = x[..., :dims // 2], x[..., dims // 2:dims], x[..., dims:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin, rest], -1)


def attend(h, a, q, k, v, factor, causal, window, scaled=True):
    """q, k, v [pos, head, d_head], one key and value head for each query head → z, heads side by side."""
    positions = q.shape[0]
    name = a + ".hook_attn_scores"
    scores = h.keep(name + "_raw", torch.einsum("qhd,khd->hqk", q, k))
    scores = h.keep(name + "_scaled", scores * factor if scaled else scores)
    query, key = torch.arange(positions)[:, None], torch.arange(positions)[None, :]
    if causal:
        scores = h.keep(name + "_causal", scores.masked_fill(key > query, -torch.inf))
    if window:
        scores = h.keep(name + "_window", scores.masked_fill((key - query).abs() >= window, -torch.inf))
    h.keep(name, scores)
    pattern = h.keep(a + ".hook_pattern", torch.softmax(scores, -1))
    return h.keep(a + ".hook_z", torch.einsum("hqk,khd->qhd", pattern, v))


def out_of_heads(h, a, z, weight, bias):
    """Applies Hugging Face's W_O [d_model, heads · d_head]; also keeps what each head alone writes."""
    merged = h.keep(a + ".z_merged", z.flatten(1))
    each = weight.view(weight.shape[0], z.shape[1], z.shape[2])
    h.keep(a + ".hook_result", torch.einsum("phd,mhd->phm", z, each))
    out = merged @ weight.t()
    return out if bias is None else out + bias


def projected(x, w, name):
    y = x @ w[name + ".weight"].t()
    return y + w[name + ".bias"] if name + ".bias" in w else y


def end(h, stream, unembedding, bias=None):
    logits = stream @ unembedding.t()
    if bias is not None:
        h.keep("hook_logits_without_bias", logits)
        logits = logits + bias
    h.keep("logits", logits)
    h.keep("probabilities", torch.softmax(logits, -1))
    return h


def own_heads(h, a, letter, flat, heads):
    h.keep(f"{a}.{letter}_merged", flat)
    return h.keep(f"{a}.hook_{letter}", flat.view(flat.shape[0], heads, -1))


def shared_heads(h, a, letter, flat, heads, times):
    split = h.keep(f"{a}.{letter}_groups", h.keep(f"{a}.{letter}_shared", flat).view(flat.shape[0], heads, -1))
    return h.keep(f"{a}.hook_{letter}", split.repeat_interleave(times, 1))


def llama(w, c, tokens):
    """Llama 2 / 3, Mistral, Qwen2, Qwen3 and Gemma 3 by their config.json."""
    h, kind = Hooks(), c["model_type"]
    gemma, eps = kind == "gemma3_text", c["rms_norm_eps"]
    added = 1.0 if gemma else 0.0
    heads, shared = c["num_attention_heads"], c["num_key_value_heads"]
    width = c.get("head_dim") or c["hidden_size"] // heads
    x = w["model.embed_tokens.weight"][tokens]
    if gemma:
        h.keep("hook_embed_rows", x)
        x = x * torch.tensor(c["hidden_size"] ** 0.5, dtype=torch.float32).double()
    h.keep("hook_embed", x)
    for layer in range(c["num_hidden_layers"]):
        b, t = f"blocks.{layer}", f"model.layers.{layer}"
        a = b + ".attn"
        h.keep(b + ".hook_resid_pre", x)
        norm = lambda ours, theirs, y: rms_norm(h, f"{b}.{ours}", y, w[f"{t}.{theirs}.weight"], eps, added)
        read = norm("ln1", "input_layernorm", x)
        q = own_heads(h, a, "q", projected(read, w, t + ".self_attn.q_proj"), heads)
        k, v = (projected(read, w, f"{t}.self_attn.{letter}_proj") for letter in "kv")
        k, v = (shared_heads(h, a, letter, flat, shared, heads // shared) if shared < heads
                else own_heads(h, a, letter, flat, heads) for letter, flat in (("k", k), ("v", v)))
        if kind in ("qwen3", "gemma3_text"):
            q, k = (rms_norm(h, f"{a}.{letter}_norm", y, w[f"{t}.self_attn.{letter}_norm.weight"], eps, added)
                    for letter, y in (("q", q), ("k", k)))
        window = c.get("sliding_window") if kind == "mistral" else None
        base, scaling = c["rope_theta"], c.get("rope_scaling")
        if gemma and c["layer_types"][layer] == "sliding_attention":
            window, base, scaling = c["sliding_window"], c["rope_local_base_freq"], None
        q, k = (h.keep(f"{a}.hook_rot_{letter}", turned(y, width, base, scaling)) for letter, y in (("q", q), ("k", k)))
        z = attend(h, a, q, k, v, (c["query_pre_attn_scalar"] if gemma else width) ** -0.5, True, window)
        y = out_of_heads(h, a, z, w[t + ".self_attn.o_proj.weight"], w.get(t + ".self_attn.o_proj.bias"))
        h.keep(b + ".hook_attn_out", y)
        if gemma:
            y = norm("ln1_post", "post_attention_layernorm", y)
        x = h.keep(b + ".hook_resid_mid", x + y)
        m, read = b + ".mlp", norm("ln2", "pre_feedforward_layernorm" if gemma else "post_attention_layernorm", x)
        pre = h.keep(m + ".hook_pre", projected(read, w, t + ".mlp.gate_proj"))
        straight = h.keep(m + ".hook_pre_linear", projected(read, w, t + ".mlp.up_proj"))
        gate = h.keep(m + ".hook_gate", activation("gelu_tanh", pre) if gemma else pre * torch.sigmoid(pre))
        y = projected(h.keep(m + ".hook_post", gate * straight), w, t + ".mlp.down_proj")
        h.keep(b + ".hook_mlp_out", y)
        if gemma:
            y = norm("ln2_post", "post_feedforward_layernorm", y)
        x = h.keep(b + ".hook_resid_post", x + y)
    x = rms_norm(h, "ln_final", x, w["model.norm.weight"], eps, added)
    return end(h, x, w["model.embed_tokens.weight" if c["tie_word_embeddings"] else "lm_head.weight"])


def plain_mlp(h, m, read, w, first, second, kind):
    pre = h.keep(m + ".hook_pre", projected(read, w, first))
    return projected(h.keep(m + ".hook_post", activation(kind, pre)), w, second)


def gpt_neox(w, c, tokens):
    h, heads, eps = Hooks(), c["num_attention_heads"], c["layer_norm_eps"]
    width = c["hidden_size"] // heads
    x = h.keep("hook_embed", w["gpt_neox.embed_in.weight"][tokens])
    for layer in range(c["num_hidden_layers"]):
        b, t = f"blocks.{layer}", f"gpt_neox.layers.{layer}"
        a = b + ".attn"
        h.keep(b + ".hook_resid_pre", x)
        norm = lambda ours, theirs, y: layer_norm(h, f"{b}.{ours}", y, w[f"{t}.{theirs}.weight"],
                                                  w[f"{t}.{theirs}.bias"], eps)
        # The rows of query_key_value are grouped by head: of each head, first its query, then its key, then its value.
        mixed = projected(norm("ln1", "input_layernorm", x), w, t + ".attention.query_key_value")
        mixed = mixed.view(len(tokens), heads, 3, width)
        q, k, v = (own_heads(h, a, letter, mixed[:, :, i].flatten(1), heads) for i, letter in enumerate("qkv"))
        dims = int(width * c["rotary_pct"])
        q, k = (h.keep(f"{a}.hook_rot_{letter}", turned(y, dims, c["rotary_emb_base"])) for letter, y in (("q", q), ("k", k)))
        z = attend(h, a, q, k, v, width ** -0.5, True, None)
        out = h.keep(b + ".hook_attn_out", out_of_heads(h, a, z, w[t + ".attention.dense.weight"],
                                                        w[t + ".attention.dense.bias"]))
        mid = h.keep(b + ".hook_resid_mid", x + out)
        read = norm("ln2", "post_attention_layernorm", x if c["use_parallel_residual"] else mid)
        y = plain_mlp(h, b + ".mlp", read, w, t + ".mlp.dense_h_to_4h", t + ".mlp.dense_4h_to_h", "gelu")
        x = h.keep(b + ".hook_resid_post", mid + h.keep(b + ".hook_mlp_out", y))
    x = layer_norm(h, "ln_final", x, w["gpt_neox.final_layer_norm.weight"], w["gpt_neox.final_layer_norm.bias"], eps)
    return end(h, x, w["embed_out.weight"])


def gpt_neo(w, c, tokens):
    h, heads, eps = Hooks(), c["num_heads"], c["layer_norm_epsilon"]
    kinds = [kind for group, times in c["attention_types"] for kind in group * times]
    x = h.keep("hook_embed", w["transformer.wte.weight"][tokens])
    x = x + h.keep("hook_pos_embed", w["transformer.wpe.weight"][:len(tokens)])
    for layer in range(c["num_layers"]):
        b, t = f"blocks.{layer}", f"transformer.h.{layer}"
        a = b + ".attn"
        h.keep(b + ".hook_resid_pre", x)
        norm = lambda ours, theirs, y: layer_norm(h, f"{b}.{ours}", y, w[f"{t}.{theirs}.weight"],
                                                  w[f"{t}.{theirs}.bias"], eps)
        read = norm("ln1", "ln_1", x)
        q, k, v = (own_heads(h, a, letter, projected(read, w, f"{t}.attn.attention.{letter}_proj"), heads)
                   for letter in "qkv")
        window = c["window_size"] if kinds[layer] == "local" else None
        z = attend(h, a, q, k, v, 1.0, True, window, scaled=False)
        out = h.keep(b + ".hook_attn_out", out_of_heads(h, a, z, w[t + ".attn.attention.out_proj.weight"],
                                                        w[t + ".attn.attention.out_proj.bias"]))
        x = h.keep(b + ".hook_resid_mid", x + out)
        y = plain_mlp(h, b + ".mlp", norm("ln2", "ln_2", x), w, t + ".mlp.c_fc", t + ".mlp.c_proj", "gelu_tanh")
        x = h.keep(b + ".hook_resid_post", x + h.keep(b + ".hook_mlp_out", y))
    x = layer_norm(h, "ln_final", x, w["transformer.ln_f.weight"], w["transformer.ln_f.bias"], eps)
    return end(h, x, w["transformer.wte.weight"])


BERT = {"query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "out": "attention.output.dense", "norm1": "attention.output.LayerNorm", "first": "intermediate.dense",
        "second": "output.dense", "norm2": "output.LayerNorm"}
DISTILBERT = {"query": "attention.q_lin", "key": "attention.k_lin", "value": "attention.v_lin",
              "out": "attention.out_lin", "norm1": "sa_layer_norm", "first": "ffn.lin1", "second": "ffn.lin2",
              "norm2": "output_layer_norm"}
HEADS = {"bert": ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias"),
         "roberta": ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"),
         "distilbert": ("vocab_transform", "vocab_layer_norm", "vocab_projector.bias")}


def types_of(c, tokens):
    """The token types of two sentences, if the model has them: the first four tokens are in the first sentence."""
    return [int(c.get("type_vocab_size", 1) > 1 and p >= 4) for p in range(len(tokens))]


def bert(w, c, tokens):
    """BERT, RoBERTa and DistilBERT on one text, with the head that guesses masked words."""
    h, kind = Hooks(), c["model_type"]
    distil = kind == "distilbert"
    names, layers = (DISTILBERT, "transformer.layer") if distil else (BERT, "encoder.layer")
    heads, eps = c["n_heads" if distil else "num_attention_heads"], c.get("layer_norm_eps", 1e-12)
    norm = lambda ours, theirs, y: layer_norm(h, ours, y, w[theirs + ".weight"], w[theirs + ".bias"], eps)
    e = kind + ".embeddings"
    x = h.keep("hook_embed", w[e + ".word_embeddings.weight"][tokens])
    first = c["pad_token_id"] + 1 if kind == "roberta" else 0
    x = x + h.keep("hook_pos_embed", w[e + ".position_embeddings.weight"][first:first + len(tokens)])
    if not distil:
        h.keep("hook_embed_with_pos", x)
        x = x + h.keep("hook_token_type", w[e + ".token_type_embeddings.weight"][types_of(c, tokens)])
    x = norm("ln_embed", e + ".LayerNorm", h.keep("hook_embed_sum", x))
    for layer in range(c["n_layers" if distil else "num_hidden_layers"]):
        b, t = f"blocks.{layer}", f"{kind}.{layers}.{layer}"
        a = b + ".attn"
        h.keep(b + ".hook_resid_pre", x)
        q, k, v = (own_heads(h, a, letter, projected(x, w, f"{t}.{names[word]}"), heads)
                   for letter, word in zip("qkv", ("query", "key", "value")))
        z = attend(h, a, q, k, v, q.shape[-1] ** -0.5, False, None)
        y = out_of_heads(h, a, z, w[f"{t}.{names['out']}.weight"], w[f"{t}.{names['out']}.bias"])
        x = h.keep(b + ".hook_resid_mid_sum", x + h.keep(b + ".hook_attn_out", y))
        x = h.keep(b + ".hook_resid_mid", norm(b + ".ln1", f"{t}.{names['norm1']}", x))
        y = plain_mlp(h, b + ".mlp", x, w, f"{t}.{names['first']}", f"{t}.{names['second']}", "gelu")
        x = h.keep(b + ".hook_resid_post_sum", x + h.keep(b + ".hook_mlp_out", y))
        x = h.keep(b + ".hook_resid_post", norm(b + ".ln2", f"{t}.{names['norm2']}", x))
    pooler = f"{kind}.pooler.dense"
    if pooler + ".weight" in w:
        pre = h.keep("pooler.hook_pre", projected(h.keep("pooler.hook_first_word", x[0]), w, pooler))
        h.keep("pooler.hook_pooler_out", torch.tanh(pre))
    dense, head_norm, bias = HEADS[kind]
    pre = h.keep("head.hook_pre", projected(x, w, dense))
    x = norm("head.ln", head_norm, h.keep("head.hook_post", activation("gelu", pre)))
    return end(h, x, w[e + ".word_embeddings.weight"], w[bias])
