#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/neurons.h"
#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Sentences of three to six words, padded to six; with `hide`, one word of each is hidden (id 1).
class FewSentences : public BatchSource {
public:
    explicit FewSentences(bool hide) : hide_(hide) {}
    BatchShape shape(int batch) const override { return {batch, length}; }
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override {
        const auto size = static_cast<std::size_t>(batch) * length;
        out.tokens.assign(size, 0), out.key_mask.assign(size, 0), out.targets.assign(size, 0);
        out.loss_weights.assign(size, 0);
        Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch); ++row) {
            const std::size_t words = 3 + rng.below(4);
            for (std::size_t i = 0; i < words; ++i) {
                const std::size_t at = row * length + i;
                out.tokens[at] = static_cast<float>(2 + rng.below(17)), out.key_mask[at] = 1;
            }
            const std::size_t hidden = row * length + rng.below(words);
            if (!hide_) continue;
            out.targets[hidden] = out.tokens[hidden], out.loss_weights[hidden] = 1;
            out.tokens[hidden] = 1;
        }
    }

private:
    static constexpr int length = 6;
    bool hide_;
};

/// Returns one neuron's activation at every word, largest first, from a trace of each sentence.
std::vector<float> all_activations(SmallModel& model, const NeuronExamples& found, int neuron) {
    std::vector<float> all;
    for (const std::vector<int>& sentence : found.sentences) {
        const auto trace = model.trace(sentence);
        const auto post = trace->values("blocks." + std::to_string(found.block) + ".mlp.hook_post");
        for (std::size_t i = 0; i < sentence.size(); ++i)
            all.push_back(post[i * static_cast<std::size_t>(found.neurons) + static_cast<std::size_t>(neuron)]);
    }
    std::ranges::sort(all, std::greater<>());
    return all;
}

}  // namespace

TEST_CASE("neuron corpus: each neuron's words are those with the largest activations, as a trace shows them") {
    for (const bool hide : {true, false}) {
        SmallModel model("encoder", small_config());
        NeuronCorpus corpus(model.backend, model.config, FewSentences(hide), 1, 60);
        const NeuronExamples found = corpus.study(*model.parameters);
        CHECK(found.neurons == 20);
        CHECK(found.each == NeuronCorpus::most_examples);
        CHECK(found.sentences.size() > 40);
        for (const std::vector<int>& sentence : found.sentences) {
            CHECK(sentence.size() >= 3);
            CHECK(std::ranges::count(sentence, 1) == 0);  // hidden words are shown
            CHECK(std::ranges::count(found.sentences, sentence) == 1);
        }
        for (int neuron = 0; neuron < found.neurons; neuron += 7) {
            const std::vector<float> all = all_activations(model, found, neuron);
            for (std::size_t i = 0; i < found.each; ++i) {
                const TopActivation& word = found.of(neuron)[i];
                CHECK(word.activation == doctest::Approx(all[i]).epsilon(1e-4));
                const auto trace = model.trace(found.sentences[word.sentence]);
                const std::size_t at = word.position * found.neurons + neuron;
                CHECK(trace->values("blocks.1.mlp.hook_post")[at] == doctest::Approx(word.activation).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("neuron corpus: a model trained with dropout is read without it") {
    SmallModel model("encoder", small_config());
    TransformerConfig dropping = model.config;
    dropping.dropout = 0.5f;
    NeuronCorpus corpus(model.backend, model.config, FewSentences(true), 1, 40),
        other(model.backend, dropping, FewSentences(true), 1, 40);
    const NeuronExamples plain = corpus.study(*model.parameters), found = other.study(*model.parameters);
    REQUIRE(found.top.size() == plain.top.size());
    for (std::size_t i = 0; i < found.top.size(); ++i) CHECK(found.top[i].activation == plain.top[i].activation);
}

TEST_CASE("neuron corpus: other parameters give other activations, and a block without an MLP is refused") {
    SmallModel model("encoder", small_config());
    NeuronCorpus corpus(model.backend, model.config, FewSentences(true), 0, 40);
    std::vector<float> zero(model.parameters->size());
    const NeuronExamples first = corpus.study(*model.parameters), none = corpus.study(zero);
    CHECK(first.of(0)[0].activation > 0);
    CHECK(none.of(0)[0].activation == 0);
    CHECK(corpus.study(*model.parameters).of(3)[2].activation == first.of(3)[2].activation);
    TransformerConfig bare = small_config();
    bare.activation = Activation::none;
    CHECK_THROWS_AS(NeuronCorpus(model.backend, bare, FewSentences(true), 0), Error);
    CHECK_THROWS_AS(NeuronCorpus(model.backend, model.config, FewSentences(true), 2), Error);
}
