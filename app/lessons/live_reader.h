#pragma once

#include <span>

#include "app/lessons/live_numbers.h"
#include "core/analysis/embedding_map.h"

namespace glassformer::app::live {

/// What an expression reads: a number, a row of attention, a prediction, near words, or a figure of the world's metric.
enum class Kind { number, row, said, near, figure };
Kind kind_of(const Expression& expression);

/// An expression with its omissions filled in: finds its words and cells in one snapshot. Lives for one call.
class Reader {
public:
    Reader(const Expression& e, const LivePlace& place);

    const Expression& e;
    const Snapshot& s;
    int layer, head;
    std::optional<int> held;

    const WatchedSentence& sentence() const { return sentence_of(e.slot); }
    const WatchedSentence& sentence_of(int slot) const { return s.sentences[slot]; }
    const ModelInfo& model() const { return s.model_of(e.slot); }
    /// The trace that the expression reads: with the what-ifs, or without.
    const Trace* trace() const { return trace_of(e.slot); }
    const Trace* trace_of(int slot) const;
    /// Whether the measurements belong to the model that the expression asks about: its card's, at the card's step,
    /// with or without the changes.
    bool measured() const;
    bool block() const { return layer >= 0 && layer < model().config.n_layers; }

    /// Returns the position of the expression's n-th word in a sentence or its source sentence; −1 if it is not there.
    int position(std::size_t which) const { return position_in(e.slot, which, false); }
    int position_in(int slot, std::size_t which, bool source) const;
    /// Returns the position of the word named by the second word or by "→ top".
    int key() const;

    /// Returns the node of that name in the expression's block, or with that full name; −1: none.
    int node(const std::string& hook) const;
    /// Returns the node with the scores or the weights of the expression's head; −1: none.
    int pairs_node(const std::string& name) const;
    /// [key], for the expression's first word; empty if there is none.
    SliceView pattern_row() const;
    int strongest() const;

    /// Returns a cell of a node: at the first word and the head, if the node has such axes, and at the count.
    Cell cell(const std::string& hook) const;
    /// Returns a word's residual stream: at the embedding, what enters block 0; otherwise what leaves the block.
    std::span<const float> stream_of(int slot, std::size_t which) const;
    /// Returns a row of [pos, width].
    std::span<const float> row(const std::string& hook) const;
    /// Returns the probabilities that the model predicts at the first word (with that word masked if it fills masks),
    /// or, for a classifier, for the sentence. Empty if it predicts no words.
    std::span<const float> said() const;
    /// Returns the ids of the most likely predictions, most likely first; at most `most`.
    std::vector<int> likeliest(std::size_t most) const;
    /// Returns the id of a word of the vocabulary, or of the class of that name; −1: none.
    int id_of(const WordName& word) const;
    std::string name_of(int id) const;
    std::vector<Neighbor> near(std::size_t count) const;

    /// For a figure of the metric such as "model, pair 8", returns the figures of all pairs; otherwise empty.
    std::vector<double> curve() const;
    /// Returns the sum of all parameters, which shows whether any of them has changed.
    LiveValue sum_of_weights() const;

    LiveValue number(double value) const;
    LiveValue share(double value) const;
    LiveValue traced(const Cell& cell) const;
    static LiveValue whole(std::int64_t value);
    static LiveValue word(const std::string& text) { return {{}, text, {}, true}; }
};

/// These read the experiment that was last started: see live_experiment.cpp.
LiveValue runs(const Reader& r);
LiveValue lowest(const Reader& r);
LiveValue highest(const Reader& r);
LiveValue mean_of_runs(const Reader& r);
LiveValue spread_of_runs(const Reader& r);
LiveValue run_metric(const Reader& r);
LiveValue run_head(const Reader& r);
LiveValue run_top(const Reader& r);
LiveValue run_heads(const Reader& r);
LiveValue runs_alike(const Reader& r);

/// Returns how many of the changes patch in an activation of the other sentence.
std::int64_t patches_in(std::span<const WhatIf> changes);

/// Returns a word of a sentence as a lesson prints it.
std::string token_name(const WatchedSentence& sentence, int position);

}  // namespace glassformer::app::live
