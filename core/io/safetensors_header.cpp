#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/safetensors.h"
#include "core/text/json_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using nlohmann::json;

struct DtypeFacts {
    std::string_view name;
    std::int64_t bytes;
};

/// In the order of FileDType.
constexpr DtypeFacts dtypes[] = {{"F32", 4},  {"F16", 2},     {"BF16", 2},    {"F64", 8}, {"I64", 8}, {"I32", 4},
                                 {"I16", 2},  {"I8", 1},      {"U64", 8},     {"U32", 4}, {"U16", 2}, {"U8", 1},
                                 {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"Q8_0", 0}};
/// All but the last, which a safetensors file cannot have.
constexpr std::size_t safetensors_dtypes = std::size(dtypes) - 1;

/// Watches for what the parsed tree no longer shows, or would take too much memory to show: duplicate keys, deep
/// nesting, endless lists. Also records the order of the tensors.
class HeaderWatch final : public JsonWatch {
public:
    explicit HeaderWatch(const std::string& file) : file_(file) {}

    std::vector<std::string> names;

private:
    static constexpr int longest_list = 64;

    void saw_key(std::size_t depth, const std::string& key) override {
        if (depth <= 1) {
            if (!seen_names_.insert(key).second) fail_in_tensor(file_, key, "is in the header twice");
            names.push_back(key);
            seen_fields_.clear();
        } else if (!seen_fields_.insert(key).second) {
            fail_in_tensor(file_, names.back(), "has the field \"{1}\" twice", printable(key));
        }
    }

    /// The header is an object at depth 0, a tensor one at depth 1; a tensor's field may be a list at depth 2.
    void opened(std::size_t depth, bool list) override {
        if (depth > (list ? 2 : 1)) fail_in_file(file_, "the header is nested too deeply");
        in_list_ = list;
        list_length_ = 0;
    }

    void saw_value() override {
        if (in_list_ && ++list_length_ > longest_list)
            fail_in_tensor(file_, names.back(), "has a list of more than 64 numbers");
    }

    void closed_list() override { in_list_ = false; }

    const std::string& file_;
    std::unordered_set<std::string> seen_names_;
    std::unordered_set<std::string> seen_fields_;
    bool in_list_ = false;
    int list_length_ = 0;
};

json parse_header(std::string_view text, HeaderWatch& watch, const std::string& file) {
    // The parser would skip a byte order mark or spaces here, which the format does not allow.
    if (!text.starts_with('{')) fail_in_file(file, "the header is not a JSON object");
    try {
        return parse_json(text, watch);
    } catch (const json::parse_error& error) {
        const bool utf8 = std::string_view(error.what()).find("ill-formed UTF-8") != std::string_view::npos;
        if (utf8) fail_in_file(file, "the header is not valid UTF-8 (at its byte {1})", error.byte);
        fail_in_file(file, "the header is not valid JSON (at its byte {1})", error.byte);
    } catch (const json::exception&) {
        fail_in_file(file, "the header holds a number that is out of range");
    }
}

/// Reads one tensor's object, field by field.
class EntryReader {
public:
    EntryReader(const std::string& file, const std::string& name, const json& object)
        : file_(file), name_(name), object_(object) {
        if (!object.is_object()) fail("is not described by an object");
    }

    TensorEntry read() const {
        const std::vector<std::int64_t> offsets = numbers("data_offsets");
        if (offsets.size() != 2) fail("needs two numbers in \"data_offsets\"");
        return {name_, dtype(), shape(), offsets[0], offsets[1]};
    }

private:
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const {
        fail_in_tensor(file_, name_, pattern, places...);
    }

    const json& field(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) fail("has no \"{1}\"", key);
        return *found;
    }

    FileDType dtype() const {
        const json& value = field("dtype");
        if (!value.is_string()) fail("has a \"dtype\" that is not text");
        const auto& text = value.get_ref<const std::string&>();
        for (std::size_t i = 0; i < safetensors_dtypes; ++i)
            if (text == dtypes[i].name) return static_cast<FileDType>(i);
        fail("has an unknown dtype \"{1}\"; only F32, F16 and BF16 are supported", printable(text));
    }

    Shape shape() const {
        const std::vector<std::int64_t> sizes = numbers("shape");
        try {
            return Shape(sizes);
        } catch (const Error& error) {
            fail("cannot be held: {1}", error.what());
        }
    }

    /// A field that is a list of non-negative integers.
    std::vector<std::int64_t> numbers(const char* key) const {
        const json& list = field(key);
        if (!list.is_array()) fail("has a \"{1}\" that is not a list", key);
        std::vector<std::int64_t> values;
        for (const json& value : list) {
            constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            // The parser stores negative integers as signed and all others as unsigned.
            if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
                fail("has a \"{1}\" with {2} in it; whole numbers of at least 0 are needed", key,
                     printable(value.dump()));
            values.push_back(value.get<std::int64_t>());
        }
        return values;
    }

    const std::string& file_;
    const std::string& name_;
    const json& object_;
};

