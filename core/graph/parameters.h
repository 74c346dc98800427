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

/// Owns the memory of stored cells, such as a mapped file, as long as someone uses them.
class StoredCells {
public:
    virtual ~StoredCells() = default;
    /// Throws Error if the cells may have changed because someone wrote to the file.
    virtual void require_unchanged() const {}
};

/// All parameters of a model in the graph's flat order, as they were at one moment: floats, or matrices as stored in a
/// file. A stored matrix is widened the first time someone asks for its floats, and stays widened. Safe to read from
/// several threads.
class ParameterValues {
public:
    /// One parameter: its floats, or the matrix stored in a file.
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
    /// All parameters in order, and the owners of the memory of the matrices among them.
    ParameterValues(std::vector<Part> parts, std::vector<std::shared_ptr<const StoredCells>> owners);
    /// Copies everything as floats.
    ParameterValues(const ParameterValues& other);
    ParameterValues& operator=(const ParameterValues&) = delete;

    std::size_t size() const { return size_; }
    /// The floats of one parameter, or of a part of it.
    std::span<const float> values(std::int64_t offset, std::int64_t count) const;
    /// The parameter that begins at `offset`, as stored in its file; null if it is available as floats.
    const TypedMatrix* stored(std::int64_t offset) const;
    /// Copies floats from anywhere, without keeping anything widened.
    void copy(std::int64_t offset, std::span<float> to) const;
    /// All floats, contiguous.
    std::span<const float> all() const;
    /// True if any parameter is kept as stored in its file.
    bool keeps_stored() const { return !parts_.empty(); }
    /// Throws Error like StoredCells::require_unchanged.
    void require_unchanged() const;

    const float* data() const { return all().data(); }
    const float* begin() const { return data(); }
    const float* end() const { return data() + size_; }
    const float& operator[](std::size_t i) const { return data()[i]; }
    const float& front() const { return *data(); }
    operator std::vector<float>() const;
    bool operator==(const ParameterValues& other) const;

    /// For changes before the parameters are shared: turns everything into floats.
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
    mutable std::deque<Place> parts_;  // empty: everything is in flat_, as floats
    mutable std::vector<float> flat_;
    mutable std::atomic<bool> all_widened_{false};
};

using Parameters = std::shared_ptr<const ParameterValues>;

/// Parameters for a computation: floats in the graph's flat order, or ParameterValues. Does not own them.
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
    /// Like ParameterValues::values and stored.
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
