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

// The header of a safetensors file, checked; for the readers of such files only.

/// The types of cells that a file may have. Only the first three are read, and Q8_0, which is GGUF's alone; the others
/// are there in files of published models for what no parameter is made of: masks, positions.
enum class FileDType { F32, F16, BF16, F64, I64, I32, I16, I8, U64, U32, U16, U8, BOOL, F8_E4M3, F8_E5M2, Q8_0 };

/// Bytes of one cell; not of Q8_0, whose cells come in blocks.
std::int64_t dtype_bytes(FileDType dtype);
std::string_view name_of(FileDType dtype);
/// Whether cells of this type are read, as float32.
inline bool is_read(FileDType dtype) { return dtype <= FileDType::BF16 || dtype == FileDType::Q8_0; }
/// `has dtype I64; only F32, F16 and BF16 are read`.
std::string refusal_of(FileDType dtype);

/// Where one tensor lies in the data.
struct TensorEntry {
    std::string name;
    FileDType dtype;
    Shape shape;
    /// Bytes from the start of the data: the cells are [begin, end).
    std::int64_t begin;
    std::int64_t end;
};

/// What the header says.
struct SafetensorsHeader {
    /// Sorted by where the data lies; tensors without cells at one place are in the header's order.
    std::vector<TensorEntry> entries;
    std::map<std::string, std::string> metadata;
};

/// The header is refused when it is longer than this, as in the reference implementation.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;

/// Bytes before the header, which give its length.
inline constexpr std::size_t header_length_bytes = 8;

/// The length of the header, from the first bytes of a file of `file_bytes` bytes in all. Throws Error naming `file`
/// when they are too few or the header would reach beyond the end.
std::uint64_t header_length(std::string_view first_bytes, std::uint64_t file_bytes, const std::string& file);

/// Parses the header's text and checks that its tensors fill `data_bytes` bytes of data exactly, each with as many as
/// its shape and dtype need. Throws Error naming `file` and the tensor.
SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes, const std::string& file);

/// A hostile name cut short and freed of control characters.
std::string printable(const std::string& name);

/// `<file>: <problem>` and `<file>: tensor "<name>" <problem>`; the problem is an Error's pattern and places.
template <typename... Places>
[[noreturn]] void fail_in_file(const std::string& file, std::string_view pattern, const Places&... places) {
    throw Error("{1}: {2}", file, filled_with(pattern, places...));
}
template <typename... Places>
[[noreturn]] void fail_in_tensor(const std::string& file, const std::string& name, std::string_view pattern,
                                 const Places&... places) {
    fail_in_file(file, "tensor \"{1}\" {2}", printable(name), filled_with(pattern, places...));
}

/// Cells as a file holds them, one after the other, and what they lie in.
struct CellsInFile {
    DType type = DType::float32;
    const std::byte* data = nullptr;
    std::shared_ptr<const StoredCells> owner = {};
};

/// A file of named tensors of which one at a time is read; for the readers of models only.
class TensorFile {
public:
    virtual ~TensorFile() = default;

    /// The path as messages show it.
    virtual const std::string& name() const = 0;
    virtual const std::vector<TensorEntry>& entries() const = 0;
    /// The cells of an entry, as float32. Throws Error naming file and tensor: one of its cells is not a finite number,
    /// its dtype is not read, or the file has become shorter.
    virtual Tensor read(const TensorEntry& entry) const = 0;
    /// The same cells, not widened, in memory that the file is mapped to where that can be. Throws as read(). None
    /// where they do not lie row by row or on addresses that suit their size.
    virtual std::optional<CellsInFile> cells(const TensorEntry& entry) const = 0;
};

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

/// The type of cells that are read.
inline DType dtype_of(FileDType dtype) {
    return dtype == FileDType::F32    ? DType::float32
           : dtype == FileDType::F16  ? DType::float16
           : dtype == FileDType::Q8_0 ? DType::q8_0
                                      : DType::bfloat16;
}

/// The values of cells as they lie in a file (values.size() of them), widened to float32, exactly; for the readers of
/// safetensors files only.
inline void read_cells(FileDType dtype, const char* bytes, std::span<float> values) {
    to_float32(dtype_of(dtype), reinterpret_cast<const std::byte*>(bytes), values);
}

/// Whether memory of that type may begin there.
inline bool is_aligned(DType type, const std::byte* data) {
    return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(alignment_of(type)) == 0;
}

/// A file in which the cells of every tensor lie side by side, read one tensor at a time or mapped into memory.
class MappedTensorFile : public TensorFile {
public:
    const std::string& name() const override { return name_; }
    const std::vector<TensorEntry>& entries() const override { return entries_; }
    Tensor read(const TensorEntry& entry) const override;
    std::optional<CellsInFile> cells(const TensorEntry& entry) const override;

protected:
    /// Opens the file; whoever derives from it reads its header and says where its tensors are.
    explicit MappedTensorFile(const std::filesystem::path& path);

    std::string name_;
    platform::RegularFile file_;
    std::uint64_t data_begin_ = 0;  // what the entries count from
    std::vector<TensorEntry> entries_;

private:
    class Mapped;
    std::shared_ptr<const Mapped> mapped_;  // null where the system cannot map the file
};

/// A safetensors file of which one tensor at a time is read, for models too large to be held twice. Checks what
/// read_safetensors checks, and throws what it throws; a tensor of another dtype than F32, F16 and BF16 may be there as
/// long as it is not read.
class SafetensorsFile final : public MappedTensorFile {
public:
    /// Opens the file and reads its header. Throws Error naming the file, and the tensor where there is one.
    explicit SafetensorsFile(const std::filesystem::path& path);
};

}  // namespace glassformer
