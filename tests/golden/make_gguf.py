#!/usr/bin/env python3
"""Writes small random models twice, as a Hugging Face folder NAME.TYPE and as a GGUF file NAME.TYPE.gguf, with the same
numbers: in the types F16, BF16 and Q8_0 the folder holds, in float32, what the file's cells stand for. The names, and
what a converter changes in the tensors, are those of llama.cpp's conversion scripts. Needs Python alone.

    python3 tests/golden/make_gguf.py FOLDER
"""
import array
import json
import math
import pathlib
import random
import struct
import sys
import zlib

D, HEADS, INNER, LAYERS, POSITIONS, D_HEAD = 64, 4, 96, 2, 64, 16
TYPES = {"F32": 0, "F16": 1, "BF16": 30, "Q8_0": 8}
U8, I32, F32, BOOL, TEXT, LIST, U32 = 0, 5, 6, 7, 8, 9, 4


# Numbers in a file, and what they stand for.

def as_float32(values):
    return array.array("f", values)


def in_f16(values):
    raw = struct.pack(f"<{len(values)}e", *values)
    return raw, as_float32(struct.unpack(f"<{len(values)}e", raw))


def in_bf16(values):
    words = array.array("I", as_float32(values).tobytes())
    halves = array.array("H", ((w + 0x7FFF + (w >> 16 & 1)) >> 16 for w in words))
    wide = array.array("I", (h << 16 for h in halves))
    return halves.tobytes(), array.array("f", wide.tobytes())


def in_q8_0(values):
    raw, wide = bytearray(), array.array("f")
    for begin in range(0, len(values), 32):
        block = values[begin:begin + 32]
        scale = struct.unpack("<e", struct.pack("<e", max(map(abs, block)) / 127))[0]
        cells = [max(-128, min(127, round(x / scale))) if scale else 0 for x in block]
        raw += struct.pack("<e32b", scale, *cells)
        wide.extend(scale * cell for cell in cells)
    return bytes(raw), wide


def stored(values, kind):
    if kind == "F32":
        return values.tobytes(), values
    return {"F16": in_f16, "BF16": in_bf16, "Q8_0": in_q8_0}[kind](values)


# The two formats.

def write_safetensors(path, tensors):
    header, at = {}, 0
    for name, (shape, values) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + 4 * len(values)]}
        at += 4 * len(values)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(v.tobytes() for _, v in tensors.values()))


def text_of(text):
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def value_of(kind, value):
    if kind == TEXT:
        return text_of(value)
    return struct.pack({U8: "<B", I32: "<i", F32: "<f", BOOL: "<B", U32: "<I"}[kind], value)


def write_gguf(path, metadata, tensors, version=3):
    """`metadata`: key to (type, value), or to (LIST, type, values); `tensors`: name to (shape, type, bytes)."""
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    for key, (kind, *value) in metadata.items():
        out += text_of(key) + struct.pack("<I", kind)
        if kind == LIST:
            out += struct.pack("<IQ", value[0], len(value[1])) + b"".join(value_of(value[0], v) for v in value[1])
        else:
            out += value_of(kind, value[0])
    data = b""
    for name, (shape, kind, raw) in tensors.items():
        out += text_of(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *reversed(shape))
        out += struct.pack("<IQ", TYPES[kind], len(data))
        data += raw + bytes(-len(raw) % 32)
    path.write_bytes(out + bytes(-len(out) % 32) + data)


# Tensors: the name in Transformers, its shape, GGUF's name, and how the converter changes the rows.

def plain(rows):
    return rows


def turned(rows):
    return [list(column) for column in zip(*rows)]


