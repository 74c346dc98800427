#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/parameters.h"
#include "core/platform/file.h"
#include "core/tensor/tensor.h"
#include "core/tensor/typed_matrix.h"

namespace glassformer {

// The checked header of a safetensors file; for readers of such files only.

/// The cell types that a file may have. Only the first three and Q8_0, which only GGUF has, are read; published models
/// use the others for tensors that are not parameters: masks, positions.
enum class FileDType { F32, F16, BF16, F64, I64, I32, I16, I8, U64, U32, U16, U8, BOOL, F8_E4M3, F8_E5M2, Q8_0 };

/// Bytes per cell; not for Q8_0, whose cells come in blocks.
std::int64_t dtype_bytes(FileDType dtype);
std::string_view name_of(FileDType dtype);
/// True if cells of this type can be read, as float32.
inline bool is_read(FileDType dtype) { return dtype <= FileDType::BF16 || dtype == FileDType::Q8_0; }
/// `has dtype I64; only F32, F16 and BF16 are read`.
std::string refusal_of(FileDType dtype);

/// Where one tensor lies in the data.
struct TensorEntry {
    std::string name;
    FileDType dtype;
    Shape shape;
    /// Byte offsets from the start of the data: the cells are [begin, end).
    std::int64_t begin;
    std::int64_t end;
};

/// The parsed header.
struct SafetensorsHeader {
    /// Sorted by position in the data; empty tensors at the same position are in the header's order.
    std::vector<TensorEntry> entries;
    std::map<std::string, std::string> metadata;
};

/// The maximum length of a header, as in the reference implementation.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;

/// The bytes before the header, which give its length.
inline constexpr std::size_t header_length_bytes = 8;

/// The length of the header, from the first bytes of a file of `file_bytes` bytes. Throws Error naming `file` if there
/// are too few bytes or the header would extend beyond the end.
std::uint64_t header_length(std::string_view first_bytes, std::uint64_t file_bytes, const std::string& file);

/// Parses the header's text and checks that its tensors fill `data_bytes` bytes of data exactly, each with the size
/// that its shape and dtype require. Throws Error naming `file` and the tensor.
SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes, const std::string& file);

/// A possibly hostile name, shortened and stripped of control characters.
std::string printable(const std::string& name);

/// Throw `<file>: <problem>` and `<file>: tensor "<name>" <problem>`; the problem is an Error's pattern and arguments.
template <typename... Places>
[[noreturn]] void fail_in_file(const std::string& file, std::string_view pattern, const Places&... places) {
    throw Error("{1}: {2}", file, filled_with(pattern, places...));
}
template <typename... Places>
[[noreturn]] void fail_in_tensor(const std::string& file, const std::string& name, std::string_view pattern,
                                 const Places&... places) {
    fail_in_file(file, "tensor \"{1}\" {2}", printable(name), filled_with(pattern, places...));
}

/// Contiguous cells in a file's own type, and the owner of their memory.
struct CellsInFile {
    DType type = DType::float32;
    const std::byte* data = nullptr;
    std::shared_ptr<const StoredCells> owner = {};
};

/// A file of named tensors that are read one at a time; for readers of models only.
class TensorFile {
public:
    virtual ~TensorFile() = default;

    /// The path as shown in messages.
    virtual const std::string& name() const = 0;
    virtual const std::vector<TensorEntry>& entries() const = 0;
    /// Reads an entry's cells as float32. Throws Error naming file and tensor if a cell is not finite, the dtype cannot
    /// be read, or the file has become shorter.
    virtual Tensor read(const TensorEntry& entry) const = 0;
    /// The same cells without conversion, in memory-mapped memory if possible. Throws as read(). Empty if the cells are
    /// not row-major or not aligned for their size.
    virtual std::optional<CellsInFile> cells(const TensorEntry& entry) const = 0;
};

// The safetensors format of Hugging Face (https://github.com/huggingface/safetensors, section "Format"):
//
//     8 bytes      n, the length of the header, little-endian
//     n bytes      JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {…}}
//     the rest     the tensors' cells, row-major, little-endian; offsets count from here; no gap and no overlap
//
// "__metadata__" may be absent and maps text to text.

