#include <doctest/doctest.h>

#include "core/analysis/contributions.h"
#include "core/analysis/neurons.h"
#include "core/base/error.h"
#include "tests/core/small_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Returns every word's score, by id.
std::vector<double> by_word(const NeuronWords& words, std::size_t d_vocab) {
    std::vector<double> scores(d_vocab, 1e9);
    for (const NeuronWord& word : words.favoured) scores[word.id] = word.score;
    return scores;
}

}  // namespace

TEST_CASE("a neuron's words: without a final norm, they add up to the MLP's contribution to each logit") {
    for (const bool tied : {true, false}) {
        TransformerConfig config = small_config();
        config.norm_placement = NormPlacement::none, config.tied = tied;
        SmallModel model("no norm", config);
        const auto trace = model.trace(sentence_a);
        const int last = config.n_layers - 1, position = 2;
        // Σ_n post[n] · score_n[w] + Σ b_out · U must be the MLP's share of the logit.
        const std::string mlp = "blocks." + std::to_string(last) + ".mlp.";
        std::vector<double> sum(static_cast<std::size_t>(config.d_vocab));
        const auto post = trace->values(mlp + "hook_post");
        const std::size_t d_mlp = config.d_mlp;
        for (std::size_t neuron = 0; neuron < d_mlp; ++neuron) {
            const auto scores = by_word(neuron_words(*trace, last, static_cast<int>(neuron), sum.size()), sum.size());
            for (std::size_t w = 0; w < sum.size(); ++w)
                sum[w] += static_cast<double>(post[position * d_mlp + neuron]) * scores[w];
        }
        const auto bias = trace->values(mlp + "b_out"), unembed = trace->values(tied ? "embed.W_E" : "unembed.W_U");
        for (std::size_t w = 0; w < sum.size(); ++w)
            for (std::size_t j = 0; j < bias.size(); ++j)
                sum[w] += static_cast<double>(bias[j]) *
                          static_cast<double>(unembed[tied ? w * bias.size() + j : j * sum.size() + w]);
        for (std::size_t w = 0; w < sum.size(); ++w) {
            CAPTURE(w);
            for (const Contribution& term : logit_contributions(*trace, position, static_cast<int>(w)).terms)
                if (term.kind == Contribution::Kind::mlp && term.block == last)
                    CHECK(sum[w] == doctest::Approx(term.value).epsilon(1e-4));
        }
    }
}

TEST_CASE("a neuron's words: favoured and opposed words are the two ends of one order") {
    SmallModel model("encoder", small_config());
    const auto trace = model.trace(sentence_a);
    const NeuronWords all = neuron_words(*trace, 1, 4, 1000);
    REQUIRE(all.favoured.size() == 19);
    REQUIRE(all.opposed.size() == 19);
    for (std::size_t i = 0; i + 1 < all.favoured.size(); ++i) {
        CHECK(all.favoured[i].score >= all.favoured[i + 1].score);
        CHECK(all.opposed[i].score <= all.opposed[i + 1].score);
    }
    CHECK(all.favoured.front().id == all.opposed.back().id);
    const NeuronWords few = neuron_words(*trace, 1, 4, 3);
    REQUIRE(few.favoured.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(few.favoured[i].id == all.favoured[i].id);
        CHECK(few.opposed[i].id == all.opposed[i].id);
    }
}

TEST_CASE("a neuron's words: a block or neuron that does not exist is named") {
    SmallModel model("encoder", small_config());
    const auto trace = model.trace(sentence_a);
    CHECK(has_neuron_words(trace->model()));
    CHECK_THROWS_WITH_AS(neuron_words(*trace, 7, 0, 5), doctest::Contains("blocks.7.mlp.W_out"), Error);
    CHECK_THROWS_WITH_AS(neuron_words(*trace, 0, -1, 5), doctest::Contains("no neuron -1"), Error);
    CHECK_THROWS_WITH_AS(neuron_words(*trace, 0, 100000, 5), doctest::Contains("no neuron 100000"), Error);
    TransformerConfig config = small_config();
    config.output = OutputKind::classes, config.d_output = 2;
    SmallModel classes("classes", config);
    const auto other = classes.trace(sentence_a);
    CHECK_FALSE(has_neuron_words(other->model()));
    CHECK_THROWS_WITH_AS(neuron_words(*other, 0, 0, 5), doctest::Contains("does not predict words"), Error);
}
