#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"

/// What the LayerNorm lens shows, without the drawing: what one norm makes of the features of one word or, for the
/// comparison with batch norm, of one feature over all words on screen.
namespace glassformer::app::views::layer_norm {

/// The settings of the LayerNorm lens.
struct NormLensChoice {
    bool final_norm = false;  // the norm after the last block, instead of ln1 or ln2
    bool over_words = false;  // the comparison with batch norm
    int feature = 0;
    std::array<std::string, 4> example{"100", "200", "100", "0"};      // the lecture's four numbers, as typed
    std::array<std::string, 3> example_settings{"1", "0", "0.00001"};  // γ, β, ε of the example, as typed
};

/// The nodes of one norm in a trace; −1 for those that this kind of norm lacks.
struct NormNodes {
    int x = -1;                                         // [pos, d_model], the input
    int mean = -1, scale = -1;                          // [pos]; batch norm has a mean [d_model]
    int variance = -1;                                  // [d_model], batch norm only
    int normalized = -1, out = -1;                      // [pos, d_model]
    int gamma = -1, beta = -1;                          // [d_model], or [1] for all features
    bool of_features() const { return variance >= 0; }  // statistics per feature, not per word
};

/// The norm with this prefix ("blocks.0.ln1"); none if there is none.
std::optional<NormNodes> find_norm(const Trace& trace, const std::string& prefix);

/// A norm that can be chosen.
struct NormChoice {
    std::string_view name;  // "ln1", "cross", "ln2", "final"
    std::string prefix;
};
/// The norms of the model: those of the chosen block, and the one after the last block.
std::vector<NormChoice> norm_choices(const Frame& frame, const Trace& trace);
/// True if the model has any norm.
bool has_norm(const Frame& frame);

/// Mean and standard deviation (divided by n, not n − 1). About zero for RMSNorm, which does not subtract the mean.
struct Spread {
    double mean = 0, deviation = 0;
};
Spread spread(std::span<const float> values, bool about_zero = false);

/// Number of values in each of `pieces` equal bins from −limit to +limit. Values that are not finite are in none.
struct NormHistogram {
    static constexpr int pieces = 32;
    double limit = 1;
    std::array<int, pieces> count{};

    /// The bin of a value; −1 if it is in none.
    int piece(float value) const;
};
/// The smallest round limit that no |value| exceeds.
double round_limit(std::span<const float> values);
NormHistogram histogram(std::span<const float> values, double limit);

/// The numbers of the lens in one frame.
struct NormLens {
    int slot = 0, token = 0, feature = 0;
    int features = 0;         // d_model
    bool over_words = false;  // one feature over the words on screen, instead of one word's features
    NormKind kind = NormKind::layer_norm;
    std::string prefix;
    NormNodes nodes;
    std::vector<WordPlace> words;              // all words on screen, A's first
    std::array<std::vector<float>, 3> values;  // before, x̂, y: by feature, or by word of `words`
    std::array<Spread, 3> spreads;             // of each of the three
    double epsilon = 0;
    double mean = 0, scale = 1;  // what the formula subtracts and divides by; scale is √(σ² + ε)
    double x = 0, gamma = 1, beta = 0, normalized = 0, out = 0;  // for the chosen feature and word

    int index() const;  // index of the chosen feature or word in `values`
    bool takes_mean() const { return over_words || kind != NormKind::rms_norm; }
    std::int64_t cell(int position, int of_feature) const { return std::int64_t{position} * features + of_feature; }
    std::int64_t gamma_cell(const Trace& trace) const;
};

/// Reads the norm at a sentence's chosen word; the model must have a norm.
NormLens norm_lens(const Frame& frame, int slot);

/// Where the ends of a histogram's axis are labelled: labels at the sides need less height.
enum class AxisEnds { below, at_sides };
/// Draws three histograms: before, x̂ and y; each plot is `plot` pixels high.
float draw_norm_histograms(const Frame& frame, const NormLens& lens, const Box& box, float plot,
                           AxisEnds ends = AxisEnds::below);
/// The height that draw_norm_histograms() needs besides its plots.
float norm_histogram_frame(const Ui& ui, float width, AxisEnds ends = AxisEnds::below);

/// Draws all words on screen by feature. Frames the values behind μ and σ; a click chooses a feature.
float draw_norm_words(const Frame& frame, const NormLens& lens, const Box& box);

/// Draws the formula with the numbers of the chosen feature.
float draw_norm_formula(const Frame& frame, const NormLens& lens, const Box& box);

/// A what-if for all γ and all β of the norm: a slider each. Only if is_altered() says that changes show here.
float draw_norm_scale(const Frame& frame, const NormLens& lens, const Box& box);

/// Four numbers to play with, and what becomes of them step by step; they are not the model's.
float norm_example_height(const Ui& ui);
float draw_norm_example(const Frame& frame, int slot, const Box& box);

}  // namespace glassformer::app::views::layer_norm
