#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"
#include "core/platform/mapped_file.h"

struct zip;

namespace glassformer {

/// A tensor described by a pickle, and where its cells are; for the reader of pytorch_model.bin only.
struct PickledTensor {
    std::string name{};
    FileDType dtype = FileDType::F32;
    /// The file beside the pickle that contains the cells, contiguously, and their number.
    std::string storage{};
    std::int64_t storage_cells = 0;
    /// The tensor's first cell in it, and the stride along each axis, in cells; every cell is within the storage.
    std::int64_t first = 0;
    Shape shape{};
    std::vector<std::int64_t> strides{};
};

/// Reads what torch.save wrote for a dictionary of named tensors (Python's pickle, protocols 2 to 5; Lib/pickletools.py
/// lists the opcodes). A pickle is a program; here it may only create texts, numbers, lists, tuples, dictionaries and
/// tensors, and nothing in it is executed. Throws Error naming `file` and anything else that it asks for (a class or
/// function by its name), or how the pickle is broken.
std::vector<PickledTensor> read_torch_pickle(std::string_view bytes, const std::string& file);

/// pytorch_model.bin, a dictionary of tensors as written by torch.save of PyTorch 1.6 and later: an uncompressed zip
/// with a pickle that describes the tensors and a file for each one's cells. Nothing in it is executed.
class TorchFile final : public TensorFile {
public:
    /// Opens the zip and reads its pickle. Throws Error naming the file and what is wrong: it is not a zip, larger than
    /// max_safetensors_bytes, compressed, lacks a file, or its pickle asks for more than tensors.
    explicit TorchFile(const std::filesystem::path& path);

    const std::string& name() const override { return name_; }
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const TensorEntry& entry) const override;
    std::optional<CellsInFile> cells(const TensorEntry& entry) const override;

private:
    struct Close {
        void operator()(zip* archive) const;
    };

    /// Reads a whole file of the zip, of at most `most_bytes` bytes.
    std::string read_stored(const std::string& file, std::uint64_t most_bytes) const;
    std::uint64_t bytes_of(const std::string& file) const;
    /// All the cells of the file that contains a tensor.
    std::string storage_of(const PickledTensor& place) const;

    std::string name_, folder_;  // the zip's path, and the folder inside it
    platform::MappedFile file_;
    std::unique_ptr<zip, Close> zip_;
    std::vector<PickledTensor> places_;
    std::vector<TensorEntry> entries_;  // parallel to places_; offsets in cells
};

}  // namespace glassformer
