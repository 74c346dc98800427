#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/gguf_model.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using nlohmann::json;

constexpr std::uint64_t most_header_bytes = std::uint64_t{256} << 20, most_text_bytes = std::uint64_t{16} << 20,
                        most_in_a_list = std::uint64_t{4} << 20, most_entries = std::uint64_t{1} << 16,
                        longest_key = 65535, longest_name = 256, largest_alignment = 1 << 16;
constexpr std::int64_t most_axes = 4;

/// Metadata types, in the order of their numbers.
enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };
constexpr std::uint32_t value_types = 13;

/// Cell types by number; "" for removed ones.
constexpr std::string_view cell_types[] = {
    "F32",    "F16",   "Q4_0",  "Q4_1",   "",      "",      "Q5_0",    "Q5_1",   "Q8_0",    "Q8_1",
    "Q2_K",   "Q3_K",  "Q4_K",  "Q5_K",   "Q6_K",  "Q8_K",  "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S",
    "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS", "I8",    "I16",   "I32",     "I64",    "F64",     "IQ1_M",
    "BF16",   "",      "",      "",       "TQ1_0", "TQ2_0", "",        "",       "",        "MXFP4"};

std::optional<FileDType> cell_type_of(std::uint32_t type) {
    const std::string_view name = type < std::size(cell_types) ? cell_types[type] : "";
    for (const FileDType read : {FileDType::F32, FileDType::F16, FileDType::BF16, FileDType::Q8_0})
        if (name == name_of(read)) return read;
    return std::nullopt;
}

std::string cell_type_text(std::uint32_t type) {
    const std::string_view name = type < std::size(cell_types) ? cell_types[type] : "";
    return name.empty() ? "number " + std::to_string(type) : std::string(name);
}

/// Reads the file from its beginning, with one piece in memory at a time.
class Reader {
public:
    Reader(const platform::RegularFile& file, const std::string& name) : file_(file), name_(name) {}

    std::uint64_t at() const { return begin_ + used_; }
    std::uint64_t left() const { return std::min(file_.size(), most_header_bytes) - at(); }
    /// Sets what is being read, for messages: a sentence in which {1} is its name, if any, and {2} the problem.
    void enter(const char* sentence, std::string of) { sentence_ = sentence, of_ = std::move(of); }
    template <typename... Places>
    [[noreturn]] void fail(std::string_view problem, const Places&... places) const {
        throw Error("{1}: {2}", name_, filled_with(sentence_, of_, filled_with(problem, places...)));
    }

    template <class Number>
    Number number() {
        std::array<char, sizeof(Number)> bytes{};
        take(bytes);
        return std::bit_cast<Number>(bytes);
    }

    std::string text(std::uint64_t most) {
        const auto length = number<std::uint64_t>();
        if (length > most) fail("would be a text of {1} bytes; at most {2} are read", length, most);
        if (length > left()) fail_short();
        std::string text(static_cast<std::size_t>(length), '\0');
        take(text);
        if (!is_valid_utf8(text)) fail("is a text that is not UTF-8");
        return text;
    }

    /// Fails if `count` items of at least `bytes_each` bytes cannot follow.
    void require(std::uint64_t count, std::uint64_t bytes_each) const {
        if (count > left() / bytes_each) fail_short();
    }

private:
    [[noreturn]] void fail_short() const {
        if (file_.size() > most_header_bytes) fail("reaches beyond the first 256 MB; a file's header ends before them");
        fail("reaches beyond the end of the file, which was cut short or is damaged");
    }

    void take(std::span<char> to) {
        if (to.size() > left()) fail_short();
        while (!to.empty()) {
            if (used_ == piece_.size()) fill();
            const std::size_t count = std::min(to.size(), piece_.size() - used_);
            std::copy_n(piece_.data() + used_, count, to.data());
            used_ += count;
            to = to.subspan(count);
        }
    }

    void fill() {
        constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
        begin_ += used_;
        used_ = 0;
        piece_.resize(static_cast<std::size_t>(std::min(piece_bytes, file_.size() - begin_)));
        piece_.resize(file_.read(begin_, piece_));
        if (piece_.empty()) fail_short();
    }

