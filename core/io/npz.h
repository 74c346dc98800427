#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/io/safetensors.h"

namespace glassformer {

// NumPy's .npz: a zip of one .npy for each array
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). numpy.load(file)[name] gives the numbers
// back, as float32.

/// The bytes of such a file. Throws Error when two arrays have one name.
std::string to_npz(std::span<const NamedTensor> arrays);
/// Writes them by write_file_atomically: on failure the old file is untouched.
void write_npz(const std::filesystem::path& path, std::span<const NamedTensor> arrays);

}  // namespace glassformer
