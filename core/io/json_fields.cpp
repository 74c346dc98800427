#include "core/io/json_fields.h"

#include <algorithm>
#include <charconv>

#include "core/platform/atomic_file.h"
#include "core/text/json_file.h"

namespace glassformer {

namespace {

constexpr std::size_t max_json_bytes = std::size_t{1} << 20;

}  // namespace

nlohmann::json parse_object(const std::string& text, const std::string& file) {
    bool too_deep = false;
    nlohmann::json value = parse_json(text, &too_deep);
    if (too_deep) throw Error("{1} is nested more than {2} levels deep", file, deepest_json);
    if (value.is_discarded() || !value.is_object()) throw Error("{1} is not a JSON object", file);
    return value;
}

nlohmann::json read_object(const std::filesystem::path& path) {
    return parse_object(read_file(path, max_json_bytes), path.string());
}

bool has_field(const nlohmann::json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && !found->is_null();
}

const nlohmann::json& object_field(const nlohmann::json& object, const char* name, const std::string& file) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_object()) fail_in_field(file, name, "must be an object");
    return *found;
}

void require_format(const nlohmann::json& object, int format, const std::string& file) {
    if (const int found = field<int>(object, "format", file); found != format)
        fail_in_field(file, "format", "is {1}; this program reads {2}", found, format);
}

void require_known(const nlohmann::json& object, const std::string& file, const std::vector<std::string>& known,
                   const std::vector<std::string>& other_fields) {
    for (const auto& [name, value] : object.items())
        if (std::ranges::find(known, name) == known.end() &&
            std::ranges::find(other_fields, name) == other_fields.end())
            fail_in_field(file, name, "is not known to this version; was it written by a newer one?");
}

double shortest(float value) {
    if (!std::isfinite(value)) return static_cast<double>(value);
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return nlohmann::json::parse(text, end).get<double>();  // libc++ has no floating-point std::from_chars
}

}  // namespace glassformer
