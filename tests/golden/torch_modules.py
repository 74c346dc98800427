"""PyTorch's own layers (torch.nn) under our parameters' names: attention, Transformer layers, recurrent layers.

Each model takes parameters from a Parameters object, so that gradients have our layout; a torch.nn.Linear stores its
weight as [d_out, d_in], ours is [d_in, d_out].
"""
import torch
from torch import nn
from torch.nn.utils.stateless import functional_call

from plain_model import loss_of


class Named:
    """Looks up parameters by our names and returns tensors in PyTorch's layout."""

    def __init__(self, parameters, config):
        self.p, self.d, self.d_mlp, self.biases = parameters, config.d_model, config.d_mlp, config.attention.biases

    def attention(self, ours, theirs):
        d = self.d
        inside = [self.p(f"{ours}.W_{letter}", d, d).t() for letter in "QKV"]
        named = {theirs + "in_proj_weight": torch.cat(inside)}
        if self.biases:
            named[theirs + "in_proj_bias"] = torch.cat([self.p(f"{ours}.b_{letter}", d) for letter in "QKV"])
            named[theirs + "out_proj.bias"] = self.p(ours + ".b_O", d)
        named[theirs + "out_proj.weight"] = self.p(ours + ".W_O", d, d).t()
        return named

    def norm(self, ours, theirs):
        return {theirs + ".weight": self.p(ours + ".w", self.d), theirs + ".bias": self.p(ours + ".b", self.d)}

    def layer(self, block, theirs, norms, crosses):
        named = self.attention(block + ".attn", theirs + "self_attn.")
        if crosses:
            named.update(self.attention(block + ".cross_attn", theirs + "multihead_attn."))
        for number, ours in enumerate(norms, start=1):
            named.update(self.norm(f"{block}.{ours}", f"{theirs}norm{number}"))
        for ours, linear, shape in (("in", "linear1", (self.d, self.d_mlp)), ("out", "linear2", (self.d_mlp, self.d))):
            named[f"{theirs}{linear}.weight"] = self.p(f"{block}.mlp.W_{ours}", *shape).t()
            named[f"{theirs}{linear}.bias"] = self.p(f"{block}.mlp.b_{ours}", shape[1])
        return named

    def stack(self, side, count, crosses, final_norm):
        norms = ("ln1", "ln_cross", "ln2") if crosses else ("ln1", "ln2")
        named = {}
        for i in range(count):
            named.update(self.layer(f"{side}blocks.{i}", f"layers.{i}.", norms, crosses))
        if final_norm:
            named.update(self.norm(side + "ln_final", "norm"))
        return named


class Attention:
    """torch.nn.MultiheadAttention on x and a memory that are parameters too, so that their gradients are compared."""

    def __init__(self, config, parameters, shape, causal, crosses):
        self.c, self.p, self.shape, self.causal, self.crosses = config, parameters, shape, causal, crosses
        self.module = nn.MultiheadAttention(config.d_model, config.n_heads, bias=config.attention.biases,
                                            batch_first=True).double()

    def __call__(self, batch):
        rows, queries, keys = self.shape
        x = self.p("x", rows, queries, self.c.d_model)
        memory = self.p("memory", rows, keys, self.c.d_model) if self.crosses else x
        options = {"need_weights": True, "average_attn_weights": False}
        if self.c.attention.padding_mask:
            options["key_padding_mask"] = ~batch["key_mask"]
        if self.causal:
            options["attn_mask"] = torch.ones(queries, keys, dtype=torch.bool).triu(1)
        out, pattern = functional_call(self.module, Named(self.p, self.c).attention("attn", ""), (x, memory, memory),
                                       options)
        each = (out - batch["target_values"]).pow(2).mean(-1)
        weights = batch["loss_weights"].double()
        return {"attn_out": out, "attn.hook_pattern": pattern, "loss": (weights * each).sum() / weights.sum()}


