#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "core/io/safetensors.h"

namespace glassformer {

// NumPy's .npz: a zip of one .npy for each array
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). numpy.load(file)[name] gives the numbers
// back, as float32; a text is an array of one string: str(numpy.load(file)[name]).

struct NamedText {
    std::string name;
    std::string text;  // UTF-8
};

/// The bytes of such a file. Throws Error when two arrays have one name, or a text is no UTF-8.
std::string to_npz(std::span<const NamedTensor> arrays, std::span<const NamedText> texts = {});
/// The same file with no more than one of its arrays in memory, written by write_file_atomically: on failure the old
/// file is untouched.
void write_npz(const std::filesystem::path& path, std::span<const StreamedTensor> arrays,
               std::span<const NamedText> texts = {});

}  // namespace glassformer
