#include "core/io/output_file.h"

#include <algorithm>
#include <array>
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

/// A kind's name, and how its files may begin, after the first `skipped` bytes.
struct Beginnings {
    const char* name;
    std::array<std::string_view, 2> starts;
    std::size_t skipped = 0;
};

const Beginnings& beginnings_of(FileKind kind) {
    // In the order of FileKind. A trace is recognised by the first key of its metadata, after the header's length: the
    // traced text. A model or a training state has other metadata.
    static constexpr Beginnings all[] = {{N_("a PNG picture"), {"\x89PNG\r\n\x1a\n"}},
                                         {N_("an SVG picture"), {"<?xml", "<svg"}},
                                         {N_("a PDF"), {"%PDF-"}},
                                         {N_("a page of HTML"), {"<!doctype html>"}},
                                         {N_("an .npz file"), {"PK"}},
                                         {N_("a trace"), {"{\"__metadata__\":{\"text\":"}, 8},
                                         {N_("a .glass file"), {"PK"}},
                                         {N_("such a table"), {"step,loss,"}},
                                         {N_("such a table"), {"file,student,lesson,"}},
                                         {N_("such a table"), {"name,value,"}},
                                         {N_("such a table"), {"run,"}}};
    return all[static_cast<std::size_t>(kind)];
}

bool begins_as(const Beginnings& kind, std::string_view bytes) {
    if (bytes.size() < kind.skipped) return false;
    return std::ranges::any_of(kind.starts, [&](std::string_view start) {
        return !start.empty() && bytes.substr(kind.skipped).starts_with(start);
    });
}

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
    throw Error("cannot write {1}: {2}; choose another name", file, why);
}

/// True if the file is the input itself or lies in its folder.
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
    if (const int reason = platform::creation_error(file)) platform::fail_to("write", file, reason);
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
    if (!bytes.empty() && !begins_as(beginnings_of(kind), bytes))
        refuse(file, filled_with(N_("that file already exists and is not {1}"), beginnings_of(kind).name));
}

}  // namespace glassformer
