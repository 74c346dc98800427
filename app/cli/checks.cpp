#include "app/cli/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "app/common/links.h"
#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/io/gguf_model.h"
#include "core/io/glass_file.h"

namespace glassformer::app {

namespace {

/// The comma-separated parts of all arguments, in order.
std::vector<std::string> parts_of(const std::vector<std::string>& words) {
    std::vector<std::string> parts;
    for (const std::string& word : words)
        for (std::size_t begin = 0; begin <= word.size();) {
            const std::size_t end = std::min(word.find(',', begin), word.size());
            parts.push_back(word.substr(begin, end - begin));
            begin = end + 1;
        }
    return parts;
}

}  // namespace

const CLI::Validator a_number(
    [](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool is_one = *end != '\0' || std::isfinite(value);
        return is_one ? std::string() : filled_with(N_("\"{1}\" is not a finite number"), text);
    },
    "");

const CLI::Validator a_name(
    [](const std::string& text) { return text.empty() ? std::string(N_("the name is empty")) : std::string(); }, "");

const CLI::Validator a_glass_file(
    [](const std::string& text) {
        return is_glass_file(text) || is_gguf_file(text) || has_link(text)
                   ? std::string()
                   : filled_with(N_("\"{1}\" is neither a command nor a .glass file or a .gguf file"), text);
    },
    "");

const CLI::Validator a_seed(
    [](const std::string& text) {
        return whole_in_text<std::uint64_t>(text)
                   ? std::string()
                   : filled_with(N_("\"{1}\" is not a whole number from 0 to 18446744073709551615"), text);
    },
    "");

const CLI::Validator a_switch(
    [](const std::string& text) {
        static constexpr std::array<std::string_view, 6> words = {"true", "false", "yes", "no", "on", "off"};
        return std::ranges::find(words, text) != words.end() || whole_in_text<int>(text)
                   ? std::string()
                   : filled_with(N_("a switch is true or false: {1}"), text);
    },
    "");

std::vector<int> ids_in(const std::string& option, const std::vector<std::string>& words) {
    std::vector<int> ids;
    for (const std::string& part : parts_of(words)) {
        const std::optional<int> id = whole_in_text<int>(part);
        if (!id)
            throw CLI::ValidationError(option,
                                       filled_with(N_("\"{1}\" is not a token ID; write them like 5,17,3"), part));
        ids.push_back(*id);
    }
    return ids;
}

std::vector<float> numbers_in(const std::string& option, const std::vector<std::string>& words) {
    std::vector<float> numbers;
    for (const std::string& part : parts_of(words)) {
        char* end = nullptr;
        const float value = std::strtof(part.c_str(), &end);
        if (part.empty() || *end != '\0' || !std::isfinite(value))
            throw CLI::ValidationError(option,
                                       filled_with(N_("\"{1}\" is not a number; write them like 0.5,1,0"), part));
        numbers.push_back(value);
    }
    return numbers;
}

void add_backend(CLI::App& command, std::string& preference) {
    command
        .add_option("--backend", preference, "what computes: auto (the faster one), cpu, gl (OpenGL compute shaders)")
        ->check(CLI::IsMember({"auto", "cpu", "gl"}));
}

}  // namespace glassformer::app
