#include "app/common/block_pattern.h"

#include "core/graph/hook_names.h"

namespace glassformer::app {

std::optional<BlockPattern> block_pattern(const Trace& trace, int slot, int layer, bool cross,
                                          std::optional<Slices> heads) {
    const std::string name = block_hook(layer, cross ? "cross_attn.hook_pattern" : "attn.hook_pattern");
    const std::optional<int> node = trace.graph().find(name);
    if (!node) return std::nullopt;
    const Shape shape = trace.shape(*node);
    return BlockPattern{.slot = slot,
                        .layer = layer,
                        .node = *node,
                        .heads = static_cast<int>(shape[0]),
                        .queries = static_cast<int>(shape[1]),
                        .keys = static_cast<int>(shape[2]),
                        .cross = cross,
                        .causal = !cross && trace.model().config.causal(),
                        .weights = trace.part(*node, heads.value_or(trace.slices(*node).all()))};
}

bool has_attention(const Frame& frame) { return !frame.model().config.recurrent(); }

std::string key_word(const Frame& frame, const BlockPattern& pattern, int key) {
    if (!pattern.cross) return frame.word(pattern.slot, key);
    const std::vector<int>& source = frame.trace(pattern.slot)->source_tokens();
    const int id = source[key];
    return frame.model(pattern.slot).source_token_text(id);
}

}  // namespace glassformer::app
