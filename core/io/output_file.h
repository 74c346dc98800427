#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace glassformer {

/// What a command writes. A file that exists is of a kind when it begins as one.
enum class FileKind { png, svg, pdf, html, npz, trace, glass, metrics_csv, grades_csv, numbers_csv, sweep_csv };

/// By the name's ending: .png, .svg, .pdf, .npz, or .csv for the numbers of a panel; any other is a trace.
FileKind file_kind(const std::filesystem::path& file);

/// Finds out before the work, not after it, that a file cannot be written. Throws Error as write_file_atomically.
void require_writable_file(const std::filesystem::path& file);

/// The one rule for what is written to a file that a person names: a new file, a device, or a file of its own kind in
/// whose place it comes, and never one of `inputs`, which the command reads, nor one that lies in a folder of theirs.
/// Empty inputs are left out. Throws Error naming the file and why, also where it cannot be written.
void require_output(const std::filesystem::path& file, FileKind kind, std::span<const std::string> inputs = {});

}  // namespace glassformer