class Words:
    """Wraps PyTorch's layers: our embedding, with learned positions if the config asks, and our unembedding."""

    def __init__(self, config, parameters):
        self.c, self.p, self.named = config, parameters, Named(parameters, config)

    def embed(self, side, words, vocabulary):
        x = self.p(side + "embed.W_E", vocabulary, self.c.d_model)[words]
        if self.c.positions == "learned":
            x = x + self.p(side + "pos_embed.W_pos", self.c.n_ctx, self.c.d_model)[: words.shape[1]]
        return x

    def finish(self, hooks, stream, batch):
        w = self.p["embed.W_E"].t() if self.c.tied else self.p("unembed.W_U", self.c.d_model, self.c.d_vocab)
        hooks["logits"] = stream @ w
        loss_of(self.c, hooks, batch)
        return hooks


class TransformerLayers(Words):
    """torch.nn.TransformerEncoder, and with family encoder_decoder torch.nn.TransformerDecoder after it."""

    def __init__(self, config, parameters):
        super().__init__(config, parameters)
        options = {"d_model": config.d_model, "nhead": config.n_heads, "dim_feedforward": config.d_mlp, "dropout": 0.0,
                   "activation": config.activation, "layer_norm_eps": config.layer_norm_epsilon, "batch_first": True,
                   "norm_first": config.norm_placement == "pre"}
        self.translates = config.family == "encoder_decoder"
        # The layers leave the last norm to their container.
        norm = (lambda: nn.LayerNorm(config.d_model)) if options["norm_first"] else lambda: None
        self.final_norm = options["norm_first"]
        self.encoder_layers = config.n_encoder_layers or config.n_layers
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**options), self.encoder_layers, norm(),
                                             enable_nested_tensor=False).double()
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**options), config.n_layers, norm()).double()

    def encode(self, side, stream, mask):
        named = self.named.stack(side, self.encoder_layers, False, self.final_norm)
        return functional_call(self.encoder, named, (stream,), {"src_key_padding_mask": ~mask})

    def last(self, side, count):
        return f"{side}ln_final.hook_out" if self.final_norm else f"{side}blocks.{count - 1}.hook_resid_post"

    def __call__(self, batch):
        c, hooks = self.c, {}
        stream = self.embed("", batch["tokens"], c.d_vocab)
        if not self.translates:
            stream = self.encode("", stream, batch["key_mask"])
        else:
            source = self.embed("encoder.", batch["source_tokens"], c.d_source_vocab)
            memory = self.encode("encoder.", source, batch["source_key_mask"])
            hooks[self.last("encoder.", self.encoder_layers)] = memory
            named = self.named.stack("", c.n_layers, True, self.final_norm)
            length = stream.shape[1]
            masks = {"tgt_mask": torch.ones(length, length, dtype=torch.bool).triu(1),
                     "tgt_key_padding_mask": ~batch["key_mask"], "memory_key_padding_mask": ~batch["source_key_mask"]}
            stream = functional_call(self.decoder, named, (stream, memory), masks)
        hooks[self.last("", c.n_layers)] = stream
        return self.finish(hooks, stream, batch)


class RecurrentLayers(Words):
    """torch.nn.GRU and torch.nn.RNN, as many layers as the config has in one module."""

    def __init__(self, config, parameters):
        super().__init__(config, parameters)
        self.module = (nn.GRU if config.family == "gru" else nn.RNN)(config.d_model, config.d_model,
                                                                    config.n_layers, batch_first=True).double()

    def __call__(self, batch):
        c, width = self.c, self.c.d_model * (3 if self.c.family == "gru" else 1)
        stream = self.embed("", batch["tokens"], c.d_vocab)
        weights = []
        for layer in range(c.n_layers):
            r = f"blocks.{layer}.rnn."
            weights += [self.p(r + "W_ih", c.d_model, width).t(), self.p(r + "W_hh", c.d_model, width).t(),
                        self.p(r + "b_ih", width), self.p(r + "b_hh", width)]
        self.module._flat_weights = [w.contiguous() for w in weights]  # functional_call does not reach these
        states, _ = self.module(stream)
        return self.finish({f"blocks.{c.n_layers - 1}.rnn.hook_state": states}, states, batch)
