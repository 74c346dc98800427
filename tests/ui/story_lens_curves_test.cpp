#include <cmath>

#include "app/views/registry.h"
#include "core/analysis/logit_lens.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The entropy in bits and the rank of a word, from one row of logits.
std::pair<double, int> by_hand(std::span<const float> logits, int word) {
    double sum = 0, entropy = 0;
    int rank = 1;
    for (const float x : logits) sum += std::exp(static_cast<double>(x));
    for (std::size_t id = 0; id < logits.size(); ++id) {
        const double p = std::exp(static_cast<double>(logits[id])) / sum;
        entropy -= p * std::log2(p);
        rank += logits[id] > logits[word];
    }
    return {entropy, rank};
}

void check_curves(Story& story, int word) {
    const auto& trace = story.snapshot().sentences[0].trace;
    ThreadPool pool(1);
    const LogitLens lens(trace, pool);
    for (int layer = 0; layer < lens.layers(); ++layer) {
        const std::vector<float> logits = lens.rows(layer, {story.state().token[0], 1}).logits;
        const int best = static_cast<int>(std::ranges::max_element(logits) - logits.begin());
        const auto [entropy, rank] = by_hand(logits, word);
        CHECK(story.value("A/entropy " + std::to_string(layer)) == doctest::Approx(entropy).epsilon(1e-5));
        CHECK(story.value("A/rank " + std::to_string(layer)) == rank);
        CHECK((rank == 1) == (best == word));
    }
}

}  // namespace

TEST_CASE("story: the entropy and rank curves are the lens's, for the followed word, at every step") {
    Story story({.model = "next_word"});
    story.state().view = view_index("Logit lens");
    REQUIRE(story.play("frames 2\nclick \"A/lens curves\"\nframes 2") == "");
    const auto& trace = story.snapshot().sentences[0].trace;
    const SliceView row = trace->part(trace->model().logits, {story.state().token[0], 1});
    const std::span<const float> said = row.values();
    const int best = static_cast<int>(std::ranges::max_element(said) - said.begin());
    check_curves(story, best);
    CHECK(story.text("A/led 0") == story.snapshot().model->token_text(best));
    REQUIRE(story.shows("A/led 1"));  // another word led before
    const std::string other = story.text("A/led 1");
    REQUIRE(story.play("click \"A/led 1\"\nframes 2") == "");
    const int followed = story.snapshot().model->tokenizer->ids(other).front();
    check_curves(story, followed);
    story.send(command::LookAt{64});
    story.settle(2);
    check_curves(story, followed);
    story.send(command::FollowLive{});
    story.send(command::SetWhatIf{{what_if::HeadOff{0, 0}}});
    story.settle(2);
    check_curves(story, followed);
}

TEST_CASE("story: the logit attribution offers a word that led in an earlier layer") {
    Story story({.model = "next_word"});
    story.state().view = view_index("Logit lens");
    REQUIRE(story.play("frames 2\nclick \"A/lens curves\"\nframes 2") == "");
    int last = 0;
    while (story.shows("A/led " + std::to_string(last + 1))) ++last;
    REQUIRE(last > 0);
    const std::string word = story.text("A/led " + std::to_string(last));
    story.state().view = view_index("Logit attribution");
    REQUIRE(story.play("frames 3\nclick \"A/argued word\"\nframes 2") == "");
    bool offered = false;
    for (const Item& item : story.host.items().all()) offered |= item.label.starts_with("A/argued word/" + word);
    CHECK(offered);
}