def paired(heads):
    """Interleaves the rows of each head: first half and second half by turns."""
    def change(rows):
        each = len(rows) // heads
        out = []
        for head in range(heads):
            of_head = rows[head * each:(head + 1) * each]
            for i in range(each // 2):
                out += [of_head[i], of_head[each // 2 + i]]
        return out
    return change


def parts_apart(rows):
    """GPT-NeoX: query, key and value head by head become all queries, all keys, all values."""
    each = len(rows) // (3 * HEADS)
    return [row for part in range(3) for head in range(HEADS)
            for row in rows[(3 * head + part) * each:(3 * head + part + 1) * each]]


def plus_one(values):
    return as_float32(v + 1 for v in values)


def without(count):
    return lambda rows: rows[count:]


def with_bias(theirs, ours, rows, columns=None, change=plain):
    yield theirs + ".weight", (rows,) if columns is None else (rows, columns), ours + ".weight", change
    yield theirs + ".bias", (rows,), ours + ".bias", change


def llama_like(c, arch):
    keys, width = c["num_key_value_heads"], c.get("head_dim") or D_HEAD
    gemma = arch in ("gemma", "gemma3")
    norm = plus_one if gemma else plain
    yield "model.embed_tokens.weight", (c["vocab_size"], D), "token_embd.weight", plain
    for i in range(c["num_hidden_layers"]):
        t, g = f"model.layers.{i}.", f"blk.{i}."
        yield t + "input_layernorm.weight", (D,), g + "attn_norm.weight", norm
        for letter, heads in (("q", HEADS), ("k", keys), ("v", keys)):
            change = paired(heads) if arch == "llama" and letter != "v" else plain
            yield f"{t}self_attn.{letter}_proj.weight", (heads * width, D), f"{g}attn_{letter}.weight", change
            if arch == "qwen2" or c.get("attention_bias"):
                yield f"{t}self_attn.{letter}_proj.bias", (heads * width,), f"{g}attn_{letter}.bias", change
            if arch in ("qwen3", "gemma3") and letter != "v":
                yield f"{t}self_attn.{letter}_norm.weight", (width,), f"{g}attn_{letter}_norm.weight", norm
        yield t + "self_attn.o_proj.weight", (D, HEADS * width), g + "attn_output.weight", plain
        if c.get("attention_bias"):
            yield t + "self_attn.o_proj.bias", (D,), g + "attn_output.bias", plain
        after = "post_attention_norm" if arch == "gemma3" else "ffn_norm"
        yield t + "post_attention_layernorm.weight", (D,), f"{g}{after}.weight", norm
        if arch == "gemma3":
            yield t + "pre_feedforward_layernorm.weight", (D,), g + "ffn_norm.weight", norm
            yield t + "post_feedforward_layernorm.weight", (D,), g + "post_ffw_norm.weight", norm
        for theirs, ours, shape in (("gate", "gate", (INNER, D)), ("up", "up", (INNER, D)), ("down", "down", (D, INNER))):
            yield f"{t}mlp.{theirs}_proj.weight", shape, f"{g}ffn_{ours}.weight", plain
    yield "model.norm.weight", (D,), "output_norm.weight", norm
    if not c.get("tie_word_embeddings", gemma):
        yield "lm_head.weight", (c["vocab_size"], D), "output.weight", plain


def gpt2(c, _arch):
    yield "transformer.wte.weight", (c["vocab_size"], D), "token_embd.weight", plain
    yield "transformer.wpe.weight", (POSITIONS, D), "position_embd.weight", plain
    for i in range(LAYERS):
        t, g = f"transformer.h.{i}.", f"blk.{i}."
        yield from with_bias(t + "ln_1", g + "attn_norm", D)
        yield from with_bias(t + "ln_2", g + "ffn_norm", D)
        for theirs, ours, rows, columns in (("attn.c_attn", "attn_qkv", D, 3 * D), ("attn.c_proj", "attn_output", D, D),
                                            ("mlp.c_fc", "ffn_up", D, 4 * D), ("mlp.c_proj", "ffn_down", 4 * D, D)):
            yield f"{t}{theirs}.weight", (rows, columns), f"{g}{ours}.weight", turned
            yield f"{t}{theirs}.bias", (columns,), f"{g}{ours}.bias", plain
    yield from with_bias("transformer.ln_f", "output_norm", D)


def gptneox(c, _arch):
    yield "gpt_neox.embed_in.weight", (c["vocab_size"], D), "token_embd.weight", plain
    for i in range(LAYERS):
        t, g = f"gpt_neox.layers.{i}.", f"blk.{i}."
        yield from with_bias(t + "input_layernorm", g + "attn_norm", D)
        yield from with_bias(t + "post_attention_layernorm", g + "ffn_norm", D)
        yield from with_bias(t + "attention.query_key_value", g + "attn_qkv", 3 * D, D, parts_apart)
        yield from with_bias(t + "attention.dense", g + "attn_output", D, D)
        yield from with_bias(t + "mlp.dense_h_to_4h", g + "ffn_up", INNER, D)
        yield from with_bias(t + "mlp.dense_4h_to_h", g + "ffn_down", D, INNER)
    yield from with_bias("gpt_neox.final_layer_norm", "output_norm", D)
    yield "embed_out.weight", (c["vocab_size"], D), "output.weight", plain


def bert(c, _arch):
    unused = 2 if c["model_type"] == "roberta" else 0
    yield "embeddings.word_embeddings.weight", (c["vocab_size"], D), "token_embd.weight", plain
    yield "embeddings.position_embeddings.weight", (POSITIONS, D), "position_embd.weight", without(unused)
    yield "embeddings.token_type_embeddings.weight", (c["type_vocab_size"], D), "token_types.weight", plain
    yield from with_bias("embeddings.LayerNorm", "token_embd_norm", D)
    for i in range(LAYERS):
        t, g = f"encoder.layer.{i}.", f"blk.{i}."
        for word, letter in (("query", "q"), ("key", "k"), ("value", "v")):
            yield from with_bias(f"{t}attention.self.{word}", f"{g}attn_{letter}", D, D)
        yield from with_bias(t + "attention.output.dense", g + "attn_output", D, D)
        yield from with_bias(t + "attention.output.LayerNorm", g + "attn_output_norm", D)
        yield from with_bias(t + "intermediate.dense", g + "ffn_up", INNER, D)
        yield from with_bias(t + "output.dense", g + "ffn_down", D, INNER)
        yield from with_bias(t + "output.LayerNorm", g + "layer_output_norm", D)


# Tokenizers, as both formats hold them: files of the folder, metadata.

def letters():
    plain_bytes = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(b) if b in plain_bytes else chr(next(others)) for b in range(256)]


def byte_pairs(roberta=False, pre="gpt-2"):
    special = ["<s>", "<pad>", "</s>", "<unk>"] if roberta else []
    merges = ["Ġ t", "h e", "Ġt he", "Ġ b", "Ġb a", "Ġba t", "l o", "lo w", "i n", "in g", "e r", "Ġ low"]
    tokens = special + letters() + [m.replace(" ", "") for m in merges] + (["<mask>"] if roberta else ["<|endoftext|>"])
    ids = {token: i for i, token in enumerate(tokens)}
    control = special + tokens[-1:]
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    post = {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True,
            "add_prefix_space": False} if roberta else level
    cut = level
    if pre == "qwen2":
        cut = {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "behavior": "Isolated", "invert": False, "pattern": {"Regex":
             "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|"
             "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}}, {**level, "use_regex": False}]}
    spec = {"version": "1.0", "normalizer": {"type": "NFC"} if pre == "qwen2" else None, "pre_tokenizer": cut,
            "post_processor": post, "decoder": level,
            "added_tokens": [{"id": ids[t], "content": t, "special": True, "single_word": False,
                              "lstrip": t == "<mask>", "rstrip": False, "normalized": False} for t in control],
            "model": {"type": "BPE", "vocab": ids, "merges": merges}}
    kinds = [3 if t in control else 1 for t in tokens]
    metadata = {"tokenizer.ggml.model": (TEXT, "gpt2"), "tokenizer.ggml.pre": (TEXT, "roberta-bpe" if roberta else pre),
                "tokenizer.ggml.tokens": (LIST, TEXT, tokens), "tokenizer.ggml.token_type": (LIST, I32, kinds),
                "tokenizer.ggml.merges": (LIST, TEXT, merges)}
    if roberta:
        metadata.update({"tokenizer.ggml.bos_token_id": (U32, 0), "tokenizer.ggml.eos_token_id": (U32, 2),
                         "tokenizer.ggml.mask_token_id": (U32, len(tokens) - 1),
                         "tokenizer.ggml.add_bos_token": (BOOL, 1), "tokenizer.ggml.add_eos_token": (BOOL, 1)})
    return {"tokenizer.json": json.dumps(spec)}, metadata, len(tokens)


def sentence_pieces(space=True):
    made = ["▁t", "he", "▁the", "▁b", "at", "▁bat", "in", "ing", "er", "▁lo", "▁low", "▁th"]
    marks = sorted(set("".join(made) + "abcdefghijklmnopqrstuvwxyz.,"))
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)] + made + marks
    scores = [0.0] * 259 + [-float(i) for i in range(len(made) + len(marks))]
    ids = {token: i for i, token in enumerate(tokens)}
    merges = []
    for whole in made:  # in the order of their scores
        cuts = [(ids[whole[:i]], whole[:i], whole[i:]) for i in range(1, len(whole))
                if whole[:i] in ids and whole[i:] in ids]
        merges += [f"{left} {right}" for _, left, right in sorted(cuts)]
    first = [{"type": "Prepend", "prepend": "▁"}] if space else []
    last = [{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if space else []
    spec = {"version": "1.0",
            "normalizer": {"type": "Sequence", "normalizers": first + [
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
            "pre_tokenizer": None,
            "post_processor": {"type": "TemplateProcessing", "single": [
                {"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}], "pair": [],
                "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
            "decoder": {"type": "Sequence", "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
                {"type": "Fuse"}] + last},
            "added_tokens": [{"id": i, "content": t, "special": True, "normalized": False}
                             for i, t in enumerate(tokens[1:3], 1)],
            "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True, "vocab": ids,
                      "merges": merges}}
    kinds = [2, 3, 3] + [6] * 256 + [1] * (len(tokens) - 259)
    metadata = {"tokenizer.ggml.model": (TEXT, "llama"), "tokenizer.ggml.tokens": (LIST, TEXT, tokens),
                "tokenizer.ggml.scores": (LIST, F32, scores), "tokenizer.ggml.token_type": (LIST, I32, kinds),
                "tokenizer.ggml.bos_token_id": (U32, 1), "tokenizer.ggml.eos_token_id": (U32, 2),
                "tokenizer.ggml.add_bos_token": (BOOL, 1), "tokenizer.ggml.add_space_prefix": (BOOL, int(space))}
    return {"tokenizer.json": json.dumps(spec)}, metadata, len(tokens)


def word_pieces():
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "bat", "low", "##er", "##ing", "fl", "##ew", ".", ",",
             "a", "b", "##b", "t", "##t"]
    listed = [w if w[0] == "[" else w[2:] if w.startswith("##") else "▁" + w for w in words]
    kinds = [3 if w[0] == "[" else 1 for w in words]
    metadata = {"tokenizer.ggml.model": (TEXT, "bert"), "tokenizer.ggml.tokens": (LIST, TEXT, listed),
                "tokenizer.ggml.token_type": (LIST, I32, kinds), "tokenizer.ggml.mask_token_id": (U32, 4),
                "tokenizer.ggml.bos_token_id": (U32, 2), "tokenizer.ggml.eos_token_id": (U32, 3)}
    return {"vocab.txt": "\n".join(words) + "\n"}, metadata, len(words)


# The models.

def llama_config(model_type, **options):
    return {"model_type": model_type, "hidden_size": D, "intermediate_size": INNER, "num_hidden_layers": LAYERS,
            "num_attention_heads": HEADS, "num_key_value_heads": 2, "max_position_embeddings": POSITIONS,
            "rms_norm_eps": 1e-5, "rope_theta": 10000.0, **options}


def llama_metadata(c, arch):
    m = {"context_length": (U32, POSITIONS), "embedding_length": (U32, D), "block_count": (U32, c["num_hidden_layers"]),
         "feed_forward_length": (U32, INNER), "attention.head_count": (U32, HEADS),
         "attention.head_count_kv": (U32, c["num_key_value_heads"]),
         "attention.layer_norm_rms_epsilon": (F32, c["rms_norm_eps"])}
    if arch != "gemma":
        m["rope.freq_base"] = (F32, c["rope_theta"])
    if arch == "llama":
        m["rope.dimension_count"] = (U32, D_HEAD)
    if "head_dim" in c:
        m["attention.key_length"] = m["attention.value_length"] = (U32, c["head_dim"])
    if c.get("sliding_window"):
        m["attention.sliding_window"] = (U32, c["sliding_window"])
    if c.get("rope_scaling", {}).get("type") == "linear":
        m["rope.scaling.type"], m["rope.scaling.factor"] = (TEXT, "linear"), (F32, c["rope_scaling"]["factor"])
    return m


def layer_norm_metadata(c, arch):
    eps = c.get("layer_norm_epsilon") or c.get("layer_norm_eps")
    m = {"context_length": (U32, POSITIONS), "embedding_length": (U32, D), "block_count": (U32, LAYERS),
         "feed_forward_length": (U32, 4 * D if arch == "gpt2" else INNER), "attention.head_count": (U32, HEADS),
         "attention.layer_norm_epsilon": (F32, eps)}
    if arch == "gptneox":
        m.update({"rope.dimension_count": (U32, int(c["rotary_pct"] * D_HEAD)),
                  "use_parallel_residual": (BOOL, int(c["use_parallel_residual"]))})
    return m


LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 32}
BERT = {"hidden_size": D, "intermediate_size": INNER, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
        "max_position_embeddings": POSITIONS, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}
NEOX = {"model_type": "gpt_neox", "hidden_size": D, "intermediate_size": INNER, "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS, "max_position_embeddings": POSITIONS, "rotary_emb_base": 10000,
        "layer_norm_eps": 1e-5, "hidden_act": "gelu", "tie_word_embeddings": False}
MODELS = {
    "llama": ("llama", llama_like, llama_config("llama"), llama_metadata, sentence_pieces()),
    "llama_all": ("llama", llama_like, llama_config("llama", attention_bias=True, num_key_value_heads=4,
                  rope_scaling={"type": "linear", "factor": 2.0}), llama_metadata, sentence_pieces()),
    "llama3": ("llama", llama_like, llama_config("llama", rope_theta=500000.0, rope_scaling=LLAMA3,
               tie_word_embeddings=True), llama_metadata, byte_pairs()),
    "mistral": ("llama", llama_like, llama_config("mistral", sliding_window=3), llama_metadata, sentence_pieces()),
    "qwen2": ("qwen2", llama_like, llama_config("qwen2", tie_word_embeddings=True), llama_metadata,
              byte_pairs(pre="qwen2")),
    "qwen3": ("qwen3", llama_like, llama_config("qwen3", head_dim=32), llama_metadata, byte_pairs(pre="qwen2")),
    "gemma": ("gemma", llama_like, llama_config("gemma", head_dim=32), llama_metadata, sentence_pieces(False)),
    "gemma3": ("gemma3", llama_like, llama_config("gemma3_text", head_dim=32, num_hidden_layers=6, sliding_window=3,
               rope_theta=1000000.0, query_pre_attn_scalar=32), llama_metadata, sentence_pieces(False)),
    "gpt2": ("gpt2", gpt2, {"model_type": "gpt2", "n_embd": D, "n_head": HEADS, "n_layer": LAYERS,
             "n_positions": POSITIONS, "layer_norm_epsilon": 1e-5}, layer_norm_metadata, byte_pairs()),
    "gpt_neox": ("gptneox", gptneox, {**NEOX, "rotary_pct": 0.25, "use_parallel_residual": True}, layer_norm_metadata,
                 byte_pairs()),
    "gpt_neox_serial": ("gptneox", gptneox, {**NEOX, "rotary_pct": 1.0, "use_parallel_residual": False},
                        layer_norm_metadata, byte_pairs()),
    "bert": ("bert", bert, {**BERT, "model_type": "bert", "type_vocab_size": 2}, layer_norm_metadata, word_pieces()),
    "roberta": ("bert", bert, {**BERT, "model_type": "roberta", "type_vocab_size": 1, "pad_token_id": 1},
                layer_norm_metadata, byte_pairs(True)),
}


def llama3_divisors(c):
    s, out = c["rope_scaling"], []
    for i in range(D_HEAD // 2):
        length = 2 * math.pi * c["rope_theta"] ** (2 * i / D_HEAD)
        smooth = (s["original_max_position_embeddings"] / length - 1) / 3
        out.append(1 / ((1 - min(1, max(0, smooth))) / s["factor"] + min(1, max(0, smooth))))
    return as_float32(out)


def changed(shape, values, change):
    """The shape and the values of a tensor after conversion."""
    if change is plus_one:
        return shape, plus_one(values)
    if len(shape) == 1:
        return shape, as_float32(change(list(values)))
    width = shape[1]
    rows = change([values[i:i + width] for i in range(0, len(values), width)])
    return (len(rows), len(rows[0])), as_float32(x for row in rows for x in row)


def write_model(folder, name, kind):
    arch, tensors_of, config, metadata_of, (files, words, vocabulary) = MODELS[name]
    config = {**config, "vocab_size": vocabulary}
    rnd = random.Random(zlib.crc32(name.encode()))
    theirs, ours = {}, {}
    for tensor, shape, gguf, change in tensors_of(config, arch):
        spread = 0.1 if len(shape) == 1 else 0.25
        one = 1.0 if len(shape) == 1 and tensor.endswith("weight") and change is not plus_one else 0.0
        values = as_float32(one + spread * rnd.gauss(0, 1) for _ in range(math.prod(shape)))
        holds = kind if len(shape) == 2 else "F32"
        if holds != "F32":  # rounded as in the file, where rows may have other neighbours
            new_shape, new = changed(shape, values, change)
            raw, wide = stored(new, holds)
            places = changed(shape, array.array("d", range(len(values))), change)[1]  # where each value came from
            for at, place in enumerate(places):
                values[int(place)] = wide[at]
        else:
            new_shape, new = changed(shape, values, change)
            raw = new.tobytes()
        theirs[tensor], ours[gguf] = (shape, values), (new_shape, holds, raw)
    metadata = {"general.architecture": (TEXT, arch), "general.name": (TEXT, name),
                **{f"{arch}.{key}": value for key, value in metadata_of(config, arch).items()}, **words}
    if config.get("rope_scaling", {}).get("rope_type") == "llama3":
        ours["rope_freqs.weight"] = ((D_HEAD // 2,), "F32", llama3_divisors(config).tobytes())
    place = folder / f"{name}.{kind}"
    place.mkdir(parents=True, exist_ok=True)
    (place / "config.json").write_text(json.dumps(config))
    write_safetensors(place / "model.safetensors", theirs)
    for file, text in files.items():
        (place / file).write_text(text, encoding="utf-8")
    write_gguf(folder / f"{name}.{kind}.gguf", metadata, ours)


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in MODELS:
        for kind in TYPES:
            write_model(folder, name, kind)


if __name__ == "__main__":
    main()
