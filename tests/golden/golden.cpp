#include "tests/golden/golden.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/io/config_json.h"
#include "core/train/optimizer.h"
#include "core/train/train_options.h"

namespace glassformer::golden {

namespace {

constexpr double value_tolerance = 1e-5, gradient_tolerance = 1e-4;

std::vector<int> ops_of(const Graph& graph) {
    std::vector<int> ids;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id)
        if (graph[id].kind == NodeInfo::Kind::op) ids.push_back(id);
    return ids;
}

/// Returns the names of all values of ops, and both names of a value that has two.
std::vector<std::string> names_of_ops(const Graph& graph) {
    std::vector<std::string> names;
    for (const int id : ops_of(graph)) names.push_back(graph[id].name);
    for (const auto& [name, id] : graph.aliases()) names.push_back(name);
    std::ranges::sort(names);
    return names;
}

void check_values(const Case& golden, const Execution& run) {
    const Graph& graph = run.graph();
    if (golden.flag("every_node")) CHECK(golden.names("hook") == names_of_ops(graph));
    for (const std::string& name : golden.names("hook")) {
        INFO(name);
        const Tensor& theirs = golden.at("hook", name);
        REQUIRE(graph.find(name).has_value());
        const int id = graph.at(name);
        REQUIRE(graph[id].shape == theirs.shape());
        std::vector<float> ours(theirs.values().size());
        run.read(id, ours);
        CHECK(distance(ours, theirs.values()) <= value_tolerance);
    }
    const Tensor& loss = golden.at("hook", "loss");
    CHECK(distance(std::vector<float>{run.loss()}, loss.values()) <= value_tolerance);
}

// In double precision, a gradient that is zero but for rounding is far below this.
bool is_rounding(std::span<const float> theirs) {
    return std::ranges::all_of(theirs, [](float g) { return std::abs(g) < 1e-12f; });
}

void check_gradients(const Case& golden, const Graph& graph, std::span<const float> gradient) {
    for (const int id : graph.parameters()) {
        INFO("gradient of ", graph[id].name);
        const std::span<const float> theirs = golden.at("gradient", graph[id].name).values();
        const auto ours = gradient.subspan(graph[id].offset, theirs.size());
        // Softmax ignores what changes the scores of all keys alike (b_K); there are similar parameters.
        if (is_rounding(theirs))
            CHECK(std::ranges::all_of(ours, [](float g) { return std::abs(g) < 1e-6f; }));
        else
            CHECK(distance(ours, theirs) <= gradient_tolerance);
    }
}

void check_training(const Case& golden, const std::shared_ptr<const Graph>& graph, int loss, CpuBackend& backend) {
    const auto run = backend.prepare(graph, {{}, loss});
    AlignedFloats parameters = golden.parameters(*graph), gradient(parameters.size());
    const auto optimizer = make_optimizer(*graph, {});
    const Schedule schedule{.peak = 3e-3f, .warmup = 50, .total = 500, .floor = 0.05f};
    std::vector<float> losses, norms;
    for (int step = 0; step < 10; ++step) {
        golden.feed(*run, step);
        run->forward(parameters);
        run->backward(gradient);
        const double norm = gradient_norm(gradient, backend.pool());
        losses.push_back(run->loss());
        norms.push_back(static_cast<float>(norm));
        const float factor = norm > 1.0 ? static_cast<float>(1.0 / (norm + 1e-6)) : 1.0f;
        optimizer->step(parameters, gradient, factor, schedule.at(step + 1), backend.pool());
    }
    CHECK(distance(losses, golden.at("training", "losses").values()) <= 2e-5);
    CHECK(distance(norms, golden.at("training", "gradient_norms").values()) <= gradient_tolerance);
}

}  // namespace

std::filesystem::path folder() { return std::filesystem::path(GLASSFORMER_SOURCE_DIR) / "tests/golden"; }

double distance(std::span<const float> ours, std::span<const float> theirs) {
    REQUIRE(ours.size() == theirs.size());
    double worst = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const auto mine = static_cast<double>(ours[i]), true_value = static_cast<double>(theirs[i]);
        if (std::isfinite(true_value)) largest = std::max(largest, std::abs(true_value));
        if (mine == true_value) continue;
        const double difference = std::abs(mine - true_value);
        worst = std::isfinite(difference) ? std::max(worst, difference) : INFINITY;
    }
    return largest > 0.0 ? worst / largest : worst;
}

Case::Case(std::shared_ptr<const Safetensors> file, nlohmann::json description)
    : file_(std::move(file)), description_(std::move(description)), name_(description_.at("name")) {}

TransformerConfig Case::config() const { return config_from_json(description_.at("config"), name_, {}); }

BatchShape Case::shape() const {
    const nlohmann::json& s = description_.at("shape");
    return {s.at("batch"), s.at("positions"), s.at("source_positions")};
}

const Tensor& Case::at(const std::string& kind, const std::string& name) const {
    const Tensor* tensor = file_->find(name_ + "/" + kind + "/" + name);
    INFO(name_, " should have ", kind, "/", name);
    REQUIRE(tensor != nullptr);
    return *tensor;
}

std::vector<std::string> Case::names(const std::string& kind) const {
    const std::string prefix = name_ + "/" + kind + "/";
    std::vector<std::string> found;
    for (const NamedTensor& t : file_->tensors)
        if (t.name.starts_with(prefix)) found.push_back(t.name.substr(prefix.size()));
    std::ranges::sort(found);
    return found;
}

AlignedFloats Case::parameters(const Graph& graph) const {
    AlignedFloats values;
    std::vector<std::string> declared;
    for (const int id : graph.parameters()) {
        const Tensor& tensor = at("parameter", graph[id].name);
        INFO(graph[id].name);
        REQUIRE(tensor.shape() == graph[id].shape);
        values.insert(values.end(), tensor.values().begin(), tensor.values().end());
        declared.push_back(graph[id].name);
    }
    std::ranges::sort(declared);
    CHECK(declared == names("parameter"));
    return values;
}

void Case::feed(Execution& run, int step) const {
    const Graph& graph = run.graph();
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) {
        if (graph[id].kind != NodeInfo::Kind::input) continue;
        if (graph[id].name == "training_state") {
            run.set_input(id, std::vector<float>{1.0f, static_cast<float>(step), 7.0f});
            continue;
        }
        const Tensor& all = at("batches", graph[id].name);
        const std::size_t cells = graph[id].shape.elements();
        REQUIRE(all.values().size() == 10 * cells);
        run.set_input(id, all.values().subspan(static_cast<std::size_t>(step) * cells, cells));
    }
}

std::vector<Case> cases(const std::string& file) {
    const auto content = std::make_shared<const Safetensors>(read_safetensors(folder() / file));
    std::vector<Case> found;
    for (const nlohmann::json& description : nlohmann::json::parse(content->metadata.at("cases")))
        found.emplace_back(content, description);
    REQUIRE(!found.empty());
    return found;
}

void check(const Case& golden, const std::shared_ptr<const Graph>& graph, int loss, CpuBackend& backend) {
    INFO("case ", golden.name());
    const auto run = backend.prepare(graph, {ops_of(*graph), loss});
    golden.feed(*run, 0);
    const AlignedFloats parameters = golden.parameters(*graph);
    run->forward(parameters);
    check_values(golden, *run);
    AlignedFloats gradient(parameters.size());
    run->backward(gradient);
    check_gradients(golden, *graph, gradient);
    check_training(golden, graph, loss, backend);
}

}  // namespace glassformer::golden
