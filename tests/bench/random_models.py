"""Models of published sizes with random weights, as their files are: Hugging Face folders of GPT-2 (124 M), BERT-base
and a Llama of 110 M, and the files that karpathy's run.c and train_gpt2.c read. Needs Python alone.

    python3 tests/bench/random_models.py FOLDER    writes gpt2-f32, gpt2-bf16 and bert-base (1.2 GB)
"""
import argparse
import array
import json
import pathlib
import random
import re
import struct

# Numbers of a normal distribution, again and again: what they are makes no difference to how fast they are multiplied.
# Their count is prime, so that no two rows of a matrix are alike.
BLOCK = 1000003


class Numbers:
    def __init__(self, spread, dtype):
        rng = random.Random(1)
        values = array.array("f", (rng.gauss(0, spread) for _ in range(BLOCK)))
        if dtype == "BF16":
            words = array.array("I", values.tobytes())
            values = array.array("H", (w >> 16 for w in words))
        self.bytes, self.width, self.at = values.tobytes(), values.itemsize, 0

    def take(self, count):
        """The bytes of the next numbers."""
        parts = []
        while count > 0:
            some = min(count, BLOCK - self.at)
            parts.append(self.bytes[self.at * self.width:(self.at + some) * self.width])
            self.at = (self.at + some) % BLOCK
            count -= some
        return b"".join(parts)

    def ones(self, count):
        return (struct.pack("<f", 1.0) if self.width == 4 else b"\x80\x3f") * count


def cells(shape):
    product = 1
    for size in shape:
        product *= size
    return product


def write_folder(folder, config, shapes, spread=0.02, dtype="F32"):
    """`shapes`: name to shape; what is called a norm's weight is 1."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    numbers, header, at = Numbers(spread, dtype), {}, 0
    for name, shape in shapes.items():
        end = at + numbers.width * cells(shape)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, shape in shapes.items():
            norm = len(shape) == 1 and name.endswith("weight")
            file.write(numbers.ones(shape[0]) if norm else numbers.take(cells(shape)))


def byte_letters():
    """The letters that stand for bytes in GPT-2's files."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, extra = {}, 0
    for byte in range(256):
        letters[byte] = chr(byte if byte in shown else 256 + extra)
        extra += byte not in shown
    return list(letters.values())


def write_gpt2_tokenizer(folder, words=50257):
    """As many tokens as GPT-2's, joined at random."""
    rng, tokens, merges = random.Random(2), byte_letters(), []
    known = set(tokens)
    while len(tokens) < words - 1:
        left, right = rng.choice(tokens), rng.choice(tokens)
        if len(left + right) <= 12 and left + right not in known:
            tokens.append(left + right)
            known.add(left + right)
            merges.append(f"{left} {right}")
    end = "<|endoftext|>"
    vocabulary = {token: i for i, token in enumerate([*tokens, end])}
    stage = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    added = {"id": words - 1, "content": end, "special": True, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": True}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "",
             "end_of_word_suffix": "", "vocab": vocabulary, "merges": merges}
    spec = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [added], "normalizer": None,
            "pre_tokenizer": stage, "post_processor": stage, "decoder": stage, "model": model}
    (folder / "tokenizer.json").write_text(json.dumps(spec, ensure_ascii=False), encoding="utf-8")
    (folder / "vocab.json").write_text(json.dumps(vocabulary, ensure_ascii=False), encoding="utf-8")
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]), encoding="utf-8")


def write_gpt2(folder, dtype):
    d, layers = 768, 12
    shapes = {"wte.weight": [50257, d], "wpe.weight": [1024, d]}
    for layer in range(layers):
        for name, shape in (("ln_1", [d]), ("attn.c_attn", [d, 3 * d]), ("attn.c_proj", [d, d]), ("ln_2", [d]),
                            ("mlp.c_fc", [d, 4 * d]), ("mlp.c_proj", [4 * d, d])):
            shapes[f"h.{layer}.{name}.weight"], shapes[f"h.{layer}.{name}.bias"] = shape, shape[-1:]
    shapes["ln_f.weight"], shapes["ln_f.bias"] = [d], [d]
    write_folder(folder, {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 50257,
                          "n_positions": 1024, "n_embd": d, "n_head": 12, "n_layer": layers, "n_inner": None,
                          "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5}, shapes, dtype=dtype)
    write_gpt2_tokenizer(folder)


def write_bert(folder, grammar):
    """BERT-base, whose vocabulary has every letter and the words of a grammar's file."""
    d, layers, inner, words = 768, 12, 3072, 30522
    letters = "abcdefghijklmnopqrstuvwxyz"
    tokens = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *("##" + x for x in letters), *".,!?'"])
    tokens |= dict.fromkeys(re.findall("[a-z]+", grammar.read_text().lower()))
    tokens |= dict.fromkeys(f"[unused{i}]" for i in range(words - len(tokens)))
    shapes = {"embeddings.word_embeddings.weight": [words, d], "embeddings.position_embeddings.weight": [512, d],
              "embeddings.token_type_embeddings.weight": [2, d]}

    def add(name, *shape):
        shapes[name + ".weight"], shapes[name + ".bias"] = list(shape), [shape[0]]

    add("embeddings.LayerNorm", d)
    for layer in range(layers):
        at = f"encoder.layer.{layer}."
        for name in ("query", "key", "value"):
            add(f"{at}attention.self.{name}", d, d)
        add(at + "attention.output.dense", d, d)
        add(at + "attention.output.LayerNorm", d)
        add(at + "intermediate.dense", inner, d)
        add(at + "output.dense", d, inner)
        add(at + "output.LayerNorm", d)
    add("pooler.dense", d, d)
    write_folder(folder, {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": words, "hidden_size": d,
                          "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": 12,
                          "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
                          "hidden_act": "gelu"}, shapes)
    (folder / "vocab.txt").write_text("\n".join([*tokens, ""]))


