#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/session/command.h"
#include "app/session/snapshot.h"

/// The view of the running training, as far as the rest of the window needs to know it.
namespace glassformer::app::views::training {

/// A parameter of the model being trained, and where it is in the flat parameter vector.
struct TrainedParameter {
    std::string name;  // "blocks.0.attn.W_Q"
    Shape shape;
    std::int64_t offset = 0;
    /// The indices of one of its cells, which is given by its row-major offset: "[3, 12]".
    std::string index(std::int64_t in_parameter) const;
};

/// One weight over the steps that were on screen while it was followed.
struct WeightCurve {
    static constexpr std::size_t most = 400;
    struct Point {
        std::int64_t step = 0;
        float value = 0.0f, gradient = 0.0f;  // value after the update of that step; gradient in it
    };
    int run = -1, restarts = 0;  // see RunInfo
    std::int64_t cell = -1;
    std::vector<Point> points;  // ascending; the oldest are dropped when there are too many
};

/// The settings of the training view.
struct TrainingLook {
    enum Page { parameters_page, weight_page, batch_page, cost_page, path_page };

    int page = parameters_page;
    bool log_counts = false;           // histogram bars show the logarithm of their counts
    bool whole_model = false;          // the page of costs shows what a whole model needs, not the time of one layer
    int picking = -1;                  // index of the parameter to pick a weight from; −1: none, all are listed
    std::array<std::string, 4> typed;  // indices of the weight to pick, as typed
    std::int64_t cell = -1;            // of the followed weight, in the flat vector
    std::uint64_t drawn = 1;           // state of the generator that picks a random weight
    WeightCurve curve;

    std::shared_ptr<const std::vector<TrainedParameter>> known_parameters;  // ascending by offset; null: not known yet

    // What to ask the worker for, and what it was last asked for: see ask_for_inspection().
    command::Inspect wanted, asked;

    void on_model_changed() { known_parameters = nullptr; }
};

/// True if a parameter of a card's trace belongs to the model being trained here.
bool has_update_explanation(const Frame& frame, int slot, const std::string& parameter);
/// Switches the sentences' cards to what a whole model needs: parameters, memory, multiplications.
void show_model_budget(ViewState& state);
/// Switches the sentences' cards to the life of one weight of a parameter, given by its row-major offset.
void show_update_explanation(const Frame& frame, const std::string& parameter, std::int64_t in_parameter);

}  // namespace glassformer::app::views::training
