#include "core/analysis/contributions.h"

#include <algorithm>

#include "core/analysis/output_head.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

/// How the logits are computed from what the parts of the model wrote, read from the graph; node ids, −1 for none.
struct UnembedPath {
    std::vector<int> written;  // summands of the last stream: hook_embed, hook_pos_embed, each hook_attn_out …
    std::vector<int> sums;     // nodes computed from the summands alone, down to the logits
    int scale = -1;            // the final norm's √(σ² + ε) or √(mean of x² + ε)
    bool centred = false;      // the final norm subtracts the mean (LayerNorm)
    int gamma = -1, beta = -1;
};

template <typename... Places>
[[noreturn]] void refuse(std::string_view pattern, const Places&... places) {
    throw Error("the logits of this model cannot be attributed to its parts: {1}", filled_with(pattern, places...));
}

/// Walks from the logits back to the summands. Throws Error with the reason if they are not a linear map of a plain
/// sum.
class Walk {
public:
    Walk(const TransformerGraph& model, const Unembedding& unembedding) : graph_(*model.graph) {
        if (model.config.output != OutputKind::words || model.logits < 0) refuse("it does not predict words");
        if (unembedding.row < 0) refuse("they come from {1}", name_of_op(unembedding.product));
        path.sums.push_back(model.logits);
        if (unembedding.product != model.logits) path.sums.push_back(unembedding.product);
        stream(norm(unembedding.row));
        std::ranges::sort(path.written);
        const std::optional<int> embed = graph_.find("hook_embed");
        if (!embed || std::ranges::find(path.written, *embed) == path.written.end())
            refuse("its residual stream does not start with the embedding (no residual connections?)");
    }

    UnembedPath path;

private:
    std::string name_of_op(int node) const { return std::string(graph_[node].op ? graph_[node].op->name() : ""); }

    int input(int node, std::size_t which) const {
        const std::vector<int>& inputs = graph_[node].inputs;
        return which < inputs.size() ? inputs[which] : -1;
    }

    int norm(int node) {
        if (graph_.role(node) != OpRole::norm_affine) return node;
        const int normalized = input(node, 0);
        // Inputs: x, the mean of a centred norm, the scale. Batch normalization reads more, and divides differently.
        const std::size_t reads = graph_[normalized].inputs.size();
        if (graph_.role(normalized) != OpRole::norm_normalize || reads > 3)
            refuse("its final norm is {1}", name_of_op(normalized));
        path.centred = reads == 3;
        path.sums.insert(path.sums.end(), {node, normalized});
        path.gamma = input(node, 1);
        path.beta = input(node, 2);
        path.scale = input(normalized, path.centred ? 2 : 1);
        path.sums.push_back(path.scale);
        if (path.centred) path.sums.push_back(input(normalized, 1));
        return input(normalized, 0);
    }

    // A trace runs in inference mode, so dropout passes its input through.
    void stream(int node) {
        const bool sum = graph_.role(node) == OpRole::add;
        if (sum || (graph_[node].op && graph_[node].op->traits().training_only)) {
            path.sums.push_back(node);
            stream(input(node, 0));
            if (sum) stream(input(node, 1));
            return;
        }
        if (graph_.role(node) == OpRole::activation) refuse("its head has another layer before the unembedding");
        const std::string& name = graph_[node].name;
        if (name != "hook_embed" && name != "hook_pos_embed" && !name.ends_with("attn_out") &&
            !name.ends_with("mlp_out") && !name.ends_with("rnn_out"))
            refuse("its residual stream is not a plain sum of what they wrote, but contains {1}", name);
        path.written.push_back(node);
    }

    const Graph& graph_;
};

using Kind = Contribution::Kind;

/// What a word's logit is compared with.
struct Against {
    int word = -1;      // subtract this word's logit; −1: none
    bool mean = false;  // subtract the mean of all logits
};

class Sharing {
public:
    Sharing(const Trace& trace, int position, int word, const Against& against)
        : trace_(trace),
          graph_(trace.graph()),
          unembedding_(trace.model()),
          path_(Walk(trace.model(), unembedding_).path),
          position_(position) {
        for (const int node : path_.sums)
            if (trace.overwritten(node))
                throw Error("numbers of {1} were patched, so the logits are not a sum of what the parts wrote",
                            graph_[node].name);
        const auto d_vocab = static_cast<int>(graph_[trace.model().logits].shape.back());
        const int minus = against.word;
        if (position < 0 || position >= trace.positions())
            throw Error("there is no position {1} in this sentence", position);
        for (const int id : {word, minus})
            if (id < (id == word ? 0 : -1) || id >= d_vocab)
                throw Error("there is no word {1}; ids go from 0 to {2}", id, d_vocab - 1);
        const SliceView said = row(trace.model().logits);
        const std::span<const float> logits = said.values();
        result.traced = compared([&](int id) { return static_cast<double>(logits[id]); }, word, against);
        find_directions(word, against);
        for (const int node : path_.written) share(node);
        share_biases(word, against);
        for (const Contribution& term : result.terms) result.sum += term.value;
    }

