#include "core/io/safetensors.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/platform/atomic_file.h"
#include "core/tensor/typed_matrix.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

const std::string open_brace = "{";
constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

/// Builds a file from its parts: the header unchanged, then `data_bytes` zeros.
std::string file_of(const std::string& header, std::size_t data_bytes = 0) {
    const std::uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(data_bytes, '\0');
}

/// Returns the header entry of one F32 tensor "w".
std::string tensor_w(const std::string& shape, const std::string& offsets, const std::string& dtype = "\"F32\"") {
    return "\"w\":{\"dtype\":" + dtype + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

std::string error_of(const std::string& bytes) {
    return glassformer::error_of([&] { parse_safetensors(bytes, "m.safetensors"); });
}

std::string error_of_header(const std::string& header, std::size_t data_bytes = 0) {
    return error_of(file_of(header, data_bytes));
}

/// Returns the message for a file of one tensor "w" with 24 bytes of data, without the start that all these messages
/// share.
std::string error_of_w(const std::string& shape, const std::string& offsets, const std::string& dtype = "\"F32\"") {
    const std::string message = error_of_header(open_brace + tensor_w(shape, offsets, dtype) + "}", 24);
    const std::string start = "m.safetensors: tensor \"w\" ";
    return message.starts_with(start) ? message.substr(start.size()) : "unexpected: " + message;
}

Safetensors example() {
    Safetensors content;
    content.tensors.push_back({"transformer.wte.weight", Tensor(Shape{2, 3}, {1, -2, 0.5f, 1e-40f, -0.0f, 3e38f})});
    content.tensors.push_back({"empty", Tensor(Shape{0, 7})});
    content.tensors.push_back({"also empty", Tensor(Shape{3, 0})});
    content.tensors.push_back({"scalar", Tensor(Shape{}, {42})});
    content.tensors.push_back({"", Tensor(Shape{1}, {7})});
    content.tensors.push_back({"a \"quoted\" \\ name\n\twith 🐱 and \x01", Tensor(Shape{1, 1, 1, 1, 1, 2}, {8, 9})});
    content.metadata = {{"format", "pt"}, {"", "empty key"}, {"ключ", "значение"}};
    return content;
}

void check_equal(const Safetensors& a, const Safetensors& b) {
    REQUIRE(a.tensors.size() == b.tensors.size());
    for (std::size_t i = 0; i < a.tensors.size(); ++i) {
        CHECK(a.tensors[i].name == b.tensors[i].name);
        CHECK(a.tensors[i].tensor.shape() == b.tensors[i].tensor.shape());
        const auto x = a.tensors[i].tensor.values();
        const auto y = b.tensors[i].tensor.values();
        REQUIRE(x.size() == y.size());
        for (std::size_t j = 0; j < x.size(); ++j) CHECK(bits_of(x[j]) == bits_of(y[j]));
    }
    CHECK(a.metadata == b.metadata);
}

}  // namespace

TEST_CASE("safetensors: tensors streamed one at a time give the same file, and a wrong number of cells is refused") {
    const TemporaryFolder folder;
    const Safetensors whole = example();
    std::vector<StreamedTensor> tensors;
    int held = 0, most_held = 0;  // tensors that were requested and are not finished
    for (const NamedTensor& named : whole.tensors)
        tensors.push_back({named.name, named.tensor.shape(), [&](const auto& write) {
                               most_held = std::max(most_held, ++held);
                               const std::span<const float> cells = named.tensor.values();
                               write(cells.first(cells.size() / 2));
                               write(cells.subspan(cells.size() / 2));
                               --held;
                           }});
    write_safetensors(folder / "m.safetensors", tensors, whole.metadata);
    CHECK(read_file(folder / "m.safetensors", 1 << 20) == to_safetensors(whole));
    CHECK(most_held == 1);
    for (const std::size_t cells : {1u, 3u}) {
        const std::vector<float> values(cells);
        const std::vector<StreamedTensor> wrong{{"x", Shape{2}, [&](const auto& write) { write(values); }}};
        CHECK_THROWS_AS(write_safetensors(folder / "m.safetensors", wrong, {}), Error);
    }
    CHECK(read_file(folder / "m.safetensors", 1 << 20) == to_safetensors(whole));  // the old file stays
}

