#include <algorithm>

#include "core/base/mark_text.h"
#include "core/tasks/head_scores.h"
#include "core/tasks/sequence_metric.h"
#include "core/tasks/sequence_task.h"
#include "core/tasks/world_kind.h"

namespace glassformer {

namespace {

constexpr int shortest = 6, longest = 16;
const std::string first_pattern = "blocks.0.attn.hook_pattern", second_pattern = "blocks.1.attn.hook_pattern";

/// The share of right tokens in the second half, and how far the two heads of an induction circuit (Olsson et al. 2022)
/// have formed.
class InductionMetric final : public Metric {
public:
    InductionMetric(Backend& backend, const TransformerConfig& config, const SequenceBatches& batches)
        : held_out_(backend, config, batches.shape(held_out_sequences), batches.held_out(held_out_sequences),
                    {"logits", first_pattern, second_pattern}) {}

    Measurement measure(std::span<const float> parameters) override {
        held_out_.run(parameters);
        const TransformerGraph& model = held_out_.model();
        const Batch& batch = held_out_.batch();
        const int heads = model.config.n_heads, positions = model.positions;
        const RightShare share = right_share(held_out_.values("logits"), model.config.d_vocab, positions, batch);
        const auto induction = induction_scores(held_out_.values(second_pattern), heads, positions, batch);
        const auto previous = previous_word_scores(held_out_.values(first_pattern), heads, positions, batch);
        return {share.tokens,
                {{"induction-head score", std::ranges::max(induction)},
                 {"previous-word score", std::ranges::max(previous)},
                 {N_("sequences right as a whole"), share.sentences}}};
    }

private:
    FixedBatch held_out_;
};

TaskDefinition make_induction(const WorldFile&) {
    const auto world = std::make_shared<const SequenceWorld>(SequenceRule::repeated, shortest, longest);
    const auto batches = std::make_shared<const SequenceBatches>(world, NextTokens::all);
    TaskDefinition task = sequence_task(batches);
    task.name = "induction";
    task.title = N_("Induction: a random sequence, twice");
    task.config.activation = Activation::none;
    // With learned positions a model finds another way: it works out how long the sequence is, and looks at places.
    // Relative positions leave it the circuit of a previous-token head and an induction head.
    task.config.positions = Positions::rotary;
    task.config.tied = false;
    task.options.schedule.total = 800;
    task.token_noun = "syllable";
    task.metric_name = N_("held-out repeated tokens right");
    task.metric = [batches](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<InductionMetric>(backend, config, *batches);
    };
    return task;
}

}  // namespace

const WorldKind induction_world = {.name = "induction",
                                   .summary = N_("A random sequence comes twice: what came next the first time?"),
                                   .reads = "a random sequence, twice",
                                   .learns = "go on with what followed last time",
                                   .make = make_induction};

}  // namespace glassformer
