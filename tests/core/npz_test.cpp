#include "core/io/npz.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"
#include "tests/contains.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

TEST_CASE("an .npz file is a zip of its arrays, with the same bytes every time") {
    const std::vector<NamedTensor> arrays = {{"blocks.0.hook_resid_pre", Tensor(Shape{2, 3}, {1, 2, 3, 4, 5, 6})},
                                             {"A/weight", Tensor(Shape{2}, {0.25f, -1})},
                                             {"one", Tensor(Shape{}, {7})}};
    const std::string bytes = to_npz(arrays);
    CHECK(bytes.starts_with("PK\x03\x04"));
    for (const char* name : {"blocks.0.hook_resid_pre.npy", "A/weight.npy", "one.npy"}) CHECK(contains(bytes, name));
    CHECK(to_npz(arrays) == bytes);
    CHECK(to_npz({}).size() < 100);
    const std::vector<NamedTensor> twice = {arrays[2], arrays[2]};
    CHECK(contains(error_of([&] { to_npz(twice); }), "two arrays are called \"one\""));
}

TEST_CASE("an .npz file of doubles has all their digits") {
    const TemporaryFolder folder;
    const std::vector<NamedDoubles> arrays = {{"count", Shape{}, {25010001}}, {"x", Shape{2}, {0.1, 1.0 / 3}}};
    write_file_atomically(folder / "x.npz", doubles_to_npz(arrays));
    const ZipReader zip(folder / "x.npz", {1 << 20, 1 << 20});
    for (const NamedDoubles& array : arrays) {
        const std::string npy = zip.read(array.name + ".npy", 1 << 20);
        CHECK(contains(npy, "'<f8'"));
        CHECK(npy.ends_with(std::string_view(reinterpret_cast<const char*>(array.values.data()),
                                             array.values.size() * sizeof(double))));
    }
}

TEST_CASE("an .npz file is written array by array, and a failure leaves the old file") {
    const TemporaryFolder folder;
    const std::vector<NamedTensor> arrays = {{"one", Tensor(Shape{}, {7})}, {"two", Tensor(Shape{3}, {1, 2, 3})}};
    std::vector<std::string> made;
    const auto streamed = [&](const NamedTensor& array) {
        return StreamedTensor{array.name, array.tensor.shape(), [&](const auto& write) {
                                  made.push_back(array.name);
                                  for (const float& value : array.tensor.values()) write(std::span(&value, 1));
                              }};
    };
    std::vector<StreamedTensor> tensors = {streamed(arrays[0]), streamed(arrays[1])};
    write_npz(folder / "x.npz", tensors);
    CHECK(made == std::vector<std::string>{"one", "two"});
    const std::string bytes = to_npz(arrays);
    CHECK(read_file(folder / "x.npz", 1 << 20) == bytes);
    const std::vector<NamedText> texts = {{"text", "a “bat”"}};
    write_npz(folder / "y.npz", tensors, texts);
    CHECK(read_file(folder / "y.npz", 1 << 20) == to_npz(arrays, texts));
    std::filesystem::remove(folder / "y.npz");

    tensors.push_back({"three", Shape{1}, [](const auto&) { throw Error("the model is gone"); }});
    CHECK(error_of([&] { write_npz(folder / "x.npz", tensors); }) == "the model is gone");
    tensors.back() = {"three", Shape{4}, [](const auto& write) { write(std::vector<float>{1, 2}); }};
    CHECK(contains(error_of([&] { write_npz(folder / "x.npz", tensors); }), "\"three.npy\" does not have the size"));
    CHECK(read_file(folder / "x.npz", 1 << 20) == bytes);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    CHECK_THROWS_AS(write_npz(folder / "none" / "x.npz", tensors), Error);
    CHECK(contains(error_of([&] { write_npz("/dev/full", std::span(tensors).first(2)); }), "/dev/full"));
}
