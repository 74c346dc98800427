#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

/// The maximum nesting depth of a JSON text: copying, writing or comparing a document recurses into it.
constexpr std::size_t deepest_json = 32;

/// Sees a JSON text part by part before it is parsed, and throws to refuse it.
class JsonWatch : public nlohmann::json_sax<nlohmann::json> {
protected:
    /// An object or a list opens; the whole text is at depth 0, its keys and values at depth 1.
    virtual void opened(std::size_t depth, bool list) = 0;
    virtual void saw_key(std::size_t /*depth*/, const std::string& /*key*/) {}
    /// A string, number, boolean or null.
    virtual void saw_value() {}
    virtual void closed_list() {}

private:
    bool value() {
        saw_value();
        return true;
    }
    bool null() final { return value(); }
    bool boolean(bool) final { return value(); }
    bool number_integer(number_integer_t) final { return value(); }
    bool number_unsigned(number_unsigned_t) final { return value(); }
    bool number_float(number_float_t, const string_t&) final { return value(); }
    bool string(string_t&) final { return value(); }
    bool binary(binary_t&) final { return value(); }
    bool start_object(std::size_t) final {
        opened(depth_++, false);
        return true;
    }
    bool key(string_t& key) final {
        saw_key(depth_, key);
        return true;
    }
    bool end_object() final {
        --depth_;
        return true;
    }
    bool start_array(std::size_t) final {
        opened(depth_++, true);
        return true;
    }
    bool end_array() final {
        --depth_;
        closed_list();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) final { return false; }

    std::size_t depth_ = 0;
};

/// Parses untrusted text that `watch` does not refuse. If it is not JSON, throws as json::parse does, or returns a
/// discarded value. (With a callback, json::parse takes time that grows with the square of the number of objects.)
nlohmann::json parse_json(std::string_view text, JsonWatch& watch, bool throws = true);

/// Parses untrusted text; returns a discarded value (is_discarded()) if it is not JSON or is nested too deep, and sets
/// `too_deep` accordingly.
nlohmann::json parse_json(std::string_view text, bool* too_deep = nullptr);

/// Reads an untrusted JSON file. Throws Error naming the file if it cannot be read, is larger than max_bytes, is not
/// JSON (naming the byte), repeats a key in an object, or is nested too deep.
nlohmann::json read_json_file(const std::filesystem::path& path, std::size_t max_bytes);

/// The value as an integer from 0 to `most`, such as a token id; none if it is not one.
std::optional<int> whole_number(const nlohmann::json& value, int most = 1 << 30);

/// The field of a JSON object. Throws Error naming the file if the value is not an object or has no such field.
const nlohmann::json& field_of(const nlohmann::json& object, const char* key, const std::filesystem::path& file);

}  // namespace glassformer
