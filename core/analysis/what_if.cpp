#include "core/analysis/what_if.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"

namespace glassformer {

namespace {

using namespace what_if;

std::string head_text(int block, int head, AttentionTo to = AttentionTo::itself) {
    return filled_with(
        to == AttentionTo::itself ? N_("block {1} · head {2}") : N_("block {1} · cross-attention head {2}"), block,
        head);
}
std::string sentence_text(int slot) { return slot == 0 ? "A" : "B"; }

/// "residual stream before block 1", "attention of block 1" for the usual patches; otherwise the node's name.
std::string site_name(const std::string& node) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {".hook_resid_pre", N_("residual stream before block {1}")},
        {".hook_attn_out", N_("attention of block {1}")},
        {".hook_mlp_out", N_("MLP of block {1}")}};
    constexpr std::string_view blocks = "blocks.";
    for (const auto& [hook, name] : names)
        if (node.starts_with(blocks) && node.ends_with(hook))
            return filled_with(name, node.substr(blocks.size(), node.size() - blocks.size() - hook.size()));
    return node;
}

/// "residual stream before block 1 at position 2", "blocks.1.attn.hook_z[2] of head 0".
std::string site_text(const HookPoint& site) {
    std::string text = site_name(site.node);
    if (site.position >= 0)
        text = filled_with(text == site.node ? "{1}[{2}]" : N_("{1} at position {2}"), text, site.position);
    return site.head < 0 ? text : filled_with(N_("{1} of head {2}"), text, site.head);
}

struct Describe {
    std::string_view word;

    std::string operator()(const HeadOff& c) const {
        return filled_with(N_("{1} off"), head_text(c.block, c.head, c.to));
    }
    std::string operator()(const AttentionOff& c) const {
        return filled_with(
            c.to == AttentionTo::itself ? N_("attention of block {1} off") : N_("cross-attention of block {1} off"),
            c.block);
    }
    std::string operator()(const MlpOff& c) const { return filled_with(N_("MLP of block {1} off"), c.block); }
    std::string operator()(const PositionsOff&) const { return N_("no positions"); }
    std::string operator()(const MaskOff&) const { return N_("no mask"); }
    std::string operator()(const ScaleOff&) const { return N_("no scale"); }
    std::string operator()(const NormOff&) const { return N_("no normalization"); }
    std::string operator()(const ResidualOff&) const { return N_("no residual"); }
    std::string operator()(const UniformAttention& c) const {
        return filled_with(N_("{1} uniform"), head_text(c.block, c.head, c.to));
    }
    std::string operator()(const HardAttention& c) const {
        return filled_with(N_("{1} hard"), head_text(c.block, c.head, c.to));
    }
    std::string operator()(const AttentionRow& c) const {
        return filled_with(N_("row {1} of {2} painted in {3}"), c.query, head_text(c.block, c.head, c.to),
                           sentence_text(c.slot));
    }
    std::string operator()(const Patch& c) const {
        const std::string from = site_text(c.from), other = sentence_text(1 - c.slot), into = sentence_text(c.slot);
        if (c.from == c.to) return filled_with(N_("{1} of {2} patched into {3}"), from, other, into);
        return filled_with(N_("{1} of {2} patched into {3} of {4}"), from, other, site_text(c.to), into);
    }
    std::string operator()(const HeadPatch& c) const {
        const std::string where = c.position < 0 ? N_("every word")
                                  : word.empty() ? filled_with(N_("position {1}"), c.position)
                                                 : filled_with("“{1}”", word);
        const std::string_view part = head_part_names[static_cast<std::size_t>(c.part)];
        const std::string head = head_text(c.block, c.head, c.to), into = sentence_text(c.slot);
        if (c.source == PatchSource::world)
            return filled_with(N_("{1} of {2} at {3} of {4} patched from the mean over sentences of its world"), part,
                               head, where, into);
        if (c.source == PatchSource::mean)
            return filled_with(N_("{1} of {2} at {3} of {4} patched from the mean of its words"), part, head, where,
                               into);
        return filled_with(N_("{1} of {2} at {3} of {4} patched from {5}"), part, head, where, into,
                           sentence_text(1 - c.slot));
    }
    std::string operator()(const NormScaled& c) const {
        return filled_with("{1}: γ × {2}, β × {3}", c.norm, with_decimals(static_cast<double>(c.gamma)),
                           with_decimals(static_cast<double>(c.beta)));
    }
};

/// Why a change does not fit the model; empty if it does.
struct Refuse {
    const TransformerConfig& config;

