#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/io/safetensors.h"

namespace glassformer {

// NumPy's .npz: a zip with one .npy file per array
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html). numpy.load(file)[name] returns the array as
// float32, or as float64 if it was given in doubles; a text is an array of one string: str(numpy.load(file)[name]).

struct NamedText {
    std::string name;
    std::string text;  // UTF-8
};

/// An array in double precision: as many values as its shape has cells.
struct NamedDoubles {
    std::string name;
    Shape shape;
    std::vector<double> values;
};

/// The bytes of such a file. Throws Error if two arrays have the same name, or a text is not UTF-8.
std::string to_npz(std::span<const NamedTensor> arrays, std::span<const NamedText> texts = {});
/// The same for arrays of doubles.
std::string doubles_to_npz(std::span<const NamedDoubles> arrays, std::span<const NamedText> texts = {});
/// Writes the same file with at most one array in memory, through write_file_atomically: on failure the old file is
/// untouched.
void write_npz(const std::filesystem::path& path, std::span<const StreamedTensor> arrays,
               std::span<const NamedText> texts = {});

}  // namespace glassformer
