#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/error.h"
#include "core/io/safetensors.h"

namespace glassformer {

namespace {

using nlohmann::json;

struct DtypeFacts {
    std::string_view name;
    std::int64_t bytes;
};

/// In the order of FileDType.
constexpr DtypeFacts dtypes[] = {{"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F64", 8},     {"I64", 8},
                                 {"I32", 4}, {"I16", 2}, {"I8", 1},   {"U64", 8},     {"U32", 4},
                                 {"U16", 2}, {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};

std::string printable(const std::string& text) {
    constexpr std::size_t longest = 120;
    std::size_t length = std::min(text.size(), longest);
    while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
    std::string shown = text.substr(0, length);
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return shown + (length < text.size() ? "…" : "");
}

/// Watches the JSON parser for what a document tree no longer shows, or would take too much memory to show: keys
/// given twice, deep nesting, endless lists. Also keeps the order of the tensors.
class HeaderWatch {
public:
    explicit HeaderWatch(const std::string& file) : file_(file) {}

    bool operator()(int depth, json::parse_event_t event, const json& value) {
        using Event = json::parse_event_t;
        switch (event) {
            case Event::key:
                see_key(depth, value.get_ref<const std::string&>());
                break;
            case Event::object_start:
                enter(depth, 1, false);
                break;
            case Event::array_start:
                enter(depth, 2, true);
                break;
            case Event::array_end:
                in_list_ = false;
                break;
            case Event::value:
                see_value();
                break;
            case Event::object_end:
                break;
        }
        return true;
    }

    std::vector<std::string> names;

private:
    static constexpr int longest_list = 64;

    void see_key(int depth, const std::string& key) {
        if (depth <= 1) {
            if (!seen_names_.insert(key).second) fail_in_tensor(file_, key, "is in the header twice");
            names.push_back(key);
            seen_fields_.clear();
        } else if (!seen_fields_.insert(key).second) {
            fail_in_tensor(file_, names.back(), "has the field \"" + printable(key) + "\" twice");
        }
    }

    /// The header is an object at depth 0, a tensor one at depth 1, a tensor's field may be a list at depth 2.
    void enter(int depth, int deepest, bool list) {
        if (depth > deepest) fail_in_file(file_, "the header is nested too deeply");
        in_list_ = list;
        list_length_ = 0;
    }

    void see_value() {
        if (in_list_ && ++list_length_ > longest_list)
            fail_in_tensor(file_, names.back(), "has a list of more than 64 numbers");
    }

    const std::string& file_;
    std::unordered_set<std::string> seen_names_;
    std::unordered_set<std::string> seen_fields_;
    bool in_list_ = false;
    int list_length_ = 0;
};

json parse_json(std::string_view text, HeaderWatch& watch, const std::string& file) {
    // The parser would skip a byte order mark or spaces here; the format does not allow them.
    if (!text.starts_with('{')) fail_in_file(file, "the header is not a JSON object");
    try {
        return json::parse(text.begin(), text.end(), std::ref(watch));
    } catch (const json::parse_error& error) {
        const bool utf8 = std::string_view(error.what()).find("ill-formed UTF-8") != std::string_view::npos;
        fail_in_file(file, std::string("the header is not valid ") + (utf8 ? "UTF-8" : "JSON") + " (at its byte " +
                               std::to_string(error.byte) + ")");
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
    [[noreturn]] void fail(const std::string& problem) const { fail_in_tensor(file_, name_, problem); }

    const json& field(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) fail(std::string("has no \"") + key + "\"");
        return *found;
    }

    FileDType dtype() const {
        const json& value = field("dtype");
        if (!value.is_string()) fail("has a \"dtype\" that is not text");
        const auto& text = value.get_ref<const std::string&>();
        for (std::size_t i = 0; i < std::size(dtypes); ++i)
            if (text == dtypes[i].name) return static_cast<FileDType>(i);
        fail("has an unknown dtype \"" + printable(text) + "\"; only F32, F16 and BF16 are supported");
    }

    Shape shape() const {
        const std::vector<std::int64_t> sizes = numbers("shape");
        try {
            return Shape(sizes);
        } catch (const Error& error) {
            fail(std::string("cannot be held: ") + error.what());
        }
    }

    /// A field that is a list of whole numbers of at least 0.
    std::vector<std::int64_t> numbers(const char* key) const {
        const json& list = field(key);
        if (!list.is_array()) fail(std::string("has a \"") + key + "\" that is not a list");
        std::vector<std::int64_t> values;
        for (const json& value : list) {
            constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            // The parser holds whole numbers below 0 as signed, the others as unsigned.
            if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest)
                fail(std::string("has a \"") + key + "\" with " + printable(value.dump()) +
                     " in it; whole numbers of at least 0 are needed");
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
        if (!value.is_string())
            fail_in_file(file, "\"__metadata__\" has \"" + printable(key) + "\", which is not text");
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

void check_size(const TensorEntry& entry, std::int64_t data_bytes, const std::string& file) {
    const std::string range = std::string("[") + std::to_string(entry.begin) + ", " + std::to_string(entry.end) + "]";
    if (entry.begin > entry.end) fail_in_tensor(file, entry.name, "has data_offsets " + range + " that run backwards");
    if (entry.end > data_bytes)
        fail_in_tensor(
            file, entry.name,
            "has data_offsets " + range + " outside the file's " + std::to_string(data_bytes) + " bytes of data");
    std::int64_t needed = 0;
    if (__builtin_mul_overflow(entry.shape.elements(), dtype_bytes(entry.dtype), &needed) ||
        needed != entry.end - entry.begin)
        fail_in_tensor(file, entry.name,
                       "has " + std::to_string(entry.end - entry.begin) + " bytes of data; its shape " +
                           entry.shape.to_string() + " needs " + std::to_string(entry.shape.elements()) + " cells of " +
                           std::to_string(dtype_bytes(entry.dtype)) + " bytes");
}

/// Sorted entries must lie end to end and fill the data.
void check_layout(const std::vector<TensorEntry>& entries, std::int64_t data_bytes, const std::string& file) {
    std::int64_t filled = 0;
    for (const TensorEntry& entry : entries) {
        if (entry.begin < filled) fail_in_tensor(file, entry.name, "overlaps the tensor before it");
        if (entry.begin > filled)
            fail_in_tensor(file, entry.name,
                           "leaves a hole of " + std::to_string(entry.begin - filled) + " bytes in the data before it");
        filled = entry.end;
    }
    if (filled < data_bytes)
        fail_in_file(file, std::to_string(data_bytes - filled) + " bytes of data belong to no tensor");
}

}  // namespace

void fail_in_file(const std::string& file, const std::string& problem) { throw Error(file + ": " + problem); }

void fail_in_tensor(const std::string& file, const std::string& name, const std::string& problem) {
    fail_in_file(file, "tensor \"" + printable(name) + "\" " + problem);
}

std::int64_t dtype_bytes(FileDType dtype) { return dtypes[static_cast<std::size_t>(dtype)].bytes; }

std::string_view name_of(FileDType dtype) { return dtypes[static_cast<std::size_t>(dtype)].name; }

std::string refusal_of(FileDType dtype) {
    return "has dtype " + std::string(name_of(dtype)) + "; only F32, F16 and BF16 are supported";
}

std::uint64_t header_length(std::string_view first_bytes, std::uint64_t file_bytes, const std::string& file) {
    if (first_bytes.size() < header_length_bytes)
        fail_in_file(file, "only " + std::to_string(first_bytes.size()) +
                               " bytes long; a safetensors file starts with 8 that give the length of its header");
    std::uint64_t length = 0;
    std::memcpy(&length, first_bytes.data(), header_length_bytes);
    const std::uint64_t rest = file_bytes - header_length_bytes;
    if (length > max_header_bytes)
        fail_in_file(file, "its header would be " + std::to_string(length) +
                               " bytes long, over the limit of 100 MB; is it a safetensors file?");
    if (length > rest)
        fail_in_file(file, "its header should be " + std::to_string(length) + " bytes long, but only " +
                               std::to_string(rest) + " are left; the file was cut short");
    return length;
}

SafetensorsHeader parse_safetensors_header(std::string_view text, std::int64_t data_bytes, const std::string& file) {
    HeaderWatch watch(file);
    const json root = parse_json(text, watch, file);
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
