#include "core/analysis/sense_vectors.h"

#include <algorithm>
#include <map>

#include "core/nn/transformer.h"

namespace glassformer {

namespace {

/// In one run: a run of a model of BERT's size then takes a part of a second, and can be stopped.
constexpr std::size_t most_tokens = 128;

/// Sentences of one length, run some at a time.
class Runs {
public:
    Runs(Backend& backend, const TransformerConfig& config, std::size_t length, std::size_t batch)
        : length_(length), batch_(batch) {
        model_ = build_transformer(config, {static_cast<int>(batch), static_cast<int>(length)});
        for (int layer = 0; layer <= config.n_layers; ++layer) streams_.push_back(model_.graph->at(stream_name(layer)));
        run_ = backend.prepare(model_.graph, {streams_, -1});
        if (model_.token_types >= 0) std::ranges::fill(run_->input_values(model_.token_types), 0.0f);
        if (model_.key_mask >= 0) std::ranges::fill(run_->input_values(model_.key_mask), 1.0f);
    }

    /// Where there are fewer than a run takes, the last one is repeated.
    void run(std::span<const SenseSentence> sentences, std::span<const std::size_t> some,
             const ParameterView& parameters, SenseVectors& into) {
        const std::span<float> tokens = run_->input_values(model_.tokens);
        for (std::size_t b = 0; b < batch_; ++b)
            std::ranges::copy(sentences[some[std::min(b, some.size() - 1)]].ids,
                              tokens.begin() + static_cast<std::ptrdiff_t>(b * length_));
        run_->forward(parameters);
        block_.resize(batch_ * length_ * into.d_model);
        for (std::size_t layer = 0; layer < streams_.size(); ++layer) {
            run_->read(streams_[layer], block_);
            for (std::size_t b = 0; b < some.size(); ++b)
                add_mean(sentences[some[b]].homonym, b,
                         std::span(into.layers[layer]).subspan(some[b] * into.d_model, into.d_model));
        }
    }

private:
    void add_mean(TokenStretch word, std::size_t b, std::span<float> into) const {
        for (int piece = 0; piece < word.count; ++piece) {
            const std::size_t row = b * length_ + static_cast<std::size_t>(word.first + piece);
            for (std::size_t j = 0; j < into.size(); ++j) into[j] += block_[row * into.size() + j];
        }
        for (float& value : into) value /= static_cast<float>(word.count);
    }

    std::size_t length_, batch_;
    TransformerGraph model_;
    std::vector<int> streams_;  // node ids, by layer
    std::unique_ptr<Execution> run_;
    std::vector<float> block_;
};

}  // namespace

std::optional<SenseVectors> sense_vectors(Backend& backend, const TransformerConfig& config,
                                          const ParameterView& parameters, std::span<const SenseSentence> sentences,
                                          const std::function<bool(std::size_t done)>& go_on) {
    SenseVectors vectors{static_cast<std::size_t>(config.d_model), {}};
    vectors.layers.assign(static_cast<std::size_t>(config.n_layers) + 1,
                          std::vector<float>(sentences.size() * vectors.d_model));
    std::map<std::size_t, std::vector<std::size_t>> by_length;
    for (std::size_t i = 0; i < sentences.size(); ++i) by_length[sentences[i].ids.size()].push_back(i);
    std::size_t done = 0;
    for (const auto& [length, members] : by_length) {
        const std::size_t batch = std::min(members.size(), std::max<std::size_t>(1, most_tokens / length));
        Runs runs(backend, config, length, batch);
        for (std::size_t first = 0; first < members.size(); first += batch) {
            const std::size_t count = std::min(batch, members.size() - first);
            runs.run(sentences, std::span(members).subspan(first, count), parameters, vectors);
            done += count;
            if (!go_on(done)) return std::nullopt;
        }
    }
    return vectors;
}

}  // namespace glassformer
