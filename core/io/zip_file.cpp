#include "core/io/zip_file.h"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <exception>
#include <ostream>
#include <set>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

struct EndedZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

namespace {

template <typename... Places>
[[noreturn]] void fail_to_make(std::string_view pattern, const Places&... places) {
    throw Error("cannot make a zip: {1}", filled_with(pattern, places...));
}

/// libzip is C code: an exception thrown in our callbacks is kept until libzip has returned.
struct Thrown {
    std::exception_ptr what;
    template <class Body>
    zip_int64_t guard(zip_error_t& error, const Body& body) {
        try {
            return body();
        } catch (...) {
            if (!what) what = std::current_exception();
            zip_error_set(&error, ZIP_ER_READ, 0);
            return -1;
        }
    }
};

/// The data source of an entry for libzip: made when it is opened, freed when it is closed.
struct EntrySource {
    const StreamedZipEntry& entry;
    Thrown& thrown;
    std::string bytes{};
    std::size_t read = 0;
    zip_error_t error{};

    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
        switch (command) {
            case ZIP_SOURCE_SUPPORTS:
                return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                                      ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
            case ZIP_SOURCE_OPEN:
                return thrown.guard(error, [&] {
                    bytes = entry.bytes(), read = 0;
                    if (bytes.size() != entry.size) fail_to_make("\"{1}\" does not have the size it said", entry.name);
                    return zip_int64_t{0};
                });
            case ZIP_SOURCE_READ: {
                const std::size_t count = std::min<std::size_t>(length, bytes.size() - read);
                std::memcpy(data, bytes.data() + read, count);
                read += count;
                return static_cast<zip_int64_t>(count);
            }
            case ZIP_SOURCE_CLOSE:
                bytes = {};
                return 0;
            case ZIP_SOURCE_STAT: {
                auto& stat = *static_cast<zip_stat_t*>(data);
                zip_stat_init(&stat);
                stat.valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
                stat.size = stat.comp_size = entry.size;
                stat.comp_method = ZIP_CM_STORE, stat.encryption_method = ZIP_EM_NONE;
                return sizeof stat;
            }
            case ZIP_SOURCE_ERROR:
                return zip_error_to_data(&error, data, length);
            case ZIP_SOURCE_FREE:
                return 0;
            default:
                zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0);
                return -1;
        }
    }
};

/// libzip's output: a stream that must be kept, even when libzip would rather discard its file.
struct StreamTarget {
    std::ostream& to;
    zip_error_t error{};

    zip_int64_t done() {
        if (to) return 0;
        zip_error_set(&error, ZIP_ER_WRITE, 0);
        return -1;
    }
    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
        switch (command) {
            case ZIP_SOURCE_SUPPORTS:
                return ZIP_SOURCE_SUPPORTS_WRITABLE;
            case ZIP_SOURCE_STAT:  // nothing exists yet
                zip_stat_init(static_cast<zip_stat_t*>(data));
                zip_error_set(&error, ZIP_ER_READ, ENOENT);
                return -1;
            case ZIP_SOURCE_WRITE:
                to.write(static_cast<const char*>(data), static_cast<std::streamsize>(length));
                return to ? static_cast<zip_int64_t>(length) : done();
            case ZIP_SOURCE_TELL_WRITE: {
                const std::streamoff at = to.tellp();
                return at < 0 ? done() : at;
            }
            case ZIP_SOURCE_SEEK_WRITE: {
                const auto* seek = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, &error);
                if (!seek) return -1;
                to.seekp(seek->offset, seek->whence == SEEK_SET   ? std::ios::beg
                                       : seek->whence == SEEK_CUR ? std::ios::cur
                                                                  : std::ios::end);
                return done();
            }
            case ZIP_SOURCE_BEGIN_WRITE:
            case ZIP_SOURCE_COMMIT_WRITE:
            case ZIP_SOURCE_ROLLBACK_WRITE:
            case ZIP_SOURCE_REMOVE:
            case ZIP_SOURCE_FREE:
                return 0;
            case ZIP_SOURCE_ERROR:
                return zip_error_to_data(&error, data, length);
            default:
                zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0);
                return -1;
        }
    }
};

template <class Source>
zip_int64_t answer(void* source, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<Source*>(source)->answer(data, length, command);
}

void add(zip_t& zip, EntrySource& source) {
    zip_source_t* const bytes = zip_source_function(&zip, answer<EntrySource>, &source);
    const zip_int64_t at = bytes ? zip_file_add(&zip, source.entry.name.c_str(), bytes, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
        if (bytes) zip_source_free(bytes);
        fail_to_make(zip_strerror(&zip));
    }
    const auto index = static_cast<zip_uint64_t>(at);
    zip_set_file_compression(&zip, index, source.entry.stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0);
    // For identical bytes every time: 1 January 1980, the earliest date that a zip can have.
    zip_file_set_dostime(&zip, index, 0, 0x21, 0);
}

}  // namespace

