#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "core/base/error.h"

namespace glassformer {

// Reading a JSON object's fields with messages that name the file and the field.

/// The object that the text is. Throws Error naming `file` when it is none.
nlohmann::json parse_object(const std::string& text, const std::string& file);

/// The object in a small file: config.json. Throws Error as read_file and parse_object do.
nlohmann::json read_object(const std::filesystem::path& path);

/// `<file>: "<name>" <problem>`.
[[noreturn]] void fail_in_field(const std::string& file, const std::string& name, const std::string& problem);

/// Whether the field is there and not null.
bool has_field(const nlohmann::json& object, const char* name);

/// The shortest decimal number that a float reads back from: 1e-05 rather than 9.99999974737875e-06.
double shortest(float value);

/// A text, a truth value, a number, or a whole number of at least 0 that fits T. Throws Error naming the file and the
/// field when it is missing or something else.
template <class T>
T field(const nlohmann::json& object, const char* name, const std::string& file) {
    const auto found = object.find(name);
    if (found == object.end()) throw Error(file + ": the field \"" + name + "\" is missing");
    if constexpr (std::is_same_v<T, std::string>) {
        if (!found->is_string()) fail_in_field(file, name, "must be a text");
        return found->template get<std::string>();
    } else if constexpr (std::is_same_v<T, bool>) {
        if (!found->is_boolean()) fail_in_field(file, name, "must be true or false");
        return found->template get<bool>();
    } else if constexpr (std::is_floating_point_v<T>) {
        if (!found->is_number()) fail_in_field(file, name, "must be a number");
        return found->template get<T>();
    } else {
        if (!found->is_number_integer()) fail_in_field(file, name, "must be a whole number");
        const bool negative = !found->is_number_unsigned() && found->template get<std::int64_t>() < 0;
        const auto wide = found->template get<std::uint64_t>();
        const T value = static_cast<T>(wide);
        if (negative || static_cast<std::uint64_t>(value) != wide || value < T{0})
            fail_in_field(file, name, "is out of range");
        return value;
    }
}

/// The same, or `otherwise` where the field is missing or null.
template <class T>
T field_or(const nlohmann::json& object, const char* name, const T& otherwise, const std::string& file) {
    return has_field(object, name) ? field<T>(object, name, file) : otherwise;
}

}  // namespace glassformer
