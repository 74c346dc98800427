#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/tasks/sequence_task.h"
#include "core/tasks/world_kind.h"
#include "core/train/fixed_batch.h"

namespace glassformer {

namespace {

/// Mean over sentences and queries of the weight on key_of(sentence's first cell, query); a negative key is skipped.
template <class KeyOf>
std::vector<double> mean_weight(std::span<const float> pattern, int n_heads, int positions, const Batch& batch,
                                const KeyOf& key_of) {
    const auto heads = static_cast<std::size_t>(n_heads), length = static_cast<std::size_t>(positions);
    if (pattern.size() != batch.tokens.size() * heads * length) throw Error("the pattern is not of this batch");
    std::vector<double> sums(heads);
    std::size_t counted = 0;
    for (std::size_t sentence = 0; sentence < batch.tokens.size() / length; ++sentence)
        for (std::size_t query = 0; query < length; ++query) {
            const int key = key_of(sentence * length, query);
            if (key < 0) continue;
            ++counted;
            for (std::size_t head = 0; head < heads; ++head) {
                const std::size_t row = ((sentence * heads + head) * length + query) * length;
                sums[head] += static_cast<double>(pattern[row + static_cast<std::size_t>(key)]);
            }
        }
    for (double& sum : sums) sum /= counted > 0 ? static_cast<double>(counted) : 1.0;
    return sums;
}

constexpr int shortest = 6, longest = 16;
const std::string first_pattern = "blocks.0.attn.hook_pattern", second_pattern = "blocks.1.attn.hook_pattern";

constexpr std::size_t lengths_a_group = 3;

/// The share of right tokens in the second half; if the model has at least two blocks with attention, how far the two
/// heads of an induction circuit (Olsson et al. 2022) have formed; then the share by the distance of the copy, which is
/// how far a recurrent model has to carry it.
class InductionMetric final : public Metric {
public:
    InductionMetric(Backend& backend, const TransformerConfig& config, const SequenceBatches& batches)
        : has_circuit_(!config.recurrent() && config.n_layers > 1),
          held_out_(backend, config, batches.shape(held_out_sequences), batches.held_out(held_out_sequences),
                    has_circuit_ ? std::vector<std::string>{"logits", first_pattern, second_pattern}
                                 : std::vector<std::string>{"logits"}) {}

    Measurement measure(std::span<const float> parameters) override {
        held_out_.run(parameters);
        const TransformerGraph& model = held_out_.model();
        const Batch& batch = held_out_.batch();
        const int heads = model.config.n_heads, positions = model.positions;
        const std::span<const float> logits = held_out_.values("logits");
        const RightShare share = right_share(logits, model.config.d_vocab, positions, batch);
        Measurement found{share.tokens, {}};
        if (has_circuit_) {
            const auto induction = induction_scores(held_out_.values(second_pattern), heads, positions, batch);
            const auto previous = previous_word_scores(held_out_.values(first_pattern), heads, positions, batch);
            found.details.emplace_back(N_("induction-head score"), std::ranges::max(induction));
            found.details.emplace_back(N_("previous-word score"), std::ranges::max(previous));
        }
        found.details.emplace_back(N_("sequences right as a whole"), share.sentences);
        add_by_distance(logits, model.config.d_vocab, positions, batch, found);
        return held_out_.nan_if_diverged(std::move(found));
    }

private:
    /// A sequence of n symbols comes twice, so the answer is n − 1 syllables back.
    static void add_by_distance(std::span<const float> logits, int d_vocab, int positions, const Batch& batch,
                                Measurement& found) {
        const auto width = static_cast<std::size_t>(d_vocab), length = static_cast<std::size_t>(positions);
        std::vector<double> right(longest + 1), asked(longest + 1);
        for (std::size_t begin = 0; begin < batch.targets.size(); begin += length) {
            std::size_t read = 0;
            while (read < length && batch.key_mask[begin + read] != 0.0f) ++read;
            const std::size_t distance = read / 2;
            for (std::size_t cell = begin; cell < begin + length; ++cell) {
                if (batch.loss_weights[cell] == 0.0f || distance > longest) continue;
                asked[distance] += 1.0;
                right[distance] += argmax(logits.subspan(cell * width, width)) == static_cast<int>(batch.targets[cell]);
            }
        }
        for (std::size_t from = shortest; from <= longest; from += lengths_a_group) {
            const std::size_t to = std::min<std::size_t>(from + lengths_a_group - 1, longest);
            double all = 0.0, well = 0.0;
            for (std::size_t n = from; n <= to; ++n) all += asked[n], well += right[n];
            if (all > 0.0)
                found.details.emplace_back(from == to ? filled_with(N_("copy of {1} syllables back"), from)
                                                      : filled_with(N_("copy of {1} to {2} syllables back"), from, to),
                                           well / all);
        }
    }

    bool has_circuit_;
    FixedBatch held_out_;
};

Task make_induction(const WorldFile&) {
    const auto world = std::make_shared<const SequenceWorld>(SequenceRule::repeated, shortest, longest);
    const auto batches = std::make_shared<const SequenceBatches>(world, NextTokens::all);
    Task task = sequence_task(batches);
    task.name = "induction";
    task.title = N_("Induction: a random sequence, twice");
    task.config.activation = Activation::none;
    // With learned positions a model finds another solution: it infers the length of the sequence and attends by
    // position. Relative positions leave it the circuit of a previous-token head and an induction head.
    task.config.positions = Positions::rotary;
    task.config.tied = false;
    task.options.schedule.total = 800;
    task.token_noun = N_("syllable");
    task.metric_name = filled_with(N_("held-out {1}"), N_("repeated tokens right"));
    task.make_metric = [batches](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<InductionMetric>(backend, config, *batches);
    };
    return task;
}

}  // namespace

std::vector<double> previous_word_scores(std::span<const float> pattern, int n_heads, int positions,
                                         const Batch& batch) {
    return mean_weight(pattern, n_heads, positions, batch, [&](std::size_t begin, std::size_t query) {
        return batch.key_mask[begin + query] == 0.0f ? -1 : static_cast<int>(query) - 1;
    });
}

std::vector<double> induction_scores(std::span<const float> pattern, int n_heads, int positions, const Batch& batch) {
    return mean_weight(pattern, n_heads, positions, batch, [&](std::size_t begin, std::size_t query) {
        if (batch.loss_weights[begin + query] == 0.0f) return -1;
        for (std::size_t earlier = query; earlier-- > 0;)
            if (batch.tokens[begin + earlier] == batch.tokens[begin + query]) return static_cast<int>(earlier) + 1;
        return -1;
    });
}

extern constinit const WorldKind induction_world{
    .name = "induction",
    .summary = N_("A random sequence is repeated: what came next the first time?"),
    .reads = "a random sequence, twice",
    .learns = "predict what followed the first time",
    .make = make_induction,
};

}  // namespace glassformer
