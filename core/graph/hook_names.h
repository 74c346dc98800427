#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// Where a node is in the model, parsed from its TransformerLens name: "encoder.blocks.3.ln1.hook_scale" is the
/// quantity "hook_scale" of a norm in block 3 of the source side. The string views point into the name and are valid as
/// long as it is.
struct NodePlace {
    enum class Module { none, attention, cross_attention, mlp, norm };

    bool encoder = false;  ///< on the source side of an encoder–decoder
    int block = -1;        ///< within its side; −1 outside the blocks
    Module module = Module::none;
    std::string_view within;    ///< the name without side and block: "attn.hook_q"; outside the blocks, all of it
    std::string_view quantity;  ///< the name's last part: "hook_q", "W_Q", "logits"

    /// True for the decoder's attention to the source.
    bool cross() const { return module == Module::cross_attention; }
    bool attention() const { return module == Module::attention || cross(); }
    /// Attention weights [head, query, key].
    bool is_pattern() const { return quantity.ends_with("hook_pattern"); }
    /// Weights or scores of pairs of positions [head, query, key].
    bool of_pairs() const { return is_pattern() || quantity.starts_with("hook_attn_scores"); }
    /// True if its rows are positions of the source: everything on that side, and what cross-attention reads there.
    bool of_source() const;
    /// True if its keys are positions of the source.
    bool keys_of_source() const { return of_source() || cross(); }
    /// True if both are in the same block of the same side.
    bool same_block(const NodePlace& other) const { return encoder == other.encoder && block == other.block; }
};
NodePlace node_place(std::string_view name);

/// Builds a name: block 3 and "attn.hook_q" give "blocks.3.attn.hook_q", or with `encoder` "encoder.blocks.3.…".
std::string block_hook(int block, std::string_view hook, bool encoder = false);

}  // namespace glassformer
