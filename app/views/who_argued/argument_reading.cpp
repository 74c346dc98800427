#include "app/views/who_argued/argument_reading.h"

#include <cmath>

#include "app/language/tr.h"
#include "core/base/error.h"

namespace glassformer::app::views::who_argued {

namespace {

/// The part before a block's last stream.
StreamNorm after_block(const Graph& graph, const std::string& block) {
    const auto has = [&](const char* hook) { return graph.find(block + hook).has_value(); };
    using Kind = Contribution::Kind;
    if (has("hook_mlp_out")) return {N_("MLP"), N_("MLP"), Kind::mlp};
    if (has("hook_rnn_out")) return {N_("recurrent layer"), N_("rnn"), Kind::recurrent};
    if (has("hook_cross_attn_out")) return {N_("cross attention"), N_("cross attn"), Kind::attention};
    return {N_("attention"), N_("attn"), Kind::attention};
}

/// ‖x‖ and ‖Δ‖ of each stream in the trace, in the order of the blocks; omits a second name of the same node.
std::vector<StreamNorm> stream_norms(const Trace& trace, int position) {
    using Kind = Contribution::Kind;
    std::vector<StreamNorm> norms;
    std::vector<float> before;
    const auto add = [&](const std::string& hook, StreamNorm norm) {
        const std::optional<int> node = trace.graph().find(hook);
        if (!node || (!norms.empty() && norms.back().node == *node)) return;
        const SliceView row = trace.part(*node, {position, 1});
        const std::span<const float> now = row.values();
        double squares = 0.0, changes = 0.0;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const auto x = static_cast<double>(now[i]);
            const double change = before.empty() ? 0.0 : x - static_cast<double>(before[i]);
            squares += x * x, changes += change * change;
        }
        before.assign(now.begin(), now.end());
        norm.node = *node, norm.norm = std::sqrt(squares), norm.change = std::sqrt(changes);
        norms.push_back(norm);
    };
    for (int layer = 0; layer < trace.model().config.n_layers; ++layer) {
        const std::string block = "blocks." + std::to_string(layer) + ".";
        StreamNorm last = after_block(trace.graph(), block);
        last.block = layer;
        if (layer == 0) add(block + "hook_resid_pre", {N_("embedding"), N_("embed"), Kind::embed});
        add(block + "hook_resid_mid", {N_("attention"), N_("attn"), Kind::attention, layer});
        add(block + "hook_resid_mid_cross", {N_("cross attention"), N_("cross attn"), Kind::attention, layer});
        add(block + "hook_resid_post", last);
    }
    return norms;
}

}  // namespace

ArgumentReading::ArgumentReading(const std::shared_ptr<const Trace>& trace, const Argument& asked)
    : trace_(trace), asked_(asked), norms_(stream_norms(*trace, asked.position)) {
    if (trace->model().config.output == OutputKind::words && trace->model().probabilities >= 0) {
        candidates_ = likeliest_words(*trace, asked.position, candidates_kept);
        word_ = asked.word >= 0 ? asked.word : candidates_.front().id;
        for (const LensWord& other : candidates_)
            if (runner_up_ < 0 && other.id != word_) runner_up_ = other.id;
    }
    try {
        parts_ = asked.against == Against::mean
                     ? contributions_above_mean(*trace, asked.position, word_)
                     : logit_contributions(*trace, asked.position, word_,
                                           asked.against == Against::runner_up ? runner_up_ : -1);
    } catch (const Error& error) {
        why_not_ = error.what();
    }
}

}  // namespace glassformer::app::views::who_argued
