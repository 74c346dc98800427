#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace glassformer::app {

// What the command line's words must be. A wrong word is a wrong command line, with exit code 2.

/// A number that is one: CLI::Range lets "nan" through, however it is spelled, since nothing is below or above it.
extern const CLI::Validator a_number;
/// The name of a file or a folder: any text but an empty one.
extern const CLI::Validator a_name;
/// A .glass file. What is none may be a command that was misspelled.
extern const CLI::Validator a_glass_file;
/// A whole number from 0 to 2⁶⁴ − 1. CLI11 takes the largest one for what is larger.
extern const CLI::Validator a_seed;
/// The value of a switch, as in --tied=false. CLI11 2.4 takes any word for false.
extern const CLI::Validator a_switch;

/// "5,17,3" → three token ids; several words are one after another. Throws CLI::ValidationError naming the option and
/// what is no id, also where there is nothing between two commas.
std::vector<int> ids_in(const std::string& option, const std::vector<std::string>& words);
/// The same for numbers, which must be finite.
std::vector<float> numbers_in(const std::string& option, const std::vector<std::string>& words);

/// The option --backend of a command that computes.
void add_backend(CLI::App& command, std::string& preference);

}  // namespace glassformer::app
