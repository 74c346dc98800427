#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/io/safetensors.h"
#include "tests/cli/program.h"

using namespace glassformer;

namespace {

std::vector<std::string> training(const std::string& backend, int steps = 60) {
    return {"train", "--world", "induction", "--steps", std::to_string(steps), "--batch", "8", "--backend", backend};
}

nlohmann::json figures(const Ran& ran) {
    REQUIRE(ran.code == 0);
    return nlohmann::json::parse(ran.out);
}

}  // namespace

TEST_CASE("backend: training and tracing with OpenGL give the CPU's numbers, or say that they continue on the CPU") {
    const nlohmann::json here = figures(run(training("cpu")));
    const Ran ran = run(training("gl"));
    const nlohmann::json there = figures(ran);
    CHECK(there["steps"] == 60);
    CHECK(there["loss"].get<double>() == doctest::Approx(here["loss"].get<double>()).epsilon(1e-3));
    const bool has_gl = there["backend"] != here["backend"];
    if (!has_gl) CHECK(ran.says("continuing on the "));

    const TemporaryFolder folder;
    for (const std::string backend : {"cpu", "gl", "auto"}) {
        const Ran traced = run({"trace", "--model", shipped_model.string(), "--text", "He swung the bat .", "--out",
                                (folder / backend).string(), "--backend", backend});
        REQUIRE(traced.code == 0);
    }
    const Safetensors a = read_safetensors(folder / "cpu"), b = read_safetensors(folder / "gl");
    REQUIRE(a.tensors.size() == b.tensors.size());
    for (std::size_t i = 0; i < a.tensors.size(); ++i) {
        REQUIRE(a.tensors[i].name == b.tensors[i].name);
        const std::span<const float> x = a.tensors[i].tensor.values(), y = b.tensors[i].tensor.values();
        for (std::size_t j = 0; j < x.size(); ++j)
            if (x[j] != y[j]) REQUIRE(std::abs(x[j] - y[j]) <= 1e-3f * (1.0f + std::abs(x[j])));
    }
}

TEST_CASE("backend: a shader that does not compile is reported, and training runs on the CPU") {
    const TemporaryFolder folder;
    std::filesystem::copy(GLASSFORMER_SOURCE_DIR "/shaders", folder / "shaders",
                          std::filesystem::copy_options::recursive);
    write(folder / "shaders" / "compute" / "linear.comp", "void main() { nonsense }\n");
    const Start changed{.variables = {{"GLASSFORMER_SHADERS", (folder / "shaders").string()}}};
    const nlohmann::json here = figures(run(training("cpu", 5)));
    const Ran ran = run(training("gl", 5), changed);
    const nlohmann::json there = figures(ran);
    CHECK(there["loss"] == here["loss"]);
    CHECK(there["backend"].get<std::string>().starts_with(here["backend"].get<std::string>()));
    CHECK(ran.says("continuing on the "));
}

// Mesa's drivers can be told to report an older version.
TEST_CASE("backend: a driver with an older OpenGL is reported, and training runs on the CPU" *
          doctest::skip(on_windows)) {
    if (figures(run(training("gl", 5)))["backend"].get<std::string>().find("llvmpipe") == std::string::npos) return;
    const nlohmann::json here = figures(run(training("cpu", 5)));
    const Ran ran = run(training("gl", 5),
                        {.variables = {{"MESA_GL_VERSION_OVERRIDE", "4.2"}, {"MESA_GLSL_VERSION_OVERRIDE", "420"}}});
    const nlohmann::json there = figures(ran);
    CHECK(there["loss"] == here["loss"]);
    CHECK(there["backend"].get<std::string>().starts_with(here["backend"].get<std::string>()));
    CHECK(ran.says("4.3"));
    CHECK(ran.says("continuing on the "));
}

TEST_CASE("backend: an unknown name is a usage error") {
    const Ran ran = run({"train", "--world", "induction", "--backend", "cuda"});
    CHECK(ran.code == 2);
    CHECK(ran.one_line());
}
