#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/safetensors.h"

namespace glassformer {

/// What a file that is not read is, and what to do, as a sentence that calls it so: "model.pt is in a PyTorch format
/// that …"; empty where its name says nothing.
std::string what_to_do_with(const std::filesystem::path& file, std::string_view called);
/// The same for the first such file of a folder, called by its name; empty where there is none.
std::string what_lies_in(const std::filesystem::path& folder);
/// Throws Error with the system's reason where it does not say whether that is there: no permission, too long a name.
void require_readable(const std::filesystem::path& path);
/// Throws Error: the folder has no `needed`, what lies there instead, and what to do; or that it cannot be read, and
/// why.
[[noreturn]] void fail_without(const std::filesystem::path& folder, const std::string& needed);

/// The tensors of a model's folder: in model.safetensors, or in the shards that model.safetensors.index.json lists;
/// where neither is there, in pytorch_model.bin or its shards. Each is read only when it is asked for, so that a large
/// model is not held twice.
class ModelTensors {
public:
    /// Opens the files and reads their headers. Throws Error naming the file: there is none, a shard is missing or
    /// broken; and, all at once, every tensor that the index and the shards do not agree on.
    explicit ModelTensors(const std::filesystem::path& folder);
    /// The tensors of one file, whose shapes `described_by` tells ("its metadata").
    ModelTensors(std::unique_ptr<TensorFile> file, std::string described_by);

    /// One tensor, in the file it lies in.
    struct Entry {
        const TensorFile* file = nullptr;
        const TensorEntry* where = nullptr;

        const std::string& name() const { return where->name; }
        const Shape& shape() const { return where->shape; }
        /// As TensorFile::read.
        Tensor read() const { return file->read(*where); }
        /// As TensorFile::cells.
        std::optional<CellsInFile> cells() const { return file->cells(*where); }
    };
    const std::vector<Entry>& entries() const { return entries_; }
    /// The files that hold them.
    std::vector<std::string> files() const;
    /// The file that stands for all of them in messages: the one file, or the index.
    const std::string& name() const { return name_; }
    /// What tells which tensors there should be, for messages: "config.json".
    const std::string& described_by() const { return described_by_; }

private:
    void add(std::unique_ptr<TensorFile> file);
    void open(const std::filesystem::path& file);
    void open_shards(const std::filesystem::path& folder);

    std::string name_, described_by_ = "config.json";
    std::vector<std::unique_ptr<TensorFile>> files_;
    std::vector<Entry> entries_;
};

/// One tensor of a file, and the parameters of a graph that lie in it.
struct StoredTensor {
    std::string name;
    /// Parameters side by side (by columns).
    std::vector<std::string> parts;
    /// The file holds the parts' columns as rows.
    bool transposed = false;
    /// Says again what another tensor of the layout says: never written; may be in a file and must then be the same, or
    /// stand there in its place.
    bool repeated = false;
    /// The parts lie head by head, so many heads: the first head of every part, the second of every part, … (GPT-NeoX).
    int heads = 0;
    /// The columns lie head by head, so many heads, and in each the two that rotary positions turn together side by
    /// side: those of the first half with those of the second half (GGUF's queries and keys of Llama).
    int paired_heads = 0;
    /// What the model uses is this much more than what is stored (1 for Gemma's norms).
    float added = 0.0f;
    /// Rows at the start that the model never uses (RoBERTa's positions).
    int unused_rows = 0;
};

/// Which tensors hold a model's parameters.
using TensorLayout = std::vector<StoredTensor>;

/// Every parameter in a tensor of its own, under its own name: embed.W_E, blocks.0.attn.W_Q, …
TensorLayout own_layout(const Graph& graph);

/// The parameters (in the graph's flat order) as tensors.
Safetensors store(const Graph& graph, const TensorLayout& layout, std::span<const float> parameters);

/// The layout's name for a tensor of a file; empty for one to be ignored.
using TensorNaming = std::function<std::string(const std::string& in_file)>;

/// The way back, one tensor at a time: matrices as the files hold them (those of F32 where they are large), the rest as
/// floats. Throws Error naming the file and, in one message, every tensor that is missing,
/// has another shape than the graph's, is there twice, or is not the model's; or the cell that is not a finite number.
Parameters restore(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                   const TensorNaming& naming);

/// The layout by the names that the files give their tensors, without what is repeated. Throws as restore() does.
TensorLayout layout_by_file(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                            const TensorNaming& naming);

}  // namespace glassformer
