#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/view_state.h"

/// The path from words to probabilities in stages, read from a trace's graph: which stages there are, in order, and
/// which number of a stage belongs to the chosen word and head.
namespace glassformer::app {

/// Stages that are grouped on the strip.
enum class StageGroup { embed, norm, attention, cross_attention, recurrent, add, mlp, out };

/// How to find a stage's number from the chosen word, the head, and the word that it attends to most.
enum class StageCell {
    token,         ///< one number per word
    token_vector,  ///< the word's number furthest from 0
    token_head,    ///< the same in the chosen head
    key_head,      ///< the same for the word attended to most
    pair,          ///< from the word to the word that it attends to most
    neuron,        ///< the word's neuron furthest from 0 after the activation function
    source,        ///< as token_vector, for the source word attended to most
    source_token,  ///< one number of that word
    whole,         ///< the sentence's number furthest from 0
    largest        ///< the largest number of the word (or the sentence): the most likely word
};

/// The question that a stage answers, and a short form for little room; {} is the chosen word.
struct StageQuestion {
    std::string_view whole, brief;
};

/// If a model leaves a stage out, its name may be an alias of another node.
enum class StageName {
    any,  ///< the stage exists under either name
    own   ///< the stage exists only if the node itself has the name
};

/// The description of a stage, whatever the model.
struct StageKind {
    std::string_view hook;  ///< its node's name; in a block, the part after "blocks.L."
    StageName name;
    std::string_view label;
    StageGroup group;
    StageCell cell;
    std::string_view axes;     ///< "[head, query, key]"
    std::string_view meaning;  ///< its name, and a sentence after a line break; {1}: a token's noun, {2}: its plural
    StageQuestion question;
    std::string_view part_of = {};      ///< hook of the stage that it is part of; on the strip only beside that one
    std::optional<NormKind> norm = {};  ///< which norm has this part; empty: any
    std::optional<bool> hard = {};      ///< whether it belongs to hard attention; empty: to any
};

/// A stage of one graph.
struct Stage {
    static constexpr int before = -1;

    const StageKind* kind = nullptr;
    int node = -1;
    int block = before;      ///< `before` the blocks, or the number of blocks after them; in the encoder: `before`
    std::string hook = {};   ///< its node's name; in a block of the model, the part after "blocks.L."
    std::string label = {};  ///< on its pill
    std::string_view meaning = {};  ///< as its kind's, but of what this model computes there
    std::string item = {};          ///< "stage LN 2": the second with this label in its block; "stage source LN"
    bool source = false;            ///< computed from the source sentence, by the encoder
    int source_block = before;      ///< which block of the encoder
    int run = 0;                    ///< consecutive stages of one group in one block share a number

    bool same_place(const Stage& other) const {
        return block == other.block && source == other.source && source_block == other.source_block;
    }
    /// True if both are the same stage, or parts of it.
    bool belongs_to(const Stage& other) const;
};

/// All stages of one graph, in the order of execution.
class Stages {
public:
    explicit Stages(const TransformerGraph& model);

    /// Each stage once, from the words to the output.
    const std::vector<Stage>& walk() const { return walk_; }
    /// The input of a block, which is the output of the block before. Null for block 0: the stages before it end with
    /// its input.
    const Stage* entry(int block) const;
    int blocks() const { return blocks_; }

    /// The stage that a node belongs to, as an index into walk(), or −1. Views of its memory belong to it too.
    int of(int node) const;
    /// The stage of that kind in a block or outside of the blocks, or null.
    const Stage* find(int block, std::string_view hook) const;
    /// How many stages of walk() are computed once a node is.
    int reached(int node) const;

private:
    void collect(const Graph& graph, const Stage& where, std::span<const StageKind> kinds);
    void sort_from(std::size_t first);
    void collect_before(const Graph& graph, int source_blocks);
    void collect_block(const Graph& graph, int block);
    void number_runs();
    void find_names(const Graph& graph);

    TransformerConfig config_;
    int blocks_;
    std::vector<Stage> walk_, entries_;
    std::vector<int> of_;  // by node
};

/// The stages of a trace's graph; built once per graph.
std::shared_ptr<const Stages> stages_of(const Trace& trace);

/// The word whose numbers a stage shows: the chosen one, or the source word that it attends to most.
int stage_position(const ViewState& state, const Trace& trace, int slot, const Stage& stage);

/// The stage's number for the chosen word of a slot, in the chosen head.
Cell stage_cell(const ViewState& state, const Trace& trace, int slot, const Stage& stage);

/// "[head, query, key] 4 × 9 × 9".
std::string stage_shape(const Trace& trace, const Stage& stage);

/// All possible stages, whatever the model: before, in and after the blocks. A graph has some of them.
std::span<const StageKind> stage_kinds_before();
std::span<const StageKind> stage_kinds_in_block();
std::span<const StageKind> stage_kinds_after();

}  // namespace glassformer::app
