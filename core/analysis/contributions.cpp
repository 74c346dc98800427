#include "core/analysis/contributions.h"

#include "core/analysis/unembed_path.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

using Kind = Contribution::Kind;

/// What a word's logit is compared with.
struct Against {
    int word = -1;      // its logit is taken away; −1: none is
    bool mean = false;  // the mean of all logits is
};

class Sharing {
public:
    Sharing(const Trace& trace, int position, int word, const Against& against)
        : trace_(trace), graph_(trace.graph()), path_(find_unembed_path(trace.model())), position_(position) {
        for (const int node : path_.sums)
            if (trace.overwritten(node))
                throw Error("numbers of " + graph_[node].name +
                            " were put in from outside (a patch), so the logits are no sum of what the parts wrote");
        const auto d_vocab = static_cast<int>(graph_[trace.model().logits].shape.back());
        const int minus = against.word;
        if (position < 0 || position >= trace.positions())
            throw Error("there is no position " + std::to_string(position) + " in this sentence");
        for (const int id : {word, minus})
            if (id < (id == word ? 0 : -1) || id >= d_vocab)
                throw Error("there is no word " + std::to_string(id) + "; ids go from 0 to " +
                            std::to_string(d_vocab - 1));
        const TracePart said = row(trace.model().logits);
        const std::span<const float> logits = said.values();
        result.traced =
            compared([&](int id) { return static_cast<double>(logits[static_cast<std::size_t>(id)]); }, word, against);
        find_directions(word, against);
        for (const int node : path_.written) share(node);
        share_biases(word, against);
        for (const Contribution& term : result.terms) result.sum += term.value;
    }

    Contributions result;

private:
    /// A node's values at the position: all that is behind its axes of batch and position.
    TracePart row(int node) const { return trace_.part(node, {position_, 1}); }

    /// of(word), less what it is compared with.
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

    /// u: the unembedding of the word, less that of what it is compared with; direction: u · γ/s.
    void find_directions(int word, const Against& against) {
        const auto d = static_cast<std::size_t>(graph_[path_.unembed].shape[path_.by_word ? 1 : 0]);
        const std::size_t words = static_cast<std::size_t>(graph_[path_.unembed].shape[path_.by_word ? 0 : 1]);
        const std::span<const float> unembed = trace_.values(path_.unembed);
        const auto u = [&](std::size_t j, int id) {
            const auto w = static_cast<std::size_t>(id);
            return static_cast<double>(unembed[path_.by_word ? w * d + j : j * words + w]);
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
        result.terms.push_back({kind, name, block_of(name), head, value});
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

    /// "blocks.1.hook_attn_out" is "blocks.1.attn.hook_result" summed over the heads, and the bias of its linear map.
    bool share_heads(int node) {
        const std::string& name = graph_[node].name;
        const std::size_t hook = name.find("hook_"), out = name.rfind("_out");
        const std::string attention = name.substr(0, hook) + name.substr(hook + 5, out - hook - 5);
        const std::optional<int> heads = graph_.find(attention + ".hook_result");
        if (!heads || graph_.role(node) != OpRole::linear || trace_.overwritten(node) || trace_.overwritten(*heads))
            return false;
        const TracePart part = row(*heads);
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
        if (path_.unembed_bias >= 0)
            add(Kind::unembed_bias, path_.unembed_bias, -1,
                compared([&](int id) { return repeated(path_.unembed_bias, static_cast<std::size_t>(id)); }, word,
                         against));
    }

    const Trace& trace_;
    const Graph& graph_;
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

bool supports_contributions(const TransformerGraph& model) {
    try {
        find_unembed_path(model);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace glassformer
