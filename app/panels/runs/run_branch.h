#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/panels/timeline/timeline_state.h"

/// A branch of the run at work: what its card says, without how it looks.
namespace glassformer::app {

/// What the learning rate can be multiplied with.
inline constexpr std::array<float, 5> branch_factors = {0.1f, 0.3f, 1.0f, 3.0f, 10.0f};

/// Opens the card, for the kept step nearest to the one on screen.
void open_branch(const Frame& frame);
/// The peak learning rate that it asks for; none where what was typed is not a rate.
std::optional<float> branch_rate(const BranchDraft& draft, const TrainingSetup& parent);
/// A layer of attention whose heads can be removed.
struct RemovableLayer {
    std::string attention, name;  // "blocks.1.cross_attn", "block 1, to the source"
};
/// In the order of the model; none where it has no heads that write for themselves.
std::vector<RemovableLayer> removable_layers(const TransformerConfig& config);
/// All heads that the card removes.
std::vector<RemovedHead> removed_heads(const BranchDraft& draft, const TransformerConfig& config);
/// Where a branch of the step on screen begins: at a step that was kept.
std::int64_t branch_step(const Snapshot& snapshot);
/// Puts the chosen head among those removed, so that another can be chosen.
void choose_another_head(BranchDraft& draft, const TransformerConfig& config);
/// The set-up that the card describes.
TrainingSetup branch_setup(const BranchDraft& draft, const TrainingSetup& parent);
/// What will differ, in words; empty where nothing does.
std::string branch_words(const BranchDraft& draft, const RunInfo& parent);
/// Sends it, and closes the card.
void make_branch(const Frame& frame);
/// At once, on from the step on screen, with ten times the learning rate; the curve from before stays beside it.
void branch_ten_times_as_fast(const Frame& frame);
/// Where the numbers broke: on from the last kept step with a tenth of the learning rate.
void branch_from_trouble(const Frame& frame, const Trouble& trouble);

}  // namespace glassformer::app
