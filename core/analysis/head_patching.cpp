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

/// The number of words that have a part.
int words_in(const TransformerGraph& model, HeadPart part, AttentionTo to) {
    return is_of_source(part, to) ? model.source_positions : model.positions;
}

const PatchPartners& own_partners(const what_if::HeadPatch& patch) {
    return is_of_source(patch.part, patch.to) ? patch.source_partners : patch.partners;
}
/// The partners of the words that a pattern's rows attend to.
const PatchPartners& key_partners(const what_if::HeadPatch& patch) {
    return patch.to == AttentionTo::source ? patch.source_partners : patch.partners;
}

bool same_places(const PatchPartners& partners) {
    for (std::size_t i = 0; i < partners.size(); ++i)
        if (partners[i] != static_cast<int>(i)) return false;
    return true;
}

/// `row` divided by its sum; empty if that is 0.
std::vector<float> to_one(std::span<const double> row) {
    double sum = 0.0;
    for (const double weight : row) sum += weight;
    std::vector<float> weights;
    if (!(sum > 0.0)) return weights;
    for (const double weight : row) weights.push_back(static_cast<float>(weight / sum));
    return weights;
}

/// Finds the values for each place. Lives for one call.
class HeadPatching {
public:
    /// `source`: null if all places get the same values.
    HeadPatching(const what_if::HeadPatch& patch, const TransformerGraph& target, const Trace* source)
        : patch_(patch),
          target_(target),
          source_(source),
          place_(place_of(target.config, patch.block, patch.head, patch.part, -1, patch.to)),
          result_{target.graph->at(place_.node), {}, {}} {}

    Intervention cells() {
        const bool mean = patch_.source == PatchSource::mean, pattern = patch_.part == HeadPart::pattern;
        std::vector<float> of_all;
        if (mean) of_all = mean_row(values(place_.node, -1), width());
        const PatchPartners& partners = own_partners(patch_);
        each([&](int at) {
            const int from = mean || partners.empty() ? at : partners[at];
            if (from < 0) return;
            if (mean)
                put(at, pattern ? allowed(of_all, at) : of_all);
            else
                put(at, pattern ? carried(values(place_.node, from)) : values(place_.node, from));
        });
        return std::move(result_);
    }

    Intervention cells(std::span<const float> same) {
        each([&](int at) { put(at, same); });
        return std::move(result_);
    }

private:
    template <class Body>
    void each(const Body& body) const {
        const int begin = std::max(0, patch_.position);
        const int end = patch_.position < 0 ? words_in(target_, patch_.part, patch_.to) : begin + 1;
        for (int at = begin; at < end; ++at) body(at);
    }
    std::vector<float> values(const std::string& node, int position) const {
        return values_of(*source_, {node, position, place_.head});
    }
    std::size_t width() const { return source_->graph()[source_->graph().at(place_.node)].shape.back(); }

    /// A row of a pattern without the keys that are masked for this query; normalised to 1.
    std::vector<float> allowed(std::span<const float> row, int query) const {
        constexpr float hidden = -std::numeric_limits<float>::infinity();
        const std::vector<float> scores =
            values(source_->graph()[scores_node(source_->model(), patch_.block, patch_.to)].name, query);
        std::vector<double> kept(row.size());
        for (std::size_t key = 0; key < row.size(); ++key)
            kept[key] = scores[key] == hidden ? 0.0 : static_cast<double>(row[key]);
        return to_one(kept);
    }

    /// The weights of another sentence's row on the corresponding words.
    std::vector<float> carried(std::vector<float> row) const {
        const PatchPartners& keys = key_partners(patch_);
        if (same_places(keys)) return row;
        std::vector<double> kept;
        for (const int from : keys) kept.push_back(from < 0 ? 0.0 : static_cast<double>(row[from]));
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
    const Trace* source_;
    HookPoint place_;
    Intervention result_;
};

}  // namespace