LLAMA = {"d": 768, "inner": 2048, "layers": 12, "heads": 12, "words": 32000, "positions": 1024}


def interleaved(rows, heads):
    """Rows of queries or keys as run.c turns them: pairs that lie side by side, not half a head apart."""
    d, width = LLAMA["d"], 4 * LLAMA["d"]
    each = d // heads
    order = [head * each + i // 2 + (i % 2) * each // 2 for head in range(heads) for i in range(each)]
    return b"".join(rows[row * width:(row + 1) * width] for row in order)


def write_llama(folder, run_c):
    """A Llama of 110 M twice: as a Hugging Face folder, and as run.c's model.bin and tokenizer.bin in `run_c`."""
    m = LLAMA
    d, inner, layers, heads, words = m["d"], m["inner"], m["layers"], m["heads"], m["words"]
    shapes = {"model.embed_tokens.weight": [words, d]}
    for layer in range(layers):
        at = f"model.layers.{layer}."
        shapes |= {at + "input_layernorm.weight": [d], at + "post_attention_layernorm.weight": [d]}
        shapes |= {f"{at}self_attn.{x}_proj.weight": [d, d] for x in "qkvo"}
        shapes |= {at + "mlp.gate_proj.weight": [inner, d], at + "mlp.up_proj.weight": [inner, d],
                   at + "mlp.down_proj.weight": [d, inner]}
    shapes["model.norm.weight"] = [d]
    write_folder(folder, {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "vocab_size": words,
                          "hidden_size": d, "intermediate_size": inner, "num_hidden_layers": layers,
                          "num_attention_heads": heads, "num_key_value_heads": heads, "head_dim": d // heads,
                          "max_position_embeddings": m["positions"], "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
                          "hidden_act": "silu", "tie_word_embeddings": True, "torch_dtype": "float32"}, shapes)
    raw = (folder / "model.safetensors").read_bytes()
    begin = 8 + struct.unpack("<Q", raw[:8])[0]
    places = json.loads(raw[8:begin])

    def bytes_of(name):
        first, end = places[name]["data_offsets"]
        return raw[begin + first:begin + end]

    def all_layers(name):
        return [bytes_of(f"model.layers.{layer}.{name}.weight") for layer in range(layers)]

    with open(run_c / "model.bin", "wb") as file:
        file.write(struct.pack("<7i", d, inner, layers, heads, heads, words, m["positions"]))
        file.write(bytes_of("model.embed_tokens.weight"))
        for name in ("input_layernorm", "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
                     "post_attention_layernorm", "mlp.gate_proj", "mlp.down_proj", "mlp.up_proj"):
            for rows in all_layers(name):
                file.write(interleaved(rows, heads) if name in ("self_attn.q_proj", "self_attn.k_proj") else rows)
        file.write(bytes_of("model.norm.weight") + bytes(4 * m["positions"] * (d // heads)))
    with open(run_c / "tokenizer.bin", "wb") as file:  # each token is its id and a blank
        file.write(struct.pack("<i", 8))
        for i in range(words):
            text = f"{i} ".encode()
            file.write(struct.pack("<fi", 0.0, len(text)) + text)


def write_train_gpt2(folder):
    """What train_gpt2.c opens: a model of GPT-2's size and tokens to train on, all random."""
    d, layers, positions, words, padded = 768, 12, 1024, 50257, 50304
    numbers = Numbers(0.02, "F32")
    with open(folder / "gpt2_124M.bin", "wb") as file:
        file.write(struct.pack("<256i", 20240326, 3, positions, words, layers, 12, d, padded, *[0] * 248))
        for count, norm in ((padded * d, 0), (positions * d, 0), (layers * d, 1), (layers * d, 0),
                            (layers * 3 * d * d, 0), (layers * 3 * d, 0), (layers * d * d, 0), (layers * d, 0),
                            (layers * d, 1), (layers * d, 0), (layers * 4 * d * d, 0), (layers * 4 * d, 0),
                            (layers * 4 * d * d, 0), (layers * d, 0), (d, 1), (d, 0)):
            file.write(numbers.ones(count) if norm else numbers.take(count))
    rng, data = random.Random(3), folder / "dev/data/tinyshakespeare"
    data.mkdir(parents=True, exist_ok=True)
    for part in ("train", "val"):
        tokens = array.array("H", (rng.randrange(words) for _ in range(65536)))
        header = struct.pack("<256i", 20240520, 1, len(tokens), *[0] * 253)
        (data / f"tiny_shakespeare_{part}.bin").write_bytes(header + tokens.tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    root = pathlib.Path(__file__).resolve().parents[2]
    for dtype in ("F32", "BF16"):
        write_gpt2(folder / f"gpt2-{dtype.lower()}", dtype)
    write_bert(folder / "bert-base", root / "assets/worlds/homonyms.grammar")


if __name__ == "__main__":
    main()