    Contributions result;

private:
    /// A node's values at the position: all axes after batch and position.
    SliceView row(int node) const { return trace_.part(node, {position_, 1}); }

    /// of(word) minus what it is compared with.
    template <class Of>
    double compared(const Of& of, int word, const Against& against) const {
        double value = of(word);
        if (against.word >= 0) value -= of(against.word);
        if (!against.mean) return value;
        const auto words = static_cast<int>(graph_[trace_.model().logits].shape.back());
        double sum = 0.0;
        for (int id = 0; id < words; ++id) sum += of(id);
        return value - sum / words;
    }

    /// u: the unembedding of the word, minus that of what it is compared with; direction: u · γ/s.
    void find_directions(int word, const Against& against) {
        const bool by_word = unembedding_.by_word;
        const Shape& shape = graph_[unembedding_.matrix].shape;
        const std::size_t d = shape[by_word ? 1 : 0], words = shape[by_word ? 0 : 1];
        const std::span<const float> unembed = trace_.values(unembedding_.matrix);
        const auto u = [&](std::size_t j, int id) {
            const std::size_t w = id;
            return static_cast<double>(unembed[by_word ? w * d + j : j * words + w]);
        };
        const double scale = path_.scale >= 0 ? static_cast<double>(row(path_.scale).values()[0]) : 1.0;
        for (std::size_t j = 0; j < d; ++j) {
            unembed_.push_back(compared([&](int id) { return u(j, id); }, word, against));
            direction_.push_back(unembed_[j] * (path_.gamma >= 0 ? repeated(path_.gamma, j) : 1.0) / scale);
        }
    }

    /// Feature j of γ or β, which may have one cell for all features.
    double repeated(int parameter, std::size_t j) const {
        const std::span<const float> values = trace_.values(parameter);
        return static_cast<double>(values[j % values.size()]);
    }

    double along(std::span<const float> written) const {
        double mean = 0.0, sum = 0.0;
        if (path_.centred)
            for (const float x : written) mean += static_cast<double>(x) / static_cast<double>(written.size());
        for (std::size_t j = 0; j < written.size(); ++j)
            sum += (static_cast<double>(written[j]) - mean) * direction_[j];
        return sum;
    }

    void add(Kind kind, int node, int head, double value) {
        const std::string& name = graph_[node].name;
        result.terms.push_back({kind, name, node_place(name).block, head, value});
    }

    void share(int node) {
        const std::string& name = graph_[node].name;
        if (name == "hook_embed")
            add(Kind::embed, node, -1, along(row(node).values()));
        else if (name == "hook_pos_embed")
            add(Kind::pos_embed, node, -1, along(row(node).values()));
        else if (name.ends_with("mlp_out"))
            add(Kind::mlp, node, -1, along(row(node).values()));
        else if (name.ends_with("rnn_out"))
            add(Kind::recurrent, node, -1, along(row(node).values()));
        else if (!share_heads(node))
            add(Kind::attention, node, -1, along(row(node).values()));
    }

    /// "blocks.1.hook_attn_out" is the sum of "blocks.1.attn.hook_result" over the heads, plus b_O.
    bool share_heads(int node) {
        const std::string& name = graph_[node].name;
        const std::size_t hook = name.find("hook_"), out = name.rfind("_out");
        const std::string attention = name.substr(0, hook) + name.substr(hook + 5, out - hook - 5);
        const std::optional<int> heads = graph_.find(attention + ".hook_result");
        if (!heads || graph_.role(node) != OpRole::linear || trace_.overwritten(node) || trace_.overwritten(*heads))
            return false;
        const SliceView part = row(*heads);
        const std::span<const float> all = part.values();
        const std::size_t d = direction_.size();
        for (std::size_t head = 0; head < all.size() / d; ++head)
            add(Kind::head, *heads, static_cast<int>(head), along(all.subspan(head * d, d)));
        if (graph_[node].inputs.size() > 2)
            add(Kind::attention_bias, graph_[node].inputs[2], -1, along(trace_.values(graph_[node].inputs[2])));
        return true;
    }

    void share_biases(int word, const Against& against) {
        if (path_.beta >= 0) {
            double sum = 0.0;
            for (std::size_t j = 0; j < unembed_.size(); ++j) sum += repeated(path_.beta, j) * unembed_[j];
            add(Kind::final_norm_bias, path_.beta, -1, sum);
        }
        if (const int bias = unembedding_.bias; bias >= 0)
            add(Kind::unembed_bias, bias, -1,
                compared([&](int id) { return repeated(bias, static_cast<std::size_t>(id)); }, word, against));
    }

    const Trace& trace_;
    const Graph& graph_;
    const Unembedding unembedding_;
    const UnembedPath path_;
    const int position_;
    std::vector<double> unembed_, direction_;  // [d_model]
};

}  // namespace

Contributions logit_contributions(const Trace& trace, int position, int word, int minus) {
    return Sharing(trace, position, word, {minus, false}).result;
}

Contributions contributions_above_mean(const Trace& trace, int position, int word) {
    return Sharing(trace, position, word, {-1, true}).result;
}

}  // namespace glassformer
