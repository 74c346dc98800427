#include "app/views/registry.h"
#include "app/views/training/cost_study.h"
#include "app/views/training/training_view.h"
#include "core/analysis/budget.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::training;

namespace {

void open_path(Story& story) {
    story.state().view = view_index("Training");
    story.state().own<TrainingLook>().page = TrainingLook::path_page;
    story.settle(2);
}

/// The share of right copies that the snapshot has measured at each distance.
std::vector<double> by_distance(const Snapshot& snapshot) {
    std::vector<double> all;
    for (const auto& [name, value] : snapshot.measured->found.details)
        if (name.starts_with("copy of ")) all.push_back(value);
    return all;
}

}  // namespace

TEST_CASE("cost: extrapolated attention grows with the square of the length, the other layers linearly") {
    const std::vector<CostPoint> points = {{100, 1, 2, 3, 0.5}, {200, 4, 4, 6, 1}};
    CHECK_FALSE(cost_at({}, 100));
    const auto between = cost_at(points, 141), at = cost_at(points, 200), beyond = cost_at(points, 800);
    CHECK(at->cost.attention == 4);
    CHECK(at->measured_range);
    CHECK(between->cost.attention == doctest::Approx(1.988).epsilon(0.01));
    CHECK_FALSE(beyond->measured_range);
    CHECK(beyond->cost.attention == 64);
    CHECK(beyond->cost.mlp == 16);
    CHECK(beyond->cost.recurrent == 24);
}

TEST_CASE("story: a layer's time and memory are measured, and depend on the number of words") {
    Story story;
    REQUIRE(story.play("click view/Training\nframes 2\nclick \"training/page/Cost\"\nframes 2") == "");
    REQUIRE(story.play("wait cost/measured timeout 120") == "");
    CHECK(story.value("cost/measured") == 2048);
    for (const char* part : {"attention", "mlp", "rnn", "pass", "writing"})
        CHECK(story.value(std::string("cost/") + part) > 0);
    // 512 words, 4 heads, float32.
    CHECK(story.value("cost/pairs") == 512.0 * 512);
    CHECK(story.value("cost/memory") == 4.0 * 4 * 512 * 512);
    const double before = story.value("cost/attention");
    REQUIRE(story.play("drag cost/T 100 0\nframes 2") == "");
    CHECK(story.value("cost/pairs") > 1e8);
    CHECK(story.value("cost/attention") > before);
}

TEST_CASE("story: a layer's cost depends on d and on the key width K, and is measured again for each") {
    Story story;
    REQUIRE(story.play("click view/Training\nframes 2\nclick \"training/page/Cost\"\nframes 2") == "");
    const auto measured_after = [&](const std::string& click) {
        REQUIRE(story.play(click + "frames 2\nwait cost/measured timeout 120") == "");
        CHECK(story.value("cost/measured") == 2048);
        return std::pair{story.value("cost/attention multiplications"), story.value("cost/mlp multiplications")};
    };
    const auto [attention, mlp] = measured_after("");
    CHECK(attention == 2.0 * 512 * 512 * 4 * 16);
    CHECK(mlp == 8.0 * 512 * 64 * 64);
    CHECK(measured_after("click cost/K/64\n") == std::pair{4 * attention, mlp});
    CHECK(measured_after("click cost/width/128\n") == std::pair{4 * attention, 4 * mlp});
    // The weights are T² values per head, whatever the width of its keys.
    CHECK(story.value("cost/memory") == 4.0 * 4 * 512 * 512);
}

TEST_CASE("story: the path between two words is one step for attention, and their distance for an RNN") {
    Story story;
    open_path(story);
    REQUIRE(story.play("click \"A/token 8\"\nframes 2") == "");
    for (const int from : {0, 3, 7}) {
        REQUIRE(story.play("click \"path/word " + std::to_string(from) + "\"\nframes 2") == "");
        CHECK(story.value("path/attention") == 1);
        CHECK(story.value("path/rnn") == 8 - from);
    }
    // An RNN has not read later words yet: no path is drawn.
    REQUIRE(story.play("click \"A/token 3\"\nframes 2\nclick \"path/word 5\"\nframes 2") == "");
    CHECK_FALSE(story.shows("path/rnn"));
    CHECK_FALSE(story.shows("path/attention"));
    CHECK_FALSE(story.shows("path/attention 0"));  // homonyms are not measured by distance
}

