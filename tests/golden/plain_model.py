"""Every architecture that our config can name, written out in plain PyTorch from the papers' formulas.

It keeps each step under its name in our graph. It uses nothing of torch.nn but batch_norm, also for its running
statistics.
"""
import math

import torch


def activation(kind, x):
    if kind == "relu":
        return x.clamp(min=0.0)
    if kind == "gelu_tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return x * 0.5 * (1 + torch.erf(x / math.sqrt(2.0)))


def sinusoids(positions, width):
    table = torch.empty(positions, width, dtype=torch.float64)
    for p in range(positions):
        for d in range(width):
            angle = p / 10000 ** (2 * (d // 2) / width)
            table[p, d] = math.cos(angle) if d % 2 else math.sin(angle)
    return table


def turned(x):
    """RoPE: the pair (2i, 2i + 1) is a complex number, turned by p · 10000^(−2i/D)."""
    positions, width = x.shape[1], x.shape[3]
    speed = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = torch.arange(positions, dtype=torch.float64)[:, None] * speed
    pairs = torch.view_as_complex(x.reshape(*x.shape[:3], width // 2, 2))
    turn = torch.polar(torch.ones_like(angle), angle)[None, :, None, :]
    return torch.view_as_real(pairs * turn).flatten(3)


def loss_of(config, hooks, batch):
    weights = batch["loss_weights"].double()
    if config.output == "values":
        each = (hooks["logits"] - batch["target_values"]).pow(2).mean(-1)
    else:
        hooks["probabilities"] = hooks["logits"].exp() / hooks["logits"].exp().sum(-1, keepdim=True)
        each = -hooks["probabilities"].gather(-1, batch["targets"][..., None])[..., 0].log()
    hooks["loss"] = (weights * each).sum() / weights.sum()


class PlainModel:
    """model(batch) returns every node's value by name; `parameters` returns the parameter of a name and shape."""

    def __init__(self, config, parameters, training=True):
        self.c, self.p, self.training = config, parameters, training
        self.d_head = config.attention.d_head or config.d_model // config.n_heads
        self.d_value = config.attention.d_value or self.d_head

    def __call__(self, batch):
        c, self.hooks = self.c, {}
        causal = c.family in ("decoder", "encoder_decoder")
        stream = self.start("", batch["values" if c.input == "values" else "tokens"])
        memory = (None, None)
        if c.family == "encoder_decoder":
            source_mask = batch["source_key_mask"]
            source = self.start("encoder.", batch["source_tokens"])
            layers = c.n_encoder_layers or c.n_layers
            memory = (self.blocks("encoder.", layers, source, source_mask, False, (None, None)), source_mask)
        stream = self.blocks("", c.n_layers, stream, batch["key_mask"], causal, memory)
        self.hooks["logits"] = self.way_out(stream, batch["key_mask"])
        loss_of(c, self.hooks, batch)
        return self.hooks

    def keep(self, name, value):
        self.hooks[name] = value
        return value

    def linear(self, prefix, letter, x, width, bias):
        y = x @ self.p(f"{prefix}.W_{letter}", x.shape[-1], width)
        return y + self.p(f"{prefix}.b_{letter}", width) if bias else y

    def start(self, side, words):
        c = self.c
        if c.input == "values":
            x = self.linear(side + "embed", "E", words, c.d_model, True)
        elif side and c.d_source_vocab:
            x = self.p(side + "embed.W_E", c.d_source_vocab, c.d_model)[words]
        else:
            x = self.p("embed.W_E", c.d_vocab, c.d_model)[words]
        self.keep(side + "hook_embed", x)
        order = self.order(side, x.shape[1])
        if order is not None:
            x = x + self.keep(side + "hook_pos_embed", order)
        return self.keep(side + "blocks.0.hook_resid_pre", x)

    def order(self, side, positions):
        c, name = self.c, side + "pos_embed.W_pos"
        if c.positions == "learned":
            return self.p(name, c.n_ctx, c.d_model)[:positions]
        if c.positions == "sinusoidal":
            return sinusoids(positions, c.d_model)
        if c.positions not in ("index", "index_over_length"):
            return None
        index = torch.arange(positions, dtype=torch.float64)[:, None]
        if c.positions == "index_over_length":
            index = index / positions
        return self.keep(side + "position_index", index) * self.p(name, 1, c.d_model)

    def norm(self, prefix, x, mask):
        c = self.c
        if c.norm == "layer_norm":
            mean = self.keep(prefix + ".hook_mean", x.sum(-1) / x.shape[-1])[..., None]
            variance = ((x - mean) ** 2).sum(-1) / x.shape[-1]
            scale = self.keep(prefix + ".hook_scale", (variance + c.layer_norm_epsilon).sqrt())
            y = (x - mean) / scale[..., None]
        elif c.norm == "rms_norm":
            scale = self.keep(prefix + ".hook_scale", (x.pow(2).mean(-1) + c.layer_norm_epsilon).sqrt())
            y = x / scale[..., None]
        else:
            y = self.batch_norm(prefix, x, mask)
        self.keep(prefix + ".hook_normalized", y)
        width = 1 if c.norm_scalar else x.shape[-1]
        y = y * self.p(prefix + ".w", width)
        return self.keep(prefix + ".hook_out", y if c.norm == "rms_norm" else y + self.p(prefix + ".b", width))

    def batch_norm(self, prefix, x, mask):
        """Batch norm over the words; padding is shifted and scaled like them, but adds nothing to the statistics."""
        running = [self.p(f"{prefix}.running_{what}", x.shape[-1]) for what in ("mean", "var")]
        words = x[mask]
        mean, variance = words.mean(0), words.var(0, unbiased=False)
        self.keep(prefix + ".hook_batch_mean", mean), self.keep(prefix + ".hook_batch_variance", variance)
        if not self.training:
            mean, variance = running
        self.keep(prefix + ".hook_mean", mean.clone()), self.keep(prefix + ".hook_variance", variance.clone())
        y = (x - mean) / (variance + self.c.layer_norm_epsilon).sqrt()
        # PyTorch's batch_norm updates the running statistics, and replaces the formula at words.
        y = y.masked_scatter(mask[..., None].expand_as(y), torch.nn.functional.batch_norm(
            words, *running, training=self.training, momentum=0.1, eps=self.c.layer_norm_epsilon))
        return y

    def step(self, block, norm, out, then, x, mask, f, adds=True):
        """x and what f adds to it, with the norm where the config places it."""
        c, place = self.c, self.c.norm_placement
        read = self.norm(f"{block}.{norm}", x, mask) if place in ("pre", "stream_first") else x
        stream = self.keep(f"{block}.{out}", f(read))
        if c.residual and adds:
            stream = (read if place == "stream_first" else x) + stream
            if place == "post":
                self.keep(f"{block}.{then}_sum", stream)
        if place == "post":
            stream = self.norm(f"{block}.{norm}", stream, mask)
        return self.keep(f"{block}.{then}", stream)

    def blocks(self, side, count, x, mask, causal, memory):
        c = self.c
        for layer in range(count):
            block = f"{side}blocks.{layer}"
            self.keep(block + ".hook_resid_pre", x)
            if c.family in ("rnn", "gru"):
                x = self.step(block, "ln1", "hook_rnn_out", "hook_resid_post", x, mask,
                              lambda y: self.recurrent(block + ".rnn", y))
                continue
            crosses, mlp = memory[0] is not None, c.activation != "none"
            x = self.step(block, "ln1", "hook_attn_out", "hook_resid_mid" if mlp or crosses else "hook_resid_post", x,
                          mask, lambda y: self.attention(block + ".attn", y, y, mask, causal))
            if crosses:
                x = self.step(block, "ln_cross", "hook_cross_attn_out",
                              "hook_resid_mid_cross" if mlp else "hook_resid_post", x, mask,
                              lambda y: self.attention(block + ".cross_attn", y, memory[0], memory[1], False))
            if mlp:
                x = self.step(block, "ln2", "hook_mlp_out", "hook_resid_post", x, mask,
                              lambda y: self.feed_forward(block + ".mlp", y), getattr(c, "mlp_residual", True))
        if c.norm_placement in ("pre", "stream_first"):
            x = self.norm(side + "ln_final", x, mask)
        return x

    def roles(self, a, x, memory):
        """Queries, keys and values [batch, pos, head, width]."""
        options, heads, itself = self.c.attention, self.c.n_heads, x is memory
        split = lambda y: y.reshape(*y.shape[:2], heads, -1)
        if options.projections == "none":
            q, k = split(x), split(memory)
            v = k
        elif options.projections == "shared":
            flat = self.keep(a + ".qkv", self.linear(a, "QKV", x, heads * self.d_head, options.biases))
            q = k = v = split(flat)
            if not itself:
                of_memory = self.linear(a, "QKV", memory, heads * self.d_head, options.biases)
                k = v = split(self.keep(a + ".qkv_memory", of_memory))
        else:
            q, k, v = (split(self.keep(f"{a}.{letter.lower()}_merged",
                                       self.linear(a, letter, y, heads * width, options.biases)))
                       for letter, y, width in (("Q", x, self.d_head), ("K", memory, self.d_head),
                                                ("V", memory, self.d_value)))
        for letter, value in zip("qkv", (q, k, v)):
            self.keep(f"{a}.hook_{letter}", value)
        if self.c.positions == "rotary" and itself:
            q, k = self.keep(a + ".hook_rot_q", turned(q)), self.keep(a + ".hook_rot_k", turned(k))
        return q, k, v

    def pattern(self, a, q, k, mask, causal, itself):
        options, name = self.c.attention, a + ".hook_attn_scores"
        scores = self.keep(name + "_raw", torch.einsum("bqhd,bkhd->bhqk", q, k))
        if options.scale:
            scores = scores / math.sqrt(q.shape[-1])
        self.keep(name + "_scaled", scores)
        queries, keys = torch.arange(q.shape[1])[:, None], torch.arange(k.shape[1])[None, :]
        if self.c.positions == "alibi" and itself:
            slopes = torch.tensor([2 ** (-8 * (h + 1) / self.c.n_heads) for h in range(self.c.n_heads)]).double()
            scores = self.keep(name + "_alibi", scores - slopes[:, None, None] * (keys - queries).abs())
        if causal:
            scores = self.keep(name + "_causal", torch.where(keys > queries, -torch.inf, scores))
        if options.padding_mask:
            scores = torch.where(mask[:, None, None, :], scores, -torch.inf)
        self.keep(name, scores)
        if options.hard:
            return torch.nn.functional.one_hot(scores.argmax(-1), scores.shape[-1]).double()
        grown = (scores - scores.max(-1, keepdim=True).values.detach()).exp()
        return grown / grown.sum(-1, keepdim=True)

    def attention(self, a, x, memory, mask, causal):
        c = self.c
        q, k, v = self.roles(a, x, memory)
        pattern = self.keep(a + ".hook_pattern", self.pattern(a, q, k, mask, causal, x is memory))
        z = self.keep(a + ".hook_z", torch.einsum("bhqk,bkhd->bqhd", pattern, v))
        merged = z.flatten(2)
        if c.attention.projections == "none":
            return merged
        out = self.linear(a, "O", self.keep(a + ".z_merged", merged), c.d_model, c.attention.biases)
        per_head = self.p[a + ".W_O"].view(c.n_heads, -1, c.d_model)
        self.keep(a + ".hook_result", torch.einsum("bphd,hdm->bphm", z, per_head))
        return out

    def feed_forward(self, m, x):
        c = self.c
        if c.activation == "swiglu":
            pre = self.keep(m + ".hook_pre", self.linear(m, "gate", x, c.d_mlp, False))
            straight = self.keep(m + ".hook_pre_linear", self.linear(m, "in", x, c.d_mlp, False))
            gate = self.keep(m + ".hook_gate", pre / (1 + torch.exp(-pre)))
            return self.linear(m, "out", self.keep(m + ".hook_post", gate * straight), c.d_model, False)
        pre = self.keep(m + ".hook_pre", self.linear(m, "in", x, c.d_mlp, True))
        return self.linear(m, "out", self.keep(m + ".hook_post", activation(c.activation, pre)), c.d_model, True)

    def recurrent(self, r, x):
        d, gates = self.c.d_model, 3 if self.c.family == "gru" else 1
        pre = self.keep(r + ".hook_pre", self.linear(r, "ih", x, gates * d, True))
        h, states, seen = torch.zeros(x.shape[0], d, dtype=torch.float64), [], []
        for p in range(x.shape[1]):
            past = self.linear(r, "hh", h, gates * d, True)
            if gates == 1:
                h = torch.tanh(pre[:, p] + past)
            else:
                (x_r, x_z, x_n), (h_r, h_z, h_n) = pre[:, p].chunk(3, -1), past.chunk(3, -1)
                reset, update = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
                new = torch.tanh(x_n + reset * h_n)
                h = (1 - update) * new + update * h
                seen.append(torch.cat([reset, update, new], -1))
            states.append(h)
        if seen:
            self.keep(r + ".hook_gates", torch.stack(seen, 1))
        return self.keep(r + ".hook_state", torch.stack(states, 1))

    def read_out(self, x, mask):
        """One vector per sentence: the mean of its words, or its first or last one."""
        which = getattr(self.c, "readout", "mean")
        if which == "mean":
            present = mask.double()[..., None]
            return self.keep("hook_pooled", (present * x).sum(1) / present.sum(1))
        places = [row.nonzero()[0 if which == "first" else -1].item() for row in mask]
        return self.keep(f"hook_{which}_word", torch.stack([words[p] for words, p in zip(x, places)]))

    def way_out(self, x, mask):
        c = self.c
        if c.output == "words":
            tied = c.tied
            return x @ self.p["embed.W_E"].t() if tied else self.linear("unembed", "U", x, c.d_vocab, False)
        if c.output == "classes":
            x = self.read_out(x, mask)
        return self.linear("unembed", "U", x, c.d_output, True)
