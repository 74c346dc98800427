#pragma once

#include "app/views/layer_norm/norm_lens.h"

/// The parts of the LayerNorm lens. Each draws from the top of its box over its width and returns where it ends.
namespace glassformer::app::views::layer_norm {

/// Three histograms: before, x̂ and y; each plot `plot` pixels high.
float draw_norm_histograms(const Frame& frame, const NormLens& lens, const Box& box, float plot);
/// What draw_norm_histograms takes besides its plots.
float norm_histogram_frame(const Ui& ui, float width);

/// All words on screen by feature: what one μ and one σ are made of is framed; a click chooses a feature.
float draw_norm_words(const Frame& frame, const NormLens& lens, const Box& box);

/// The formula, with the numbers of the chosen feature.
float draw_norm_formula(const Frame& frame, const NormLens& lens, const Box& box);

/// A what-if for all γ and all β of the norm: a slider each. Only where is_altered() says that changes show here.
float draw_norm_scale(const Frame& frame, const NormLens& lens, const Box& box);

/// Four numbers to play with, and step by step what becomes of them: not the model's.
float norm_example_height(const Ui& ui);
float draw_norm_example(const Frame& frame, int slot, const Box& box);

}  // namespace glassformer::app::views::layer_norm
