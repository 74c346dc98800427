#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/analysis/neurons.h"
#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "core/tasks/world_data.h"
#include "core/worlds/coreference.h"
#include "core/worlds/corpus.h"
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
        std::vector<std::size_t> hidden;
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch); ++row) {
            const std::size_t words = 3 + rng.below(4);
            for (std::size_t i = 0; i < words; ++i) {
                const std::size_t at = row * length + i;
                out.tokens[at] = static_cast<float>(2 + rng.below(17)), out.key_mask[at] = 1;
            }
            hidden.push_back(row * length + rng.below(words));
        }
        if (!hide_) return;
        out.unmasked = out.tokens;
        for (const std::size_t at : hidden) {
            out.targets[at] = out.tokens[at], out.loss_weights[at] = 1;
            out.tokens[at] = 1;
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

TEST_CASE("neuron corpus: the sentences are those of the world where the model is asked what a pronoun means") {
    const auto task = make_task("coreference", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    const auto world = CoreferenceWorld::load(GLASSFORMER_SOURCE_DIR "/assets/worlds/coreference.words");
    const auto& tokenizer = dynamic_cast<const WordTokenizer&>(*task->tokenizer);
    std::set<std::vector<int>> said;
    for (const CoreferenceSentence& s : distinct_sentences(world, Split::train, 6000, corpus_seed))
        said.insert(word_ids(tokenizer, s.words));
    for (const PeopleSentence& s : distinct_sentences(*world.people(), Split::train, 1500, corpus_seed))
        said.insert(word_ids(tokenizer, s.words));
    CpuBackend backend(1);
    const NeuronCorpus corpus(backend, task->config, *task->batches, 0);
    CHECK(corpus.sentences().size() > 150);
    for (const std::vector<int>& sentence : corpus.sentences()) CHECK(said.contains(sentence));
    // Short sentences are the same ones.
    Batch batch;
    short_sentences(task->batches, 16)->draw(3, 2, 20, batch);
    for (std::size_t row = 0; row < 20; ++row) {
        std::vector<int> ids;
        for (std::size_t p = row * 16; p < (row + 1) * 16; ++p)
            if (batch.key_mask[p] > 0) ids.push_back(static_cast<int>(batch.unmasked_tokens()[p]));
        CHECK(said.contains(ids));
    }
}

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
