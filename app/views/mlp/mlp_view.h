#pragma once

#include <array>
#include <span>

#include "app/common/frame.h"

/// What the view of the MLP shows of a trace, and its parts, one a file.
namespace glassformer::app::views::mlp {

/// What the chosen block's MLP computed for the chosen word of one sentence, as views into its trace. Made each frame;
/// nothing is copied.
struct MlpTrace {
    static constexpr int most_shown = 12;

    const Trace& trace;
    int slot = 0, block = 0, token = 0;
    int width = 0;        ///< neurons: d_mlp
    int pre = -1;         ///< node [pos, d_mlp]: before the non-linearity; −1 where the block has no MLP
    int post = -1;        ///< after it; of SwiGLU the gate times the second sum
    int gate = -1;        ///< of SwiGLU: the activation's own output; −1 without
    int pre_linear = -1;  ///< of SwiGLU: the second sum; −1 without
    int shown = 0;        ///< how many of `strongest` there are
    std::array<int, most_shown> strongest{};  ///< neurons by |post|, the largest first
    int chosen = -1;  ///< the neuron whose number is explained, or was on the way there; else the strongest

    MlpTrace(const Frame& frame, const Trace& trace, int slot);

    bool is_there() const { return pre >= 0 && post >= 0; }
    /// The node that the non-linearity itself makes.
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

/// The model's non-linearity as a curve, with the chosen word's neurons as dots on it: activation_plot.cpp. A dot opens
/// its number.
void draw_activation_plot(const Frame& frame, const MlpTrace& mlp, const Box& box);

/// The chosen neuron in words: those of both sentences that excite it most, and those that its direction argues for and
/// against.
float neuron_words_height(const Ui& ui);
void draw_neuron_words(const Frame& frame, const MlpTrace& mlp, const Box& box);

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
