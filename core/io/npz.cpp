#include "core/io/npz.h"

#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace {

constexpr std::size_t header_unit = 64;  // the numbers begin at a multiple of it

std::string to_npy(const Tensor& tensor) {
    std::string shape;
    for (const std::int64_t size : tensor.shape().sizes()) shape += std::to_string(size) + ", ";
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t before = 10;  // magic, version, the header's length
    while ((before + header.size() + 1) % header_unit != 0) header += ' ';
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8 & 0xff);
    bytes += header;
    const std::span<const float> values = tensor.values();
    return bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

}  // namespace

std::string to_npz(std::span<const NamedTensor> arrays) {
    std::set<std::string_view> names;
    std::vector<ZipEntry> files;
    for (const NamedTensor& array : arrays) {
        if (!names.insert(array.name).second)
            throw Error("cannot make an .npz file: two arrays are called \"" + array.name + "\"");
        files.push_back({array.name + ".npy", to_npy(array.tensor)});
    }
    return to_zip(files);
}

void write_npz(const std::filesystem::path& path, std::span<const NamedTensor> arrays) {
    write_file_atomically(path, to_npz(arrays));
}

}  // namespace glassformer
