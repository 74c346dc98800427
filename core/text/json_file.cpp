#include "core/text/json_file.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "core/base/error.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"

namespace glassformer {
namespace {

using nlohmann::json;

/// Checks what the parsed document no longer shows (repeated keys), and what must not grow (nesting).
class Watch final : public JsonWatch {
public:
    explicit Watch(const std::string& name) : name_(name) {}

private:
    void opened(std::size_t depth, bool /*list*/) override {
        if (depth >= deepest_json) throw Error("{1}: is nested more than {2} levels deep", name_, deepest_json);
        // Not clear(), which takes as long as the largest earlier object had keys.
        std::unordered_set<std::string>().swap(keys_[depth + 1]);
    }
    void saw_key(std::size_t depth, const std::string& key) override {
        if (!keys_[depth].insert(key).second) throw Error("{1}: the key {2} appears twice", name_, in_quotes(key));
    }

    const std::string& name_;
    // The keys of the open object at each depth.
    std::vector<std::unordered_set<std::string>> keys_ = std::vector<std::unordered_set<std::string>>(deepest_json + 1);
};

struct TooDeep {};

class DepthWatch final : public JsonWatch {
    void opened(std::size_t depth, bool /*list*/) override {
        if (depth >= deepest_json) throw TooDeep();
    }
};

}  // namespace

json parse_json(std::string_view text, JsonWatch& watch, bool throws) {
    json::json_sax_t* const events = &watch;
    json::sax_parse(text, events);  // stops where the parser does, which reports the fault
    return json::parse(text, nullptr, throws);
}

json parse_json(std::string_view text, bool* too_deep) {
    try {
        DepthWatch watch;
        return parse_json(text, watch, false);
    } catch (const TooDeep&) {
        if (too_deep) *too_deep = true;
        return json(json::value_t::discarded);
    }
}

json read_json_file(const std::filesystem::path& path, std::size_t max_bytes) {
    const std::string name = path.string();
    const std::string text = read_text_file(path, max_bytes);
    check_utf8(text, name);
    Watch watch(name);
    try {
        return parse_json(text, watch);
    } catch (const json::parse_error& error) {
        throw Error("{1}: is not valid JSON (at byte {2})", name, error.byte);
    } catch (const json::exception&) {
        throw Error("{1}: holds a number that is out of range", name);
    }
}

std::optional<int> whole_number(const json& value, int most) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        return std::nullopt;
    return value.get<int>();
}

const json& field_of(const json& object, const char* key, const std::filesystem::path& file) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end()) throw Error("{1}: has no \"{2}\"", file, key);
    return *found;
}

}  // namespace glassformer