void write_zip(std::ostream& to, std::span<const StreamedZipEntry> entries) {
    if (entries.empty()) {  // libzip does not write empty zips
        to << "PK\x05\x06" << std::string(18, '\0');
        return;
    }
    if (to.tellp() < 0) {  // a pipe: libzip seeks back in what it has written
        std::ostringstream bytes;
        write_zip(bytes, entries);
        to << bytes.view();
        return;
    }
    Thrown thrown;
    StreamTarget target{to};
    std::deque<EntrySource> sources;
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const written = zip_source_function_create(answer<StreamTarget>, &target, &error);
    if (!written) fail_to_make("there is not enough memory");
    std::unique_ptr<zip_t, EndedZip> zip(zip_open_from_source(written, ZIP_CREATE | ZIP_TRUNCATE, &error));
    if (!zip) {
        zip_source_free(written);
        fail_to_make(zip_error_strerror(&error));
    }
    for (const StreamedZipEntry& entry : entries) add(*zip, sources.emplace_back(EntrySource{entry, thrown}));
    if (zip_close(zip.get()) == 0) return void(zip.release());  // NOLINT: zip_close has ended it
    if (thrown.what) std::rethrow_exception(thrown.what);
    if (to) fail_to_make(zip_strerror(zip.get()));
}

std::string to_zip(std::span<const ZipEntry> entries) {
    std::vector<StreamedZipEntry> streamed;
    for (const ZipEntry& entry : entries)
        streamed.push_back({entry.name, entry.bytes.size(), [&entry] { return entry.bytes; }, entry.stored});
    std::ostringstream bytes;
    write_zip(bytes, streamed);
    return std::move(bytes).str();
}

struct ZipReader::Opened {
    std::string bytes;
    std::unique_ptr<zip_t, EndedZip> zip;  // reads from `bytes`
};

template <typename... Places>
void ZipReader::fail(std::string_view pattern, const Places&... places) const {
    throw Error("{1}: {2}", file_, filled_with(pattern, places...));
}

ZipReader::ZipReader(const std::filesystem::path& file, const Limits& limits)
    : file_(file.string()), opened_(std::make_unique<Opened>()) {
    opened_->bytes = read_file(file, limits.file_bytes);
    if (opened_->bytes.empty()) fail("the file is empty; copy or download it again");
    zip_error_t error;
    zip_error_init(&error);
    std::unique_ptr<zip_source_t, EndedZip> source(
        zip_source_buffer_create(opened_->bytes.data(), opened_->bytes.size(), 0, &error));
    if (!source) fail("there is not enough memory to read it");
    opened_->zip.reset(zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &error));
    if (!opened_->zip) fail("is not a complete zip file: {1}", zip_error_strerror(&error));
    source.release();  // NOLINT: the zip owns it
    const zip_int64_t count = zip_get_num_entries(opened_->zip.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > limits.entries)
        fail("holds {1} files; the limit is {2}", count, limits.entries);
    std::uint64_t all = 0;
    std::set<std::string> seen;
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
        if (zip_stat_index(opened_->zip.get(), static_cast<zip_uint64_t>(i), 0, &stat) != 0 ||
            (stat.valid & needed) != needed)
            fail("has a damaged list of files");
        if (!seen.insert(stat.name).second) fail("has two files called \"{1}\"", stat.name);
        names_.emplace_back(stat.name);
        if (stat.size > limits.bytes - all)
            fail("would be larger than {1} MiB when it is unpacked", limits.bytes >> 20);
        all += stat.size;
    }
}

ZipReader::~ZipReader() = default;

bool ZipReader::has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }

std::string ZipReader::read(const std::string& name, std::uint64_t most) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) fail("has no file \"{1}\"", name);
    const auto index = static_cast<zip_uint64_t>(found - names_.begin());
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(opened_->zip.get(), index, 0, &stat) != 0) fail("has a damaged list of files");
    if (stat.size > most) fail("its file \"{1}\" has {2} bytes; the limit is {3}", name, stat.size, most);
    const std::unique_ptr<zip_file_t, EndedZip> file(zip_fopen_index(opened_->zip.get(), index, 0));
    if (!file) fail("its file \"{1}\" cannot be read: {2}", name, zip_strerror(opened_->zip.get()));
    std::string bytes(stat.size, '\0');
    std::size_t got = 0;
    char beyond = 0;
    // Reading past the last byte makes libzip verify the checksum.
    for (zip_int64_t n = 1; n > 0;) {
        const bool full = got == bytes.size();
        n = full ? zip_fread(file.get(), &beyond, 1) : zip_fread(file.get(), bytes.data() + got, bytes.size() - got);
        if (n < 0) fail("its file \"{1}\" is damaged", name);
        if (full && n > 0) fail("its file \"{1}\" is longer than it says", name);
        got += static_cast<std::size_t>(n);
    }
    if (got != bytes.size()) fail("its file \"{1}\" is shorter than it says", name);
    return bytes;
}

}  // namespace glassformer
