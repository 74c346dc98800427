#include "core/analysis/neurons.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/analysis/output_head.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

int post_node(const TransformerGraph& model, int block) {
    if (model.tokens < 0) throw Error("only a model of words has a corpus to search; this one reads numbers");
    const std::string name = block_hook(block, "mlp.hook_post");
    const std::optional<int> node = model.graph->find(name);
    if (!node) throw Error("this model has no {1}, so block {2} has no neurons", name, block);
    return *node;
}

/// Keeps the largest, largest first; on a tie the earlier one stays first.
void insert(std::span<TopActivation> best, TopActivation word) {
    if (best.back().sentence >= 0 && word.activation <= best.back().activation) return;
    for (TopActivation& place : best)
        if (place.sentence < 0 || (word.sentence >= 0 && word.activation > place.activation)) std::swap(place, word);
}

}  // namespace

NeuronCorpus::NeuronCorpus(Backend& backend, const TransformerConfig& config, const BatchSource& source, int block,
                           int sentences, std::uint64_t seed)
    : model_(build_transformer(config, source.shape(batch))), block_(block), post_(post_node(model_, block)) {
    run_ = backend.prepare(model_.graph, {{post_}, -1});
    const int steps = (sentences + batch - 1) / batch;
    for (int step = 1; step <= steps; ++step) draw(source, seed, step);
}

void NeuronCorpus::draw(const BatchSource& source, std::uint64_t seed, std::int64_t step) {
    Drawn& drawn = drawn_.emplace_back();
    source.draw(seed, step, batch, drawn.inputs);
    if (!drawn.inputs.unmasked.empty()) drawn.inputs.tokens = drawn.inputs.unmasked;
    const std::size_t positions = model_.positions;
    for (std::size_t row = 0; row < static_cast<std::size_t>(batch); ++row) {
        std::vector<int> ids;
        for (std::size_t i = row * positions; i < (row + 1) * positions; ++i)
            if (drawn.inputs.key_mask[i] > 0) ids.push_back(static_cast<int>(drawn.inputs.tokens[i]));
        const bool known = ids.empty() || std::ranges::find(sentences_, ids) != sentences_.end();
        drawn.sentence.push_back(known ? -1 : static_cast<int>(sentences_.size()));
        if (!known) sentences_.push_back(std::move(ids));
    }
}

NeuronExamples NeuronCorpus::study(std::span<const float> parameters) {
    const auto neurons = static_cast<std::size_t>((*model_.graph)[post_].shape.back()),
               positions = static_cast<std::size_t>(model_.positions);
    std::size_t words = 0;
    for (const std::vector<int>& sentence : sentences_) words += sentence.size();
    NeuronExamples found{block_, static_cast<int>(neurons), sentences_, std::min(most_examples, words), {}};
    found.top.resize(neurons * found.each);
    for (const Drawn& drawn : drawn_) {
        set_inputs(*run_, model_, drawn.inputs);
        run_->forward(parameters);
        const std::span<const float> post = run_->view(post_);
        for (std::size_t row = 0; row < drawn.sentence.size(); ++row) {
            if (drawn.sentence[row] < 0) continue;
            int position = 0;  // in the sentence, without padding
            for (std::size_t i = row * positions; i < (row + 1) * positions; ++i) {
                if (drawn.inputs.key_mask[i] <= 0) continue;
                for (std::size_t n = 0; n < neurons; ++n)
                    insert(std::span(found.top).subspan(n * found.each, found.each),
                           {drawn.sentence[row], position, post[i * neurons + n]});
                ++position;
            }
        }
    }
    return found;
}

namespace {

std::vector<NeuronWord> scores(std::span<const float> written, std::span<const float> unembedding, bool by_word) {
    const std::size_t d = written.size(), words = unembedding.size() / d;
    std::vector<NeuronWord> found(words);
    for (std::size_t w = 0; w < words; ++w) found[w].id = static_cast<int>(w);
    // In the storage order of the matrix.
    if (by_word) {
        for (std::size_t w = 0; w < words; ++w)
            for (std::size_t j = 0; j < d; ++j)
                found[w].score += static_cast<double>(written[j]) * static_cast<double>(unembedding[w * d + j]);
    } else {
        for (std::size_t j = 0; j < d; ++j)
            for (std::size_t w = 0; w < words; ++w)
                found[w].score += static_cast<double>(written[j]) * static_cast<double>(unembedding[j * words + w]);
    }
    return found;
}

}  // namespace

bool has_neuron_words(const TransformerGraph& model) {
    const Unembedding unembedding(model);
    return model.config.output == OutputKind::words && unembedding.row >= 0 && unembedding.product == model.logits;
}

NeuronWords neuron_words(const Trace& trace, int block, int neuron, std::size_t count) {
    if (!has_neuron_words(trace.model()))
        throw Error("the neurons of this model promote no words: it does not predict words");
    const Unembedding unembedding(trace.model());
    const std::string name = block_hook(block, "mlp.W_out");
    const std::optional<int> w_out = trace.graph().find(name);
    if (!w_out) throw Error("this model has no {1}, so block {2} has no neurons", name, block);
    const Shape& shape = trace.graph()[*w_out].shape;
    if (neuron < 0 || neuron >= shape[0])
        throw Error("there is no neuron {1}; they go from 0 to {2}", neuron, shape[0] - 1);
    const std::size_t d = shape[1];
    const auto written = trace.values(*w_out).subspan(static_cast<std::size_t>(neuron) * d, d);
    std::vector<NeuronWord> all = scores(written, trace.values(unembedding.matrix), unembedding.by_word);
    const auto most = static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    NeuronWords found;
    const auto take = [&](std::vector<NeuronWord>& into, auto before) {
        std::partial_sort(all.begin(), all.begin() + most, all.end(), before);
        into.assign(all.begin(), all.begin() + most);
    };
    take(found.favoured,
         [](const NeuronWord& a, const NeuronWord& b) { return a.score != b.score ? a.score > b.score : a.id < b.id; });
    take(found.opposed,
         [](const NeuronWord& a, const NeuronWord& b) { return a.score != b.score ? a.score < b.score : a.id < b.id; });
    return found;
}

}  // namespace glassformer
