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

/// A tensor that a pickle names, and where its cells lie; for the reader of pytorch_model.bin only.
struct PickledTensor {
    std::string name{};
    FileDType dtype = FileDType::F32;
    /// The file beside the pickle that holds the cells, one after the other, so many of them.
    std::string storage{};
    std::int64_t storage_cells = 0;
    /// The first cell of the tensor in it, and how far the next one lies along each axis; all of them are inside.
    std::int64_t first = 0;
    Shape shape{};
    std::vector<std::int64_t> strides{};
};

/// Reads what torch.save wrote for a dictionary from names to tensors (Python's pickle, protocols 2 to 5:
/// Lib/pickletools.py lists the opcodes). A pickle is a program; this one may only make texts, numbers, lists, tuples,
/// dictionaries and tensors. Nothing of it is run. Throws Error naming `file` and what it asks for beyond that (another
/// class or function by its name), or how the pickle is broken.
std::vector<PickledTensor> read_torch_pickle(std::string_view bytes, const std::string& file);

/// pytorch_model.bin, as torch.save of PyTorch 1.6 and later writes a dictionary of tensors: a zip, not compressed,
/// with a pickle that names the tensors and a file for the cells of each. Nothing in it is run.
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
    platform::MappedFile file_;
    std::unique_ptr<zip, Close> zip_;
    std::vector<PickledTensor> places_;
    std::vector<TensorEntry> entries_;  // as places_
};

}  // namespace glassformer
