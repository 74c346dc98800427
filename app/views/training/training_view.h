#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/session/command.h"
#include "app/session/snapshot.h"

/// The view of the training in work, as the rest of the window needs to know it.
namespace glassformer::app::views::training {

/// A parameter of the model that is trained, and where it lies in the flat parameter vector.
struct TrainedParameter {
    std::string name;  // "blocks.0.attn.W_Q"
    Shape shape;
    std::int64_t offset = 0;
    /// The row-major place of one of its cells as its indices: "[3, 12]".
    std::string index(std::int64_t in_parameter) const;
};

/// One weight over the steps that came on screen while it was looked at.
struct WeightCurve {
    static constexpr std::size_t most = 400;
    struct Point {
        std::int64_t step = 0;
        float value = 0.0f, gradient = 0.0f;  // after the update of that step; of it
    };
    const ModelInfo* model = nullptr;
    int run = -1;
    std::int64_t cell = -1;
    std::vector<Point> points;  // ascending; the oldest go when there are too many
};

/// What the view of the training is set to.
struct TrainingLook {
    enum Page { parameters_page, weight_page, batch_page, cost_page, path_page };

    int page = parameters_page;
    bool log_counts = false;   // bars of histograms stand for the logarithm of their counts
    bool whole_model = false;  // the page of costs shows what a whole model takes, not the time of one layer
    int picking = -1;          // index of the parameter that a weight is picked from; −1: none, all are listed
    std::array<std::string, 4> typed;  // indices of that weight, as typed
    std::int64_t cell = -1;            // of the weight that is followed, in the flat vector
    std::uint64_t drawn = 1;           // state of the lot that draws a random one
    WeightCurve curve;

    const ModelInfo* model = nullptr;                                       // that `parameters` and `cell` belong to
    std::shared_ptr<const std::vector<TrainedParameter>> known_parameters;  // ascending by offset

    // Asked of the worker: see ask_for_inspection().
    command::Inspect wanted, asked;
};

/// Whether a parameter of a card's trace is one of the model that is trained here.
bool has_update_explanation(const Frame& frame, int slot, const std::string& parameter);
/// Turns the sentences' cards to what a whole model takes: parameters, memory, multiplications.
void show_model_budget(ViewState& state);
/// Turns the sentences' cards to the life of one of its weights, by its row-major place.
void show_update_explanation(const Frame& frame, const std::string& parameter, std::int64_t in_parameter);

}  // namespace glassformer::app::views::training
