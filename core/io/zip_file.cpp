#include "core/io/zip_file.h"

#include <zip.h>

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

struct EndedZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

namespace {

[[noreturn]] void fail_to_make(const std::string& why) { throw Error("cannot make a zip: " + why); }

void add(zip_t& zip, const ZipEntry& entry) {
    zip_source_t* const bytes = zip_source_buffer(&zip, entry.bytes.data(), entry.bytes.size(), 0);
    const zip_int64_t at = bytes ? zip_file_add(&zip, entry.name.c_str(), bytes, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
        if (bytes) zip_source_free(bytes);
        fail_to_make(zip_strerror(&zip));
    }
    const auto index = static_cast<zip_uint64_t>(at);
    zip_set_file_compression(&zip, index, entry.stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
    // The same entries give the same bytes: 1 January 1980, the first day that a zip can hold.
    zip_file_set_dostime(&zip, index, 0, 0x21, 0);
}

}  // namespace

std::string to_zip(std::span<const ZipEntry> entries) {
    if (entries.empty()) return std::string("PK\x05\x06") + std::string(18, '\0');  // libzip writes no empty zip
    zip_error_t error;
    zip_error_init(&error);
    const std::unique_ptr<zip_source_t, EndedZip> bytes(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!bytes) fail_to_make("there is not enough memory");
    std::unique_ptr<zip_t, EndedZip> zip(zip_open_from_source(bytes.get(), ZIP_TRUNCATE, &error));
    if (!zip) fail_to_make(zip_error_strerror(&error));
    zip_source_keep(bytes.get());  // closing the zip would end it
    for (const ZipEntry& entry : entries) add(*zip, entry);
    if (zip_close(zip.get()) != 0) fail_to_make(zip_strerror(zip.get()));
    zip.release();  // NOLINT: zip_close has ended it
    zip_stat_t stat;
    if (zip_source_open(bytes.get()) != 0 || zip_source_stat(bytes.get(), &stat) != 0)
        fail_to_make(zip_error_strerror(zip_source_error(bytes.get())));
    std::string result(stat.size, '\0');
    const zip_int64_t got = zip_source_read(bytes.get(), result.data(), result.size());
    zip_source_close(bytes.get());
    if (got != static_cast<zip_int64_t>(result.size())) fail_to_make("it could not be read back");
    return result;
}

struct ZipReader::Opened {
    std::string bytes;
    std::unique_ptr<zip_t, EndedZip> zip;  // reads from them
};

void ZipReader::fail(const std::string& why) const { throw Error(file_ + ": " + why); }

ZipReader::ZipReader(const std::filesystem::path& file, const Limits& limits)
    : file_(file.string()), opened_(std::make_unique<Opened>()) {
    opened_->bytes = read_file(file, limits.file_bytes);
    if (opened_->bytes.empty()) fail("the file is empty, and so no zip; copy or download it again");
    zip_error_t error;
    zip_error_init(&error);
    std::unique_ptr<zip_source_t, EndedZip> source(
        zip_source_buffer_create(opened_->bytes.data(), opened_->bytes.size(), 0, &error));
    if (!source) fail("there is not enough memory to read it");
    opened_->zip.reset(zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &error));
    if (!opened_->zip) fail(std::string("is not a whole zip file: ") + zip_error_strerror(&error));
    source.release();  // NOLINT: the zip owns it
    const zip_int64_t count = zip_get_num_entries(opened_->zip.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > limits.entries)
        fail("holds " + std::to_string(count) + " files; there may be no more than " + std::to_string(limits.entries));
    std::uint64_t all = 0;
    std::set<std::string> seen;
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
        if (zip_stat_index(opened_->zip.get(), static_cast<zip_uint64_t>(i), 0, &stat) != 0 ||
            (stat.valid & needed) != needed)
            fail("has a damaged list of files");
        if (!seen.insert(stat.name).second) fail(std::string("has two files called \"") + stat.name + "\"");
        names_.emplace_back(stat.name);
        if (stat.size > limits.bytes - all)
            fail("would be larger than " + std::to_string(limits.bytes >> 20) + " MiB when it is unpacked");
        all += stat.size;
    }
}

ZipReader::~ZipReader() = default;

bool ZipReader::has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }

std::string ZipReader::read(const std::string& name, std::uint64_t most) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) fail("has no file \"" + name + "\"");
    const auto index = static_cast<zip_uint64_t>(found - names_.begin());
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(opened_->zip.get(), index, 0, &stat) != 0) fail("has a damaged list of files");
    if (stat.size > most)
        fail("its file \"" + name + "\" has " + std::to_string(stat.size) + " bytes; there may be no more than " +
             std::to_string(most));
    const std::unique_ptr<zip_file_t, EndedZip> file(zip_fopen_index(opened_->zip.get(), index, 0));
    if (!file) fail("its file \"" + name + "\" cannot be read: " + zip_strerror(opened_->zip.get()));
    std::string bytes(stat.size, '\0');
    std::size_t got = 0;
    char beyond = 0;
    // What is read behind the last byte lets libzip compare the checksum.
    for (zip_int64_t n = 1; n > 0;) {
        const bool full = got == bytes.size();
        n = full ? zip_fread(file.get(), &beyond, 1) : zip_fread(file.get(), bytes.data() + got, bytes.size() - got);
        if (n < 0) fail("its file \"" + name + "\" is damaged");
        if (full && n > 0) fail("its file \"" + name + "\" is longer than it says");
        got += static_cast<std::size_t>(n);
    }
    if (got != bytes.size()) fail("its file \"" + name + "\" is shorter than it says");
    return bytes;
}

}  // namespace glassformer
