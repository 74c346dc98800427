#include "core/analysis/unembed_path.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

[[noreturn]] void refuse(const std::string& why) {
    throw Error("the logits of this model cannot be shared out among its parts: " + why);
}

/// Walks from the logits back to the summands.
class Walk {
public:
    explicit Walk(const TransformerGraph& model) : graph_(*model.graph) {
        if (model.config.output != OutputKind::words || model.logits < 0) refuse("it does not say words");
        stream(norm(unembedding(model.logits)));
        std::ranges::sort(path.written);
        const std::optional<int> embed = graph_.find("hook_embed");
        if (!embed || std::ranges::find(path.written, *embed) == path.written.end())
            refuse("its last stream does not begin with the embedding (no residual connections?)");
    }

    UnembedPath path;

private:
    std::string name_of_op(int node) const { return std::string(graph_[node].op ? graph_[node].op->name() : ""); }

    int input(int node, std::size_t which) const {
        const std::vector<int>& inputs = graph_[node].inputs;
        return which < inputs.size() ? inputs[which] : -1;
    }

    int unembedding(int logits) {
        path.sums.push_back(logits);
        if (const int bias = input(logits, 1);
            graph_.role(logits) == OpRole::add && graph_[bias].kind == NodeInfo::Kind::parameter) {
            path.unembed_bias = bias;
            logits = input(logits, 0);
            path.sums.push_back(logits);
        }
        path.by_word = graph_.role(logits) == OpRole::unembedding;
        if (!path.by_word && graph_.role(logits) != OpRole::linear) refuse("they are made by " + name_of_op(logits));
        path.unembed = input(logits, 1);
        if (path.unembed_bias < 0) path.unembed_bias = input(logits, 2);
        return input(logits, 0);
    }

    int norm(int node) {
        if (graph_.role(node) != OpRole::norm_affine) return node;
        const int normalized = input(node, 0);
        // x, the mean of a centred norm, the scale. Batch normalization reads more, and divides otherwise.
        const std::size_t reads = graph_[normalized].inputs.size();
        if (graph_.role(normalized) != OpRole::norm_normalize || reads > 3)
            refuse("its final norm is " + name_of_op(normalized));
        path.centred = reads == 3;
        path.sums.insert(path.sums.end(), {node, normalized});
        path.gamma = input(node, 1);
        path.beta = input(node, 2);
        path.scale = input(normalized, path.centred ? 2 : 1);
        path.sums.push_back(path.scale);
        if (path.centred) path.sums.push_back(input(normalized, 1));
        return input(normalized, 0);
    }

    // A trace runs without training, so dropout hands on what it reads.
    void stream(int node) {
        const bool sum = graph_.role(node) == OpRole::add;
        if (sum || (graph_[node].op && graph_[node].op->traits().training_only)) {
            path.sums.push_back(node);
            stream(input(node, 0));
            if (sum) stream(input(node, 1));
            return;
        }
        if (graph_.role(node) == OpRole::activation)
            refuse("a linear map and a function stand between its last stream and the words");
        const std::string& name = graph_[node].name;
        if (name != "hook_embed" && name != "hook_pos_embed" && !name.ends_with("attn_out") &&
            !name.ends_with("mlp_out") && !name.ends_with("rnn_out"))
            refuse("its last stream is not a plain sum of what they wrote, but holds " + name);
        path.written.push_back(node);
    }

    const Graph& graph_;
};

}  // namespace

UnembedPath find_unembed_path(const TransformerGraph& model) { return Walk(model).path; }

}  // namespace glassformer
