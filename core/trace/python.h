#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ops/python.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Where a program in Python finds the parameters.
struct PythonModel {
    /// model.safetensors with its path, or its shards, or pytorch_model.bin; what ends in .bin is read as torch.save
    /// writes it.
    std::vector<std::string> files;
    std::string comment;  ///< on that line; may be empty
    /// What stands for each parameter of the graph, by its name: w["transformer.h.0.attn.c_attn.weight"][:, 0:64].
    std::map<std::string, std::string> parameters;
};

/// A short program for Python with PyTorch or NumPy that computes a cell of a trace from the model's file, in float64,
/// and prints it: a line for each node on the way, under its own name, made from the graph. With an offset of −1 it
/// prints the whole node. `about` is the comment at its top, a line or several. Throws Error where values were
/// overwritten, or an op or a parameter has no Python.
std::string python_for(const Trace& trace, const Cell& cell, const PythonModel& model, const std::string& about,
                       ops::PythonLibrary library);

}  // namespace glassformer
