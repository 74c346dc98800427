#include "core/trace/recompute.h"

#include <algorithm>
#include <deque>

namespace glassformer {

namespace {

constexpr std::int64_t floats_in_line = 16, least_large = 1 << 18;

}  // namespace

CachedSlice::CachedSlice(int node, Slices slices, std::int64_t width) : node_(node), slices_(slices) {
    const std::int64_t lead = slices.first * width % floats_in_line, floats = lead + slices.count * width;
    bytes_ = floats * static_cast<std::int64_t>(sizeof(float));
    if (bytes_ < least_large)
        small_.resize(static_cast<std::size_t>(floats));
    else
        large_.emplace(static_cast<std::size_t>(floats));
    cells_ = (large_ ? large_->data() : small_.data()) + lead;
}

std::shared_ptr<const CachedSlice> PartCache::find(int node, Slices slices) {
    const std::lock_guard lock(mutex_);
    const auto found = holding(node, slices);
    if (found == parts_.end()) return nullptr;
    parts_.splice(parts_.begin(), parts_, found);
    return *found;
}

// Parts of one node may overlap. Only the two nearest are checked; a missed one is recomputed.
PartCache::Parts::iterator PartCache::holding(int node, Slices slices) {
    const auto holds = [&](const Parts::iterator& part) {
        const Slices has = (*part)->slices();
        return has.first <= slices.first && slices.first + slices.count <= has.first + has.count;
    };
    auto after = by_first_.upper_bound({node, slices.first});
    if (after != by_first_.begin() && (--after)->first.first == node && holds(after->second)) return after->second;
    const auto start = by_first_.find({node, 0});
    return start != by_first_.end() && holds(start->second) ? start->second : parts_.end();
}

void PartCache::insert(std::shared_ptr<const CachedSlice> part) {
    if (part->bytes() > budget_) return;
    const std::lock_guard lock(mutex_);
    if (holding(part->node(), part->slices()) != parts_.end()) return;
    const Key key(part->node(), part->slices().first);
    const auto shorter = by_first_.find(key);
    if (shorter != by_first_.end()) remove(shorter->second);
    while (bytes_ + part->bytes() > budget_) remove(std::prev(parts_.end()));
    bytes_ += part->bytes();
    parts_.push_front(std::move(part));
    by_first_[key] = parts_.begin();
}

void PartCache::remove(Parts::iterator part) {
    bytes_ -= (*part)->bytes();
    by_first_.erase({(*part)->node(), (*part)->slices().first});
    parts_.erase(part);
}

std::int64_t PartCache::bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

namespace {

Shape with_size(const Shape& shape, int axis, std::int64_t size) {
    std::vector<std::int64_t> sizes(shape.sizes().begin(), shape.sizes().end());
    if (axis < shape.rank()) sizes[axis] = size;
    return Shape(sizes);
}

/// Some heads (axis 2) of [1, pos, head, d], made contiguous.
AlignedFloats heads_of(std::span<const float> values, const Shape& shape, Slices heads) {
    const std::int64_t width = shape[3], row = shape[2] * width;
    AlignedFloats gathered(static_cast<std::size_t>(shape[1] * heads.count * width));
    for (std::int64_t p = 0; p < shape[1]; ++p)
        std::copy_n(values.data() + p * row + heads.first * width, heads.count * width,
                    gathered.data() + p * heads.count * width);
    return gathered;
}

}  // namespace

Recompute::Recompute(const Trace& trace, std::vector<Intervention> interventions, std::int64_t budget)
    : trace_(trace), interventions_(std::move(interventions)), cache_(budget) {
    std::ranges::stable_sort(interventions_, {}, &Intervention::node);
}

std::span<const float> Recompute::made_whole(int node) const {
    const std::lock_guard lock(mutex_);
    const auto found = whole_.find(node);
    return found == whole_.end() ? std::span<const float>{} : found->second;
}

std::span<const float> Recompute::whole(int node) {
    const std::span<const float> made = made_whole(node);
    if (!made.empty()) return made;
    const SliceAxis axis(trace_.graph(), node);
    AlignedFloats values(static_cast<std::size_t>(axis.count * axis.width));
    make(node, axis.all(), values.data(), false);
    trace_.parameters()->require_unchanged();  // as after a run of the model
    const std::lock_guard lock(mutex_);
    return whole_.try_emplace(node, std::move(values)).first->second;
}

SliceView Recompute::part(int node, Slices slices, bool hold) {
    const auto cut = [](std::shared_ptr<const CachedSlice> from, Slices wanted, std::int64_t width) {
        const std::span cells(from->cells() + (wanted.first - from->slices().first) * width,
                              static_cast<std::size_t>(wanted.count * width));
        return SliceView(cells, wanted.first * width, std::move(from));
    };
    const std::int64_t width = SliceAxis(trace_.graph(), node).width;
    if (auto found = cache_.find(node, slices)) return cut(std::move(found), slices, width);
    auto fresh = std::make_shared<CachedSlice>(node, slices, width);
    make(node, slices, fresh->cells(), hold);
    trace_.parameters()->require_unchanged();
    if (hold) cache_.insert(fresh);
    return cut(std::move(fresh), slices, width);
}

/// Gathers what one op reads to compute some slices of its output. Intermediate values are not kept: they are computed
/// in the output's own memory if the op works in place, as in the model's run. For a head on display they are cached
/// too: whoever looks at the weights next asks for the scores they are made of, and then for those before the mask.
class Recompute::Making {
public:
    Making(Recompute& recompute, int node, Slices slices, float* cells, bool hold)
        : recompute_(recompute),
          node_(node),
          slices_(slices),
          cells_(cells),
          hold_(hold && slices != SliceAxis(recompute.trace_.graph(), node).all()) {
        const NodeInfo& info = graph()[node];
        by_runs_ = info.op->by_slices(info.shape);
        for (std::size_t i = 0; i < info.inputs.size(); ++i) read(static_cast<int>(i));
    }

