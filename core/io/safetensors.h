#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"

namespace glassformer {

// The safetensors format of Hugging Face (https://github.com/huggingface/safetensors, section "Format"):
//
//     8 bytes      n, the length of the header, little-endian
//     n bytes      JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {…}}
//     the rest     the tensors' cells, row-major, little-endian; offsets count from here; no gap and no overlap
//
// "__metadata__" may be absent and maps text to text.

/// One tensor of a file.
struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// What a file holds.
struct Safetensors {
    /// In the order in which the data lies in the file.
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string> metadata;

    /// The tensor of that name, or nullptr.
    const Tensor* find(std::string_view name) const;
};

/// The largest file that read_safetensors takes: 8 GiB.
inline constexpr std::uint64_t max_safetensors_bytes = std::uint64_t{8} << 30;

/// Reads a file of F32, F16 and BF16 tensors; the last two are widened to float32, exactly. NaN and infinities are
/// let through: see require_finite. Throws Error naming the file, and the tensor where there is one, when the file
/// cannot be read, has a tensor of another dtype, or breaks the format in any way.
Safetensors read_safetensors(const std::filesystem::path& path);

/// The same for bytes in memory; `file` is the name that messages show.
Safetensors parse_safetensors(std::string_view bytes, const std::string& file);

/// The bytes of a file that holds the tensors as F32, in the order given. Throws Error when two have one name, or a
/// name or the metadata is not UTF-8, or a tensor is called "__metadata__".
std::string to_safetensors(const Safetensors& content);

/// Writes them by write_file_atomically: on failure the old file is untouched.
void write_safetensors(const std::filesystem::path& path, const Safetensors& content);

/// A tensor that is asked for its cells when its turn has come, and told nothing before: `write` takes them in order,
/// in one piece or several.
struct StreamedTensor {
    std::string name;
    Shape shape;
    std::function<void(const std::function<void(std::span<const float>)>& write)> cells;
};
/// The same file with no more than one of its tensors in memory.
void write_safetensors(const std::filesystem::path& path, std::span<const StreamedTensor> tensors,
                       const std::map<std::string, std::string>& metadata);

/// Throws Error naming the first tensor and cell that is NaN or infinite; `file` is the name that the message shows.
void require_finite(const Safetensors& content, const std::string& file);
/// The same for one tensor.
void require_finite(const std::string& name, const Tensor& tensor, const std::string& file);

}  // namespace glassformer
