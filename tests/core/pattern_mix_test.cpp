#include "core/analysis/pattern_mix.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "core/base/error.h"
#include "core/text/character_tokenizer.h"
#include "tests/core/small_models.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("mixed patterns: mean and maximum over the heads of each block and of all, against double precision") {
    for (const auto& model : small_models()) {
        INFO(model->name);
        const auto trace = model->trace({4, 7, 11, 5});
        const std::size_t cells = 16;
        PatternMixer mixer(4, 0.5);
        std::vector<double> sum(cells), most(cells);
        for (int block = 0; block < 2; ++block) {
            const auto pattern = trace->values("blocks." + std::to_string(block) + ".attn.hook_pattern");
            const MixedPatterns of_block = mixer.add_block(pattern);
            for (std::size_t cell = 0; cell < cells; ++cell) {
                std::array<double, 3> heads;
                for (std::size_t head = 0; head < 3; ++head)
                    heads[head] = static_cast<double>(pattern[head * cells + cell]);
                const double total = heads[0] + heads[1] + heads[2];
                CHECK(std::abs(static_cast<double>(of_block.mean[cell]) - total / 3) <= 1e-7);
                CHECK(static_cast<double>(of_block.largest[cell]) == std::ranges::max(heads));
                sum[cell] += total;
                most[cell] = std::max(most[cell], std::ranges::max(heads));
            }
        }
        const MixedPatterns all = mixer.all();
        const std::vector<double> rollout = attention_rollout(*trace);
        for (std::size_t cell = 0; cell < cells; ++cell) {
            CHECK(std::abs(static_cast<double>(all.mean[cell]) - sum[cell] / 6) <= 1e-7);
            CHECK(static_cast<double>(all.largest[cell]) == most[cell]);
            CHECK(std::abs(static_cast<double>(all.rollout[cell]) - rollout[cell]) <= 1e-7);
        }
    }
}

TEST_CASE("mixed patterns: the first column can be left out, or measured as a sink") {
    const std::array<float, 9> pattern{1, 0, 0, 0.5f, 0.5f, 0, 0.8f, 0.05f, 0.15f};
    CHECK(*weight_on_first(pattern, 3) == doctest::Approx(0.65));
    CHECK_FALSE(weight_on_first(std::array<float, 1>{1}, 1));
    CHECK_THROWS_AS(weight_on_first(pattern, 2), Error);
    const std::vector<float> rest = without_first_key(pattern, 3);
    const std::array<double, 9> truth{0, 0, 0, 0, 1, 0, 0, 0.25, 0.75};
    for (std::size_t i = 0; i < 9; ++i) CHECK(static_cast<double>(rest[i]) == doctest::Approx(truth[i]));
}

TEST_CASE("mixed patterns: the keys of a word are summed and its queries averaged, and rows still sum to 1") {
    const std::array<float, 9> pattern{0.2f, 0.3f, 0.5f, 0.4f, 0.1f, 0.5f, 0.6f, 0.3f, 0.1f};
    const std::array<int, 3> word_of{0, 0, 1};
    const std::vector<float> words = weights_of_words(pattern, word_of);
    const std::array<double, 4> truth{0.5, 0.5, 0.9, 0.1};
    REQUIRE(words.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(static_cast<double>(words[i]) == doctest::Approx(truth[i]));
    CHECK(*weight_between(pattern, word_of, 0, 1) == doctest::Approx(0.5));
    CHECK(*weight_between(pattern, word_of, 1, 0) == doctest::Approx(0.9));
    CHECK_FALSE(weight_between(pattern, word_of, 2, 0));
}

TEST_CASE("written words: pieces between spaces form one word, special tokens are words of their own") {
    const TemporaryFolder folder;
    std::ofstream(folder / "vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhe\nbat\n##s\n##ting\n.\n";
    std::ofstream(folder / "config.json") << R"({"model_type": "bert"})";
    const auto pieces = load_tokenizer(folder.path());
    REQUIRE(pieces);
    const std::string text = "he bats batting.";
    const std::vector<int> ids = pieces->ids(text);
    CHECK(ids == std::vector<int>{2, 5, 6, 7, 6, 8, 9, 3});
    CHECK(written_words(*pieces, text, ids) == std::vector<int>{0, 1, 2, 2, 3, 3, 3, 4});
    CHECK(written_words(*pieces, "he", ids).empty());
    const CharacterTokenizer letters = CharacterTokenizer::from_text("the bat");
    const std::vector<int> tokens = letters.ids("the bat");
    CHECK(written_words(letters, "the bat", tokens) == std::vector<int>{0, 0, 0, 1, 1, 1, 1});
}