HookPoint place_of(const TransformerConfig& config, int block, int head, HeadPart part, int position, AttentionTo to) {
    const std::string name(head_part_names[static_cast<std::size_t>(part)]);
    const std::string attention = to == AttentionTo::source ? "cross_attn." : "attn.";
    if (!grouped(config, part)) return {block_hook(block, attention + "hook_" + name), position, head};
    return {block_hook(block, attention + name + "_groups"), position, head / heads_in_group(config)};
}

std::vector<int> heads_sharing(const TransformerConfig& config, int head, HeadPart part) {
    if (!grouped(config, part)) return {head};
    const int each = heads_in_group(config);
    std::vector<int> heads;
    for (int i = 0; i < each; ++i) heads.push_back(head / each * each + i);
    return heads;
}

std::vector<HeadPart> parts_sharing(const TransformerConfig& config, HeadPart part, AttentionTo to) {
    if (config.attention.projections == Projections::separate || part > HeadPart::v) return {};
    const bool of_source = to == AttentionTo::source;
    if (of_source && part == HeadPart::q) return {};
    std::vector<HeadPart> parts{HeadPart::q, HeadPart::k, HeadPart::v};
    std::erase_if(parts, [&](HeadPart p) { return p == part || (of_source && p == HeadPart::q); });
    return parts;
}

void require_fits(const what_if::HeadPatch& patch, const TransformerGraph& target, const TransformerGraph& source) {
    if (const std::string why = refusal(patch, target.config); !why.empty()) throw Error(why);
    const int words = words_in(target, patch.part, patch.to), there = words_in(source, patch.part, patch.to);
    if (patch.position >= words)
        throw Error("there is no position {1} in a sentence of {2} tokens", patch.position, words);
    if (patch.source != PatchSource::other) return;
    const auto require_words = [](const PatchPartners& partners, int here, int other) {
        if (partners.empty() && here != other)
            throw Error(
                "the sentences have {1} and {2} tokens; to patch a head, both need the same number, or an alignment",
                here, other);
        const auto outside = [&](int from) { return from < -1 || from >= other; };
        if (!partners.empty() && (static_cast<int>(partners.size()) != here || std::ranges::any_of(partners, outside)))
            throw Error("patching needs one position of the other sentence, or none, for each of {1} tokens", here);
    };
    const PatchPartners& partners = own_partners(patch);
    require_words(partners, words, there);
    if (patch.part == HeadPart::pattern && patch.to == AttentionTo::source)
        require_words(key_partners(patch), target.source_positions, source.source_positions);
    if (partners.empty()) return;
    const bool all = patch.position < 0;
    if (all ? std::ranges::all_of(partners, [](int from) { return from < 0; }) : partners[patch.position] < 0)
        throw Error("no word of the other sentence belongs to what is patched");
}

Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, const Trace& source) {
    require_fits(patch, target, source.model());
    if (patch.source == PatchSource::world)
        throw Error("this patch is from the mean over many sentences, not from one");
    return HeadPatching(patch, target, &source).cells();
}

Intervention patch_head(const what_if::HeadPatch& patch, const TransformerGraph& target, std::span<const float> mean) {
    require_fits(patch, target, target);
    return HeadPatching(patch, target, nullptr).cells(mean);
}

std::vector<float> mean_of_part(Tracer& tracer, const Parameters& parameters, std::span<const TraceInput> sentences,
                                const HookPoint& place) {
    if (sentences.empty()) throw Error(no_world_sentences);
    std::vector<double> sum;
    std::size_t rows = 0;
    for (const TraceInput& sentence : sentences) {
        const std::shared_ptr<const Trace> trace = tracer.trace(sentence, parameters);
        const std::vector<float> values = values_of(*trace, place);
        sum.resize(trace->graph()[trace->graph().at(place.node)].shape.back());
        for (std::size_t i = 0; i < values.size(); ++i) sum[i % sum.size()] += static_cast<double>(values[i]);
        rows += values.size() / sum.size();
    }
    std::vector<float> mean;
    for (const double x : sum) mean.push_back(static_cast<float>(x / static_cast<double>(rows)));
    return mean;
}

}  // namespace glassformer
