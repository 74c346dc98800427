#!/usr/bin/env python3
"""Compares two traces that `glassformer trace --out X.safetensors` wrote on two systems:
  scripts/same_trace.py ONE TWO [TOLERANCE]
Every tensor of one must be in the other, with the same shape, and every number must be within TOLERANCE (1e-5) of the
other's, relative to the tensor's largest. Exit codes: 0 the same, 1 different."""
import json
import math
import struct
import sys


def tensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    for name, tensor in header.items():
        if name != "__metadata__" and tensor["dtype"] == "F32":
            begin, end = tensor["data_offsets"]
            yield name, (tensor["shape"], struct.unpack(f"<{(end - begin) // 4}f", data[begin:end]))


def difference(ours, theirs):
    if ours == theirs:  # infinities, too
        return 0.0
    return abs(ours - theirs) if math.isfinite(ours) and math.isfinite(theirs) else math.inf


one, two = (dict(tensors(path)) for path in sys.argv[1:3])
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 1e-5
if one.keys() != two.keys() or not one:
    sys.exit(f"not the same tensors: {sorted(one.keys() ^ two.keys())}")
largest, where = 0.0, ""
for name, (shape, values) in one.items():
    if two[name][0] != shape:
        sys.exit(f"{name} has another shape")
    size = max((abs(x) for x in values if math.isfinite(x)), default=0.0) or 1.0
    for ours, theirs in zip(values, two[name][1]):
        if difference(ours, theirs) / size > largest:
            largest, where = difference(ours, theirs) / size, name
print(f"{len(one)} tensors, largest relative difference {largest:.2g} {where}")
sys.exit(0 if largest <= tolerance else 1)
