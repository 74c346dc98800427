#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unordered_set>

#include "core/platform/atomic_file.h"
#include "core/platform/mapped_file.h"
#include "core/platform/system_error.h"

namespace glassformer {

static_assert(std::endian::native == std::endian::little, "cells are copied as they are in memory");

namespace {

std::string_view cells_of(const Tensor& tensor) {
    return {reinterpret_cast<const char*>(tensor.data()), tensor.values().size_bytes()};
}

std::size_t bytes_of(const Shape& shape) { return static_cast<std::size_t>(shape.elements()) * sizeof(float); }

nlohmann::json describe(const Shape& shape, std::size_t begin) {
    const auto sizes = shape.sizes();
    return {{"dtype", "F32"},
            {"shape", std::vector<std::int64_t>(sizes.begin(), sizes.end())},
            {"data_offsets", {begin, begin + bytes_of(shape)}}};
}

/// Names and shapes of a file's tensors, in order.
using Described = std::vector<std::pair<std::string_view, Shape>>;

Described described(const Safetensors& content) {
    Described list;
    for (const NamedTensor& named : content.tensors) list.emplace_back(named.name, named.tensor.shape());
    return list;
}

/// JSON text; the outer level is written by hand to keep the tensors' order.
std::string header_text(const Described& tensors, const std::map<std::string, std::string>& metadata) {
    std::string text = "{";
    const auto add = [&text](std::string_view key, const nlohmann::json& value) {
        if (text.size() > 1) text += ',';
        text += nlohmann::json(key).dump() + ':' + value.dump();
    };
    if (!metadata.empty()) add("__metadata__", metadata);
    std::unordered_set<std::string_view> names{"__metadata__"};
    std::size_t begin = 0;
    for (const auto& [name, shape] : tensors) {
        if (!names.insert(name).second)
            throw Error("two tensors of a safetensors file cannot both be called \"{1}\"", name);
        add(name, describe(shape, begin));
        begin += bytes_of(shape);
    }
    return text + "}";
}

/// The header's length, then the header padded with spaces so that the data begins at a multiple of 8.
std::string length_and_header(const Described& tensors, const std::map<std::string, std::string>& metadata) {
    std::string header;
    try {
        header = header_text(tensors, metadata);
    } catch (const nlohmann::json::type_error&) {
        throw Error("a tensor's name or the metadata of a safetensors file is not UTF-8");
    }
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = header.size();
    if (length > max_header_bytes) throw Error("the names and metadata of a safetensors file are over 100 MB");
    return std::string(reinterpret_cast<const char*>(&length), header_length_bytes) + header;
}

}  // namespace

const Tensor* Safetensors::find(std::string_view name) const {
    const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
    return found == tensors.end() ? nullptr : &found->tensor;
}

Safetensors parse_safetensors(std::string_view bytes, const std::string& file) {
    const std::uint64_t length = header_length(bytes.substr(0, header_length_bytes), bytes.size(), file);
    const std::string_view rest = bytes.substr(header_length_bytes), data = rest.substr(length);
    auto [entries, metadata] =
        parse_safetensors_header(rest.substr(0, length), static_cast<std::int64_t>(data.size()), file);
    Safetensors content;
    content.metadata = std::move(metadata);
    content.tensors.reserve(entries.size());
    for (TensorEntry& entry : entries) {
        if (!is_read(entry.dtype)) fail_in_tensor(file, entry.name, refusal_of(entry.dtype));
        Tensor tensor(entry.shape);
        read_cells(entry.dtype, data.data() + entry.begin, tensor.values());
        content.tensors.push_back({std::move(entry.name), std::move(tensor)});
    }
    return content;
}

Safetensors read_safetensors(const std::filesystem::path& path) {
    try {
        return parse_safetensors(read_file(path, max_safetensors_bytes), path.string());
    } catch (const std::bad_alloc&) {
        platform::fail_to("read", path, ENOMEM);
    }
}

std::string to_safetensors(const Safetensors& content) {
    std::string bytes = length_and_header(described(content), content.metadata);
    for (const NamedTensor& named : content.tensors) bytes += cells_of(named.tensor);
    return bytes;
}

void write_safetensors(const std::filesystem::path& path, const Safetensors& content) {
    const std::string start = length_and_header(described(content), content.metadata);
    write_file_atomically(path, [&](std::ostream& stream) {
        stream << start;
        for (const NamedTensor& named : content.tensors) stream << cells_of(named.tensor);
    });
}

void write_safetensors(const std::filesystem::path& path, std::span<const StreamedTensor> tensors,
                       const std::map<std::string, std::string>& metadata) {
    Described list;
    for (const StreamedTensor& tensor : tensors) list.emplace_back(tensor.name, tensor.shape);
    const std::string start = length_and_header(list, metadata);
    write_file_atomically(path, [&](std::ostream& stream) {
        stream << start;
        for (const StreamedTensor& tensor : tensors) {
            std::size_t left = bytes_of(tensor.shape);
            tensor.cells([&](std::span<const float> cells) {
                if (cells.size_bytes() > left) throw Error("the tensor {1} has more cells than it said", tensor.name);
                left -= cells.size_bytes();
                stream << std::string_view(reinterpret_cast<const char*>(cells.data()), cells.size_bytes());
            });
            if (left > 0) throw Error("the tensor {1} has fewer cells than it said", tensor.name);
        }
    });
}

void require_finite(const std::string& name, const Tensor& tensor, const std::string& file) {
    const auto bad = std::ranges::find_if(tensor.values(), [](float value) { return !std::isfinite(value); });
    if (bad == tensor.values().end()) return;
    const Index index = index_of(tensor.shape(), bad - tensor.values().begin());
    const Shape position(std::span<const std::int64_t>(index).first(tensor.shape().rank()));
    if (std::isnan(*bad)) fail_in_tensor(file, name, "contains NaN at cell {1}", position.to_string());
    fail_in_tensor(file, name, "contains infinity at cell {1}", position.to_string());
}

void require_finite(const Safetensors& content, const std::string& file) {
    for (const auto& [name, tensor] : content.tensors) require_finite(name, tensor, file);
}

/// Keeps the file mapped as long as a model uses it.
class MappedTensorFile::Mapped final : public StoredCells {
public:
    explicit Mapped(const std::filesystem::path& path) : name_(path.string()), file_(path) {}

