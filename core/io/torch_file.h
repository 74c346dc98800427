#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/io/tensor_file.h"
#include "core/io/torch_pickle.h"

struct zip;

namespace glassformer {

/// pytorch_model.bin, as torch.save of PyTorch 1.6 and later writes a dictionary of tensors: a zip, not compressed,
/// with a pickle that names the tensors (core/io/torch_pickle.h) and a file for the cells of each. Nothing in it is
/// run.
class TorchFile final : public TensorFile {
public:
    /// Opens the zip and reads its pickle. Throws Error naming the file and what is wrong: it is no zip, is larger than
    /// max_safetensors_bytes, is compressed, lacks a file, or its pickle asks for more than tensors.
    explicit TorchFile(const std::filesystem::path& path);

    const std::string& name() const override { return name_; }
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const TensorEntry& entry) const override;
    std::optional<CellsInFile> cells(const TensorEntry& entry) const override;

private:
    struct Close {
        void operator()(zip* archive) const;
    };

    /// The whole of a file of the zip, which must have so many bytes.
    std::string read_stored(const std::string& file, std::uint64_t most_bytes) const;
    std::uint64_t bytes_of(const std::string& file) const;
    /// All the cells of the file that a tensor lies in.
    std::string storage_of(const PickledTensor& place) const;

    std::string name_, folder_;  // of the zip; in the zip
    std::unique_ptr<zip, Close> zip_;
    std::vector<PickledTensor> places_;
    std::vector<TensorEntry> entries_;  // as places_
};

}  // namespace glassformer
