#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/view_state.h"

/// The way from the words to the probabilities in stages, read off the graph of a trace: which there are, in order, and
/// which of a stage's numbers belongs to the chosen word and head.
namespace glassformer::app {

/// Stages that stand together on the strip.
enum class StageGroup { embed, norm, attention, cross_attention, recurrent, add, mlp, out };

/// How a stage's number is found from the chosen word, head, and the word that it looks at most.
enum class StageCell {
    token,         ///< one number a word
    token_vector,  ///< of the word's numbers the one furthest from 0
    token_head,    ///< the same in the chosen head
    key_head,      ///< the same of the word that is looked at most
    pair,          ///< from the word to the word that it looks at most
    neuron,        ///< of the word's neurons the one furthest from 0 after the non-linearity
    source,        ///< as token_vector, of the word of the source sentence that is looked at most
    source_token,  ///< one number of that word
    whole,         ///< of the sentence's numbers the one furthest from 0
    largest        ///< of the word's (or the sentence's) numbers the largest: the likeliest word
};

/// What a stage answers, and the same in a few words where there is little room; {} is the chosen word.
struct StageQuestion {
    std::string_view whole, brief;
};

/// Where a model leaves a stage out, its name may be a second name of another node.
enum class StageName {
    any,  ///< the stage is there with either
    own   ///< the stage is there where its node has the name itself
};

/// What there is to say of a stage, whatever the model.
struct StageKind {
    std::string_view hook;  ///< its node's name; in a block what follows "blocks.L."
    StageName name;
    std::string_view label;
    StageGroup group;
    StageCell cell;
    std::string_view axes;  ///< "[head, query, key]"
    std::string_view
        meaning;  ///< its name, and a sentence after a line break; {1}: what a token is called, {2}: several
    StageQuestion question;
    std::string_view part_of = {};      ///< hook of the stage that it is a part of: is on the strip beside that alone
    std::optional<NormKind> norm = {};  ///< which norm has this part; empty: any
    std::optional<bool> hard = {};      ///< whether it is of hard attention; empty: of any
};

/// A stage of one graph.
struct Stage {
    static constexpr int before = -1;

    const StageKind* kind = nullptr;
    int node = -1;
    int block = before;         ///< `before` the blocks, or the number of blocks after them; of the encoder: `before`
    std::string hook = {};      ///< its node's name; of a block of the model what follows "blocks.L."
    std::string label = {};     ///< on its pill
    std::string item = {};      ///< "stage LN 2": the second with this label in its block; "stage source LN"
    bool source = false;        ///< made of the source sentence, by the encoder
    int source_block = before;  ///< which block of the encoder
    int run = 0;                ///< stages of one group that follow each other in one block have one number

    bool same_place(const Stage& other) const {
        return block == other.block && source == other.source && source_block == other.source_block;
    }
    /// Whether it is the stage that `other` is, or one of its parts, or the other way round.
    bool belongs_to(const Stage& other) const;
};

/// All stages of one graph, in the order of execution.
class Stages {
public:
    explicit Stages(const TransformerGraph& model);

    /// Each number once, from the words to what comes out.
    const std::vector<Stage>& walk() const { return walk_; }
    /// What comes into a block, which is what the block before left; null for block 0, whose stream the stages before
    /// it end with.
    const Stage* entry(int block) const;
    int blocks() const { return blocks_; }

    /// The stage that a node stands for, as an index into walk(), or −1: views of its memory are the stage too.
    int of(int node) const;
    /// The stage of that kind in a block or outside of the blocks, or null.
    const Stage* find(int block, std::string_view hook) const;
    /// How many stages of walk() are computed up to a node.
    int reached(int node) const;

private:
    void collect(const Graph& graph, const Stage& where, std::span<const StageKind> kinds);
    void sort_from(std::size_t first);
    void collect_before(const Graph& graph, int source_blocks);
    void collect_block(const Graph& graph, int block);
    void number_runs();
    void find_names(const Graph& graph);

    int blocks_;
    NormKind norm_;
    bool hard_;
    std::vector<Stage> walk_, entries_;
    std::vector<int> of_;  // by node
};

/// The stages of a trace's graph; made once a graph.
std::shared_ptr<const Stages> stages_of(const Trace& trace);

/// The word whose numbers a stage shows: the chosen one, or of the source sentence the one that it looks at most.
int stage_position(const ViewState& state, const Trace& trace, int slot, const Stage& stage);

/// The stage's number for the chosen word of a slot, in the chosen head.
Cell stage_cell(const ViewState& state, const Trace& trace, int slot, const Stage& stage);

/// "[head, query, key] 4 × 9 × 9".
std::string stage_shape(const Trace& trace, const Stage& stage);

/// What stages there can be, whatever the model: outside of the blocks, and in a block. A graph has some of them.
std::span<const StageKind> stage_kinds_before();
std::span<const StageKind> stage_kinds_in_block();
std::span<const StageKind> stage_kinds_after();

}  // namespace glassformer::app
