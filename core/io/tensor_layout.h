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

/// Explains a file format that is not supported and what to do, as a sentence that calls the file `called`: "model.pt
/// is in a PyTorch format that …"; empty if its name tells nothing.
std::string what_to_do_with(const std::filesystem::path& file, std::string_view called);
/// The same for the first such file in a folder, under its own name; empty if there is none.
std::string what_lies_in(const std::filesystem::path& folder);
/// Throws Error with the system's reason if it cannot tell whether the path exists: no permission, name too long.
void require_readable(const std::filesystem::path& path);
/// Throws Error: the folder has no `needed`, what is there instead and what to do; or why the folder cannot be read.
[[noreturn]] void fail_without(const std::filesystem::path& folder, const std::string& needed);

/// The tensors of a model's folder: in model.safetensors or the shards listed in model.safetensors.index.json or,
/// without these, in pytorch_model.bin or its shards. Each tensor is read only on request, so that a large model is
/// never in memory twice.
class ModelTensors {
public:
    /// Opens the files and reads their headers. Throws Error naming the file if there is none or a shard is missing or
    /// broken; and lists, all at once, the tensors on which the index and the shards disagree.
    explicit ModelTensors(const std::filesystem::path& folder);
    /// The tensors of one file; messages call the source of their expected shapes `described_by` ("its metadata").
    ModelTensors(std::unique_ptr<TensorFile> file, std::string described_by);

    /// One tensor and the file that contains it.
    struct Entry {
        const TensorFile* file = nullptr;
        const TensorEntry* where = nullptr;

        const std::string& name() const { return where->name; }
        const Shape& shape() const { return where->shape; }
        /// See TensorFile::read.
        Tensor read() const { return file->read(*where); }
        /// See TensorFile::cells.
        std::optional<CellsInFile> cells() const { return file->cells(*where); }
    };
    const std::vector<Entry>& entries() const { return entries_; }
    /// The files that contain them.
    std::vector<std::string> files() const;
    /// The file to name in messages: the only file, or the index.
    const std::string& name() const { return name_; }
    /// What defines the expected tensors, for messages: "config.json".
    const std::string& described_by() const { return described_by_; }

private:
    void add(std::unique_ptr<TensorFile> file);
    void open(const std::filesystem::path& file);
    void open_shards(const std::filesystem::path& folder);

    std::string name_, described_by_ = "config.json";
    std::vector<std::unique_ptr<TensorFile>> files_;
    std::vector<Entry> entries_;
};

/// One tensor of a file, and the graph's parameters that are stored in it.
struct StoredTensor {
    std::string name;
    /// Parameters stored side by side (as column blocks).
    std::vector<std::string> parts;
    /// The file stores the parts' columns as rows.
    bool transposed = false;
    /// Duplicates another tensor of the layout: never written; a file may contain it, equal to the other one or instead
    /// of it.
    bool repeated = false;
    /// Interleaved by head, with this many heads: all parts' first heads, then their second heads, … (GPT-NeoX).
    int heads = 0;
    /// The columns are grouped into this many heads; within each, the two columns that rotary positions rotate together
    /// are adjacent: one from the first half, one from the second (GGUF's queries and keys of Llama).
    int paired_heads = 0;
    /// Added to the stored value to get the one the model uses (1 for Gemma's norms).
    float added = 0.0f;
    /// Leading rows that the model never uses (RoBERTa's positions).
    int unused_rows = 0;
};

/// The tensors that store a model's parameters.
using TensorLayout = std::vector<StoredTensor>;

/// Every parameter as a tensor of its own, under its own name: embed.W_E, blocks.0.attn.W_Q, …
TensorLayout own_layout(const Graph& graph);

/// Converts the parameters (in the graph's flat order) to tensors.
Safetensors store(const Graph& graph, const TensorLayout& layout, std::span<const float> parameters);

/// Maps a tensor's name in a file to the layout's name; empty if it is to be ignored.
using TensorNaming = std::function<std::string(const std::string& in_file)>;

/// The inverse, one tensor at a time: matrices stay as the files store them (F32 ones only if large), the rest become
/// floats. Throws Error naming the file and, in one message, every tensor that is missing, duplicated, not the model's,
/// or of another shape than in the graph; or the cell that is not finite.
Parameters restore(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                   const TensorNaming& naming);

/// The layout with the files' own tensor names, without repeated tensors. Throws as restore() does.
TensorLayout layout_by_file(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                            const TensorNaming& naming);

}  // namespace glassformer
