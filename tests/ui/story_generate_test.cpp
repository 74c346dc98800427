#include <doctest/doctest.h>

#include "app/views/generate/generation.h"
#include "core/generate/generator.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The words after a text, by core alone: the same draw.
int drawn_by_core(const Checkpoint& model, const std::vector<int>& tokens, float temperature, int top_k,
                  std::uint64_t seed) {
    CpuBackend backend(1);
    Generator generator(backend, model.config, model.parameters);
    const std::span<const float> logits = generator.read(tokens);
    Rng rng(seed, tokens.size());
    return sample(logits, temperature, top_k, rng);
}

std::vector<int> ids(const WatchedSentence& sentence) {
    std::vector<int> all;
    for (const WordTokenizer::Token& token : sentence.tokens) all.push_back(token.id);
    return all;
}

const std::filesystem::path text_model = std::filesystem::path(GLASSFORMER_SOURCE_DIR) / "assets/models/sample";

}  // namespace

TEST_CASE("story: a text grows by the words that the model draws") {
    Story story({.model = "sample"});
    const Checkpoint model = load_checkpoint(text_model);
    REQUIRE(story.play("click view/Generate\nframes 2\nexpect_item A/generate/next") == "");
    std::vector<int> tokens = ids(story.snapshot().sentences[0]);
    REQUIRE(static_cast<int>(tokens.size()) + 2 < model.config.n_ctx);
    for (int i = 0; i < 2; ++i) {
        tokens.push_back(drawn_by_core(model, tokens, 1.0f, 10, 1));
        REQUIRE(story.play("click A/generate/next\nframes 4") == "");
        story.settle();
        CHECK(ids(story.snapshot().sentences[0]) == tokens);
    }
    tokens.pop_back();
    REQUIRE(story.play("click A/generate/back\nframes 4") == "");
    story.settle();
    CHECK(ids(story.snapshot().sentences[0]) == tokens);
}

TEST_CASE("story: the words that may come are the model's own probabilities, and a click adds one") {
    Story story({.model = "sample"});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    const std::shared_ptr<const Trace> trace = story.snapshot().sentences[0].trace;
    const std::vector<NextWord> words = next_words(*trace, 1.0f, 10, 12);
    REQUIRE(words.size() == 12);
    const std::span<const float> all = trace->values(trace->model().probabilities);
    const std::size_t width = static_cast<std::size_t>(trace->model().config.d_vocab),
                      last = static_cast<std::size_t>(trace->positions() - 1) * width;
    double chances = 0.0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        CHECK(story.value("A/generate/word " + std::to_string(i)) ==
              static_cast<double>(all[last + static_cast<std::size_t>(words[i].id)]));
        chances += static_cast<double>(words[i].chance);
        CHECK((words[i].chance > 0.0f) == (i < 10));
    }
    CHECK(chances == doctest::Approx(1.0).epsilon(1e-6));
    const std::vector<int> before = ids(story.snapshot().sentences[0]);
    REQUIRE(story.play("click \"A/generate/word 3\"\nframes 4") == "");
    story.settle();
    std::vector<int> expected = before;
    expected.push_back(words[3].id);
    CHECK(ids(story.snapshot().sentences[0]) == expected);
}

TEST_CASE(
    "story: a text goes on by itself until it is as long as the model reads, and temperature 0 takes the likeliest") {
    Story story({.model = "sample"});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    const std::shared_ptr<const Trace> trace = story.snapshot().sentences[0].trace;
    GenerationChoice choice;
    CHECK(draw_next(*trace, 0.0f, choice) == next_words(*trace, 1.0f, 1, 1)[0].id);
    const std::size_t before = story.snapshot().sentences[0].tokens.size();
    REQUIRE(story.play("click \"A/generate/go on\"\nframes 160\nclick \"A/generate/go on\"\nframes 4") == "");
    const std::size_t after = story.snapshot().sentences[0].tokens.size();
    CHECK(after > before + 1);
    REQUIRE(story.play("frames 80") == "");
    CHECK(story.snapshot().sentences[0].tokens.size() == after);
}

TEST_CASE("story: a model that fills masks offers no text to go on with") {
    Story story;
    CHECK(story.play("expect_no_item view/Generate") == "");
}

TEST_CASE("story: a decoder that learned to fill hidden words offers no text to go on with") {
    const TemporaryFolder folder;
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    model.config.family = Family::decoder;
    save_checkpoint(folder.path() / "model", model);
    Story story;
    story.session.send(command::OpenModel{(folder.path() / "model").string()});
    story.settle();
    REQUIRE(story.snapshot().error == "");
    REQUIRE(story.snapshot().model->config.causal());
    CHECK(story.play("expect_no_item view/Generate") == "");
}
