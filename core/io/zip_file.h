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

/// A file in a zip.
struct ZipEntry {
    std::string name;
    std::string bytes;
    bool stored = false;  // uncompressed, so that other programs can recognise the zip by it
};

/// The bytes of a zip of these entries; the same entries always give the same bytes. Throws Error.
std::string to_zip(std::span<const ZipEntry> entries);

/// The same for a file whose content is made when its turn comes.
struct StreamedZipEntry {
    std::string name;
    std::uint64_t size = 0;              // the size in bytes that it will have
    std::function<std::string()> bytes;  // called once or twice
    bool stored = false;
};
/// Writes the same zip with at most one of its files in memory; with all of it if the stream is a pipe. Throws Error,
/// and whatever `bytes` throws. If the stream fails, it returns and leaves the error to the stream's owner.
void write_zip(std::ostream& to, std::span<const StreamedZipEntry> entries);

/// A zip from an untrusted source. It is read into memory; entries are unpacked only on request.
class ZipReader {
public:
    struct Limits {
        std::uint64_t file_bytes;   // size of the zip
        std::uint64_t bytes;        // of all entries, unpacked
        std::size_t entries = 256;  // number of entries
    };
    /// Throws Error naming the file if it cannot be read, is not a zip, exceeds the limits, or has two entries with the
    /// same name.
    ZipReader(const std::filesystem::path& file, const Limits& limits);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    /// The names of all entries, in order and exactly as stored, however hostile ("../../x").
    const std::vector<std::string>& names() const { return names_; }
    bool has(const std::string& name) const;
    /// Throws Error naming the file and the entry if it is missing, larger than `most`, encrypted or damaged.
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
