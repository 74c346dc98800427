#include "core/io/npz.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr std::size_t header_unit = 64;  // the numbers begin at a multiple of it

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

std::string to_npy(const Tensor& tensor) {
    std::string shape;
    for (const std::int64_t size : tensor.shape().sizes()) shape += std::to_string(size) + ", ";
    const std::span<const float> values = tensor.values();
    return npy_header("<f4", shape).append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

std::string to_npy(std::string_view text) {
    const std::u32string points = code_points(text);
    return npy_header("<U" + std::to_string(points.size()), "")
        .append(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(char32_t));
}

}  // namespace

std::string to_npz(std::span<const NamedTensor> arrays, std::span<const NamedText> texts) {
    std::set<std::string_view> names;
    std::vector<ZipEntry> files;
    const auto add = [&](const std::string& name, std::string npy) {
        if (!names.insert(name).second) throw Error("cannot make an .npz file: two arrays are called \"" + name + "\"");
        files.push_back({name + ".npy", std::move(npy)});
    };
    for (const NamedTensor& array : arrays) add(array.name, to_npy(array.tensor));
    for (const NamedText& text : texts) add(text.name, to_npy(text.text));
    return to_zip(files);
}

void write_npz(const std::filesystem::path& path, std::span<const NamedTensor> arrays) {
    write_file_atomically(path, to_npz(arrays));
}

}  // namespace glassformer
