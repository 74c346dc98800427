#include "core/analysis/way_out.h"

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
        std::ranges::sort(way.written);
        const std::optional<int> embed = graph_.find("hook_embed");
        if (!embed || std::ranges::find(way.written, *embed) == way.written.end())
            refuse("its last stream does not begin with the embedding (no residual connections?)");
    }

    WayOut way;

private:
    std::string_view op(int node) const {
        return graph_[node].kind == NodeInfo::Kind::op ? graph_[node].op->name() : std::string_view();
    }

    int input(int node, std::size_t which) const {
        const std::vector<int>& inputs = graph_[node].inputs;
        return which < inputs.size() ? inputs[which] : -1;
    }

    int unembedding(int logits) {
        way.sums.push_back(logits);
        way.by_word = op(logits) == "matmul_transposed";
        if (!way.by_word && op(logits) != "linear") refuse("they are made by " + std::string(op(logits)));
        way.unembed = input(logits, 1);
        way.unembed_bias = input(logits, 2);
        return input(logits, 0);
    }

    int norm(int node) {
        if (op(node) != "layer_norm_affine") return node;
        const int normalized = input(node, 0);
        way.centred = op(normalized) == "layer_norm_normalize";
        if (!way.centred && op(normalized) != "rms_norm_normalize")
            refuse("its final norm is " + std::string(op(normalized)));
        way.sums.insert(way.sums.end(), {node, normalized});
        way.gamma = input(node, 1);
        way.beta = input(node, 2);
        way.scale = input(normalized, way.centred ? 2 : 1);
        way.sums.push_back(way.scale);
        if (way.centred) way.sums.push_back(input(normalized, 1));
        return input(normalized, 0);
    }

    // A trace runs without training, so dropout hands on what it reads.
    void stream(int node) {
        if (op(node) == "add" || op(node) == "dropout") {
            way.sums.push_back(node);
            stream(input(node, 0));
            if (op(node) == "add") stream(input(node, 1));
            return;
        }
        const std::string& name = graph_[node].name;
        if (name != "hook_embed" && name != "hook_pos_embed" && !name.ends_with("attn_out") &&
            !name.ends_with("mlp_out"))
            refuse("its last stream is not a plain sum of what they wrote, but holds " + name);
        way.written.push_back(node);
    }

    const Graph& graph_;
};

}  // namespace

WayOut find_way_out(const TransformerGraph& model) { return Walk(model).way; }

}  // namespace glassformer
