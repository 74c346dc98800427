#include <cmath>
#include <fstream>

#include "core/analysis/what_if_tracer.h"
#include "core/text/special_tokens.h"
#include "tests/core/bert_of_words.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"
#include "tests/ui/zeroed_model.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

struct Bits {
    double surprise = 0, entropy = 0;
    int words = 0;
};

/// −log₂ P and −Σ p log₂ p, from rows of probabilities.
void add(Bits& bits, std::span<const float> row, int word) {
    bits.surprise -= std::log2(static_cast<double>(row[word]));
    for (const float p : row)
        if (p > 0) bits.entropy -= static_cast<double>(p) * std::log2(static_cast<double>(p));
    ++bits.words;
}

/// For a model that predicts the next word: each word is scored by the row before it.
Bits next_word_bits(const Trace& trace) {
    const std::span<const float> all = trace.values(trace.model().probabilities);
    const std::size_t width = trace.model().config.d_vocab;
    Bits bits;
    for (std::size_t p = 1; p < trace.tokens().size(); ++p)
        add(bits, all.subspan((p - 1) * width, width), trace.tokens()[p]);
    return bits;
}

Bits masked_bits(const WatchedSentence& sentence) {
    const std::size_t width = sentence.masked_probabilities.size() / sentence.tokens.size();
    Bits bits;
    for (std::size_t p = 0; p < sentence.tokens.size(); ++p)
        add(bits, std::span(sentence.masked_probabilities).subspan(p * width, width), sentence.tokens[p].id);
    return bits;
}

void check_surprise(const Story& story, const std::string& card, const Bits& bits) {
    CHECK(std::abs(story.value(card + "/surprise") - bits.surprise) <= 1e-5 * bits.words);
    CHECK(std::abs(story.value(card + "/surprise/per token") - bits.surprise / bits.words) <= 1e-5);
    CHECK(story.value(card + "/surprise/perplexity") ==
          doctest::Approx(std::exp2(bits.surprise / bits.words)).epsilon(1e-5));
}

}  // namespace

TEST_CASE("surprise: one click colours the words by surprise, the next by entropy, the third by attention") {
    Story story({.model = "next_word"});
    CHECK_FALSE(story.shows("A/surprise"));
    const std::uint32_t before =
        pixel(story.picture(), story.find("A/token 1")->min.x + 3, story.find("A/token 1")->centre().y);
    CHECK(story.play("click A/colour\nframes 2") == "");
    for (const int slot : {0, 1}) check_surprise(story, slot_letter(slot), next_word_bits(story.shown_trace(slot)));
    CHECK(pixel(story.picture(), story.find("A/token 1")->min.x + 3, story.find("A/token 1")->centre().y) != before);
    CHECK(story.play("click B/colour\nframes 2") == "");
    CHECK_FALSE(story.shows("A/surprise"));
    const Bits bits = next_word_bits(story.shown_trace(1));
    CHECK(std::abs(story.value("B/entropy") - bits.entropy) <= 1e-4);
    CHECK(story.play("click A/colour\nframes 2") == "");
    CHECK_FALSE(story.shows("A/entropy"));
    CHECK(pixel(story.picture(), story.find("A/token 1")->min.x + 3, story.find("A/token 1")->centre().y) == before);
}

TEST_CASE("surprise: a masked model predicts each word with that word masked; a ▢ does not count") {
    Story story;
    CHECK(story.play("click A/colour\nframes 2") == "");
    for (const int slot : {0, 1})
        check_surprise(story, slot_letter(slot), masked_bits(story.snapshot().sentences[slot]));
    const double whole = story.value("A/surprise");
    CHECK(story.play("click \"A/type\"\nframes 2\nkey Ctrl+A\ntype \"he swung the _ and hit a foul .\"\nkey Enter") ==
          "");
    story.settle(2);
    REQUIRE(story.snapshot().sentences[0].text == "he swung the _ and hit a foul .");
    CHECK(story.value("A/surprise") < whole + 100);
    CHECK(story.value("A/surprise/per token") == doctest::Approx(story.value("A/surprise") / 8));
}

