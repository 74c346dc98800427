#include "core/analysis/neuron_words.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

/// The matrix that makes the logits: [d_vocab, d_model] where it is the embedding again, else [d_model, d_vocab].
struct Unembedding {
    int node = -1;
    bool by_word = false;
};

Unembedding find_unembedding(const TransformerGraph& model) {
    if (model.config.output != OutputKind::words || model.logits < 0) return {};
    const OpRole role = model.graph->role(model.logits);
    if (role != OpRole::unembedding && role != OpRole::linear) return {};
    return {(*model.graph)[model.logits].inputs[1], role == OpRole::unembedding};
}

std::vector<NeuronWord> scores(std::span<const float> written, std::span<const float> unembedding, bool by_word) {
    const std::size_t d = written.size(), words = unembedding.size() / d;
    std::vector<NeuronWord> found(words);
    for (std::size_t w = 0; w < words; ++w) found[w].id = static_cast<int>(w);
    // In the order in which the matrix lies.
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

bool has_neuron_words(const TransformerGraph& model) { return find_unembedding(model).node >= 0; }

NeuronWords neuron_words(const Trace& trace, int block, int neuron, std::size_t count) {
    const Unembedding unembedding = find_unembedding(trace.model());
    if (unembedding.node < 0) throw Error("a neuron of this model speaks for no words: the model does not say words");
    const std::string name = block_hook(block, "mlp.W_out");
    const std::optional<int> w_out = trace.graph().find(name);
    if (!w_out) throw Error("this model has no " + name + ", so block " + std::to_string(block) + " has no neurons");
    const Shape& shape = trace.graph()[*w_out].shape;
    if (neuron < 0 || neuron >= shape[0])
        throw Error("there is no neuron " + std::to_string(neuron) + "; they go from 0 to " +
                    std::to_string(shape[0] - 1));
    const std::size_t d = shape[1];
    const auto written = trace.values(*w_out).subspan(static_cast<std::size_t>(neuron) * d, d);
    std::vector<NeuronWord> all = scores(written, trace.values(unembedding.node), unembedding.by_word);
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
