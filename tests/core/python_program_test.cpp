// The text of exported Python programs; that they compute the trace's values is tested in
// tests/ops/python_posix_test.cpp.
#include <doctest/doctest.h>

#include "core/trace/python.h"
#include "tests/contains.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("a Python program prints the cell asked for and calls only its own library") {
    const auto model = small_model("encoder", [](TransformerConfig&) {});
    const auto trace = model->trace({4, 7, 2});
    PythonModel files{{"model.safetensors"}, "", {}};
    for (const int id : trace->graph().parameters()) {
        const std::string& name = trace->graph()[id].name;
        files.parameters[name] = "w[\"" + name + "\"]";
    }
    const int logits = trace->model().logits;
    const auto program = [&](std::int64_t offset, ops::PythonLibrary library) {
        return python_for(*trace, {logits, offset}, files, "logits", library);
    };
    const std::string numpy = program(2 * 19 + 5, ops::PythonLibrary::numpy),
                      torch = program(2 * 19 + 5, ops::PythonLibrary::torch);
    for (const std::string& text : {numpy, torch}) CHECK(contains(text, "[2, 5]"));
    CHECK(!contains(program(-1, ops::PythonLibrary::numpy), "[2, 5]"));
    CHECK(contains(numpy, "def softmax(x)"));
    CHECK(!contains(numpy, "torch"));
    CHECK(contains(torch, "torch.softmax("));
    CHECK(!contains(torch, "np."));
}

TEST_CASE("a number of a Python program is the shortest text that reads back as the same float") {
    CHECK(ops::python_number(0.17677669f) == "0.17677669");
    CHECK(ops::python_number(0.1f) == "0.1");
    CHECK(ops::python_number(-3.0f) == "-3");
}
