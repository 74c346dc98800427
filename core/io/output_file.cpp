#include "core/io/output_file.h"

#include <cerrno>
#include <fstream>
#include <string_view>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/platform/file.h"
#include "core/platform/system_error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_beginning = 64;

/// A trace's metadata is the text that was traced; a model's and a training state's are other things.
bool begins_as_trace(std::string_view bytes) {
    constexpr std::size_t length = 8;  // of the header, in front of it
    return bytes.size() > length && bytes.substr(length).starts_with("{\"__metadata__\":{\"text\":");
}

bool is_of(FileKind kind, std::string_view bytes) {
    switch (kind) {
        case FileKind::png:
            return bytes.starts_with("\x89PNG\r\n\x1a\n");
        case FileKind::svg:
            return bytes.starts_with("<?xml") || bytes.starts_with("<svg");
        case FileKind::pdf:
            return bytes.starts_with("%PDF-");
        case FileKind::html:
            return bytes.starts_with("<!doctype html>");
        case FileKind::npz:
        case FileKind::glass:
            return bytes.starts_with("PK");
        case FileKind::trace:
            return begins_as_trace(bytes);
        case FileKind::metrics_csv:
            return bytes.starts_with("step,loss,");
        case FileKind::grades_csv:
            return bytes.starts_with("file,student,lesson,");
        case FileKind::numbers_csv:
            return bytes.starts_with("name,value,");
        case FileKind::sweep_csv:
            return bytes.starts_with("run,");
    }
    return false;
}

const char* name_of(FileKind kind) {
    switch (kind) {
        case FileKind::png:
            return N_("a PNG picture");
        case FileKind::svg:
            return N_("an SVG picture");
        case FileKind::pdf:
            return N_("a PDF");
        case FileKind::html:
            return N_("a page of HTML");
        case FileKind::npz:
            return N_("an .npz file");
        case FileKind::trace:
            return N_("a trace");
        case FileKind::glass:
            return N_("a .glass file");
        default:
            return N_("such a table");
    }
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
    throw Error("cannot write {1}: {2}; choose another name", file, why);
}

/// Whether the file is the input itself or lies in its folder.
bool is_input(const fs::path& file, const fs::path& input) {
    std::error_code ignored;
    if (fs::equivalent(file, input, ignored)) return true;
    if (!fs::is_directory(input, ignored)) return false;
    for (fs::path above = fs::canonical(file, ignored).parent_path(); !above.empty(); above = above.parent_path()) {
        if (fs::equivalent(above, input, ignored)) return true;
        if (above == above.parent_path()) break;
    }
    return false;
}

}  // namespace

FileKind file_kind(const fs::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".png") return FileKind::png;
    if (ending == ".svg") return FileKind::svg;
    if (ending == ".pdf") return FileKind::pdf;
    if (ending == ".npz") return FileKind::npz;
    return ending == ".csv" ? FileKind::numbers_csv : FileKind::trace;
}

void require_writable_file(const fs::path& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) platform::fail_to("write", file, EISDIR);
    if (fs::exists(status)) {
        if (!platform::may_write(file)) platform::fail_to("write", file, errno);
        return;
    }
    if (error && error != std::errc::no_such_file_or_directory) platform::fail_to("write", file, error.value());
    const fs::path above = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (!fs::is_directory(above, error)) platform::fail_to("write", file, fs::exists(above, error) ? ENOTDIR : ENOENT);
    if (!platform::may_write(above)) platform::fail_to("write", file, errno);
}

void require_output(const fs::path& file, FileKind kind, std::span<const std::string> inputs) {
    require_writable_file(file);
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return;  // new, or a device
    for (const std::string& input : inputs)
        if (!input.empty() && is_input(file, input)) refuse(file, N_("this command reads it"));
    std::string bytes(longest_beginning, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(in.gcount());
    if (!bytes.empty() && !is_of(kind, bytes))
        refuse(file, filled_with(N_("that file already exists and is not {1}"), name_of(kind)));
}

}  // namespace glassformer