std::map<std::string, std::string> read_metadata(const json& object, const std::string& file) {
    if (!object.is_object()) fail_in_file(file, "\"__metadata__\" is not an object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : object.items()) {
        if (!value.is_string()) fail_in_file(file, "\"__metadata__\" has \"{1}\", which is not text", printable(key));
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

void check_size(const TensorEntry& entry, std::int64_t data_bytes, const std::string& file) {
    if (entry.begin > entry.end)
        fail_in_tensor(file, entry.name, "has data_offsets [{1}, {2}] that run backwards", entry.begin, entry.end);
    if (entry.end > data_bytes)
        fail_in_tensor(file, entry.name, "has data_offsets [{1}, {2}] outside the file's {3} bytes of data",
                       entry.begin, entry.end, data_bytes);
    std::int64_t needed = 0;
    if (__builtin_mul_overflow(entry.shape.elements(), dtype_bytes(entry.dtype), &needed) ||
        needed != entry.end - entry.begin)
        fail_in_tensor(file, entry.name, "has {1} bytes of data; its shape {2} needs {3} cells of {4} bytes",
                       entry.end - entry.begin, entry.shape.to_string(), entry.shape.elements(),
                       dtype_bytes(entry.dtype));
}

/// The sorted entries must be contiguous and fill the data.
void check_layout(const std::vector<TensorEntry>& entries, std::int64_t data_bytes, const std::string& file) {
    std::int64_t filled = 0;
    for (const TensorEntry& entry : entries) {
        if (entry.begin < filled) fail_in_tensor(file, entry.name, "overlaps the tensor before it");
        if (entry.begin > filled)
            fail_in_tensor(file, entry.name, "leaves a hole of {1} bytes in the data before it", entry.begin - filled);
        filled = entry.end;
    }
    if (filled < data_bytes) fail_in_file(file, "{1} bytes of data belong to no tensor", data_bytes - filled);
}

}  // namespace

std::string printable(const std::string& name) {
    constexpr std::size_t longest = 120;
    const std::size_t length = character_start(name, std::min(name.size(), longest));
    std::string shown = name.substr(0, length);
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return shown + (length < name.size() ? "…" : "");
}

std::int64_t dtype_bytes(FileDType dtype) { return dtypes[static_cast<std::size_t>(dtype)].bytes; }

std::string_view name_of(FileDType dtype) { return dtypes[static_cast<std::size_t>(dtype)].name; }

std::string refusal_of(FileDType dtype) {
    return filled_with(N_("has dtype {1}; only F32, F16 and BF16 are supported"), name_of(dtype));
}

std::uint64_t header_length(std::string_view first_bytes, std::uint64_t file_bytes, const std::string& file) {
    if (first_bytes.size() < header_length_bytes)
        fail_in_file(file, "only {1} bytes long; a safetensors file starts with 8 that give the length of its header",
                     first_bytes.size());
    std::uint64_t length = 0;
    std::memcpy(&length, first_bytes.data(), header_length_bytes);
    const std::uint64_t rest = file_bytes - header_length_bytes;
    if (length > max_header_bytes)
        fail_in_file(file, "its header would be {1} bytes long, over the limit of 100 MB; is it a safetensors file?",
                     length);
    if (length > rest)
        fail_in_file(file, "its header should be {1} bytes long, but only {2} are left; the file was cut short", length,
                     rest);
    return length;
}

SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes, const std::string& file) {
    HeaderWatch watch(file);
    const json root = parse_header(text, watch, file);
    SafetensorsHeader header;
    for (const std::string& name : watch.names) {
        if (name == "__metadata__") {
            header.metadata = read_metadata(root.at(name), file);
            continue;
        }
        header.entries.push_back(EntryReader(file, name, root.at(name)).read());
        check_size(header.entries.back(), data_bytes, file);
    }
    std::ranges::stable_sort(header.entries, {}, [](const TensorEntry& e) { return std::pair(e.begin, e.end); });
    check_layout(header.entries, data_bytes, file);
    return header;
}

}  // namespace glassformer
