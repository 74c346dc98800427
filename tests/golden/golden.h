#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/io/safetensors.h"
#include "core/nn/transformer.h"

/// Reads what make_golden_families.py wrote and compares a graph of ours with it. The checks are doctest's, and name
/// the case and the value concerned.
namespace glassformer::golden {

/// Returns the folder of the golden files.
std::filesystem::path folder();

/// Returns the largest |ours − theirs| relative to the largest |theirs|; infinite if one is infinite and the other is
/// not.
double distance(std::span<const float> ours, std::span<const float> theirs);

/// One case of a file: tensors "kind/name" (parameter, batches, hook, gradient, training …) and their description.
class Case {
public:
    Case(std::shared_ptr<const Safetensors> file, nlohmann::json description);

    const std::string& name() const { return name_; }
    TransformerConfig config() const;
    BatchShape shape() const;
    bool flag(const char* field) const { return description_.value(field, false); }
    std::string text(const char* field) const { return description_.value(field, std::string()); }

    /// Returns the tensor of that kind and name; fails the test if there is none.
    const Tensor& at(const std::string& kind, const std::string& name) const;
    /// Returns all names of one kind, sorted.
    std::vector<std::string> names(const std::string& kind) const;
    /// Returns the parameters in the graph's flat order; the graph must have exactly those of the file.
    AlignedFloats parameters(const Graph& graph) const;
    /// Sets the inputs of the run to the batch of that update (from 0), in training.
    void feed(Execution& run, int step) const;

private:
    std::shared_ptr<const Safetensors> file_;
    nlohmann::json description_;
    std::string name_;
};

/// Returns the cases of one file ("switches.safetensors"), at least one.
std::vector<Case> cases(const std::string& file);

/// Checks a graph against a case: the values of its nodes and its loss (1e-5), the gradient of every parameter (1e-4;
/// where the true gradient is zero, ours must be rounding), and the losses and gradient norms of ten updates.
void check(const Case& golden, const std::shared_ptr<const Graph>& graph, int loss, CpuBackend& backend);

}  // namespace glassformer::golden
