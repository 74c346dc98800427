#!/usr/bin/env python3
"""Writes optimizers.json beside this file: what PyTorch's own optimizers do with a few gradients.

A matrix and a vector, six gradients, and the values after updates 1, 3 and 6 of each method; each step has its own
learning rate. tests/golden/optimizers_test.cpp compares.

    python3 tests/golden/make_golden_optimizers.py     (python3-torch; the file has the same bytes every time)
"""
import json
import pathlib

import torch

ROWS, COLUMNS, STEPS, SHOWN = 2, 3, 6, (1, 3, 6)
RATES = [0.02, 0.05, 0.1, 0.1, 0.08, 0.03]

CASES = [
    {"kind": "sgd", "weight_decay": 0.0},
    {"kind": "sgd", "weight_decay": 0.1},
    {"kind": "momentum", "momentum": 0.9, "weight_decay": 0.1},
    {"kind": "adam", "beta1": 0.9, "beta2": 0.98, "epsilon": 1e-6, "weight_decay": 0.1},
    {"kind": "adamw", "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-8, "weight_decay": 0.1},
]

torch.manual_seed(12)


def rounded(t):
    return t.float().double()


def optimizer_of(case, groups):
    if case["kind"] in ("sgd", "momentum"):
        return torch.optim.SGD(groups, lr=0.0, momentum=case.get("momentum", 0.0))
    method = torch.optim.Adam if case["kind"] == "adam" else torch.optim.AdamW
    return method(groups, lr=0.0, betas=(case["beta1"], case["beta2"]), eps=case["epsilon"])


def train(case, start, gradients):
    matrix = start[: ROWS * COLUMNS].reshape(ROWS, COLUMNS).clone().requires_grad_()
    vector = start[ROWS * COLUMNS :].clone().requires_grad_()
    optimizer = optimizer_of(
        case,
        [{"params": [matrix], "weight_decay": case["weight_decay"]}, {"params": [vector], "weight_decay": 0.0}])
    found = {}
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATES[step]
        matrix.grad = gradients[step][: ROWS * COLUMNS].reshape(ROWS, COLUMNS).clone()
        vector.grad = gradients[step][ROWS * COLUMNS :].clone()
        optimizer.step()
        if step + 1 in SHOWN:
            found[str(step + 1)] = written(torch.cat([matrix.detach().flatten(), vector.detach()]))
    return found


def written(t):
    return [float(f"{x:.9g}") for x in t.tolist()]


def main():
    cells = ROWS * COLUMNS + COLUMNS
    start = rounded(torch.randn(cells, dtype=torch.float64))
    gradients = [rounded(torch.randn(cells, dtype=torch.float64)) for _ in range(STEPS)]
    for g in gradients[:3]:
        g[1] = 0.0  # a cell without a gradient for a while
    content = {"made_by": "tests/golden/make_golden_optimizers.py", "torch": torch.__version__,
               "shape": [ROWS, COLUMNS], "rates": RATES, "start": written(start),
               "gradients": [written(g) for g in gradients],
               "cases": [{**case, "after": train(case, start, gradients)} for case in CASES]}
    path = pathlib.Path(__file__).with_name("optimizers.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")
    print(f"{path.name}: {len(CASES)} cases, {path.stat().st_size} bytes")


main()
