#include "core/io/torch_file.h"

#include <zip.h>

#include "core/platform/file.h"

namespace glassformer {

namespace {

constexpr std::uint64_t most_pickle_bytes = std::uint64_t{64} << 20;

/// Returns the path; throws Error saying what the file is if it is not a zip.
const std::filesystem::path& require_zip(const std::filesystem::path& path) {
    const platform::RegularFile file(path, max_safetensors_bytes);
    std::string start(2, '\0');
    start.resize(file.read(0, start));
    if (start == "PK") return path;
    if (start.starts_with('\x80'))
        fail_in_file(path.string(),
                     "is a pickle from before PyTorch 1.6, which is not supported; open it there and save it again "
                     "with save_pretrained(\"FOLDER\", safe_serialization=True)");
    fail_in_file(path.string(), "is not a zip file, as torch.save writes it");
}

/// The folder in the zip that contains the pickle, with its "/".
std::string folder_in(zip* archive, const std::string& file) {
    const std::string ending = "data.pkl";
    std::string found;
    int count = 0;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        const char* const name = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
        if (!name) continue;
        const std::string text = name;
        if (text != ending && !text.ends_with("/" + ending)) continue;
        found = text.substr(0, text.size() - ending.size());
        ++count;
    }
    if (count != 1) fail_in_file(file, "has {1} files data.pkl; torch.save writes one", count);
    return found;
}

}  // namespace

void TorchFile::Close::operator()(zip* archive) const { zip_discard(archive); }

TorchFile::TorchFile(const std::filesystem::path& path) : name_(path.string()), file_(require_zip(path)) {
    zip_error_t error;
    zip_error_init(&error);
    // From memory: on Windows libzip cannot open every name.
    zip_source_t* const source = zip_source_buffer_create(file_.bytes().data(), file_.bytes().size(), 0, &error);
    // Without ZIP_CHECKCONS, which PyTorch's own files fail since libzip 1.12: their local headers are padded.
    if (source) zip_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!zip_) {
        zip_source_free(source);
        const std::string why = zip_error_strerror(&error);
        zip_error_fini(&error);
        fail_in_file(name_, "the zip cannot be read: {1}", why);
    }
    folder_ = folder_in(zip_.get(), name_);
    const std::string order = folder_ + "byteorder";
    if (zip_name_locate(zip_.get(), order.c_str(), 0) >= 0 && read_stored(order, 16) != "little")
        fail_in_file(name_, "was written on a machine with another byte order");
    const std::string pickle = folder_ + "data.pkl";
    if (bytes_of(pickle) > most_pickle_bytes) fail_in_file(name_, "its pickle is larger than 64 MB");
    places_ = read_torch_pickle(read_stored(pickle, most_pickle_bytes), name_);
    for (const PickledTensor& place : places_)
        entries_.push_back({place.name, place.dtype, place.shape, place.first, place.first + place.shape.elements()});
}

std::uint64_t TorchFile::bytes_of(const std::string& file) const {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat(zip_.get(), file.c_str(), 0, &stat) != 0) fail_in_file(name_, "has no file {1}", file);
    if (stat.comp_method != ZIP_CM_STORE || stat.comp_size != stat.size || stat.encryption_method != ZIP_EM_NONE)
        fail_in_file(name_, "{1} is compressed or encrypted; torch.save never does that", file);
    return stat.size;
}

std::string TorchFile::read_stored(const std::string& file, std::uint64_t most_bytes) const {
    const std::uint64_t size = bytes_of(file);
    if (size > most_bytes) fail_in_file(name_, "{1} has {2} bytes; at most {3} were expected", file, size, most_bytes);
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> open(zip_fopen(zip_.get(), file.c_str(), 0), zip_fclose);
    if (!open) fail_in_file(name_, "{1} cannot be read: {2}", file, zip_strerror(zip_.get()));
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t done = 0;
    // A final read past the end makes libzip verify the checksum.
    for (zip_int64_t got = 1; got > 0; done += static_cast<std::size_t>(got)) {
        char none = 0;
        got = done < bytes.size() ? zip_fread(open.get(), bytes.data() + done, bytes.size() - done)
                                  : zip_fread(open.get(), &none, 1);
        if (got < 0) fail_in_file(name_, "{1} cannot be read: {2}", file, zip_file_strerror(open.get()));
        if (got == 0) break;
    }
    if (done != bytes.size()) fail_in_file(name_, "{1} was cut short", file);
    return bytes;
}

std::string TorchFile::storage_of(const PickledTensor& place) const {
    if (!is_read(place.dtype)) fail_in_tensor(name_, place.name, refusal_of(place.dtype));
    const auto cell = static_cast<std::uint64_t>(dtype_bytes(place.dtype));
    const std::string file = folder_ + "data/" + place.storage;
    std::uint64_t needed = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(place.storage_cells), cell, &needed) ||
        bytes_of(file) != needed)
        fail_in_tensor(name_, place.name, "needs {1} cells of {2} bytes; {3} has {4} bytes", place.storage_cells, cell,
                       file, bytes_of(file));
    return read_stored(file, needed);
}

std::optional<CellsInFile> TorchFile::cells(const TensorEntry& entry) const {
    struct Read final : StoredCells {
        explicit Read(std::string all) : bytes(std::move(all)) {}
        std::string bytes;
    };
    const PickledTensor& place = places_[&entry - entries_.data()];
    if (place.first != 0 || place.storage_cells != place.shape.elements()) return {};  // most may be another's
    for (std::int64_t axis = place.shape.rank() - 1, step = 1; axis >= 0; --axis) {
        if (place.strides[axis] != step) return {};
        step *= place.shape[static_cast<int>(axis)];
    }
    const auto owner = std::make_shared<const Read>(storage_of(place));
    const CellsInFile found{dtype_of(place.dtype), reinterpret_cast<const std::byte*>(owner->bytes.data()), owner};
    if (!is_aligned(found.type, found.data)) return {};
    if (!all_finite(found.type, found.data, place.shape.elements())) require_finite(place.name, read(entry), name_);
    return found;
}

Tensor TorchFile::read(const TensorEntry& entry) const {
    const PickledTensor& place = places_[&entry - entries_.data()];
    const std::string bytes = storage_of(place);
    const auto cell = static_cast<std::uint64_t>(dtype_bytes(place.dtype));
    Tensor tensor(place.shape);
    const std::span<float> cells = tensor.values();
    // Row by row along the last axis: one run if its cells are contiguous, as they are except in a transposed view.
    const int rank = place.shape.rank();
    const std::int64_t width = rank > 0 ? place.shape.back() : 1, step = rank > 0 ? place.strides.back() : 1;
    Index index{};
    for (std::int64_t done = 0; done < static_cast<std::int64_t>(cells.size()); done += width) {
        std::int64_t from = place.first;
        for (int axis = 0; axis + 1 < rank; ++axis) from += index[axis] * place.strides[axis];
        for (std::int64_t at = 0; at < width;) {
            const std::int64_t together = step == 1 ? width : 1;
            read_cells(place.dtype, bytes.data() + static_cast<std::uint64_t>(from + at * step) * cell,
                       cells.subspan(done + at, together));
            at += together;
        }
        for (int axis = rank - 2; axis >= 0; --axis) {
            auto& along = index[axis];
            if (++along < place.shape[axis]) break;
            along = 0;
        }
    }
    require_finite(place.name, tensor, name_);
    return tensor;
}

}  // namespace glassformer
