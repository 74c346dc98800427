#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace glassformer {

/// The kinds of files that commands write. An existing file is recognised by how it begins.
enum class FileKind { png, svg, pdf, html, npz, trace, glass, metrics_csv, grades_csv, numbers_csv, sweep_csv };

/// Chosen by extension: .png, .svg, .pdf, .npz, or .csv for a panel's numbers; anything else is a trace.
FileKind file_kind(const std::filesystem::path& file);

/// Call this before the work, not after it: throws Error as write_file_atomically does if the file cannot be written.
void require_writable_file(const std::filesystem::path& file);

/// The rule for every output file that the user names: it must be new, a device, or an existing file of its own kind,
/// which it replaces. It must never be one of `inputs`, which the command reads, nor lie in one that is a folder. Empty
/// inputs are skipped. Throws Error naming the file and why, also if it cannot be written.
void require_output(const std::filesystem::path& file, FileKind kind, std::span<const std::string> inputs = {});

}  // namespace glassformer
