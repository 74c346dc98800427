#include "core/io/npz.h"

#include <ostream>
#include <set>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr std::size_t header_unit = 64;  // the data begins at a multiple of this

std::string npy_header(const std::string& type, const std::string& shape) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t before = 10;  // magic, version, the header's length
    while ((before + header.size() + 1) % header_unit != 0) header += ' ';
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8 & 0xff);
    return bytes + header;
}

/// `Number`: float or double.
template <class Number>
std::string header_of(const Shape& shape) {
    std::string sizes;
    for (const std::int64_t size : shape.sizes()) sizes += std::to_string(size) + ", ";
    return npy_header(sizeof(Number) == sizeof(float) ? "<f4" : "<f8", sizes);
}

template <class Number>
std::string_view bytes_of(std::span<const Number> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string to_npy(std::string_view text) {
    const std::u32string points = code_points(text);
    return npy_header("<U" + std::to_string(points.size()), "")
        .append(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(char32_t));
}

/// Makes the names of the files inside; throws Error for a duplicate.
struct ArrayNames {
    std::set<std::string> taken{};
    std::string file(const std::string& name) {
        if (!taken.insert(name).second) throw Error("cannot make an .npz file: two arrays are called \"{1}\"", name);
        return name + ".npy";
    }
};

std::string zipped(std::vector<ZipEntry>& files, ArrayNames& names, std::span<const NamedText> texts) {
    for (const NamedText& text : texts) files.push_back({names.file(text.name), to_npy(text.text)});
    return to_zip(files);
}

}  // namespace

std::string to_npz(std::span<const NamedTensor> arrays, std::span<const NamedText> texts) {
    ArrayNames names;
    std::vector<ZipEntry> files;
    for (const NamedTensor& array : arrays)
        files.push_back(
            {names.file(array.name), header_of<float>(array.tensor.shape()).append(bytes_of(array.tensor.values()))});
    return zipped(files, names, texts);
}

std::string doubles_to_npz(std::span<const NamedDoubles> arrays, std::span<const NamedText> texts) {
    ArrayNames names;
    std::vector<ZipEntry> files;
    for (const NamedDoubles& array : arrays)
        files.push_back(
            {names.file(array.name), header_of<double>(array.shape).append(bytes_of(std::span(array.values)))});
    return zipped(files, names, texts);
}

void write_npz(const std::filesystem::path& path, std::span<const StreamedTensor> arrays,
               std::span<const NamedText> texts) {
    ArrayNames names;
    std::vector<StreamedZipEntry> files;
    for (const StreamedTensor& array : arrays) {
        const std::string header = header_of<float>(array.shape);
        const std::uint64_t size = header.size() + sizeof(float) * static_cast<std::uint64_t>(array.shape.elements());
        files.push_back({names.file(array.name), size, [&array, header, size] {
                             std::string npy;
                             npy.reserve(size);
                             npy += header;
                             array.cells([&](std::span<const float> cells) { npy += bytes_of(cells); });
                             return npy;
                         }});
    }
    for (const NamedText& text : texts) {
        std::string npy = to_npy(text.text);
        const std::uint64_t size = npy.size();
        files.push_back({names.file(text.name), size, [npy = std::move(npy)] { return npy; }});
    }
    write_file_atomically(path, [&](std::ostream& to) { write_zip(to, files); });
}

}  // namespace glassformer
