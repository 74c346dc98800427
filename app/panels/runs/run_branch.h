#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/panels/timeline/timeline_state.h"

/// A branch of the current run: the content of its card, without the drawing.
namespace glassformer::app {

/// The factors that the card offers for the learning rate.
inline constexpr std::array<float, 5> branch_factors = {0.1f, 0.3f, 1.0f, 3.0f, 10.0f};

/// Opens the card for the kept step nearest to the one on screen.
void open_branch(const Frame& frame);
/// Returns the peak learning rate that the card asks for; nullopt if the typed text is not a rate.
std::optional<float> branch_rate(const BranchDraft& draft, const TrainingSetup& parent);
/// An attention layer whose heads can be removed.
struct RemovableLayer {
    std::string attention, name;  // "blocks.1.cross_attn", "block 1, to the source"
};
/// Returns the layers in model order; empty if the model has no heads that write separately.
std::vector<RemovableLayer> removable_layers(const TransformerConfig& config);
/// Returns all heads that the card removes.
std::vector<RemovedHead> removed_heads(const BranchDraft& draft, const TransformerConfig& config);
/// Returns the step at which a branch of the current step starts: one that was kept.
std::int64_t branch_step(const Snapshot& snapshot);
/// Adds the chosen head to the removed ones, so that another one can be chosen.
void choose_another_head(BranchDraft& draft, const TransformerConfig& config);
/// Returns the setup that the card describes.
TrainingSetup branch_setup(const BranchDraft& draft, const TrainingSetup& parent);
/// Says in words what will differ; empty if nothing does.
std::string branch_words(const BranchDraft& draft, const RunInfo& parent);
/// Starts the branch and closes the card.
void make_branch(const Frame& frame);
/// Branches at once from the step on screen, with ten times the learning rate. The earlier curve stays beside the new
/// one.
void branch_ten_times_as_fast(const Frame& frame);
/// Branches from the last step kept before the numbers broke, with a tenth of the learning rate.
void branch_from_trouble(const Frame& frame, const Trouble& trouble);

}  // namespace glassformer::app
