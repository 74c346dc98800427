#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "core/tensor/typed_matrix.h"

namespace glassformer {

/// What cells of a file lie in, as long as someone uses them.
class StoredCells {
public:
    virtual ~StoredCells() = default;
    /// Throws Error when they may no longer be what they were: someone wrote into the file.
    virtual void require_unchanged() const {}
};

/// All the parameters of a model in the graph's flat order, as they were at one moment: floats, or matrices as a file
/// holds them. Those are widened when someone asks for their floats, one at a time, and stay so. Safe to read from
/// several threads.
class ParameterValues {
public:
    /// One parameter: its floats, or the matrix that a file holds.
    struct Part {
        std::int64_t offset = 0, count = 0;
        std::vector<float> floats = {};
        TypedMatrix matrix = {};
    };

    explicit ParameterValues(std::vector<float> values) : size_(values.size()), flat_(std::move(values)) {}
    explicit ParameterValues(std::size_t count, float value = 0.0f)
        : ParameterValues(std::vector<float>(count, value)) {}
    template <std::input_iterator Iterator>
    ParameterValues(Iterator first, Iterator last) : ParameterValues(std::vector<float>(first, last)) {}
    /// All the parameters in their order, and what the matrices among them lie in.
    ParameterValues(std::vector<Part> parts, std::vector<std::shared_ptr<const StoredCells>> owners);
    /// Floats, all of them.
    ParameterValues(const ParameterValues& other);
    ParameterValues& operator=(const ParameterValues&) = delete;

    std::size_t size() const { return size_; }
    /// The floats of one parameter, or of some of it.
    std::span<const float> values(std::int64_t offset, std::int64_t count) const;
    /// The parameter that begins there, as its file holds it; null where its floats are there.
    const TypedMatrix* stored(std::int64_t offset) const;
    /// Copies floats from anywhere. Nothing stays widened.
    void copy(std::int64_t offset, std::span<float> to) const;
    /// All the floats, side by side.
    std::span<const float> all() const;
    /// Whether any parameter is as its file holds it.
    bool keeps_stored() const { return !parts_.empty(); }
    /// As StoredCells::require_unchanged.
    void require_unchanged() const;

    const float* data() const { return all().data(); }
    const float* begin() const { return data(); }
    const float* end() const { return data() + size_; }
    const float& operator[](std::size_t i) const { return data()[i]; }
    const float& front() const { return *data(); }
    operator std::vector<float>() const;
    bool operator==(const ParameterValues& other) const;

    /// To change them before they are shared: floats from then on.
    float* data() {
        static_cast<void>(all());
        parts_.clear();
        return flat_.data();
    }
    float* begin() { return data(); }
    float* end() { return data() + size_; }
    float& operator[](std::size_t i) { return data()[i]; }

private:
    struct Place {
        Part part;
        std::atomic<bool> widened{false};  // part.floats holds the matrix
    };
    Place& place(std::int64_t offset) const;

    std::size_t size_ = 0;
    std::vector<std::shared_ptr<const StoredCells>> owners_;
    mutable std::mutex mutex_;         // for widening
    mutable std::deque<Place> parts_;  // empty: all are floats, in flat_
    mutable std::vector<float> flat_;
    mutable std::atomic<bool> all_widened_{false};
};

using Parameters = std::shared_ptr<const ParameterValues>;

/// Parameters to compute with: floats side by side in the graph's flat order, or ParameterValues. Not owned.
class ParameterView {
public:
    ParameterView() = default;
    template <class Floats>
    requires std::is_convertible_v<const Floats&, std::span<const float>> ParameterView(const Floats& floats)
        : flat_(floats) {}
    ParameterView(const ParameterValues& values) {
        if (values.keeps_stored())
            values_ = &values;
        else
            flat_ = values.all();
    }

    std::size_t size() const { return values_ ? values_->size() : flat_.size(); }
    std::span<const float> all() const { return values_ ? values_->all() : flat_; }
    /// As ParameterValues::values and stored.
    std::span<const float> values(std::int64_t offset, std::int64_t count) const {
        return values_ ? values_->values(offset, count) : flat_.subspan(offset, count);
    }
    const TypedMatrix* stored(std::int64_t offset) const { return values_ ? values_->stored(offset) : nullptr; }
    void require_unchanged() const {
        if (values_) values_->require_unchanged();
    }

private:
    std::span<const float> flat_;
    const ParameterValues* values_ = nullptr;
};

}  // namespace glassformer
