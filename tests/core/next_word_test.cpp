// The world of next_word.words: its language, its task, and that a short training teaches verbs to agree.
#include "core/worlds/next_word.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/nn/transformer.h"
#include "core/platform/atomic_file.h"
#include "core/tasks/tasks.h"
#include "core/text/word_tokenizer.h"
#include "core/text/words.h"
#include "core/worlds/corpus.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/training_smoke.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

const NextWordWorld& world() {
    static const NextWordWorld it = NextWordWorld::load(worlds / "next_word.words");
    return it;
}

/// Returns the error message for the file with its lines `beginning` = … replaced by `instead`; empty if it is
/// accepted.
std::string error_with(const std::string& beginning, const std::string& instead) {
    std::ifstream file(worlds / "next_word.words");
    std::string text, line;
    bool replaced = false;
    while (std::getline(file, line)) {
        const bool match = line.starts_with(beginning + " =");
        if (!match)
            text += line + "\n";
        else if (!std::exchange(replaced, true))
            text += instead + "\n";
    }
    return error_of([&] { NextWordWorld::parse(text, "next_word.words"); });
}

}  // namespace

TEST_CASE("next word: the verb agrees with its noun, whatever noun comes between them") {
    const std::vector<NextWordSentence> all = distinct_sentences(world(), Split::held_out, 600, 3);
    REQUIRE(all.size() == 600);
    double several = 0, misled = 0, past = 0;
    for (const NextWordSentence& s : all) {
        REQUIRE(s.verb_pos > s.noun_pos);
        const std::string &noun = s.words[s.noun_pos], &verb = s.words[s.verb_pos];
        CHECK(noun.ends_with("s") == s.several);  // true of the nouns that are shipped
        for (const auto& [one, more] : {std::pair{"is", "are"}, {"was", "were"}, {"looks", "look"}, {"seems", "seem"}})
            if (verb == one || verb == more) {
                CHECK(verb == (s.several ? more : one));
                CHECK(s.other_form == (s.several ? one : more));
            }
        several += s.several;
        past += s.other_pos >= 0;
        misled += s.misled;
        if (s.other_pos >= 0) CHECK((s.other_pos > s.noun_pos && s.other_pos < s.verb_pos));
    }
    CHECK(several / 600 == doctest::Approx(0.5).epsilon(0.15));
    CHECK(misled / past == doctest::Approx(0.5).epsilon(0.15));
}

TEST_CASE("next word: training never combines noun, verb and quality like a held-out sentence; 1 in 4 is a phrase") {
    Rng rng(5);
    int phrases = 0;
    for (int i = 0; i < 4000; ++i) {
        const NextWordSentence s = world().generate(Split::train, rng);
        CHECK_FALSE(world().held_out(s));
        phrases += s.verb_pos < 0;
        CHECK(std::ssize(s.words) <= world().longest_sentence());
        for (const NextWordSentence& sample : world().samples()) CHECK((s.words != sample.words));
    }
    CHECK(phrases / 4000.0 == doctest::Approx(0.25).epsilon(0.1));
    for (int i = 0; i < 400; ++i) CHECK(world().held_out(world().generate(Split::held_out, rng)));
}

TEST_CASE("next word: samples are whole sentences, in pairs of one length, or beginnings") {
    const std::vector<NextWordSentence>& samples = world().samples();
    REQUIRE(samples.size() >= 8);
    CHECK(join_words(samples[0].words) == "the keys near the door are old.");
    CHECK(join_words(samples[1].words) == "the key near the doors is old.");
    CHECK(samples[0].words.size() == samples[1].words.size());
    CHECK((samples[0].several && samples[0].misled && !samples[1].several && samples[1].misled));
    CHECK(samples[0].noun_pos == 1);
    CHECK(samples[0].verb_pos == 5);
    CHECK(
        std::ranges::count(samples, std::vector<std::string>{"thanks", "for", "all", "the"}, &NextWordSentence::words));
}

TEST_CASE("next word: files that break the rules are refused with the reason") {
    CHECK(error_with("none", "") == "");
    CHECK(
        contains(error_with("verb", "verb = put / put | is / are"), "'put' has the same form in singular and plural"));
    CHECK(contains(error_with("noun", "noun = key / keys"), "at least five nouns"));
    CHECK(contains(error_with("noun", "noun = key"), "needs 2 columns"));
    CHECK(contains(error_with("sentence", "sentence = the {noun} {verb}."), "has no {quality}"));
    CHECK(contains(error_with("sentence", "sentence = {verb} the {noun} {quality}?"), "before its noun"));
    CHECK(contains(error_with("sample", "sample = The keys near the door is old."), "not a true sentence"));
    CHECK(contains(error_with("sample", "sample = The wug"), "not a true sentence"));
}

TEST_CASE("next word: each target is the next token, and the last word predicts nothing") {
    const auto task = make_task("next_word", worlds);
    const auto words = std::dynamic_pointer_cast<const WordTokenizer>(task->tokenizer);
    REQUIRE(words);
    CHECK(task->config.causal());
    const std::size_t positions = task->config.n_ctx;
    Batch batch;
    task->batches->draw(1, 1, 32, batch);
    for (std::size_t row = 0; row < 32; ++row) {
        std::size_t length = 0;
        while (length < positions && batch.key_mask[row * positions + length] == 1.0f) ++length;
        REQUIRE(length > 2);
        for (std::size_t p = 0; p < positions; ++p) {
            const std::size_t cell = row * positions + p;
            CHECK((batch.loss_weights[cell] == 1.0f) == (p + 1 < length));
            if (p + 1 < length) CHECK(batch.targets[cell] == batch.tokens[cell + 1]);
        }
        CHECK(batch.tokens[row * positions + length - 1] == static_cast<float>(*words->find(".")));
    }
}

TEST_CASE("next word: an untrained model gets about half of the verbs right, and a short training most") {
    const SmokeRun run = train_briefly(*make_task("next_word", worlds), 250);
    CHECK(run.before.value > 0.25);
    CHECK(run.before.value < 0.75);
    CHECK(run.after.value > 0.85);
    CHECK(run.after.details.size() == 2);
    CHECK(run.after.details[0].second <= 1.0);
}

TEST_CASE("next word: a world without another noun in its sentences measures only what it asks") {
    const TemporaryFolder folder;
    std::ifstream file(worlds / "next_word.words");
    std::string text, line;
    while (std::getline(file, line))
        if (line.find("{other}") == std::string::npos && !line.starts_with("sample =")) text += line + "\n";
    write_file_atomically(folder / "own.words", text + "sample = The keys are old. | Thanks for all the\n");
    const auto task = make_task((folder / "own.words").string(), worlds);
    CpuBackend backend(1);
    const std::vector<float> untrained =
        initial_parameters(*build_transformer(task->config, {1, task->config.n_ctx}).graph, 1);
    const Measurement found = task->metric(backend)->measure(untrained);
    REQUIRE(found.details.size() == 1);
    CHECK(found.details.front().first == "other sentences");
    CHECK(found.details.front().second == found.value);
    const auto shipped = make_task("next_word", worlds);
    CHECK(shipped->metric(backend)
              ->measure(initial_parameters(*build_transformer(shipped->config, {1, shipped->config.n_ctx}).graph, 1))
              .details.size() == 2);
}
