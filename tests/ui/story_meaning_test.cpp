#include <algorithm>
#include <numeric>

#include "app/panels/meaning/meaning_map.h"
#include "app/session/startup.h"
#include "core/analysis/embedding_map.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Measured here instead of read from a snapshot; once for all stories.
const SenseProbeResult& measured() {
    static const SenseProbeResult result =
        SenseProbe(reference().backend, reference().world()).measure(*reference().shipped().parameters);
    return result;
}

std::span<const float> stream(const Trace& trace, int layer, int position) {
    const std::size_t width = trace.model().config.d_model;
    return trace.values(layer == 0 ? "blocks.0.hook_resid_pre" : block(layer - 1, "hook_resid_post"))
        .subspan(static_cast<std::size_t>(position) * width, width);
}

void check_words(Story& story, int slot, const Trace& trace, int token) {
    const std::string letter = slot_letter(slot);
    const std::vector<Neighbor> near = nearest_words(
        measured(), story.state().layer + 1, stream(trace, story.state().layer + 1, token), trace.tokens()[token], 4);
    for (std::size_t i = 0; i < near.size(); ++i) {
        const std::string item = letter + "/near " + std::to_string(i);
        CAPTURE(item);
        CHECK(story.text(item) == reference().shipped().words()->word(near[i].id));
        CHECK(story.value(item) == static_cast<double>(near[i].cosine));
    }
    std::vector<int> masked = trace.tokens();
    masked[token] = WordTokenizer::mask;
    const auto guess = reference().trace(masked, reference().shipped().parameters);
    const std::size_t vocabulary = guess->model().config.d_vocab;
    const std::span<const float> probability =
        guess->values("probabilities").subspan(static_cast<std::size_t>(token) * vocabulary, vocabulary);
    std::vector<int> order(vocabulary);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater<>(), [&](int id) { return probability[id]; });
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string item = letter + "/guess " + std::to_string(i);
        CAPTURE(item);
        CHECK(story.text(item) == reference().shipped().words()->word(order[i]));
        CHECK(story.value(item) == static_cast<double>(probability[order[i]]));
    }
}

}  // namespace

TEST_CASE("story: the accuracy of every layer is the probe's") {
    Story story;
    REQUIRE(measured().accuracy.size() == 3);
    for (int layer = 0; layer < 3; ++layer)
        CHECK(story.value("accuracy " + std::to_string(layer)) == static_cast<double>(measured().accuracy[layer]));
    CHECK(story.value("timeline accuracy") == static_cast<double>(measured().accuracy.back()));
}

TEST_CASE("story: nearest words and predictions follow the chosen word and block") {
    Story story;
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    CHECK(story.play("click side/Words\nframes 2") == "");
    check_words(story, 0, *a, 3);
    check_words(story, 1, *b, 1);
    CHECK(story.play("key Up\nkey Up\nclick \"A/token 7\"\nclick \"B/token 6\"") == "");
    check_words(story, 0, *a, 7);
    check_words(story, 1, *b, 6);
    CHECK(story.play("key Down") == "");
    check_words(story, 0, *a, 7);
    check_words(story, 1, *b, 6);
}

TEST_CASE("story: overlapping points of both meanings show both colours") {
    Story story;
    const auto piles = [&](const char* layer) {
        REQUIRE(story.play("click \"meaning layer/" + std::string(layer) + "\"\nframes 2") == "");
        std::vector<Item> all;
        for (const Item& item : story.host.items().all())
            if (item.label.starts_with("meaning both ")) all.push_back(item);
        return all;
    };
    CHECK(piles("block 1").empty());
    const std::vector<Item> at_embedding = piles("embedding");
    REQUIRE_FALSE(at_embedding.empty());
    // Nearly every bat shares its position with one of the other meaning.
    double points = 0;
    for (const Item& pile : at_embedding) points += *pile.value;
    CHECK(points > 150);
    const Item pile = *std::ranges::max_element(at_embedding, {}, [](const Item& item) { return *item.value; });
    const ImVec2 at = pile.centre();
    const Image picture = story.picture();
    const auto red = [&](float x) { return pixel(picture, x, at.y) >> 16; };
    const auto blue = [&](float x) { return pixel(picture, x, at.y) & 0xff; };
    CHECK(red(at.x - 2) > blue(at.x - 2));  // orange on the left,
    CHECK(blue(at.x + 2) > red(at.x + 2));  // blue on the right
}

