#include "core/io/npz.h"

#include <zip.h>

#include <memory>
#include <set>
#include <vector>

#include "core/base/error.h"
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

[[noreturn]] void fail(const std::string& why) { throw Error("cannot make an .npz file: " + why); }

struct Discarded {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};

}  // namespace

std::string to_npz(std::span<const NamedTensor> arrays) {
    if (arrays.empty()) return std::string("PK\x05\x06") + std::string(18, '\0');  // libzip writes no empty zip
    std::set<std::string_view> names;
    std::vector<std::string> files;  // libzip reads them when the zip is closed
    zip_error_t error;
    zip_error_init(&error);
    const std::unique_ptr<zip_source_t, Discarded> bytes(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!bytes) fail("there is not enough memory");
    std::unique_ptr<zip_t, Discarded> zip(zip_open_from_source(bytes.get(), ZIP_TRUNCATE, &error));
    if (!zip) fail(zip_error_strerror(&error));
    zip_source_keep(bytes.get());  // closing the zip would end it
    for (const NamedTensor& array : arrays) {
        if (!names.insert(array.name).second) fail("two arrays are called \"" + array.name + "\"");
        files.push_back(to_npy(array.tensor));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        zip_source_t* const file = zip_source_buffer(zip.get(), files[i].data(), files[i].size(), 0);
        const std::string name = arrays[i].name + ".npy";
        const zip_int64_t at = file ? zip_file_add(zip.get(), name.c_str(), file, ZIP_FL_ENC_UTF_8) : -1;
        if (at < 0) {
            if (file) zip_source_free(file);
            fail(zip_strerror(zip.get()));
        }
        zip_set_file_compression(zip.get(), static_cast<zip_uint64_t>(at), ZIP_CM_DEFLATE, 0);
        // The same arrays give the same bytes: 1 January 1980, the first day that a zip can hold.
        zip_file_set_dostime(zip.get(), static_cast<zip_uint64_t>(at), 0, 0x21, 0);
    }
    if (zip_close(zip.get()) != 0) fail(zip_strerror(zip.get()));
    zip.release();  // NOLINT: zip_close has ended it
    zip_stat_t stat;
    if (zip_source_open(bytes.get()) != 0 || zip_source_stat(bytes.get(), &stat) != 0)
        fail(zip_error_strerror(zip_source_error(bytes.get())));
    std::string result(stat.size, '\0');
    const zip_int64_t got = zip_source_read(bytes.get(), result.data(), result.size());
    zip_source_close(bytes.get());
    if (got != static_cast<zip_int64_t>(result.size())) fail("it could not be read back");
    return result;
}

void write_npz(const std::filesystem::path& path, std::span<const NamedTensor> arrays) {
    write_file_atomically(path, to_npz(arrays));
}

}  // namespace glassformer
