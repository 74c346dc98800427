#include "core/io/safetensors_file.h"

#include <algorithm>

#include "core/io/safetensors.h"
#include "core/io/safetensors_cells.h"
#include "core/platform/mapped_file.h"
#include "core/platform/system_error.h"

namespace glassformer {

/// The file as memory, for as long as a model reads it.
class SafetensorsFile::Mapped final : public StoredCells {
public:
    explicit Mapped(const std::filesystem::path& path) : name_(path.string()), file_(path) {}

    std::span<const std::byte> bytes() const { return file_.bytes(); }
    void require_unchanged() const override {
        if (!file_.unchanged()) fail_in_file(name_, "was changed while its model was open; open the model again");
    }

private:
    std::string name_;
    platform::MappedFile file_;
};

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : name_(path.string()), file_(path, max_safetensors_bytes) {
    std::string first(header_length_bytes, '\0');
    first.resize(file_.read(0, first));
    std::string header(header_length(first, file_.size(), name_), '\0');
    if (file_.read(header_length_bytes, header) < header.size()) fail_in_file(name_, "the file was cut short");
    data_begin_ = header_length_bytes + header.size();
    header_ = parse_safetensors_header(header, static_cast<std::int64_t>(file_.size() - data_begin_), name_);
    try {
        mapped_ = std::make_shared<const Mapped>(path);
    } catch (const SystemError&) {  // on some file systems: then its tensors are read
    }
}

std::optional<CellsInFile> SafetensorsFile::cells(const TensorEntry& entry) const {
    if (!is_read(entry.dtype)) fail_in_tensor(name_, entry.name, refusal_of(entry.dtype));
    if (!mapped_ || mapped_->bytes().size() != file_.size()) return {};
    const CellsInFile found{dtype_of(entry.dtype),
                            mapped_->bytes().data() + data_begin_ + static_cast<std::uint64_t>(entry.begin), mapped_};
    if (!is_aligned(found.type, found.data)) return {};
    if (!all_finite(found.type, found.data, entry.shape.elements()))
        require_finite(entry.name, read(entry), name_);  // which names the cell
    return found;
}

Tensor SafetensorsFile::read(const TensorEntry& entry) const {
    constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
    if (!is_read(entry.dtype)) fail_in_tensor(name_, entry.name, refusal_of(entry.dtype));
    Tensor tensor(entry.shape);
    std::span<float> left = tensor.values();
    const std::size_t cell_bytes = dtype_bytes(entry.dtype);
    std::uint64_t at = data_begin_ + static_cast<std::uint64_t>(entry.begin);
    std::string chunk(std::min(chunk_bytes, left.size() * cell_bytes), '\0');
    while (!left.empty()) {
        const std::size_t count = std::min(left.size(), chunk.size() / cell_bytes), bytes = count * cell_bytes;
        if (file_.read(at, std::span(chunk).first(bytes)) < bytes) fail_in_file(name_, "the file was cut short");
        read_cells(entry.dtype, chunk.data(), left.first(count));
        left = left.subspan(count);
        at += bytes;
    }
    require_finite(entry.name, tensor, name_);
    return tensor;
}

}  // namespace glassformer
