#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/aligned.h"
#include "core/platform/atomic_file.h"
#include "core/train/optimizer.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

OptimizerOptions options_of(const nlohmann::json& c) {
    OptimizerOptions o;
    o.kind = optimizer_kind(c.at("kind").get<std::string>());
    o.beta1 = c.value("beta1", o.beta1);
    o.beta2 = c.value("beta2", o.beta2);
    o.momentum = c.value("momentum", o.momentum);
    o.epsilon = c.value("epsilon", o.epsilon);
    o.weight_decay = c.value("weight_decay", o.weight_decay);
    return o;
}

}  // namespace

TEST_CASE("golden: SGD, momentum, Adam and AdamW against PyTorch's") {
    const nlohmann::json golden =
        nlohmann::json::parse(read_file(golden::folder() / "optimizers.json", std::size_t{1} << 20));
    const std::vector<float> start = golden.at("start"), rates = golden.at("rates");
    const std::vector<std::int64_t> shape = golden.at("shape");
    Graph graph;
    graph.parameter("matrix", Shape(shape), {});
    graph.parameter("vector", {shape[1]}, {});
    REQUIRE(static_cast<std::size_t>(graph.parameter_count()) == start.size());
    ThreadPool pool(1);
    int compared = 0;
    for (const nlohmann::json& c : golden.at("cases")) {
        const std::unique_ptr<Optimizer> optimizer = make_optimizer(graph, options_of(c));
        AlignedFloats parameters(start.begin(), start.end());
        for (std::size_t step = 0; step < rates.size(); ++step) {
            const std::vector<float> given = golden.at("gradients").at(step);
            // Given twice as large and halved by clipping: the factor comes before everything else.
            AlignedFloats gradients(given.begin(), given.end());
            for (float& g : gradients) g *= 2.0f;
            optimizer->step(parameters, gradients, 0.5f, rates[step], pool);
            const std::string number = std::to_string(step + 1);
            if (!c.at("after").contains(number)) continue;
            INFO(c.at("kind").get<std::string>(), ", weight decay ", c.at("weight_decay").get<double>(), ", update ",
                 number);
            CHECK(golden::distance(parameters, c.at("after").at(number).get<std::vector<float>>()) <= 1e-6);
            ++compared;
        }
    }
    CHECK(compared == 15);
}
