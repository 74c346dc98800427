#include "core/analysis/what_if.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/number_text.h"

namespace glassformer {

namespace {

using namespace what_if;

std::string block_text(int block) { return "block " + std::to_string(block); }
std::string head_text(int block, int head, AttentionTo to = AttentionTo::itself) {
    const char* kind = to == AttentionTo::itself ? " · head " : " · cross-attention head ";
    return block_text(block) + kind + std::to_string(head);
}
std::string sentence_text(int slot) { return slot == 0 ? "A" : "B"; }

/// "residual stream before block 1", "attention of block 1": what is patched most; else in the words of a trace's
/// addresses.
std::string site_name(const std::string& node) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {".hook_resid_pre", "residual stream before block "},
        {".hook_attn_out", "attention of block "},
        {".hook_mlp_out", "MLP of block "}};
    constexpr std::string_view blocks = "blocks.";
    for (const auto& [hook, name] : names)
        if (node.starts_with(blocks) && node.ends_with(hook))
            return std::string(name) + node.substr(blocks.size(), node.size() - blocks.size() - hook.size());
    return node;
}

/// "residual stream before block 1 at position 2", "blocks.1.attn.hook_z[2] of head 0".
std::string site_text(const HookPoint& site) {
    std::string text = site_name(site.node);
    const std::string position = std::to_string(site.position);
    if (site.position >= 0) text += text == site.node ? "[" + position + "]" : " at position " + position;
    if (site.head >= 0) text += " of head " + std::to_string(site.head);
    return text;
}

struct Describe {
    std::string operator()(const HeadOff& c) const { return head_text(c.block, c.head, c.to) + " off"; }
    std::string operator()(const AttentionOff& c) const {
        return (c.to == AttentionTo::itself ? "attention of " : "cross-attention of ") + block_text(c.block) + " off";
    }
    std::string operator()(const MlpOff& c) const { return "MLP of " + block_text(c.block) + " off"; }
    std::string operator()(const PositionsOff&) const { return "no positions"; }
    std::string operator()(const MaskOff&) const { return "no mask"; }
    std::string operator()(const ScaleOff&) const { return "no scale"; }
    std::string operator()(const NormOff&) const { return "no normalization"; }
    std::string operator()(const ResidualOff&) const { return "no residual"; }
    std::string operator()(const UniformAttention& c) const { return head_text(c.block, c.head, c.to) + " uniform"; }
    std::string operator()(const HardAttention& c) const { return head_text(c.block, c.head, c.to) + " hard"; }
    std::string operator()(const AttentionRow& c) const {
        return "row " + std::to_string(c.query) + " of " + head_text(c.block, c.head, c.to) + " painted in " +
               sentence_text(c.slot);
    }
    std::string operator()(const Patch& c) const {
        return site_text(c.from) + " of " + sentence_text(1 - c.slot) + " patched into " +
               (c.from == c.to ? "" : site_text(c.to) + " of ") + sentence_text(c.slot);
    }
    std::string operator()(const NormScaled& c) const {
        return c.norm + ": γ × " + with_decimals(static_cast<double>(c.gamma)) + ", β × " +
               with_decimals(static_cast<double>(c.beta));
    }
};

std::string up_to(int count) { return "; they go from 0 to " + std::to_string(count - 1); }

/// Why a change does not fit the model; empty where it does.
struct Refuse {
    const TransformerConfig& config;

    std::string block(int index) const {
        if (index >= 0 && index < config.n_layers) return {};
        return "this model has no block " + std::to_string(index) + up_to(config.n_layers);
    }
    std::string attention(int index, AttentionTo to) const {
        if (config.recurrent()) return "this model has no attention";
        if (to == AttentionTo::source && config.family != Family::encoder_decoder)
            return "this model has no cross-attention: it reads one sentence";
        return block(index);
    }
    std::string head(int index, int head, AttentionTo to = AttentionTo::itself) const {
        if (std::string why = attention(index, to); !why.empty()) return why;
        if (head >= 0 && head < config.n_heads) return {};
        return "this model has no head " + std::to_string(head) + up_to(config.n_heads);
    }
    std::string sentence(int slot) const {
        return slot == 0 || slot == 1 ? "" : "there is no sentence " + std::to_string(slot) + "; A is 0 and B is 1";
    }

    std::string operator()(const HeadOff& c) const { return head(c.block, c.head, c.to); }
    std::string operator()(const AttentionOff& c) const { return attention(c.block, c.to); }
    std::string operator()(const MlpOff& c) const {
        const bool none = config.recurrent() || config.activation == Activation::none;
        return none ? "this model has no MLP" : block(c.block);
    }
    std::string operator()(const PositionsOff&) const {
        return config.positions == Positions::none ? "this model gets no positions" : "";
    }
    std::string operator()(const MaskOff&) const {
        if (config.recurrent()) return "this model reads word by word and has no mask";
        return config.causal() ? "" : "this model has no causal mask: every word already attends to every other one";
    }
    std::string operator()(const ScaleOff&) const {
        if (config.recurrent()) return "this model has no attention";
        return config.attention.scale ? "" : "this model does not divide its scores by √d_head";
    }
    std::string operator()(const NormOff&) const {
        return config.norm_placement == NormPlacement::none ? "this model has no normalization" : "";
    }
    std::string operator()(const ResidualOff&) const {
        return config.residual ? "" : "this model has no residual connections";
    }
    std::string operator()(const UniformAttention& c) const { return head(c.block, c.head, c.to); }
    std::string operator()(const HardAttention& c) const {
        if (!config.recurrent() && config.attention.hard) return "this model's attention is already hard";
        return head(c.block, c.head, c.to);
    }
    std::string operator()(const AttentionRow& c) const {
        if (const std::string why = sentence(c.slot); !why.empty()) return why;
        if (const std::string why = head(c.block, c.head, c.to); !why.empty()) return why;
        // What a softmax gives: shares of one.
        constexpr double slack = 1e-3;
        double sum = 0.0;
        for (const float weight : c.weights) {
            if (!(weight >= 0.0f)) return "a row of attention has no weights below 0";
            sum += static_cast<double>(weight);
        }
        return std::abs(sum - 1.0) <= slack ? "" : "the weights of a row of attention sum to 1";
    }
    std::string operator()(const Patch& c) const { return sentence(c.slot); }
    std::string operator()(const NormScaled& c) const {
        if (!std::isfinite(c.gamma) || !std::isfinite(c.beta))
            return "γ and β can only be multiplied by finite numbers";
        return (*this)(NormOff{});
    }
};

}  // namespace

std::string describe(const WhatIf& change) { return std::visit(Describe{}, change); }

int slot_of(const WhatIf& change) {
    if (const auto* row = std::get_if<AttentionRow>(&change)) return row->slot;
    if (const auto* patch = std::get_if<Patch>(&change)) return patch->slot;
    return -1;
}

std::string refusal(const WhatIf& change, const TransformerConfig& config) {
    return std::visit(Refuse{config}, change);
}

}  // namespace glassformer
