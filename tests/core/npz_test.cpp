#include "core/io/npz.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

TEST_CASE("an .npz file is a zip of its arrays, the same bytes every time") {
    const std::vector<NamedTensor> arrays = {{"blocks.0.hook_resid_pre", Tensor(Shape{2, 3}, {1, 2, 3, 4, 5, 6})},
                                             {"A/weight", Tensor(Shape{2}, {0.25f, -1})},
                                             {"one", Tensor(Shape{}, {7})}};
    const std::string bytes = to_npz(arrays);
    CHECK(bytes.starts_with("PK\x03\x04"));
    for (const char* name : {"blocks.0.hook_resid_pre.npy", "A/weight.npy", "one.npy"})
        CHECK(bytes.find(name) != std::string::npos);
    CHECK(to_npz(arrays) == bytes);
    CHECK(to_npz({}).size() < 100);
    const std::vector<NamedTensor> twice = {arrays[2], arrays[2]};
    CHECK(error_of([&] { to_npz(twice); }).find("two arrays are called \"one\"") != std::string::npos);
}

TEST_CASE("an .npz file that cannot be written leaves no trace") {
    const TemporaryFolder folder;
    const std::vector<NamedTensor> arrays = {{"one", Tensor(Shape{}, {7})}};
    write_npz(folder / "x.npz", arrays);
    CHECK(std::filesystem::file_size(folder / "x.npz") == to_npz(arrays).size());
    CHECK_THROWS_AS(write_npz(folder / "none" / "x.npz", arrays), Error);
}
