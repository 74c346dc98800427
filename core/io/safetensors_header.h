#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/shape.h"

namespace glassformer {

// The header of a safetensors file, checked; for the readers of such files only.

/// The types of cells that a file may have. Only the first three are read; the others are there in files of published
/// models for what no parameter is made of: masks, positions.
enum class FileDType { F32, F16, BF16, F64, I64, I32, I16, I8, U64, U32, U16, U8, BOOL, F8_E4M3, F8_E5M2 };

/// Bytes of one cell.
std::int64_t dtype_bytes(FileDType dtype);
std::string_view name_of(FileDType dtype);
/// Whether cells of this type are read, as float32.
inline bool is_read(FileDType dtype) { return dtype <= FileDType::BF16; }
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

/// `<file>: <problem>` and `<file>: tensor "<name>" <problem>`. A hostile name is cut short and freed of control
/// characters.
[[noreturn]] void fail_in_file(const std::string& file, const std::string& problem);
[[noreturn]] void fail_in_tensor(const std::string& file, const std::string& name, const std::string& problem);

}  // namespace glassformer