    const platform::RegularFile& file_;
    const std::string& name_;
    const char* sentence_ = N_("the header {2}");
    std::string of_, piece_;
    std::uint64_t begin_ = 0;  // of the piece
    std::size_t used_ = 0;
};

std::uint64_t bytes_of_value(ValueType type) {
    switch (type) {
        case ValueType::u8:
        case ValueType::i8:
        case ValueType::boolean:
            return 1;
        case ValueType::u16:
        case ValueType::i16:
            return 2;
        case ValueType::u32:
        case ValueType::i32:
        case ValueType::f32:
            return 4;
        default:
            return 8;  // a text begins with its length
    }
}

ValueType value_type(Reader& reader) {
    const auto type = reader.number<std::uint32_t>();
    if (type >= value_types) reader.fail("has the unknown type of value {1}", type);
    return static_cast<ValueType>(type);
}

json read_value(Reader& reader, ValueType type) {
    switch (type) {
        case ValueType::u8:
            return reader.number<std::uint8_t>();
        case ValueType::i8:
            return reader.number<std::int8_t>();
        case ValueType::u16:
            return reader.number<std::uint16_t>();
        case ValueType::i16:
            return reader.number<std::int16_t>();
        case ValueType::u32:
            return reader.number<std::uint32_t>();
        case ValueType::i32:
            return reader.number<std::int32_t>();
        case ValueType::f32:
            return reader.number<float>();
        case ValueType::boolean: {
            const auto value = reader.number<std::uint8_t>();
            if (value > 1) reader.fail("is {1}, which is neither true nor false", value);
            return value == 1;
        }
        case ValueType::text:
            return reader.text(most_text_bytes);
        case ValueType::u64:
            return reader.number<std::uint64_t>();
        case ValueType::i64:
            return reader.number<std::int64_t>();
        case ValueType::f64:
            return reader.number<double>();
        case ValueType::list:
            break;
    }
    const ValueType each = value_type(reader);
    if (each == ValueType::list) reader.fail("is a list of lists, which is not supported");
    const auto count = reader.number<std::uint64_t>();
    if (count > most_in_a_list)
        reader.fail("would be a list of {1} values; at most {2} are read", count, most_in_a_list);
    reader.require(count, bytes_of_value(each));
    json list = json::array();
    list.get_ref<json::array_t&>().reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) list.push_back(read_value(reader, each));
    return list;
}

json read_all_values(Reader& reader, std::uint64_t count) {
    json metadata = json::object();
    for (std::uint64_t i = 0; i < count; ++i) {
        reader.enter(N_("metadata {1} {2}"), std::to_string(i));
        const std::string key = reader.text(longest_key);
        reader.enter(N_("the metadata \"{1}\" {2}"), printable(key));
        json value = read_value(reader, value_type(reader));
        if (!metadata.emplace(key, std::move(value)).second) reader.fail("is there twice");
    }
    return metadata;
}

Shape read_shape(Reader& reader) {
    const auto axes = reader.number<std::uint32_t>();
    if (axes < 1 || axes > most_axes) reader.fail("has {1} axes; 1 to 4 are supported", axes);
    std::vector<std::int64_t> sizes;
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        const auto size = reader.number<std::uint64_t>();
        if (size < 1 || size > std::uint64_t{1} << 40) reader.fail("has an axis of {1} cells", size);
        sizes.push_back(static_cast<std::int64_t>(size));
    }
    std::ranges::reverse(sizes);
    try {
        return Shape(sizes);
    } catch (const Error& error) {
        reader.fail("cannot be held: {1}", error.what());
    }
}

TensorEntry read_tensor(Reader& reader, std::uint64_t number) {
    reader.enter(N_("tensor {1} {2}"), std::to_string(number));
    const std::string name = reader.text(longest_name);
    reader.enter(N_("tensor \"{1}\" {2}"), printable(name));
    const Shape shape = read_shape(reader);
    const auto type = reader.number<std::uint32_t>();
    const std::optional<FileDType> read = cell_type_of(type);
    if (!read) reader.fail("has type {1}; only F32, F16, BF16 and Q8_0 are supported", cell_type_text(type));
    if (*read == FileDType::Q8_0 && shape.back() % q8_0_cells != 0)
        reader.fail("has rows of {1} cells in Q8_0, whose blocks have 32", shape.back());
    if (shape.elements() > std::int64_t{1} << 40) reader.fail("has {1} cells, which is too many", shape.elements());
    const auto begin = reader.number<std::uint64_t>();
    const auto bytes = static_cast<std::uint64_t>(bytes_of(dtype_of(*read), shape.elements()));
    if (begin > max_safetensors_bytes) reader.fail("has its cells at byte {1} of the data, outside the file", begin);
    return {name, *read, shape, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(begin + bytes)};
}

