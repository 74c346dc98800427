#include <algorithm>
#include <cmath>

#include "app/session/startup.h"
#include "core/analysis/neurons.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int d_mlp = 256, shown = 12;

std::span<const float> neurons(const Trace& trace, int layer, const char* node, int token) {
    return trace.values(block(layer, node)).subspan(static_cast<std::size_t>(token) * d_mlp, d_mlp);
}

/// Neurons in descending order of |post|.
std::vector<int> ranked(std::span<const float> post) {
    std::vector<int> order(post.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, [&](int a, int b) { return std::abs(post[a]) > std::abs(post[b]); });
    return order;
}

std::string item(int slot, const char* what, int i) {
    return std::string(slot_letter(slot)) + "/" + what + " " + std::to_string(i);
}

void check_list(Differences& differences, const Story& story, const Trace& trace, int slot, int layer, int token) {
    const auto pre = neurons(trace, layer, "mlp.hook_pre", token), post = neurons(trace, layer, "mlp.hook_post", token);
    const std::vector<int> order = ranked(post);
    for (int i = 0; i < shown; ++i) {
        const std::size_t neuron = order[i];
        differences.expect(story, item(slot, "neuron before", i), static_cast<double>(pre[neuron]));
        differences.expect(story, item(slot, "neuron", i), static_cast<double>(post[neuron]));
        differences.expect(story, item(slot, "dot", i), static_cast<double>(post[neuron]));
    }
}

/// Checks the five strongest activations over both sentences, and the words for and against in the neuron's weights.
void check_words(Differences& differences, const Story& story, int slot, int layer, int neuron) {
    std::vector<float> values;
    for (const char* const sentence : {first_sentence, second_sentence}) {
        const auto trace = reference().trace(sentence);
        for (int token = 0; token < trace->positions(); ++token)
            values.push_back(neurons(*trace, layer, "mlp.hook_post", token)[neuron]);
    }
    std::ranges::sort(values, std::greater{});
    for (int i = 0; i < 5; ++i) differences.expect(story, item(slot, "excited", i), static_cast<double>(values[i]));
    const auto trace = reference().trace(first_sentence);
    const NeuronWords words = neuron_words(*trace, layer, neuron, 5);
    for (int i = 0; i < 5; ++i) {
        differences.expect(story, item(slot, "favoured", i), words.favoured[i].score);
        differences.expect(story, item(slot, "opposed", i), words.opposed[i].score);
        if (story.text(item(slot, "favoured", i)) != reference().shipped().words()->word(words.favoured[i].id))
            differences.add("another word than favoured " + std::to_string(i));
    }
}

}  // namespace

TEST_CASE("story: the strongest neurons of a word, before and after the activation, are the trace's") {
    Story story({.size = {1600, 1200}});
    Differences differences;
    const std::string sentences[2] = {first_sentence, second_sentence};
    CHECK(story.play("click view/MLP") == "");
    for (int layer = 0; layer < 2; ++layer)
        for (const int token : {1, 4}) {
            CHECK(story.play("click \"map/head " + std::to_string(layer) + " 3\"\nclick \"A/token " +
                             std::to_string(token) + "\"\nclick \"B/token " + std::to_string(token + 1) + "\"") == "");
            for (int slot = 0; slot < 2; ++slot) {
                const auto trace = reference().trace(sentences[slot]);
                check_list(differences, story, *trace, slot, layer, token + slot);
                const int strongest = ranked(neurons(*trace, layer, "mlp.hook_post", token + slot))[0];
                CHECK(story.value(std::string(slot_letter(slot)) + "/chosen neuron") == strongest);
                check_words(differences, story, slot, layer, strongest);
            }
        }
    CHECK(differences.report() == "");
    CHECK(differences.compared() == 2 * 2 * 2 * (3 * shown + 15));
}

TEST_CASE("story: a clicked neuron is explained, chosen in both sentences, and can be traced deeper") {
    Story story({.size = {1600, 1200}});
    const auto trace = reference().trace(second_sentence);
    CHECK(story.play("click \"map/head 0 3\"\nclick view/MLP\nclick \"B/token 1\"\nclick \"B/neuron 4\"") == "");
    const int neuron = ranked(neurons(*trace, 0, "mlp.hook_post", 1))[4];
    const TracedCell cell = story.state().trail.back();
    CHECK(trace->graph()[cell.cell.node].name == "blocks.0.mlp.hook_post");
    CHECK(cell.cell.offset == d_mlp + neuron);
    CHECK(cell.slot == 1);
    CHECK(story.value("A/chosen neuron") == neuron);
    CHECK(story.value("B/chosen neuron") == neuron);
    Differences differences;
    check_words(differences, story, 0, 0, neuron);
    CHECK(differences.report() == "");
    CHECK(story.play("click explain/deeper\nclick explain/deeper\nclick explain/deeper") == "");
    CHECK(story.value("B/chosen neuron") == neuron);
    CHECK(story.play("click \"B/neuron before 0\"") == "");
    CHECK(trace->graph()[story.state().trail.back().cell.node].name == "blocks.0.mlp.hook_pre");
    CHECK(story.play("click \"A/excited 0\"") == "");
    CHECK(story.value("explain/value") == story.value("A/excited 0"));
}

TEST_CASE("story: a neuron lists the corpus words that excite it, with core's activations") {
    Story story;
    CHECK(story.play("key a\nclick \"map/head 1 0\"\nclick view/MLP") == "");
    story.settle(2);
    story.settle();
    const int neuron = static_cast<int>(story.value("A/chosen neuron"));
    REQUIRE(story.shows("A/corpus 2"));
    double before = 1e9;
    for (int i = 0; story.shows(item(0, "corpus", i)); ++i) {
        std::string text = story.text(item(0, "corpus", i));
        CAPTURE(text);
        const std::size_t open = text.find('['), close = text.find(']');
        REQUIRE(open < close);
        const auto position =
            static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open), ' '));
        text.erase(close, 1), text.erase(open, 1);
        const auto trace = reference().trace(text);
        const auto post = neurons(*trace, 1, "mlp.hook_post", static_cast<int>(position));
        const double value = story.value(item(0, "corpus", i));
        CHECK(value == doctest::Approx(static_cast<double>(post[neuron])).epsilon(1e-4));
        CHECK(value <= before);
        before = value;
    }
    // Another block's neurons are studied while they are on screen; otherwise none are.
    CHECK(story.snapshot().neurons->block == 1);
    CHECK(story.play("key Up") == "");
    story.settle(2);
    story.settle();
    REQUIRE(story.snapshot().neurons);
    CHECK(story.snapshot().neurons->block == 0);
    CHECK(story.play("click view/Flow") == "");
    story.frames(2);
    story.settle();
    CHECK_FALSE(story.snapshot().neurons);
}

TEST_CASE("story: a model trained with dropout lists its neurons' words too") {
    Story story({.model = "sample"});
    CHECK(story.play("click view/MLP") == "");
    story.settle(2);
    story.settle();
    CHECK(story.snapshot().error == "");
    REQUIRE(story.snapshot().neurons);
    CHECK(story.shows("A/corpus 0"));
}
