#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ops/python.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Where a Python program finds the parameters.
struct PythonModel {
    /// Paths of model.safetensors or its shards, or of pytorch_model.bin. Files that end in .bin are read as torch.save
    /// writes them.
    std::vector<std::string> files;
    std::string comment;  ///< appended to that line; may be empty
    /// The Python expression for each parameter, by name: w["transformer.h.0.attn.c_attn.weight"][:, 0:64].
    std::map<std::string, std::string> parameters;
};

/// Returns a short Python program with PyTorch or NumPy that computes a cell of a trace from the model's file, in
/// float64, and prints it. It has one line per node on the way, named after the node and generated from the graph. With
/// an offset of −1 it prints the whole node. `about` is the comment at its top, of one or more lines. Throws Error if
/// values were overwritten, or if an op or a parameter has no Python equivalent.
std::string python_for(const Trace& trace, const Cell& cell, const PythonModel& model, const std::string& about,
                       ops::PythonLibrary library);

}  // namespace glassformer
