#!/usr/bin/env python3
"""Writes pytorch_model.bin files with torch.save: the RoBERTa of hugging_face/ again, in golden/torch_file/, and small
ones, good and bad, in fuzz/corpus/torch/, which the tests read as well. With PyTorch:

    python3 tests/golden/make_torch_files.py
"""
import collections
import io
import json
import os
import pathlib
import struct
import zipfile

import torch

TESTS = pathlib.Path(__file__).resolve().parent.parent
SOURCE, MODEL, CORPUS = TESTS / "golden/hugging_face/roberta", TESTS / "golden/torch_file", TESTS / "fuzz/corpus/torch"


def read_float32(file):
    data = file.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            yield name, torch.frombuffer(bytearray(data[begin:end]), dtype=torch.float32).reshape(entry["shape"])


def saved(content, **options):
    file = io.BytesIO()
    torch.save(content, file, **options)
    return file.getvalue()


def packed(data, method):
    file = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(data))
    with zipfile.ZipFile(file, "w", method) as out:
        for name in source.namelist():
            out.writestr(zipfile.ZipInfo(name), source.read(name), method)
    return file.getvalue()


class Code:
    def __reduce__(self):
        return os.getcwd, ()


def main():
    MODEL.mkdir(exist_ok=True)
    CORPUS.mkdir(exist_ok=True)
    weights = collections.OrderedDict(read_float32(SOURCE / "model.safetensors"))
    # As in old files: tied tensors share their cells, and some tensors are not parameters.
    weights["lm_head.decoder.weight"] = weights["roberta.embeddings.word_embeddings.weight"]
    weights["roberta.embeddings.position_ids"] = torch.arange(8).reshape(1, 8)
    (MODEL / "config.json").write_bytes((SOURCE / "config.json").read_bytes())
    (MODEL / "pytorch_model.bin").write_bytes(saved(weights))

    w = torch.arange(24).reshape(4, 6) / 8
    many = collections.OrderedDict(
        whole=w, rows=w[1:3], turned=w.t(), columns=w[:, 2:4], half=w.half(), bfloat=w.bfloat16(), one=torch.tensor(2.5),
        none=torch.zeros(0, 3), learned=torch.nn.Parameter(w), numbers=torch.arange(5))
    files = {
        "many": saved(many),
        "protocol4": saved(dict(many), pickle_protocol=4),
        "old": saved({"w": w}, _use_new_zipfile_serialization=False),
        "nested": saved({"model": {"w": w}, "epoch": 3}),
        "code": saved({"w": w, "x": Code()}),
        "module": saved(torch.nn.Linear(2, 1)),
        "nan": saved({"w": torch.tensor([1.0, float("nan")])}),
        "deflated": packed(saved({"w": torch.zeros(1 << 16)}), zipfile.ZIP_DEFLATED),
    }
    files["cut"] = files["many"][:len(files["many"]) // 2]
    changed = bytearray(files["many"])
    changed[files["many"].find(w.numpy().tobytes()) + 6] ^= 1
    files["changed"] = bytes(changed)
    for name, data in files.items():
        (CORPUS / name).write_bytes(data)
        print(name, len(data), "bytes")


if __name__ == "__main__":
    main()
