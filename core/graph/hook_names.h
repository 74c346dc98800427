#pragma once

#include <string>
#include <string_view>

namespace glassformer {

/// "blocks.3.attn.hook_q" of block 3 and "attn.hook_q".
std::string block_hook(int block, std::string_view hook);

/// The 3 of "blocks.3.attn.hook_q" and of "encoder.blocks.3.hook_attn_out"; −1 outside the blocks.
int block_of(std::string_view name);

/// Whether a node belongs to the source side of an encoder–decoder ("encoder.hook_embed").
bool on_source_side(std::string_view name);

}  // namespace glassformer
