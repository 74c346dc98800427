#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace glassformer::app {

// Validators for the command line's arguments. An invalid one is a usage error, with exit code 2.

/// A finite number. CLI::Range lets "nan" through, however it is spelled, since nothing is below or above it.
extern const CLI::Validator a_number;
/// The name of a file or a folder: any text but an empty one.
extern const CLI::Validator a_name;
/// A .glass file, a .gguf file or a link. Anything else may be a misspelled command.
extern const CLI::Validator a_glass_file;
/// A whole number from 0 to 2⁶⁴ − 1. CLI11 reads anything larger as the maximum.
extern const CLI::Validator a_seed;
/// The value of a switch, as in --tied=false. CLI11 2.4 reads any word as false.
extern const CLI::Validator a_switch;

/// "5,17,3" → three token IDs; several arguments are concatenated. Throws CLI::ValidationError naming the option and
/// the part that is no ID, even an empty one between two commas.
std::vector<int> ids_in(const std::string& option, const std::vector<std::string>& words);
/// The same for numbers, which must be finite.
std::vector<float> numbers_in(const std::string& option, const std::vector<std::string>& words);

/// Adds --backend to a command that computes.
void add_backend(CLI::App& command, std::string& preference);

}  // namespace glassformer::app