/// A named tensor of a file.
struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// The contents of a file.
struct Safetensors {
    /// In the order of the data in the file.
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string> metadata;

    /// The tensor of that name, or nullptr.
    const Tensor* find(std::string_view name) const;
};

/// The maximum size of a file for read_safetensors: 8 GiB.
inline constexpr std::uint64_t max_safetensors_bytes = std::uint64_t{8} << 30;

/// Reads a file of F32, F16 and BF16 tensors; the last two are widened to float32 exactly. Accepts NaN and infinities:
/// see require_finite. Throws Error naming the file and, if any, the tensor if the file cannot be read, has a tensor of
/// another dtype, or violates the format in any way.
Safetensors read_safetensors(const std::filesystem::path& path);

/// The same for bytes in memory; `file` is the name shown in messages.
Safetensors parse_safetensors(std::string_view bytes, const std::string& file);

/// The bytes of a file with the tensors as F32, in the given order. Throws Error if two have the same name, if a name
/// or the metadata is not UTF-8, or if a tensor is called "__metadata__".
std::string to_safetensors(const Safetensors& content);

/// Writes the file through write_file_atomically: on failure the old file is untouched.
void write_safetensors(const std::filesystem::path& path, const Safetensors& content);

/// A tensor whose cells are requested only when its turn comes: `cells` passes them to `write` in order, in one or
/// several pieces.
struct StreamedTensor {
    std::string name;
    Shape shape;
    std::function<void(const std::function<void(std::span<const float>)>& write)> cells;
};
/// Writes the same file with at most one tensor in memory.
void write_safetensors(const std::filesystem::path& path, std::span<const StreamedTensor> tensors,
                       const std::map<std::string, std::string>& metadata);

/// Throws Error naming the first tensor and cell that is NaN or infinite; `file` is the name shown in the message.
void require_finite(const Safetensors& content, const std::string& file);
/// The same for one tensor.
void require_finite(const std::string& name, const Tensor& tensor, const std::string& file);

/// The data type for a file's cell type that can be read.
inline DType dtype_of(FileDType dtype) {
    return dtype == FileDType::F32    ? DType::float32
           : dtype == FileDType::F16  ? DType::float16
           : dtype == FileDType::Q8_0 ? DType::q8_0
                                      : DType::bfloat16;
}

/// Widens values.size() cells in a file's format to float32, exactly; for readers of safetensors files only.
inline void read_cells(FileDType dtype, const char* bytes, std::span<float> values) {
    to_float32(dtype_of(dtype), reinterpret_cast<const std::byte*>(bytes), values);
}

/// True if `data` is aligned for that type.
inline bool is_aligned(DType type, const std::byte* data) {
    return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(alignment_of(type)) == 0;
}

/// A file with contiguous cells for every tensor, read one tensor at a time or memory-mapped.
class MappedTensorFile : public TensorFile {
public:
    const std::string& name() const override { return name_; }
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const TensorEntry& entry) const override;
    std::optional<CellsInFile> cells(const TensorEntry& entry) const override;

protected:
    /// Opens the file; the derived class must read its header and fill in the entries.
    explicit MappedTensorFile(const std::filesystem::path& path);

    std::string name_;
    platform::RegularFile file_;
    std::uint64_t data_begin_ = 0;  // start of the data, from which the entries' offsets count
    std::vector<TensorEntry> entries_;

private:
    class Mapped;
    std::shared_ptr<const Mapped> mapped_;  // null if the system cannot map the file
};

/// A safetensors file read one tensor at a time, for models too large to be held in memory twice. Checks and throws as
/// read_safetensors does, but accepts tensors of other dtypes than F32, F16 and BF16 as long as they are not read.
class SafetensorsFile final : public MappedTensorFile {
public:
    /// Opens the file and reads its header. Throws Error naming the file and, if any, the tensor.
    explicit SafetensorsFile(const std::filesystem::path& path);
};

}  // namespace glassformer