    std::span<const std::byte> bytes() const { return file_.bytes(); }
    void require_unchanged() const override {
        if (!file_.unchanged()) fail_in_file(name_, "was changed while its model was open; reopen the model");
    }

private:
    std::string name_;
    platform::MappedFile file_;
};

MappedTensorFile::MappedTensorFile(const std::filesystem::path& path)
    : name_(path.string()), file_(path, max_safetensors_bytes) {
    try {
        mapped_ = std::make_shared<const Mapped>(path);
    } catch (const SystemError&) {  // impossible on some file systems: then the tensors are read instead
    }
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : MappedTensorFile(path) {
    std::string first(header_length_bytes, '\0');
    first.resize(file_.read(0, first));
    std::string header(header_length(first, file_.size(), name_), '\0');
    if (file_.read(header_length_bytes, header) < header.size()) fail_in_file(name_, "the file was cut short");
    data_begin_ = header_length_bytes + header.size();
    entries_ = parse_safetensors_header(header, static_cast<std::int64_t>(file_.size() - data_begin_), name_).entries;
}

std::optional<CellsInFile> MappedTensorFile::cells(const TensorEntry& entry) const {
    if (!is_read(entry.dtype)) fail_in_tensor(name_, entry.name, refusal_of(entry.dtype));
    if (!mapped_ || mapped_->bytes().size() != file_.size()) return {};
    const CellsInFile found{dtype_of(entry.dtype),
                            mapped_->bytes().data() + data_begin_ + static_cast<std::uint64_t>(entry.begin), mapped_};
    if (!is_aligned(found.type, found.data)) return {};
    if (!all_finite(found.type, found.data, entry.shape.elements()))
        require_finite(entry.name, read(entry), name_);  // throws, naming the cell
    return found;
}

Tensor MappedTensorFile::read(const TensorEntry& entry) const {
    constexpr std::size_t chunk_cells = std::size_t{1} << 18;
    if (!is_read(entry.dtype)) fail_in_tensor(name_, entry.name, refusal_of(entry.dtype));
    Tensor tensor(entry.shape);
    std::span<float> left = tensor.values();
    // A chunk of cells at a time, in whole blocks for any type.
    const auto bytes_for = [type = dtype_of(entry.dtype)](std::size_t cells) {
        return static_cast<std::size_t>(bytes_of(type, static_cast<std::int64_t>(cells)));
    };
    std::uint64_t at = data_begin_ + static_cast<std::uint64_t>(entry.begin);
    std::string chunk(bytes_for(std::min(chunk_cells, left.size())), '\0');
    while (!left.empty()) {
        const std::size_t count = std::min(left.size(), chunk_cells), bytes = bytes_for(count);
        if (file_.read(at, std::span(chunk).first(bytes)) < bytes) fail_in_file(name_, "the file was cut short");
        read_cells(entry.dtype, chunk.data(), left.first(count));
        left = left.subspan(count);
        at += bytes;
    }
    require_finite(entry.name, tensor, name_);
    return tensor;
}

}  // namespace glassformer
