#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/safetensors_header.h"
#include "core/platform/file.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// A safetensors file of which one tensor at a time is read, for models too large to be held twice. Checks what
/// read_safetensors checks, and throws what it throws.
class SafetensorsFile {
public:
    /// Opens the file and reads its header. Throws Error naming the file, and the tensor where there is one.
    explicit SafetensorsFile(const std::filesystem::path& path);

    /// The path as messages show it.
    const std::string& name() const { return name_; }
    const std::vector<TensorEntry>& entries() const { return header_.entries; }
    /// The cells of an entry, as float32. Throws Error when one of them is not a finite number, or the file has become
    /// shorter.
    Tensor read(const TensorEntry& entry) const;

private:
    std::string name_;
    platform::RegularFile file_;
    std::uint64_t data_begin_ = 0;
    SafetensorsHeader header_;
};

}  // namespace glassformer
