#pragma once

#include <span>

#include "app/lessons/live_numbers.h"
#include "core/analysis/embedding_map.h"

namespace glassformer::app::live {

/// What an expression tells: a number, what a head looks at, what the model says, which words are near, a figure of the
/// world's metric.
enum class Kind { number, row, said, near, figure };
Kind kind_of(const Expression& expression);

/// An expression with what it leaves out filled in: finds its words and its cells in one snapshot. Lives for one call.
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
    /// The expression's: of the model as it is, or as it is without the what-ifs.
    const Trace* trace() const { return trace_of(e.slot); }
    const Trace* trace_of(int slot) const;
    /// Whether what was measured is of the model that the expression asks about: that of its card, at the card's step,
    /// with the changes or without.
    bool measured() const;
    bool block() const { return layer >= 0 && layer < model().config.n_layers; }

    /// Place of the expression's n-th word in a sentence, or in its source sentence; −1 where it is not there.
    int position(std::size_t which) const { return position_in(e.slot, which, false); }
    int position_in(int slot, std::size_t which, bool source) const;
    /// Of the word that its second word or "→ top" names.
    int key() const;

    /// The node of that name in the expression's block, or with that full name; −1: none.
    int node(const std::string& hook) const;
    /// The scores or the weights of the expression's head; −1: none.
    int pairs_node(const std::string& name) const;
    /// [key], of the expression's first word; empty where there is none.
    SliceView pattern_row() const;
    int strongest() const;

    /// A number of a node: of the first word and the head, where the node has such axes, and the count.
    Cell cell(const std::string& hook) const;
    /// A word's residual stream: at the embedding what enters block 0, else what leaves the block.
    std::span<const float> stream_of(int slot, std::size_t which) const;
    /// A row of [pos, width].
    std::span<const float> row(const std::string& hook) const;
    /// What the model says at the first word, with that word hidden where it fills hidden words; of a model of classes
    /// what it says of the sentence. Empty where it says no words.
    std::span<const float> said() const;
    /// The ids of what it says, the likeliest first; no more than `most`.
    std::vector<int> likeliest(std::size_t most) const;
    /// The id of a word of the vocabulary, or the class of that name; −1: none.
    int id_of(const WordName& word) const;
    std::string name_of(int id) const;
    std::vector<Neighbor> near(std::size_t count) const;

    /// Of a figure "model, pair 8" of the metric: those of all pairs; else empty.
    std::vector<double> curve() const;
    /// All learned numbers, added up: the same as long as none of them changes.
    LiveValue sum_of_weights() const;

    LiveValue number(double value) const;
    LiveValue share(double value) const;
    LiveValue traced(const Cell& cell) const;
    static LiveValue whole(std::int64_t value);
    static LiveValue word(const std::string& text) { return {{}, text, {}, true}; }
};

/// Of the experiment that was started last: see live_experiment.cpp.
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

/// How many of them put an activation of the other sentence in.
std::int64_t patches_in(std::span<const WhatIf> changes);

/// The word of a sentence as a lesson prints it.
std::string token_name(const WatchedSentence& sentence, int position);

}  // namespace glassformer::app::live
