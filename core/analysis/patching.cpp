#include "core/analysis/patching.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/graph/hook_names.h"

namespace glassformer {

namespace {

PatchPartners partners_of(int positions, int others, PatchPartners given) {
    if (given.empty()) {
        if (positions != others)
            throw Error(
                "the sentences have {1} and {2} tokens; to patch every position, both need the same number, or an "
                "alignment",
                positions, others);
        given.resize(static_cast<std::size_t>(positions));
        std::iota(given.begin(), given.end(), 0);
    }
    if (static_cast<int>(given.size()) != positions ||
        std::ranges::any_of(given, [&](int p) { return p < -1 || p >= others; }))
        throw Error("patching needs one position of the other sentence, or none, for each of {1} tokens", positions);
    return given;
}

bool none_of(const PatchPartners& partners) {
    return std::ranges::all_of(partners, [](int p) { return p < 0; });
}

void require_comparable(const Trace& a, const Trace& b, const LogitDifference& difference) {
    if (a.intervened()) throw Error("the run to patch already has interventions; use one without");
    if (a.model().config != b.model().config) throw Error("the two runs are of different models");
    if (a.model().config.output != OutputKind::words) throw Error("patching compares words; this model predicts none");
    const int d_vocab = static_cast<int>(a.graph()[a.model().logits].shape.back());
    if (difference.position < 0 || difference.position >= a.positions())
        throw Error("there is no position {1} in these sentences", difference.position);
    for (const int word : {difference.word, difference.minus})
        if (word < 0 || word >= d_vocab) throw Error("there is no word {1}; ids go from 0 to {2}", word, d_vocab - 1);
}

std::int64_t cell_count(const TransformerGraph& model, const HookPoint& site) {
    std::int64_t count = 0;
    for (const Intervention::Range& range : cells_of(model, site)) count += range.count;
    return count;
}

}  // namespace

void require_same_size(const TransformerGraph& source, const HookPoint& from, const TransformerGraph& target,
                       const HookPoint& to) {
    const std::int64_t given = cell_count(source, from), wanted = cell_count(target, to);
    if (given != wanted)
        throw Error("the place in {1} has {2} cells and the place in {3} {4}; patching needs the same number in both",
                    from.node, given, to.node, wanted);
}

Intervention patch(const Trace& source, const HookPoint& from, const TransformerGraph& target, const HookPoint& to) {
    require_same_size(source.model(), from, target, to);
    return set_cells(target, to, values_of(source, from));
}

Intervention patch(const Trace& source, const HookPoint& site) { return patch(source, site, source.model(), site); }

double LogitDifference::of(std::span<const float> logits, int d_vocab) const {
    const auto cell = [&](int id) {
        return static_cast<double>(logits[static_cast<std::size_t>(position) * static_cast<std::size_t>(d_vocab) +
                                          static_cast<std::size_t>(id)]);
    };
    return cell(word) - cell(minus);
}

double LogitDifference::of(const Trace& trace) const {
    const int logits = trace.model().logits;
    const SliceView row = trace.part(logits, {position, 1});
    LogitDifference here = *this;
    here.position = 0;
    return here.of(row.values(), static_cast<int>(trace.graph()[logits].shape.back()));
}

std::string patched_name(PatchedNode node, int block) {
    const char* hook = node == PatchedNode::resid_pre  ? "hook_resid_pre"
                       : node == PatchedNode::attn_out ? "hook_attn_out"
                                                       : "hook_mlp_out";
    return block_hook(block, hook);
}

bool is_usual_patch(const HookPoint& from, const HookPoint& to) {
    const NodePlace place = node_place(to.node);
    const bool known =
        place.within == "hook_resid_pre" || place.within == "hook_attn_out" || place.within == "hook_mlp_out";
    return known && place.block >= 0 && !place.encoder && from.node == to.node && from.position >= 0 &&
           to.position >= 0 && from.head < 0 && to.head < 0;
}

double PatchGrid::effect(int row, int column) const { return a == b ? 0.0 : (at(row, column) - a) / (b - a); }

/// Reruns A, keeping nothing but the logits.
class PatchGridRun::Rerun {
public:
    /// `keep`: nodes to overwrite; attention might otherwise be computed without them.
    Rerun(Backend& backend, const Trace& a, std::vector<int> keep)
        : trace_(a),
          run_(backend.prepare(a.model().graph, {and_logits(std::move(keep), a), -1})),
          logits_(static_cast<std::size_t>(a.graph()[a.model().logits].shape.elements())) {
        for (std::size_t id = 0; id < a.graph().nodes().size(); ++id)
            if (a.graph().nodes()[id].kind == NodeInfo::Kind::input)
                run_->set_input(static_cast<int>(id), a.values(static_cast<int>(id)));
    }

    const TransformerGraph& model() const { return trace_.model(); }

    std::span<const float> with(Intervention intervention) {
        std::vector<Intervention> one;
        one.push_back(std::move(intervention));
        run_->intervene(std::move(one));
        run_->forward(*trace_.parameters());
        run_->read(trace_.model().logits, logits_);
        return logits_;
    }

private:
    static std::vector<int> and_logits(std::vector<int> keep, const Trace& a) {
        keep.push_back(a.model().logits);
        return keep;
    }