TEST_CASE("values, shapes, names, order and metadata are written and read back") {
    check_equal(parse_safetensors(to_safetensors(example()), "m"), example());
    check_equal(parse_safetensors(to_safetensors({}), "m"), {});

    const TemporaryFolder folder;
    write_safetensors(folder / "m.safetensors", example());
    CHECK(read_file(folder / "m.safetensors", 1 << 20) == to_safetensors(example()));
    check_equal(read_safetensors(folder / "m.safetensors"), example());
}

TEST_CASE("a tensor larger than one read is read whole, piece by piece") {
    Safetensors content;
    Tensor large(Shape{700, 1001});  // 2.8 MB
    for (std::size_t i = 0; i < large.values().size(); ++i) large.values()[i] = static_cast<float>(i);
    content.tensors.push_back({"large", std::move(large)});
    const TemporaryFolder folder;
    write_safetensors(folder / "m.safetensors", content);
    const SafetensorsFile file(folder / "m.safetensors");
    const Tensor read = file.read(file.entries().at(0));
    REQUIRE(read.values().size() == 700'700);
    bool same = true;
    for (std::size_t i = 0; i < read.values().size(); ++i) same = same && read.values()[i] == static_cast<float>(i);
    CHECK(same);
}

TEST_CASE("the bytes of a file follow the safetensors format") {
    Safetensors content;
    content.tensors.push_back({"b", Tensor(Shape{2}, {1, 2})});
    content.tensors.push_back({"a", Tensor(Shape{}, {3})});
    const std::string bytes = to_safetensors(content);
    const std::string header =
        "{\"b\":{\"data_offsets\":[0,8],\"dtype\":\"F32\",\"shape\":[2]},"
        "\"a\":{\"data_offsets\":[8,12],\"dtype\":\"F32\",\"shape\":[]}}";
    CHECK(static_cast<unsigned char>(bytes[0]) == (header.size() + 7) / 8 * 8);
    CHECK(bytes.substr(1, 7) == std::string(7, '\0'));
    CHECK(bytes.substr(8, header.size()) == header);
    const std::size_t data = bytes.size() - 12;
    CHECK(data % 8 == 0);
    CHECK(bytes.find_first_not_of(' ', 8 + header.size()) == data);
    CHECK(bytes.substr(data, 4) == std::string("\0\0\x80\x3f", 4));
}

TEST_CASE("a tensor is found by its name") {
    const Safetensors content = example();
    REQUIRE(content.find("scalar"));
    CHECK(content.find("scalar")->at({}) == 42.0f);
    CHECK(content.find("scala") == nullptr);
}

TEST_CASE("duplicate names, reserved names and names that are not UTF-8 are not written") {
    Safetensors content = example();
    content.tensors.push_back(content.tensors[3]);
    CHECK_THROWS_WITH_AS(to_safetensors(content), "two tensors of a safetensors file cannot both be called \"scalar\"",
                         Error);
    content = example();
    content.tensors[0].name = "__metadata__";
    CHECK_THROWS_AS(to_safetensors(content), Error);
    content.tensors[0].name = "\xff";
    CHECK_THROWS_WITH_AS(to_safetensors(content), "a tensor's name or the metadata of a safetensors file is not UTF-8",
                         Error);
}

TEST_CASE("binary16 widens exactly") {
    CHECK(bits_of(float_from_half(0x0000)) == 0x00000000u);
    CHECK(bits_of(float_from_half(0x8000)) == 0x80000000u);  // -0
    CHECK(float_from_half(0x0001) == 0x1p-24f);              // smallest subnormal
    CHECK(float_from_half(0x83ff) == -0x1.ff8p-15f);         // largest subnormal, negative
    CHECK(float_from_half(0x0400) == 0x1p-14f);              // smallest normal
    CHECK(float_from_half(0x3c00) == 1.0f);
    CHECK(float_from_half(0x3555) == 0.333251953125f);
    CHECK(float_from_half(0xc000) == -2.0f);
    CHECK(float_from_half(0x7bff) == 65504.0f);
    CHECK(float_from_half(0x7c00) == infinity);
    CHECK(float_from_half(0xfc00) == -infinity);
    CHECK(std::isnan(float_from_half(0x7e00)));
    CHECK(std::isnan(float_from_half(0x7c01)));
}

TEST_CASE("bfloat16 widens exactly") {
    CHECK(bits_of(float_from_bfloat16(0x8000)) == 0x80000000u);
    CHECK(float_from_bfloat16(0x3f80) == 1.0f);
    CHECK(float_from_bfloat16(0x4049) == 3.140625f);
    CHECK(bits_of(float_from_bfloat16(0x0001)) == 0x00010000u);  // subnormal
    CHECK(float_from_bfloat16(0xff80) == -infinity);
    CHECK(std::isnan(float_from_bfloat16(0x7fc0)));
}

TEST_CASE("F16 and BF16 tensors are read as float32") {
    std::string bytes = file_of(
        "{\"h\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[0,6]},"
        "\"b\":{\"dtype\":\"BF16\",\"shape\":[1,2],\"data_offsets\":[6,10]}}");
    bytes += std::string("\x00\x3c\x01\x00\x00\xfc\x80\x3f\x00\x80", 10);
    const Safetensors content = parse_safetensors(bytes, "m");
    const auto h = content.find("h")->values();
    CHECK(h[0] == 1.0f);
    CHECK(h[1] == 0x1p-24f);
    CHECK(h[2] == -infinity);
    CHECK(content.find("b")->shape() == Shape{1, 2});
    CHECK(content.find("b")->values()[0] == 1.0f);
    CHECK(bits_of(content.find("b")->values()[1]) == 0x80000000u);
}

TEST_CASE("tensors are returned in the order of their data, whatever order the header has") {
    const std::string header =
        "{\"z\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}, "
        "\"extra field\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"note\":null}}  ";
    const Safetensors content = parse_safetensors(file_of(header, 8), "m");
    REQUIRE(content.tensors.size() == 2);
    CHECK(content.tensors[0].name == "extra field");
    CHECK(content.tensors[1].name == "z");
}

TEST_CASE("a file with a broken length or header is refused") {
    CHECK(error_of("1234567") ==
          "m.safetensors: only 7 bytes long; a safetensors file starts with 8 that give the length of its header");
    CHECK(error_of("") != "");
    CHECK(error_of(file_of("{}").substr(0, 9)) ==
          "m.safetensors: its header should be 2 bytes long, but only 1 are left; the file was cut short");
    CHECK(error_of(std::string(8, '\xff')) ==
          "m.safetensors: its header would be 18446744073709551615 bytes long, over the limit of 100 MB; is it a "
          "safetensors file?");
    CHECK(error_of_header("") == "m.safetensors: the header is not a JSON object");
    CHECK(error_of_header("[]") == "m.safetensors: the header is not a JSON object");
    CHECK(error_of_header(" {}") == "m.safetensors: the header is not a JSON object");
    CHECK(error_of_header("{\"w\":") == "m.safetensors: the header is not valid JSON (at its byte 6)");
    CHECK(error_of_header("{}{}") == "m.safetensors: the header is not valid JSON (at its byte 3)");
    CHECK(error_of_header("{\"\xff\":1}") == "m.safetensors: the header is not valid UTF-8 (at its byte 3)");
    CHECK(error_of_header("{\"w\":1e999}") == "m.safetensors: the header holds a number that is out of range");
    CHECK(error_of_header("{}", 3) == "m.safetensors: 3 bytes of data belong to no tensor");
}

TEST_CASE("deep nesting and endless lists are refused before they exhaust stack or memory") {
    std::string open = "{\"w\":";
    for (int i = 0; i < 1000000; ++i) open += "[";
    CHECK(error_of_header(open) == "m.safetensors: the header is nested too deeply");
    open = "";
    for (int i = 0; i < 100000; ++i) open += "{\"w\":";
    CHECK(error_of_header(open) == "m.safetensors: the header is nested too deeply");
    CHECK(error_of_header("{\"w\":{\"x\":{}}}") == "m.safetensors: the header is nested too deeply");
    std::string list = "[1";
    for (int i = 0; i < 100000; ++i) list += ",1";
    CHECK(error_of_w(list + "]", "[0,24]") == "has a list of more than 64 numbers");
    CHECK(error_of_header("{\"w\":" + list) == "m.safetensors: tensor \"w\" has a list of more than 64 numbers");
}

TEST_CASE("a header of a hundred thousand tensors is read in one go") {
    std::string header = "{";
    for (int i = 0; i < 100'000; ++i)
        header += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    CHECK(parse_safetensors_header(header + "}", 0, "m.safetensors").entries.size() == 100'000);
}

TEST_CASE("metadata must be text") {
    CHECK(error_of_header("{\"__metadata__\":[]}") == "m.safetensors: \"__metadata__\" is not an object");
    CHECK(error_of_header("{\"__metadata__\":{\"step\":3}}") ==
          "m.safetensors: \"__metadata__\" has \"step\", which is not text");
}

TEST_CASE("duplicate names are refused") {
    CHECK(error_of_header(open_brace + tensor_w("[1]", "[0,4]") + "," + tensor_w("[1]", "[4,8]") + "}", 8) ==
          "m.safetensors: tensor \"w\" is in the header twice");
    CHECK(error_of_header("{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"shape\":[2]}}", 8) ==
          "m.safetensors: tensor \"w\" has the field \"shape\" twice");
    CHECK(error_of_header("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}}") ==
          "m.safetensors: tensor \"__metadata__\" has the field \"a\" twice");
}

TEST_CASE("an unsupported dtype is refused, and the error names it") {
    CHECK(error_of_w("[3]", "[0,24]", "\"I64\"") == "has dtype I64; only F32, F16 and BF16 are supported");
    CHECK(error_of_w("[6]", "[0,24]", "\"I32\"") == "has dtype I32; only F32, F16 and BF16 are supported");
    CHECK(error_of_w("[6]", "[0,24]", "\"f32\"") ==
          "has an unknown dtype \"f32\"; only F32, F16 and BF16 are supported");
    CHECK(error_of_w("[6]", "[0,24]", "32") == "has a \"dtype\" that is not text");
}

TEST_CASE("a tensor with a missing or ill-typed field is refused") {
    const auto message = [](const std::string& fields) { return error_of_header("{\"w\":" + fields + "}"); };
    const std::string start = "m.safetensors: tensor \"w\" ";
    CHECK(message("[1,2]") == start + "is not described by an object");
    CHECK(message("{\"shape\":[],\"data_offsets\":[0,4]}") == start + "has no \"dtype\"");
    CHECK(message("{\"dtype\":\"F32\",\"data_offsets\":[0,4]}") == start + "has no \"shape\"");
    CHECK(message("{\"dtype\":\"F32\",\"shape\":[]}") == start + "has no \"data_offsets\"");
    CHECK(error_of_w("6", "[0,24]") == "has a \"shape\" that is not a list");
    const std::string needed = " in it; whole numbers of at least 0 are needed";
    CHECK(error_of_w("[-6]", "[0,24]") == "has a \"shape\" with -6" + needed);
    CHECK(error_of_w("[6.0]", "[0,24]") == "has a \"shape\" with 6.0" + needed);
    CHECK(error_of_w("[\"6\"]", "[0,24]") == "has a \"shape\" with \"6\"" + needed);
    CHECK(error_of_w("[null]", "[0,24]") == "has a \"shape\" with null" + needed);
    CHECK(error_of_w("[9223372036854775808]", "[0,24]") == "has a \"shape\" with 9223372036854775808" + needed);
    CHECK(error_of_w("[6]", "[-1,24]") == "has a \"data_offsets\" with -1" + needed);
    CHECK(error_of_w("[6]", "[0,24.5]") == "has a \"data_offsets\" with 24.5" + needed);
    CHECK(error_of_w("[6]", "[0]") == "needs two numbers in \"data_offsets\"");
    CHECK(error_of_w("[6]", "[0,24,24]") == "needs two numbers in \"data_offsets\"");
}

TEST_CASE("a shape that overflows, has too many axes or needs more data is refused") {
    CHECK(error_of_w("[4294967296,4294967296]", "[0,24]") ==
          "cannot be held: a shape's number of cells overflows: [4294967296, 4294967296]");
    CHECK(error_of_w("[1,1,1,1,1,1,6]", "[0,24]") == "cannot be held: a shape has 7 axes; at most 6 are supported");
    CHECK(error_of_w("[4611686018427387904]", "[0,24]") ==
          "has 24 bytes of data; its shape [4611686018427387904] needs 4611686018427387904 cells of 4 bytes");
}

TEST_CASE("data offsets that do not fit are refused") {
    CHECK(error_of_w("[7]", "[0,28]") == "has data_offsets [0, 28] outside the file's 24 bytes of data");
    CHECK(error_of_w("[6]", "[24,0]") == "has data_offsets [24, 0] that run backwards");
    CHECK(error_of_w("[5]", "[0,24]") == "has 24 bytes of data; its shape [5] needs 5 cells of 4 bytes");
    CHECK(error_of_w("[6]", "[0,24]", "\"F16\"") == "has 24 bytes of data; its shape [6] needs 6 cells of 2 bytes");
    CHECK(error_of_w("[5]", "[4,24]") == "leaves a hole of 4 bytes in the data before it");
    CHECK(error_of_header(open_brace + tensor_w("[5]", "[0,20]") + "}", 24) ==
          "m.safetensors: 4 bytes of data belong to no tensor");
    const std::string v = ",\"v\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":";
    CHECK(error_of_header(open_brace + tensor_w("[3]", "[0,12]") + v + "[8,16]}}", 16) ==
          "m.safetensors: tensor \"v\" overlaps the tensor before it");
    CHECK(error_of_header(open_brace + tensor_w("[3]", "[0,12]") + v + "[16,24]}}", 24) ==
          "m.safetensors: tensor \"v\" leaves a hole of 4 bytes in the data before it");
}

TEST_CASE("a hostile name cannot flood or garble a message") {
    std::string name;
    for (int i = 0; i < 1000; ++i) name += "я";
    const std::string message = error_of_header("{\"\\u001b[31m" + name + "\":1}");
    CHECK(message.size() < 250);
    CHECK(message.starts_with("m.safetensors: tensor \"?[31mя"));
    CHECK(message.ends_with("я…\" is not described by an object"));
}

TEST_CASE("values that are not finite are read, and refused on request") {
    Safetensors content = example();
    CHECK_NOTHROW(require_finite(content, "m"));
    content.tensors[0].tensor.values()[5] = -infinity;
    const Safetensors read = parse_safetensors(to_safetensors(content), "m");
    CHECK_THROWS_WITH_AS(require_finite(read, "m"),
                         "m: tensor \"transformer.wte.weight\" contains infinity at cell [1, 2]", Error);
    content.tensors[0].tensor.values()[4] = std::nanf("");
    CHECK_THROWS_WITH_AS(require_finite(content, "m"),
                         "m: tensor \"transformer.wte.weight\" contains NaN at cell [1, 1]", Error);
}

TEST_CASE("the error for a missing file names it") {
    CHECK_THROWS_WITH_AS(read_safetensors("/nowhere/m.safetensors"),
                         "cannot read \"/nowhere/m.safetensors\": No such file or directory; check the spelling, and "
                         "that the folder exists",
                         Error);
}

TEST_CASE("a damaged file is read or refused with an error, and nothing else happens") {
    const std::string valid = to_safetensors(example());
    const std::size_t header_end = valid.size() - 4 * 10;
    // Half of the changes use bytes likely to keep the JSON valid, to get past the parser.
    const std::string likely = "0123456789-.eE{}[]\",: \\";
    int read = 0;
    for (std::uint64_t round = 0; round < 20000; ++round) {
        Rng rng(7, round);
        std::string bytes = valid;
        for (std::uint64_t change = 0, changes = 1 + rng.below(3); change < changes; ++change) {
            const std::size_t place = rng.below(rng.below(4) ? header_end : valid.size());
            bytes[place] = rng.below(2) ? likely[rng.below(likely.size())] : static_cast<char>(rng.below(256));
        }
        if (rng.below(8) == 0) bytes.resize(rng.below(bytes.size()));
        try {
            const Safetensors content = parse_safetensors(bytes, "damaged");
            std::size_t cells = 0;
            for (const NamedTensor& named : content.tensors) cells += named.tensor.values().size();
            CHECK(cells <= bytes.size());
            ++read;
        } catch (const Error& error) {
            if (!std::string(error.what()).starts_with("damaged: ")) FAIL_CHECK(error.what());
        }
    }
    CHECK(read > 0);
    CHECK(read < 20000);
}