/// Checks that the cells begin at multiples of the alignment, lie inside the file and do not overlap.
void check_places(std::vector<const TensorEntry*> sorted, std::int64_t alignment, std::int64_t data_bytes,
                  const std::string& file) {
    std::ranges::sort(sorted, {}, [](const TensorEntry* e) { return std::pair(e->begin, e->end); });
    std::int64_t filled = 0;
    for (const TensorEntry* entry : sorted) {
        const std::string tensor = printable(entry->name);
        if (entry->end > data_bytes)
            throw Error("{1}: tensor \"{2}\" has its cells at bytes {3} to {4}, outside the file's {5} bytes of data",
                        file, tensor, entry->begin, entry->end, data_bytes);
        if (entry->begin % alignment != 0)
            throw Error("{1}: tensor \"{2}\" has its cells at byte {3}, which is not a multiple of {4}", file, tensor,
                        entry->begin, alignment);
        if (entry->begin < filled) throw Error("{1}: tensor \"{2}\" overlaps the tensor before it", file, tensor);
        filled = entry->end;
    }
}

std::uint64_t alignment_in(const json& metadata, const std::string& file) {
    const auto found = metadata.find("general.alignment");
    if (found == metadata.end()) return 32;
    const std::uint64_t value = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    if (value < 8 || value % 8 != 0 || value > largest_alignment)
        throw Error("{1}: the metadata \"general.alignment\" is no multiple of 8 from 8 to 65536", file);
    return value;
}

}  // namespace

GgufFile::GgufFile(const std::filesystem::path& path) : MappedTensorFile(path) {
    Reader reader(file_, name_);
    if (file_.size() < 24 || reader.number<std::uint32_t>() != 0x46554747)  // "GGUF"
        throw Error("{1}: does not begin as a GGUF file does; it was cut short, or is another file", name_);
    const auto version = reader.number<std::uint32_t>();
    if (version == 0x03000000 || version == 0x02000000)
        throw Error("{1}: is a big-endian GGUF file, which is not supported", name_);
    if (version != 2 && version != 3)
        throw Error("{1}: is GGUF version {2}; only 2 and 3 are supported", name_, version);
    const auto tensors = reader.number<std::uint64_t>(), values = reader.number<std::uint64_t>();
    if (tensors > most_entries)
        throw Error("{1}: would have {2} tensors; at most {3} are read", name_, tensors, most_entries);
    if (values > most_entries)
        throw Error("{1}: would have {2} metadata; at most {3} are read", name_, values, most_entries);
    metadata_ = read_all_values(reader, values);
    reader.enter(N_("the list of tensors {2}"), {});
    reader.require(tensors, 8 + 4 + 8 + 4 + 8);
    entries_.reserve(static_cast<std::size_t>(tensors));
    std::unordered_set<std::string> names;
    for (std::uint64_t i = 0; i < tensors; ++i) {
        entries_.push_back(read_tensor(reader, i));
        if (!names.insert(entries_.back().name).second) reader.fail("is there twice");
    }
    const std::uint64_t alignment = alignment_in(metadata_, name_);
    data_begin_ = (reader.at() + alignment - 1) / alignment * alignment;
    std::vector<const TensorEntry*> sorted;
    for (const TensorEntry& entry : entries_) sorted.push_back(&entry);
    const std::uint64_t data_bytes = file_.size() - std::min(file_.size(), data_begin_);
    check_places(std::move(sorted), static_cast<std::int64_t>(alignment), static_cast<std::int64_t>(data_bytes), name_);
}

const TensorEntry* GgufFile::find(const std::string& tensor) const {
    const auto found = std::ranges::find(entries_, tensor, &TensorEntry::name);
    return found == entries_.end() ? nullptr : &*found;
}

}  // namespace glassformer