    void forward() {
        const NodeInfo& info = graph()[node_];
        const Shape shape = by_runs_ ? with_size(info.shape, 1, slices_.count) : info.shape;
        const OpPtr other =
            by_runs_ && slices_.count < info.shape[1] ? info.op->for_slice(slices_.first, info.shape) : nullptr;
        const OpPtr& op = other ? other : info.op;
        op->forward({views_, {cells_, shape}, recompute_.pool_});
    }

private:
    const Graph& graph() const { return recompute_.trace_.graph(); }

    void read(int i) {
        const NodeInfo& info = graph()[node_];
        const int input = info.inputs[i];
        const Shape& shape = graph()[input].shape;
        if (const TypedMatrix* matrix = info.op->reads_stored(i) ? stored(input) : nullptr) {
            views_.push_back({nullptr, shape, matrix});
            return;
        }
        const Reads reads = by_runs_ ? info.op->reads(i) : Reads::all;
        if (reads == Reads::slice) return read_slice(i, input);
        const SliceView all = recompute_.trace_.part(input, SliceAxis(graph(), input).all());
        if (reads == Reads::heads_of_slice && slices_.count < shape[2]) {
            gathered_.push_back(heads_of(all.values(), shape, slices_));
            views_.push_back({gathered_.back().data(), with_size(shape, 2, slices_.count)});
            return;
        }
        held_.push_back(all);
        views_.push_back({all.values().data(), shape});
    }

    const TypedMatrix* stored(int input) const {
        const NodeInfo& info = graph()[input];
        return info.kind == NodeInfo::Kind::parameter ? recompute_.trace_.parameters()->stored(info.offset) : nullptr;
    }

    void read_slice(int i, int input) {
        const NodeInfo& info = graph()[node_];
        const Shape shape = with_size(graph()[input].shape, 1, slices_.count);
        const bool on_the_way = !hold_ && !recompute_.trace_.kept(input) && root_of(graph(), input) == input;
        const bool in_place = info.op->in_place(i) && std::ranges::count(info.inputs, input) == 1 && i == 0;
        if (on_the_way && in_place) {
            recompute_.make(input, slices_, cells_, false);
            views_.push_back({cells_, shape});
        } else if (on_the_way) {
            made_.emplace_back(input, slices_, SliceAxis(graph(), input).width);
            recompute_.make(input, slices_, made_.back().cells(), false);
            views_.push_back({made_.back().cells(), shape});
        } else {
            held_.push_back(recompute_.trace_.part(input, slices_));
            views_.push_back({held_.back().values().data(), shape});
        }
    }

    Recompute& recompute_;
    const int node_;
    const Slices slices_;
    float* const cells_;
    const bool hold_;
    bool by_runs_ = false;
    std::vector<ConstView> views_;
    std::vector<SliceView> held_;
    std::deque<CachedSlice> made_;
    std::deque<AlignedFloats> gathered_;
};

void Recompute::make(int node, Slices slices, float* cells, bool hold) {
    const NodeInfo& info = trace_.graph()[node];
    const SliceAxis axis(trace_.graph(), node);
    if (const auto found = cache_.find(node, slices)) {
        std::copy_n(found->cells() + (slices.first - found->slices().first) * axis.width, slices.count * axis.width,
                    cells);
        return;
    }
    if (!info.op->by_slices(info.shape) && slices != axis.all()) {
        const SliceView all = part(node, axis.all(), true);
        std::ranges::copy(all.cells(slices.first * axis.width, slices.count * axis.width), cells);
        return;
    }
    Making(*this, node, slices, cells, hold).forward();
    overwrite(node, slices, cells);
}

void Recompute::overwrite(int node, Slices slices, float* cells) const {
    const std::int64_t width = SliceAxis(trace_.graph(), node).width, begin = slices.first * width,
                       end = begin + slices.count * width;
    for (const Intervention& i : interventions_) {
        if (root_of(trace_.graph(), i.node) != node) continue;
        const float* from = i.values.data();
        for (const Intervention::Range& range : i.ranges) {
            const std::int64_t first = std::max(begin, range.offset), last = std::min(end, range.offset + range.count);
            if (first < last) std::copy(from + first - range.offset, from + last - range.offset, cells + first - begin);
            from += range.count;
        }
    }
}

}  // namespace glassformer
