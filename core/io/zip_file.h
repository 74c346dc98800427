#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// A file inside a zip.
struct ZipEntry {
    std::string name;
    std::string bytes;
    bool stored = false;  // not compressed: other programs then recognize the zip by it
};

/// The bytes of a zip of these; the same entries give the same bytes. Throws Error.
std::string to_zip(std::span<const ZipEntry> entries);

/// The same of a file that is made when it is its turn.
struct StreamedZipEntry {
    std::string name;
    std::uint64_t size = 0;              // how many bytes it will have
    std::function<std::string()> bytes;  // called once or twice
    bool stored = false;
};
/// Writes the same zip with no more than one of its files in memory; all of it where the stream is a pipe. Throws
/// Error, and what `bytes` throws; where the stream fails, it ends and leaves that to whoever owns it.
void write_zip(std::ostream& to, std::span<const StreamedZipEntry> entries);

/// A zip that anybody may have made. It is read into memory, and nothing of it is unpacked before it is asked for.
class ZipReader {
public:
    struct Limits {
        std::uint64_t file_bytes;   // of the zip
        std::uint64_t bytes;        // of all that is in it, unpacked
        std::size_t entries = 256;  // how many files are in it
    };
    /// Throws Error naming the file: it cannot be read, is no zip, is larger than the limits, or has two entries of one
    /// name.
    ZipReader(const std::filesystem::path& file, const Limits& limits);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    /// Of all entries, in their order; whatever their maker called them ("../../x").
    const std::vector<std::string>& names() const { return names_; }
    bool has(const std::string& name) const;
    /// Throws Error naming the file and the entry: there is none, it is larger than `most`, encrypted or damaged.
    std::string read(const std::string& name, std::uint64_t most) const;

private:
    struct Opened;

    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const;

    std::string file_;
    std::unique_ptr<Opened> opened_;
    std::vector<std::string> names_;
};

}  // namespace glassformer
