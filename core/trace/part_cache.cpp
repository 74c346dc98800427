#include "core/trace/part_cache.h"

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

// Parts of one node may overlap. Only the two nearest are looked at; what is overlooked is made again.
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

}  // namespace glassformer
