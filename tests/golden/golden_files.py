"""Shared by the scripts that write golden files: initial numbers, ten updates of training, and the file itself."""
import json
import math
import struct
import zlib

import torch

PAD, MASK = 0, 1
STEPS = 10

torch.set_num_threads(1)


def rounded(t):
    """Rounds to float32, so that both sides start from the same numbers; PyTorch continues in double precision."""
    return t.float().double()


class Parameters(dict):
    """The parameters of one case by name. A model requests them with their shapes; the first request creates them."""

    def __init__(self, case):
        super().__init__()
        self.first = {}  # the initial values
        self.generator = torch.Generator().manual_seed(zlib.crc32(case.encode()))

    def __call__(self, name, *shape):
        if name not in self:
            noise = torch.randn(shape, dtype=torch.float64, generator=self.generator)
            letter = name.rsplit(".", 1)[-1]
            if letter == "running_mean":
                self[name] = rounded(0.2 * noise)
            elif letter == "running_var":
                self[name] = rounded(1.0 + 0.2 * noise.abs())
            else:
                mean, spread = (1.0, 0.1) if letter == "w" else (0.0, 0.1) if letter[0] == "b" else (0.0, 0.35)
                self[name] = rounded(mean + spread * noise).requires_grad_()
            self.first[name] = self[name].detach().clone()
        assert self[name].shape == shape, (name, shape)
        return self[name]

    def trained(self):
        return [t for t in self.values() if t.requires_grad]


def learning_rate(step, total=500, peak=3e-3, warmup=50, floor=0.05):
    return peak * min(1.0, step / warmup) * (0.5 * (1 + math.cos(math.pi * step / total)) * (1 - floor) + floor)


def train(parameters, loss_of, batches):
    """One update per batch: AdamW, clipping, the schedule. Returns the losses and the norms of the gradients."""
    optimizer = torch.optim.AdamW(
        [
            {"params": [t for t in parameters if t.dim() >= 2], "weight_decay": 0.01},
            {"params": [t for t in parameters if t.dim() < 2], "weight_decay": 0.0},
        ],
        lr=0.0, betas=(0.9, 0.98), eps=1e-8)
    losses, norms = [], []
    for step, batch in enumerate(batches, start=1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step)
        optimizer.zero_grad()
        loss = loss_of(batch)
        loss.backward()
        for t in parameters:  # the optimizer would skip parameters without a gradient; ours still decays them
            t.grad = torch.zeros_like(t) if t.grad is None else t.grad
        norms.append(torch.nn.utils.clip_grad_norm_(parameters, 1.0))
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses), torch.stack(norms)


def record(parameters, model, batches):
    """Everything that a test compares: model(batch) returns the values by name, including the loss."""
    hooks = model(batches[0])
    tensors = {"parameter/" + name: t for name, t in parameters.first.items()}
    for field in batches[0]:
        tensors["batches/" + field] = torch.stack([b[field] for b in batches])
    tensors.update({"hook/" + name: t.detach().clone() for name, t in hooks.items()})
    hooks["loss"].backward()
    for name, t in parameters.items():
        tensors["gradient/" + name] = torch.zeros_like(t) if t.grad is None else t.grad.clone()
    losses, norms = train(parameters.trained(), lambda batch: model(batch)["loss"], batches)
    tensors["training/losses"], tensors["training/gradient_norms"] = losses, norms
    return tensors


def write_safetensors(path, tensors, metadata):
    header, body = {"__metadata__": metadata}, b""
    for name, tensor in tensors.items():
        cells = tensor.detach().float().contiguous().flatten().tolist()
        data = struct.pack(f"<{len(cells)}f", *cells)
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def write_cases(path, cases):
    """Writes cases into one file: {name: (description, tensors)}. The description is JSON in the metadata."""
    tensors = {f"{name}/{key}": t for name, (_, of_case) in cases.items() for key, t in of_case.items()}
    descriptions = [{"name": name, **description} for name, (description, _) in cases.items()]
    write_safetensors(path, tensors, {"made_by": "tests/golden/make_golden_families.py", "torch": torch.__version__,
                                      "cases": json.dumps(descriptions)})
    print(f"{path.name}: {len(cases)} cases, {path.stat().st_size / 1e6:.2f} MB")