    std::string block(int index) const {
        if (index >= 0 && index < config.n_layers) return {};
        return filled_with(N_("this model has no block {1}; they go from 0 to {2}"), index, config.n_layers - 1);
    }
    std::string attention(int index, AttentionTo to) const {
        if (config.recurrent()) return N_("this model has no attention");
        if (to == AttentionTo::source && config.family != Family::encoder_decoder)
            return N_("this model has no cross-attention: it reads one sentence");
        return block(index);
    }
    std::string head(int index, int head, AttentionTo to = AttentionTo::itself) const {
        if (std::string why = attention(index, to); !why.empty()) return why;
        if (head >= 0 && head < config.n_heads) return {};
        return filled_with(N_("this model has no head {1}; they go from 0 to {2}"), head, config.n_heads - 1);
    }
    std::string sentence(int slot) const {
        return slot == 0 || slot == 1 ? "" : filled_with(N_("there is no sentence {1}; A is 0 and B is 1"), slot);
    }

    std::string operator()(const HeadOff& c) const { return head(c.block, c.head, c.to); }
    std::string operator()(const AttentionOff& c) const { return attention(c.block, c.to); }
    std::string operator()(const MlpOff& c) const {
        const bool none = config.recurrent() || config.activation == Activation::none;
        return none ? N_("this model has no MLP") : block(c.block);
    }
    std::string operator()(const PositionsOff&) const {
        return config.positions == Positions::none ? N_("this model gets no positions") : "";
    }
    std::string operator()(const MaskOff&) const {
        if (config.recurrent()) return N_("this model reads word by word and has no mask");
        return config.causal() ? ""
                               : N_("this model has no causal mask: every word already attends to every other one");
    }
    std::string operator()(const ScaleOff&) const {
        if (config.recurrent()) return N_("this model has no attention");
        return config.attention.scale ? "" : N_("this model does not divide its scores by √d_head");
    }
    std::string operator()(const NormOff&) const {
        const bool some = config.norm_placement != NormPlacement::none || config.embedding_norm ||
                          (config.head_transform && config.head_norm) || config.attention.qk_norm;
        return some ? "" : N_("this model has no normalization");
    }
    std::string operator()(const ResidualOff&) const {
        return config.residual ? "" : N_("this model has no residual connections");
    }
    std::string operator()(const UniformAttention& c) const { return head(c.block, c.head, c.to); }
    std::string operator()(const HardAttention& c) const {
        if (!config.recurrent() && config.attention.hard) return N_("this model's attention is already hard");
        return head(c.block, c.head, c.to);
    }
    std::string operator()(const AttentionRow& c) const {
        if (const std::string why = sentence(c.slot); !why.empty()) return why;
        if (const std::string why = head(c.block, c.head, c.to); !why.empty()) return why;
        // What a softmax could return: shares that sum to 1.
        constexpr double slack = 1e-3;
        double sum = 0.0;
        for (const float weight : c.weights) {
            if (!(weight >= 0.0f)) return N_("a row of attention has no weights below 0");
            sum += static_cast<double>(weight);
        }
        return std::abs(sum - 1.0) <= slack ? "" : N_("the weights of a row of attention sum to 1");
    }
    std::string operator()(const Patch& c) const { return sentence(c.slot); }
    std::string operator()(const HeadPatch& c) const {
        if (const std::string why = sentence(c.slot); !why.empty()) return why;
        if (const std::string why = head(c.block, c.head, c.to); !why.empty()) return why;
        if (c.source == PatchSource::world && c.part == HeadPart::pattern)
            return N_("rows of patterns of several lengths have no mean");
        return c.position >= -1 ? "" : filled_with(N_("there is no position {1}"), c.position);
    }
    std::string operator()(const NormScaled& c) const {
        if (!std::isfinite(c.gamma) || !std::isfinite(c.beta))
            return N_("γ and β can only be multiplied by finite numbers");
        return (*this)(NormOff{});
    }
};

}  // namespace

std::string describe(const WhatIf& change, std::string_view word) { return std::visit(Describe{word}, change); }

int slot_of(const WhatIf& change) {
    if (const auto* row = std::get_if<AttentionRow>(&change)) return row->slot;
    if (const auto* patch = std::get_if<Patch>(&change)) return patch->slot;
    if (const auto* patch = std::get_if<HeadPatch>(&change)) return patch->slot;
    return -1;
}

std::string refusal(const WhatIf& change, const TransformerConfig& config) {
    return std::visit(Refuse{config}, change);
}

}  // namespace glassformer
