#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/io/tensor_file.h"

namespace glassformer {

/// What a file that is not read is, and what to do: "is of llama.cpp, which is not read: …"; empty where its name says
/// nothing.
std::string what_to_do_with(const std::filesystem::path& file);
/// Throws Error: the folder has no `needed`, what lies there instead, and what to do.
[[noreturn]] void fail_without(const std::filesystem::path& folder, const std::string& needed);

/// The tensors of a model's folder: in model.safetensors, or in the shards that model.safetensors.index.json lists;
/// where neither is there, in pytorch_model.bin or its shards. Each is read only when it is asked for, so that a large
/// model is not held twice.
class ModelTensors {
public:
    /// Opens the files and reads their headers. Throws Error naming the file: there is none, a shard is missing or
    /// broken; and, all at once, every tensor that the index and the shards do not agree on.
    explicit ModelTensors(const std::filesystem::path& folder);

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

private:
    void open(const std::filesystem::path& file);
    void open_shards(const std::filesystem::path& folder);

    std::string name_;
    std::vector<std::unique_ptr<TensorFile>> files_;
    std::vector<Entry> entries_;
};

}  // namespace glassformer
