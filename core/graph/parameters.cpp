#include "core/graph/parameters.h"

#include <algorithm>

namespace glassformer {

namespace {

bool as_stored(const ParameterValues::Part& part) { return part.matrix.data && !part.matrix.floats(); }

/// Copies some floats of a part, from its floats or straight from the file.
void copy_some(const ParameterValues::Part& part, std::int64_t first, std::span<float> to) {
    const TypedMatrix& matrix = part.matrix;
    if (const float* floats = matrix.data ? matrix.floats() : part.floats.data()) {
        std::copy_n(floats + first, to.size(), to.data());
        return;
    }
    if (first == 0 && static_cast<std::int64_t>(to.size()) == part.count) return to_float32(matrix, to);
    std::vector<float> row(static_cast<std::size_t>(matrix.columns));
    for (std::size_t done = 0; done < to.size();) {
        const std::int64_t at = first + static_cast<std::int64_t>(done), column = at % matrix.columns;
        const auto count = std::min(to.size() - done, static_cast<std::size_t>(matrix.columns - column));
        widen_row(matrix, at / matrix.columns, row);
        std::copy_n(row.data() + column, count, to.data() + done);
        done += count;
    }
}

}  // namespace

ParameterValues::ParameterValues(std::vector<Part> parts, std::vector<std::shared_ptr<const StoredCells>> owners)
    : owners_(std::move(owners)) {
    for (const Part& part : parts) size_ += static_cast<std::size_t>(part.count);
    if (std::ranges::none_of(parts, [](const Part& part) { return part.matrix.data; })) {
        flat_.reserve(size_);
        for (const Part& part : parts) flat_.insert(flat_.end(), part.floats.begin(), part.floats.end());
        return;
    }
    for (Part& part : parts) parts_.emplace_back().part = std::move(part);
}

ParameterValues::ParameterValues(const ParameterValues& other) : size_(other.size_), flat_(other.size_) {
    other.copy(0, flat_);
}

ParameterValues::operator std::vector<float>() const {
    std::vector<float> floats(size_);
    copy(0, floats);
    return floats;
}

bool ParameterValues::operator==(const ParameterValues& other) const {
    return size_ == other.size_ && std::ranges::equal(all(), other.all());
}

ParameterValues::Place& ParameterValues::place(std::int64_t offset) const {
    return *std::prev(
        std::ranges::upper_bound(parts_, offset, {}, [](const Place& place) { return place.part.offset; }));
}

std::span<const float> ParameterValues::values(std::int64_t offset, std::int64_t count) const {
    const auto cells = [&](const float* floats, std::int64_t first) {
        return std::span(floats + first, static_cast<std::size_t>(count));
    };
    if (parts_.empty()) return cells(flat_.data(), offset);
    Place& found = place(offset);
    const Part& part = found.part;
    const std::int64_t first = offset - part.offset;
    if (!part.matrix.data) return cells(part.floats.data(), first);
    if (const float* floats = part.matrix.floats()) return cells(floats, first);
    if (!found.widened.load(std::memory_order_acquire)) {
        require_unchanged();
        const std::lock_guard lock(mutex_);
        if (!found.widened.load(std::memory_order_relaxed)) {
            found.part.floats.resize(part.count);
            to_float32(part.matrix, found.part.floats);
            require_unchanged();
            found.widened.store(true, std::memory_order_release);
        }
    }
    return cells(part.floats.data(), first);
}

const TypedMatrix* ParameterValues::stored(std::int64_t offset) const {
    if (parts_.empty()) return nullptr;
    const Part& part = place(offset).part;
    return as_stored(part) ? &part.matrix : nullptr;
}

void ParameterValues::copy(std::int64_t offset, std::span<float> to) const {
    if (parts_.empty()) {
        std::copy_n(flat_.data() + offset, to.size(), to.data());
        return;
    }
    require_unchanged();
    while (!to.empty()) {
        const Part& part = place(offset).part;
        const std::int64_t first = offset - part.offset;
        const auto count = std::min(to.size(), static_cast<std::size_t>(part.count - first));
        copy_some(part, first, to.first(count));
        to = to.subspan(count);
        offset += static_cast<std::int64_t>(count);
    }
    require_unchanged();
}

std::span<const float> ParameterValues::all() const {
    if (!parts_.empty() && !all_widened_.load(std::memory_order_acquire)) {
        const std::lock_guard lock(mutex_);
        if (!all_widened_.load(std::memory_order_relaxed)) {
            flat_.resize(size_);
            copy(0, flat_);
            all_widened_.store(true, std::memory_order_release);
        }
    }
    return flat_;
}

void ParameterValues::require_unchanged() const {
    for (const auto& owner : owners_) owner->require_unchanged();
}

}  // namespace glassformer
