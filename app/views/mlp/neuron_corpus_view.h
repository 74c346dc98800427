#pragma once

#include "app/views/mlp/mlp_trace.h"

namespace glassformer::app::views::mlp {

/// Whether the model has a corpus to look through: a world of words that it is trained on.
bool has_neuron_corpus(const Frame& frame, int slot);
/// Least height of the list.
float neuron_corpus_height(const Ui& ui);
/// The words of the corpus that excite the chosen neuron most, in their sentences; as many as the box holds. Asks the
/// worker for them. Lines are registered as "A/corpus 0" with the activation.
void draw_neuron_corpus(const Frame& frame, const MlpTrace& mlp, const Box& box);
/// After all views are drawn: tells the worker which block's neurons are looked at, where that has changed.
void ask_for_neurons(const Frame& frame);

}  // namespace glassformer::app::views::mlp
