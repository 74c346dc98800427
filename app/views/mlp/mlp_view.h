#pragma once

#include <array>
#include <span>

#include "app/common/frame.h"

/// What the MLP view shows of a trace, and its parts, one per file.
namespace glassformer::app::views::mlp {

/// What the chosen block's MLP computed for the chosen word of one sentence, as views into its trace. Built each frame;
/// copies nothing.
struct MlpTrace {
    static constexpr int most_shown = 12;

    const Trace& trace;
    int slot = 0, block = 0, token = 0;
    int width = 0;        ///< neurons: d_mlp
    int pre = -1;         ///< node [pos, d_mlp]: before the non-linearity; −1 where the block has no MLP
    int post = -1;        ///< after it; in SwiGLU the gate times the second sum
    int gate = -1;        ///< in SwiGLU the output of the activation itself; else −1
    int pre_linear = -1;  ///< in SwiGLU the second sum; else −1
    int shown = 0;        ///< number of entries in `strongest`
    std::array<int, most_shown> strongest{};  ///< neurons by |post|, the largest first
    int chosen = -1;  ///< the neuron explained, or the last one passed on the way; else the strongest

    MlpTrace(const Frame& frame, const Trace& trace, int slot);

    bool is_there() const { return pre >= 0 && post >= 0; }
    /// The node computed by the non-linearity itself.
    int activated() const { return gate >= 0 ? gate : post; }
    const Op& activation() const { return *trace.graph()[activated()].op; }
    /// A node's numbers for the chosen word.
    SliceView row(int node) const { return trace.part(node, {token, 1}); }
    float value(int node, int neuron) const { return trace.at(cell(node, neuron)); }
    Cell cell(int node, int neuron) const { return {node, std::int64_t{token} * width + neuron}; }

private:
    void find_strongest();
    void find_chosen(const Frame& frame);
};

/// Draws the model's non-linearity as a curve, with the chosen word's neurons as dots on it (activation_plot.cpp). A
/// click on a dot opens its number.
void draw_activation_plot(const Frame& frame, const MlpTrace& mlp, const Box& box);

/// The chosen neuron in words: those of both sentences that excite it most, and those that it argues for and against.
float neuron_words_height(const Ui& ui);
void draw_neuron_words(const Frame& frame, const MlpTrace& mlp, const Box& box);

/// True if the model has a corpus to search: a world of words that it is trained on.
bool has_neuron_corpus(const Frame& frame, int slot);
/// Minimum height of the list.
float neuron_corpus_height(const Ui& ui);
/// Draws the words of the corpus that excite the chosen neuron most, in their sentences, as many as fit. Asks the
/// worker for them. Lines are registered as "A/corpus 0" with the activation.
void draw_neuron_corpus(const Frame& frame, const MlpTrace& mlp, const Box& box);
/// Call this after all views are drawn: tells the worker which block's neurons are on screen, if that has changed.
void ask_for_neurons(const Frame& frame);

}  // namespace glassformer::app::views::mlp
