#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/base/reflection.h"

namespace glassformer {

// Reads a JSON object's fields, with error messages that name the file and the field.

/// Parses a JSON object. Throws Error naming `file` if the text is not one.
nlohmann::json parse_object(const std::string& text, const std::string& file);

/// Reads a JSON object from a small file, such as config.json. Throws Error as read_file and parse_object do.
nlohmann::json read_object(const std::filesystem::path& path);

/// Throws `<file>: "<name>" <problem>`; the problem is an Error's pattern and arguments.
template <typename... Places>
[[noreturn]] void fail_in_field(const std::string& file, const std::string& name, std::string_view pattern,
                                const Places&... places) {
    throw Error("{1}: \"{2}\" {3}", file, name, filled_with(pattern, places...));
}

/// True if the field exists and is not null.
bool has_field(const nlohmann::json& object, const char* name);

/// The object in that field. Throws Error naming the file and the field if there is none.
const nlohmann::json& object_field(const nlohmann::json& object, const char* name, const std::string& file);

/// Throws Error unless the field "format" has this number.
void require_format(const nlohmann::json& object, int format, const std::string& file);

/// The shortest decimal number that parses back to the same float: 1e-05 rather than 9.99999974737875e-06.
double shortest(float value);

/// A string, a boolean, a finite number, or a non-negative integer that fits T. Throws Error naming the file and the
/// field if it is missing or something else.
template <class T>
T field(const nlohmann::json& object, const char* name, const std::string& file) {
    const auto found = object.find(name);
    if (found == object.end()) throw Error("{1}: the field \"{2}\" is missing", file, name);
    if constexpr (std::is_same_v<T, std::string>) {
        if (!found->is_string()) fail_in_field(file, name, "must be a string");
        return found->template get<std::string>();
    } else if constexpr (std::is_same_v<T, bool>) {
        if (!found->is_boolean()) fail_in_field(file, name, "must be true or false");
        return found->template get<bool>();
    } else if constexpr (std::is_floating_point_v<T>) {
        if (!found->is_number()) fail_in_field(file, name, "must be a number");
        const T value = found->template get<T>();
        if (!std::isfinite(value)) fail_in_field(file, name, "is not a finite number");
        return value;
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

/// The same, or `otherwise` if the field is missing or null.
template <class T>
T field_or(const nlohmann::json& object, const char* name, const T& otherwise, const std::string& file) {
    return has_field(object, name) ? field<T>(object, name, file) : otherwise;
}

/// Writes the fields visited by visit_fields() into an object: structs as objects, enums by name.
struct FieldWriter {
    nlohmann::json& object;

    template <class T>
    void operator()(const char* name, const T& value) const {
        write(object[name], value);
    }
    template <class T>
    void where_set(const char* name, const T& value, const T& otherwise) const {
        if (value != otherwise) write(object[name], value);
    }

private:
    static void write(nlohmann::json& to, float value) { to = shortest(value); }
    template <class T>
    static void write(nlohmann::json& to, const std::vector<T>& values) {
        to = nlohmann::json::array();
        for (const T& value : values) write(to.emplace_back(), value);
    }
    template <class T>
    static void write(nlohmann::json& to, const T& value) {
        if constexpr (std::is_enum_v<T>) {
            to = name_of(value);
        } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
            to = nlohmann::json::object();
            visit_fields(value, FieldWriter{to});
        } else {
            to = value;
        }
    }
};

template <class Struct>
nlohmann::json fields_to_json(const Struct& fields) {
    nlohmann::json object = nlohmann::json::object();
    visit_fields(fields, FieldWriter{object});
    return object;
}

/// Reads the fields visited by visit_fields(). Throws Error naming `file` and a field that is missing or wrong; if
/// `other_fields` is given, also an unknown field that is not among those.
template <class Struct>
void read_fields(const nlohmann::json& object, const std::string& file, Struct& fields,
                 const std::vector<std::string>* other_fields = nullptr);

/// Throws Error naming the first field of the object that is in neither list.
void require_known(const nlohmann::json& object, const std::string& file, const std::vector<std::string>& known,
                   const std::vector<std::string>& other_fields);

/// The visitor that read_fields() passes to visit_fields().
struct FieldReader {
    const nlohmann::json& object;
    const std::string& file;
    bool strict;
    std::vector<std::string>& known;

    template <class T>
    void operator()(const char* name, T& value) const {
        known.emplace_back(name);
        if constexpr (std::is_enum_v<T>)
            value = value_of<T>(field<std::string>(object, name, file), file + ": \"" + name + "\"");
        else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>)
            read_fields(object_field(object, name, file), file, value, nested());
        else
            value = field<T>(object, name, file);
    }
    template <class T>
    void operator()(const char* name, std::vector<T>& values) const {
        known.emplace_back(name);
        const auto found = object.find(name);
        if (found == object.end() || !found->is_array()) fail_in_field(file, name, "must be a list");
        values.clear();
        for (const nlohmann::json& one : *found) {
            if (!one.is_object()) fail_in_field(file, name, "must be a list of objects");
            read_fields(one, file, values.emplace_back(), nested());
        }
    }
    template <class T>
    void where_set(const char* name, T& value, const T& otherwise) const {
        value = otherwise;
        if (has_field(object, name))
            (*this)(name, value);
        else
            known.emplace_back(name);
    }

private:
    const std::vector<std::string>* nested() const {
        static const std::vector<std::string> none;
        return strict ? &none : nullptr;
    }
};

template <class Struct>
void read_fields(const nlohmann::json& object, const std::string& file, Struct& fields,
                 const std::vector<std::string>* other_fields) {
    std::vector<std::string> known;
    visit_fields(fields, FieldReader{object, file, other_fields != nullptr, known});
    if (other_fields) require_known(object, file, known, *other_fields);
}

}  // namespace glassformer
