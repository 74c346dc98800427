#include "core/platform/atomic_file.h"

#include <cerrno>
#include <ostream>
#include <streambuf>

#include "core/base/error.h"
#include "core/platform/file.h"
#include "core/platform/system_error.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

using Writer = std::function<void(std::ostream&)>;

/// A stream buffer over a file that keeps the system's reason for the first failed write (std::ofstream loses it).
class FileBuffer : public std::streambuf {
public:
    explicit FileBuffer(const platform::File& file) : file_(file), buffer_(1 << 16) { rewind(); }

    /// The error number of the first failed write, or 0.
    int error() const { return error_; }

protected:
    int_type overflow(int_type c) override {
        if (sync() != 0) return traits_type::eof();
        return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                               : sputc(traits_type::to_char_type(c));
    }

    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        if (count < epptr() - pptr()) return std::streambuf::xsputn(bytes, count);
        if (sync() != 0) return 0;
        error_ = file_.write({bytes, static_cast<std::size_t>(count)});
        return error_ ? 0 : count;
    }

    int sync() override {
        if (!error_) error_ = file_.write({pbase(), static_cast<std::size_t>(pptr() - pbase())});
        rewind();
        return error_ ? -1 : 0;
    }

    pos_type seekoff(off_type offset, std::ios::seekdir from, std::ios::openmode) override {
        return sync() == 0 ? pos_type(file_.seek(offset, from)) : pos_type(-1);
    }

private:
    void rewind() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

    const platform::File& file_;
    std::vector<char> buffer_;
    int error_ = 0;
};

/// Runs the writer. Throws if it fails, or if the system refused any of its bytes.
void stream_into(const platform::File& file, const Writer& writer, const fs::path& named) {
    FileBuffer buffer(file);
    std::ostream stream(&buffer);
    try {
        writer(stream);
        stream.flush();
    } catch (...) {
        if (buffer.error()) platform::fail_to("write", named, buffer.error());  // this caused the writer's exception
        throw;
    }
    if (buffer.error()) platform::fail_to("write", named, buffer.error());
    if (!stream) throw Error("cannot write \"{1}\": its content could not be formatted", named);
}

void write_flushed(platform::File& file, const Writer& writer, const fs::path& named) {
    stream_into(file, writer, named);
    if (const int error = file.sync()) platform::fail_to("write", named, error);
    if (const int error = file.close()) platform::fail_to("write", named, error);
}

void write_in_place(const fs::path& device, const Writer& writer) {
    platform::File file(device, platform::OpenFor::writing, "write", device);
    write_flushed(file, writer, device);
}

/// Writes `temporary`, gives it the old file's permissions, if any, and renames it to the target.
void write_and_rename(const fs::path& temporary, const fs::path& target, bool exists, const Writer& writer,
                      const fs::path& named) {
    platform::File file(temporary, platform::OpenFor::creating, "write", named);
    try {
        if (const int error = exists ? file.keep_permissions_of(target) : 0) platform::fail_to("write", named, error);
        write_flushed(file, writer, named);
        if (const int error = platform::rename_over(temporary, target)) platform::fail_to("write", named, error);
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
}

}  // namespace

void write_file_atomically(const fs::path& path, const Writer& writer) {
    std::error_code error;
    const fs::file_status old = fs::status(path, error);
    // Never replaces a link to itself, or what cannot be inspected.
    if (old.type() == fs::file_type::none) platform::fail_to("write", path, error.value());
    const bool exists = fs::exists(old);
    if (exists && fs::is_directory(old)) platform::fail_to("write", path, EISDIR);
    if (exists && !fs::is_regular_file(old)) return write_in_place(path, writer);
    // A read-only file must not be replaced, although the folder's permissions would allow it.
    if (exists && !platform::may_write(path)) platform::fail_to("write", path, errno);

    error.clear();
    const fs::path target = exists && fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
    if (error) platform::fail_to("write", path, error.value());
    const fs::path temporary = platform::temporary_beside(target);
    fs::remove(temporary, error);  // left behind by a killed process with the same id
    write_and_rename(temporary, target, exists, writer, path);
    platform::sync_folder(target.parent_path(), path);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
    write_file_atomically(path, [content](std::ostream& stream) {
        stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    });
}

}  // namespace glassformer
