#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/safetensors_header.h"
#include "core/io/tensor_file.h"
#include "core/platform/file.h"

namespace glassformer {

/// A safetensors file of which one tensor at a time is read, for models too large to be held twice. Checks what
/// read_safetensors checks, and throws what it throws; a tensor of another dtype than F32, F16 and BF16 may be there as
/// long as it is not read.
class SafetensorsFile final : public TensorFile {
public:
    /// Opens the file and reads its header. Throws Error naming the file, and the tensor where there is one.
    explicit SafetensorsFile(const std::filesystem::path& path);

    const std::string& name() const override { return name_; }
    const std::vector<TensorEntry>& entries() const override { return header_.entries; }
    Tensor read(const TensorEntry& entry) const override;
    std::optional<CellsInFile> cells(const TensorEntry& entry) const override;

private:
    std::string name_;
    platform::RegularFile file_;
    std::uint64_t data_begin_ = 0;
    SafetensorsHeader header_;
    class Mapped;
    std::shared_ptr<const Mapped> mapped_;  // null where the system cannot map the file
};

}  // namespace glassformer