TEST_CASE("story: A and B are on the meaning map where their “bat” is") {
    Story story;
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    CHECK(story.text("meaning map") == "bat");
    CHECK(story.value("meaning map") == 200);  // bats of the corpus, both senses
    const char* names[] = {"embedding", "block 0", "block 1"};
    for (int layer = 0; layer < 3; ++layer) {
        CAPTURE(layer);
        CHECK(story.play("click \"meaning layer/" + std::string(names[layer]) + "\"\nframes 2") == "");
        const Pca& pca = story.snapshot().meaning->layers[layer].pca;
        const auto at_a = pca.project(stream(*a, layer, 3)), at_b = pca.project(stream(*b, layer, 1));
        CHECK(story.value("meaning A") == static_cast<double>(at_a[0]));
        CHECK(story.value("meaning B") == static_cast<double>(at_b[0]));
        // Without rotation, the first direction points right and the second up.
        const Item *on_a = story.find("meaning A"), *on_b = story.find("meaning B");
        REQUIRE((on_a && on_b));
        CHECK((at_a[0] < at_b[0]) == (on_a->centre().x < on_b->centre().x));
        CHECK((at_a[1] < at_b[1]) == (on_a->centre().y > on_b->centre().y));
        double norm = 0;
        for (const float v : pca.directions[0]) norm += static_cast<double>(v) * static_cast<double>(v);
        CHECK(norm == doctest::Approx(1).epsilon(1e-4));
    }
    // Dragging rotates the cloud; a double click resets it.
    CHECK(story.play("drag \"meaning map\" 60 20") == "");
    CHECK(story.state().own<MeaningMapState>().yaw != 0);
    CHECK(story.play("double_click \"meaning map\"") == "");
    CHECK(story.state().own<MeaningMapState>().yaw == 0);
}

TEST_CASE("story: a prompt of numbers shows its points and values, and the textbook estimators") {
    Story story({.model = "regression"});
    REQUIRE(story.play(
                "click A/type\nkey Ctrl+a\ntype \"1 0 0; 0 0 1; 0 1 0; 0 0 -0.5; -1 1 0\"\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(story.text("A/token 0") == "x₁ (1, 0)");
    CHECK(story.text("A/token 3") == "y₂ −0.5");
    CHECK(story.text("A/token 4") == "x₃ (−1, 1)");
    REQUIRE(story.play("click \"A/token 4\"\nframes 3") == "");
    CHECK(story.value("A/least squares") == doctest::Approx(-1.5));
    CHECK(story.value("A/ridge") == doctest::Approx(-1.5 / 1.1));
    CHECK(story.value("A/mean") == 0);
    CHECK(story.text("A/untold 0") == "its value is not in the prompt");
    REQUIRE(story.play("click \"A/token 2\"\nframes 3") == "");  // the prompt continues with y₂
    CHECK(story.value("A/true 0") == -0.5);
    // At x₁ nothing has been read yet; at a y, nothing is asked.
    REQUIRE(story.play("click \"A/token 0\"\nframes 3") == "");
    CHECK(story.value("A/least squares") == 0);
    REQUIRE(story.play("click \"A/token 1\"\nframes 3") == "");
    CHECK_FALSE(story.shows("A/least squares"));
    CHECK(story.text("A/untold 0") == "nothing to predict here");
    // Long vectors would leave no room for the picture: only their names are shown.
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"sample 1\"\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(story.text("A/token 0") == "x₁");
}