    const Trace& trace_;
    std::unique_ptr<Execution> run_;
    std::vector<float> logits_;
};

PatchGridRun::PatchGridRun(Backend& backend, const Trace& a, const Trace& b, const PatchedPlaces& places,
                           const LogitDifference& difference, PatchAlignment partners,
                           std::span<const TraceInput> world)
    : a_(a), b_(b), places_(places), difference_(difference) {
    const auto* head = std::get_if<PatchedHead>(&places_);
    partners_.words = partners_of(a.positions(), b.positions(), std::move(partners.words));
    if (head && head->to == AttentionTo::source)
        partners_.source =
            partners_of(a.model().source_positions, b.model().source_positions, std::move(partners.source));
    require_comparable(a, b, difference);
    LogitDifference there = difference;
    there.position = partners_.words[difference.position];
    const double of_b = there.position < 0 ? std::numeric_limits<double>::quiet_NaN() : there.of(b);
    grid_ = {a.model().config.n_layers, a.positions(), 0, difference.of(a), of_b, {}, false};
    std::vector<int> keep;
    if (const auto* node = std::get_if<PatchedNode>(&places_)) {
        for (int block = 0; block < grid_.rows; ++block) cells_of(a.model(), {patched_name(*node, block)});
    } else {
        const TransformerConfig& config = a.model().config;
        require_fits({.block = head->block, .head = head->head, .source = PatchSource::mean, .to = head->to}, a.model(),
                     a.model());
        const auto place = [&](HeadPart part) { return place_of(config, head->block, head->head, part, -1, head->to); };
        keep.push_back(a.graph().at(place(HeadPart::pattern).node));
        grid_.rows = static_cast<int>(head_part_names.size());
        if (head->to == AttentionTo::source) grid_.source = a.model().source_positions;
        grid_.columns += grid_.source + 1;
        Tracer tracer(backend, config);
        for (int part = 0; head->source == PatchSource::world && part < grid_.rows; ++part)
            means_.push_back(static_cast<HeadPart>(part) == HeadPart::pattern
                                 ? std::vector<float>()
                                 : mean_of_part(tracer, a.parameters(), world, place(static_cast<HeadPart>(part))));
    }
    grid_.difference.assign(static_cast<std::size_t>(total()), std::numeric_limits<double>::quiet_NaN());
    d_vocab_ = static_cast<int>(a.shape(a.model().logits).back());
    rerun_ = std::make_unique<Rerun>(backend, a, std::move(keep));
}

PatchGridRun::~PatchGridRun() = default;

/// The intervention for a cell of the grid; none if no position of B corresponds to it.
std::optional<Intervention> PatchGridRun::cells(int row, int column) const {
    if (const auto* head = std::get_if<PatchedHead>(&places_))
        return of_head(*head, static_cast<HeadPart>(row), column);
    const int from = partners_.words[column];
    if (from < 0) return {};
    const std::string name = patched_name(std::get<PatchedNode>(places_), row);
    return patch(b_, {name, from}, rerun_->model(), {name, column});
}

std::optional<Intervention> PatchGridRun::of_head(const PatchedHead& head, HeadPart part, int column) const {
    const bool every = column == grid_.columns - 1, at_source = column < grid_.source;
    if (!every && at_source != is_of_source(part, head.to)) return {};
    what_if::HeadPatch patch{.block = head.block,
                             .head = head.head,
                             .part = part,
                             .position = every       ? -1
                                         : at_source ? column
                                                     : column - grid_.source,
                             .source = head.source,
                             .to = head.to};
    if (head.source == PatchSource::world) {
        const std::vector<float>& mean = means_[static_cast<std::size_t>(part)];
        return mean.empty() ? std::nullopt : std::optional(patch_head(patch, rerun_->model(), mean));
    }
    if (head.source == PatchSource::mean) return patch_head(patch, rerun_->model(), a_);
    const PatchPartners& own = is_of_source(part, head.to) ? partners_.source : partners_.words;
    if (every ? none_of(own) : own[static_cast<std::size_t>(patch.position)] < 0) return {};
    patch.partners = partners_.words, patch.source_partners = partners_.source;
    return patch_head(patch, rerun_->model(), b_);
}

void PatchGridRun::step() {
    if (done_ == total()) return;
    if (std::optional<Intervention> found = cells(done_ / grid_.columns, done_ % grid_.columns))
        grid_.difference[done_] = difference_.of(rerun_->with(*std::move(found)), d_vocab_);
    grid_.complete = ++done_ == total();
}

PatchGrid patch_grid(Backend& backend, const Trace& a, const Trace& b, const PatchedPlaces& places,
                     const LogitDifference& difference, const PatchAlignment& partners) {
    PatchGridRun run(backend, a, b, places, difference, partners);
    while (!run.grid().complete) run.step();
    return run.grid();
}

}  // namespace glassformer
