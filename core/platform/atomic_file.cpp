#include "core/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ostream>
#include <streambuf>
#include <vector>

#include "core/base/error.h"
#include "core/io/posix_file.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

using Writer = std::function<void(std::ostream&)>;

/// A stream buffer over a descriptor that keeps the system's reason for the first failed write (std::ofstream loses
/// it).
class DescriptorBuffer : public std::streambuf {
public:
    explicit DescriptorBuffer(const posix::Descriptor& file) : file_(file), buffer_(1 << 16) { rewind(); }

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

private:
    void rewind() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

    const posix::Descriptor& file_;
    std::vector<char> buffer_;
    int error_ = 0;
};

/// Runs the writer; throws when it fails, or when the system refused any of its bytes.
void stream_into(const posix::Descriptor& file, const Writer& writer, const fs::path& named) {
    DescriptorBuffer buffer(file);
    std::ostream stream(&buffer);
    try {
        writer(stream);
        stream.flush();
    } catch (...) {
        if (buffer.error()) posix::fail("write", named, buffer.error());  // the cause of what the writer threw
        throw;
    }
    if (buffer.error()) posix::fail("write", named, buffer.error());
    if (!stream) throw Error("cannot write \"" + named.string() + "\": its content could not be formatted");
}

void write_flushed(posix::Descriptor& file, const Writer& writer, const fs::path& named) {
    stream_into(file, writer, named);
    if (const int error = file.sync()) posix::fail("write", named, error);
    if (const int error = file.close()) posix::fail("write", named, error);
}

void write_in_place(const fs::path& device, const Writer& writer) {
    posix::Descriptor file(device, O_WRONLY, 0, "write", device);
    write_flushed(file, writer, device);
}

/// Writes `temporary` and renames it to `target`; `mode` are the old file's permissions, 0 where there is none.
void write_and_rename(const fs::path& temporary, const fs::path& target, mode_t mode, const Writer& writer,
                      const fs::path& named) {
    posix::Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666, "write", named);
    try {
        if (mode && ::fchmod(file.get(), mode) != 0) posix::fail("write", named, errno);
        write_flushed(file, writer, named);
        if (std::rename(temporary.c_str(), target.c_str()) != 0) posix::fail("write", named, errno);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
}

}  // namespace

void write_file_atomically(const fs::path& path, const Writer& writer) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) posix::fail("write", path, EISDIR);
    if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, writer);
    // A file made read-only is not to be replaced, although the folder's permissions would allow it.
    if (exists && ::access(path.c_str(), W_OK) != 0) posix::fail("write", path, errno);

    std::error_code error;
    const fs::path target = exists && fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
    if (error) posix::fail("write", path, error.value());
    const fs::path temporary = posix::temporary_beside(target);
    ::unlink(temporary.c_str());  // left by a killed process that had this one's number
    write_and_rename(temporary, target, exists ? old.st_mode & 0777 : 0, writer, path);
    posix::sync_folder(target.parent_path(), path);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
    write_file_atomically(path, [content](std::ostream& stream) {
        stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    });
}

}  // namespace glassformer