TEST_CASE("story: accuracy by distance is the shown model's, and keeps the family measured before") {
    Story story({.model = "induction"});
    open_path(story);
    const std::vector<double> attention = by_distance(story.snapshot());
    REQUIRE(attention.size() == 4);
    for (std::size_t i = 0; i < attention.size(); ++i)
        CHECK(story.value("path/attention " + std::to_string(i)) == attention[i]);
    CHECK_FALSE(story.shows("path/GRU 0"));
    story.session.send(command::OpenWorld{"induction", {{"family", "gru"}, {"positions", "none"}}});
    REQUIRE(story.until([&] { return story.snapshot().model->config.family == Family::gru; }));
    open_path(story);
    const std::vector<double> gru = by_distance(story.snapshot());
    REQUIRE(gru.size() == 4);
    for (std::size_t i = 0; i < gru.size(); ++i) {
        CHECK(story.value("path/GRU " + std::to_string(i)) == gru[i]);
        CHECK(story.value("path/attention " + std::to_string(i)) == attention[i]);
        CHECK(gru[i] < 0.5);  // it has learned nothing
        CHECK(attention[i] > 0.9);
    }
}

namespace {

void open_budget(Story& story) {
    show_model_budget(story.state());
    story.frames(3);
}

/// Types into the page's text field.
void type_length(Story& story, const std::string& length) {
    REQUIRE(story.play("click cost/length\nframes 2\nkey Ctrl+A\ntype \"" + length + "\"\nkey Enter\nframes 3") == "");
}

}  // namespace

TEST_CASE("story: a model's budget follows from its shapes and the typed length") {
    Story story;
    open_budget(story);
    type_length(story, "13");
    const auto check = [&](const TransformerConfig& config, int tokens) {
        const Budget budget = budget_of(config, tokens);
        CHECK(story.value("budget/parameters") == budget.parameters);
        CHECK(story.value("budget/multiplications") == budget.multiplications);
        CHECK(story.value("budget/Q/multiplications") == sum_of(budget.line(BudgetPart::query)->multiplications));
        CHECK(story.value("budget/scores/multiplications") == sum_of(budget.line(BudgetPart::scores)->multiplications));
        CHECK(story.value("budget/memory/weights") == 4 * budget.parameters);
        CHECK(story.value("budget/memory/moments") == 8 * budget.parameters);
        CHECK(story.value("budget/memory/pass") == 4 * budget.forward);
        CHECK(story.value("budget/memory/training") == 4 * training_pass(config, tokens));
    };
    const ModelInfo& model = *story.snapshot().model;
    check(model.config, 13);
    CHECK(story.value("budget/parameters") == static_cast<double>(model.parameter_count));
    CHECK_FALSE(story.shows("budget/memory/kept"));  // it attends both ways: nothing can be cached
    REQUIRE(story.play("click \"cost/as A\"\nframes 3") == "");
    check(model.config, static_cast<int>(story.snapshot().sentences[0].tokens.size()));
}

TEST_CASE("story: published models are drawn to scale, and a click shows how a number is computed") {
    Story story({.model = "next_word"});
    open_budget(story);
    type_length(story, "1024");
    REQUIRE(story.play("click budget/model\nframes 2\nclick \"budget/model/GPT-2 small\"\nframes 3") == "");
    CHECK(story.value("budget/parameters") == 124'439'808);
    CHECK(story.value("budget/memory/kept") == 4.0 * 2 * 12 * 1024 * 768);
    CHECK(story.value("budget/next token") == story.value("budget/multiplications") / 1024);
    // Areas are proportional to the numbers of parameters.
    const Box& whole = *story.find("budget/square");
    const Box& base = *story.find("budget/to scale/BERT-base");
    CHECK(base.width() * base.width() / (whole.width() * whole.width()) ==
          doctest::Approx(109'482'240.0 / 124'439'808).epsilon(0.01));
    REQUIRE(story.play("click \"budget/Q/parameters\"\nframes 3") == "");
    CHECK(contains(story.text("budget/told"), "W_Q: 768 × 768 × 12 = 7,077,888"));
    CHECK(contains(story.text("budget/told"), "b_Q: 768 × 12 = 9216"));
    REQUIRE(story.play("click budget/bits/16\nframes 3") == "");
    CHECK(story.value("budget/memory/weights") == 2.0 * 124'439'808);
    CHECK(story.value("budget/memory/moments") == 8.0 * 124'439'808);  // as they are
}

TEST_CASE("story: a model that cannot be trained has a budget too, and the search finds it") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_of_words(folder).string()});
    story.settle();
    REQUIRE_FALSE(story.snapshot().model->trainable());
    REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"gigabytes\"\nframes 2\nkey Enter\nframes 3") == "");
    CHECK(story.value("budget/parameters") == static_cast<double>(story.snapshot().model->parameter_count));
    REQUIRE(story.play("click training/page/Batch\nframes 2") == "");
    CHECK(story.shows("training/why not"));
}
