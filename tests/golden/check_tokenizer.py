#!/usr/bin/env python3
"""Compares `glassformer tokenize` with published vectors of a tokenizer.

    check_tokenizer.py --model FOLDER --texts ggml-vocab-X.gguf.inp --ids ggml-vocab-X.gguf.out [--bare]
    check_tokenizer.py --model FOLDER --json FILE     # [{"text": "...", "ids": [...]}, ...]

The first form reads the vectors of ggml-org/llama.cpp (models/). They leave special tokens out: --bare ignores the first
and the last id where the folder's tokenizer adds one at each end. FOLDER holds the tokenizer's files (tokenizer.json,
vocab.txt, or vocab.json and merges.txt), which are not part of this project. Exit code 1 when a text differs, or there is
nothing to compare.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SEPARATOR = "\n__ggml_vocab_test__\n"


def vectors(args):
    if args.json:
        return [(case["text"], case["ids"]) for case in json.loads(args.json.read_text(encoding="utf-8"))]
    lines = args.ids.read_text(encoding="utf-8").rstrip("\n").split("\n")
    texts = args.texts.read_bytes().decode("utf-8").split(SEPARATOR)
    if len(texts) != len(lines):
        sys.exit(f"{args.texts} has {len(texts)} texts, {args.ids} has {len(lines)} lines of ids")
    return list(zip(texts, [[int(word) for word in line.split()] for line in lines]))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--model", required=True, type=pathlib.Path)
    options.add_argument("--texts", type=pathlib.Path)
    options.add_argument("--ids", type=pathlib.Path)
    options.add_argument("--json", type=pathlib.Path)
    options.add_argument("--bare", action="store_true")
    options.add_argument("--program", default="build/glassformer")
    args = options.parse_args()
    if not args.json and not (args.texts and args.ids):
        options.error("give --json, or --texts and --ids")
    cases, wrong = vectors(args), 0
    for text, wanted in cases:
        with tempfile.NamedTemporaryFile() as file:
            file.write(text.encode("utf-8"))
            file.flush()
            run = [args.program, "tokenize", "--model", str(args.model), "--file", file.name, "--json"]
            answer = subprocess.run(run, capture_output=True, text=True)
        if answer.returncode != 0:
            sys.exit(answer.stderr)
        ids = json.loads(answer.stdout)["ids"]
        if args.bare:
            ids = ids[1:-1]
        if ids != wanted:
            wrong += 1
            print(f"{text!r}\n  wanted {wanted}\n  got    {ids}")
    print(f"{len(cases) - wrong} of {len(cases)} texts are equal")
    return wrong > 0 or not any(ids for _, ids in cases)


sys.exit(main())
