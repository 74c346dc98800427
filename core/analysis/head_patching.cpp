#include <algorithm>
#include <limits>
#include <span>

#include "core/analysis/patching.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

bool grouped(const TransformerConfig& config, HeadPart part) {
    return (part == HeadPart::k || part == HeadPart::v) && config.n_key_value_heads() < config.n_heads;
}

int heads_in_group(const TransformerConfig& config) { return config.n_heads / config.n_key_value_heads(); }

/// How many words have a query in the attention of a block.
int words_in(const TransformerGraph& model, int block) {
    const Graph& graph = *model.graph;
    const int z = graph.at(block_hook(block, "attn.hook_z"));
    return static_cast<int>(graph[z].shape[has_batch_axis(graph, z)]);
}

bool same_places(const PatchPartners& partners) {
    for (std::size_t i = 0; i < partners.size(); ++i)
        if (partners[i] != static_cast<int>(i)) return false;
    return true;
}

/// `row` divided by its sum; empty where that is 0.
std::vector<float> to_one(std::span<const double> row) {
    double sum = 0.0;
    for (const double weight : row) sum += weight;
    std::vector<float> weights;
    if (!(sum > 0.0)) return weights;
    for (const double weight : row) weights.push_back(static_cast<float>(weight / sum));
    return weights;
}

/// Finds what is put where. Lives for one call.
class HeadPatching {
public:
    HeadPatching(const what_if::HeadPatch& patch, const TransformerGraph& target, const Trace& source)
        : patch_(patch),
          target_(target),
          source_(source),
          place_(place_of(target.config, patch.block, patch.head, patch.part)),
          result_{target.graph->at(place_.node), {}, {}} {}

    Intervention cells() {
        const bool mean = patch_.source == PatchSource::mean, pattern = patch_.part == HeadPart::pattern;
        std::vector<float> of_all;
        if (mean) of_all = mean_row(values(place_.node, -1), width());
        const int words = words_in(target_, patch_.block), begin = std::max(0, patch_.position);
        for (int at = begin; at < (patch_.position < 0 ? words : begin + 1); ++at) {
            const int from = mean || patch_.partners.empty() ? at : patch_.partners[at];
            if (from < 0) continue;
            if (mean)
                put(at, pattern ? allowed(of_all, at) : of_all);
            else
                put(at, pattern ? carried(values(place_.node, from)) : values(place_.node, from));
        }
        return std::move(result_);
    }

private:
    std::vector<float> values(const std::string& node, int position) const {
        return values_of(source_, {node, position, place_.head});
    }
    std::size_t width() const { return source_.graph()[source_.graph().at(place_.node)].shape.back(); }

    /// A row of a pattern without what the query at a place must not look at.
    std::vector<float> allowed(std::span<const float> row, int query) const {
        constexpr float hidden = -std::numeric_limits<float>::infinity();
        const std::vector<float> scores =
            values(source_.graph()[scores_node(source_.model(), patch_.block)].name, query);
        std::vector<double> kept(row.size());
        for (std::size_t key = 0; key < row.size(); ++key)
            kept[key] = scores[key] == hidden ? 0.0 : static_cast<double>(row[key]);
        return to_one(kept);
    }

    /// The weights of another sentence's row on the words that belong together.
    std::vector<float> carried(std::vector<float> row) const {
        if (same_places(patch_.partners)) return row;
        std::vector<double> kept;
        for (const int from : patch_.partners) kept.push_back(from < 0 ? 0.0 : static_cast<double>(row[from]));
        return to_one(kept);
    }

    void put(int position, std::span<const float> values) {
        if (values.empty()) return;
        const Intervention one = set_cells(target_, {place_.node, position, place_.head}, values);
        result_.ranges.insert(result_.ranges.end(), one.ranges.begin(), one.ranges.end());
        result_.values.insert(result_.values.end(), one.values.begin(), one.values.end());
    }

    const what_if::HeadPatch& patch_;
    const TransformerGraph& target_;
    const Trace& source_;
    HookPoint place_;
    Intervention result_;
};

}  // namespace

HookPoint place_of(const TransformerConfig& config, int block, int head, HeadPart part, int position) {
    const std::string name(head_part_names[static_cast<std::size_t>(part)]);
    if (!grouped(config, part)) return {block_hook(block, "attn.hook_" + name), position, head};
    return {block_hook(block, "attn." + name + "_groups"), position, head / heads_in_group(config)};
}

std::vector<int> heads_sharing(const TransformerConfig& config, int head, HeadPart part) {
    if (!grouped(config, part)) return {head};
    const int each = heads_in_group(config);
    std::vector<int> heads;
    for (int i = 0; i < each; ++i) heads.push_back(head / each * each + i);
    return heads;
}

std::vector<HeadPart> parts_sharing(const TransformerConfig& config, HeadPart part) {
    if (config.attention.projections == Projections::separate || part > HeadPart::v) return {};
    std::vector<HeadPart> parts{HeadPart::q, HeadPart::k, HeadPart::v};
    std::erase(parts, part);
    return parts;
}

void require_fits(const what_if::HeadPatch& patch, const TransformerGraph& target, const TransformerGraph& source) {
    if (const std::string why = refusal(patch, target.config); !why.empty()) throw Error(why);
    const int words = words_in(target, patch.block), there = words_in(source, patch.block);
    if (patch.position >= words)
        throw Error("there is no position {1} in a sentence of {2} tokens", patch.position, words);
    if (patch.source == PatchSource::mean) return;
    if (patch.partners.empty()) {
        if (words != there)
            throw Error(
                "the sentences have {1} and {2} tokens; to patch a head, both need the same number, or an alignment",
                words, there);
        return;
    }
    const auto outside = [&](int from) { return from < -1 || from >= there; };
    if (static_cast<int>(patch.partners.size()) != words || std::ranges::any_of(patch.partners, outside))
        throw Error("patching needs one position of the other sentence, or none, for each of {1} tokens", words);
    const bool all = patch.position < 0;
    if (all ? std::ranges::all_of(patch.partners, [](int from) { return from < 0; })
            : patch.partners[patch.position] < 0)
        throw Error("no word of the other sentence belongs to what is patched");
}

Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, const Trace& source) {
    require_fits(patch, target, source.model());
    return HeadPatching(patch, target, source).cells();
}

}  // namespace glassformer