TEST_CASE("surprise: the bits follow the step, the changes and the model on screen") {
    const TemporaryFolder folder;
    Story story({.model = "next_word"});
    CHECK(story.play("click A/colour\nframes 2") == "");
    const double learned = story.value("A/surprise");
    story.send(command::LookAt{0});
    story.settle(2);
    CHECK(story.value("A/surprise") > learned + 5);
    check_surprise(story, "A", next_word_bits(story.shown_trace(0)));
    story.send(command::FollowLive{});
    story.settle();
    story.send(command::SetWhatIf{{what_if::HeadOff{0, 0}}});
    story.settle(2);
    CHECK(story.value("A/surprise") != learned);
    check_surprise(story, "A", next_word_bits(story.shown_trace(0)));
    story.send(command::SetWhatIf{{}});
    open_zeroed(story, folder, "next_word");  // every word is as likely as any other
    check_surprise(story, "A", next_word_bits(story.shown_trace(0)));
    CHECK(story.value("A/surprise/perplexity") ==
          doctest::Approx(story.snapshot().model->config.d_vocab).epsilon(1e-5));
}

TEST_CASE("surprise: a classifier offers no colours by surprise and ignores the setting; a lesson can choose them") {
    Story order({.model = "order"});
    CHECK_FALSE(order.shows("A/colour"));
    order.state().word_colour = WordColour::surprise;
    order.frames(2);
    CHECK_FALSE(order.shows("A/surprise"));
    const std::string look = "key Ctrl+k\nframes 2\ntype \"Colour the words by\"\nframes 2\n",
                      entropy = "\"palette/Colour the words by entropy (bits)\"\n";
    CHECK(order.play(look + "expect_no_item " + entropy) == "");
    Story homonyms;
    CHECK(homonyms.play(look + "expect_item " + entropy) == "");
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.lesson")
        << "lesson: Mine\n\n== One\nA: a bat flew .\ncolour: entropy\n\nHow unsure?\n";
    Story lesson({.lessons = folder.path()});
    CHECK(lesson.play("expect_no_item A/entropy\nlesson mine\nframes 3\nexpect A/entropy > 0") == "");
}

TEST_CASE("surprise: a published model masks its words one by one while they are coloured, also during a what-if") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_of_words(folder).string()});
    story.settle();
    story.send(command::Watch{0, "the bat flew out"});
    story.settle();
    REQUIRE(story.snapshot().sentences[0].tokens.size() == 6);  // with [CLS] and [SEP]
    CHECK(story.snapshot().sentences[0].masked_probabilities.empty());
    CHECK_FALSE(story.snapshot().masked_surprise[0]);

    const Checkpoint model = load_checkpoint(folder / "bert");
    const int mask = *mask_id(*model.tokenizer);
    CpuBackend backend(1);
    WhatIfTracer tracer(backend, model.config);
    const auto bits = [&](std::span<const WhatIf> changes) {
        const std::vector<int>& tokens = story.shown_trace(0).tokens();
        double sum = 0.0;
        for (std::size_t p = 1; p < 5; ++p) {
            WhatIfRun run{{tokens}, 0, {}};
            run.input.tokens[p] = mask;
            const auto trace = tracer.trace(run, model.parameters, changes);
            const std::span<const float> row =
                trace->part(trace->model().probabilities, {static_cast<std::int64_t>(p), 1}).values();
            sum -= std::log2(static_cast<double>(row[tokens[p]]));
        }
        return sum;
    };
    const auto complete = [&] {
        return story.snapshot().masked_surprise[0] && story.snapshot().masked_surprise[0]->left.empty();
    };
    CHECK(story.play("click A/colour\nframes 2") == "");
    REQUIRE(story.until(complete));
    story.frames(2);
    CHECK(std::abs(story.value("A/surprise") - bits({})) <= 1e-4);
    CHECK(story.value("A/surprise/per token") == doctest::Approx(story.value("A/surprise") / 4));

    const std::vector<WhatIf> changes{what_if::HeadOff{0, 1}};
    story.send(command::SetWhatIf{changes});
    story.settle();
    REQUIRE(story.until(complete));
    story.frames(2);
    CHECK(std::abs(story.value("A/surprise") - bits(changes)) <= 1e-4);
    CHECK(std::abs(bits(changes) - bits({})) > 1e-3);

    CHECK(story.play("click A/colour\nframes 2\nclick A/colour\nframes 2") == "");
    story.settle();
    CHECK_FALSE(story.snapshot().masked_surprise[0]);
}
