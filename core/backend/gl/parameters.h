#pragma once

#include <span>
#include <vector>

#include "core/backend/gl/gl_objects.h"
#include "core/graph/graph.h"

namespace glassformer::gl {

/// A graph's parameters and their gradients on the GPU. Executions of one graph may share one object: training and
/// tracing then see the same memory. Each parameter begins at a multiple of 16 cells, so that shaders can read four
/// cells at once; the cells in between stay zero.
class Parameters {
public:
    explicit Parameters(const Graph& graph);

    /// Cells of the padded layout, in the values and in the gradients.
    std::int64_t cells() const { return cells_; }
    /// Number of parameters, without padding.
    std::int64_t count() const { return count_; }
    Span value(int node) const { return span(values_, node); }
    Span gradient(int node) { return span(gradients(), node); }
    Span values() const { return {values_.id(), 0, cells_}; }
    Span all_gradients() { return {gradients().id(), 0, cells_}; }

    /// Copies parameters in the graph's flat order to the GPU, unless they are the same as last time.
    void upload(std::span<const float> flat);
    /// Call this when the GPU has changed the parameters, so that the next upload() always copies.
    void changed_on_gpu() { uploaded_.clear(); }
    /// Waits for the GPU; writes in flat order.
    void download(std::span<float> flat) const;
    void download_gradients(std::span<float> flat) const;

    /// Copy between the flat order and a buffer in the padded layout (the moments of an optimizer). Reading waits for
    /// the GPU.
    void gather(const Buffer& buffer, std::span<float> flat) const;
    void scatter(std::span<const float> flat, Buffer& buffer) const;

    struct Place {
        int node = -1;
        std::int64_t flat = 0, padded = 0, cells = 0;
    };
    const std::vector<Place>& places() const { return places_; }
    /// Write `value` into the cells between parameters, and check that they still hold it (for tests).
    void fill_gaps(float value);
    bool gaps_hold(float value) const;

private:
    Span span(const Buffer& buffer, int node) const;
    const Buffer& gradients();

    std::vector<Place> places_;
    std::vector<std::size_t> place_of_;  // by node
    std::int64_t cells_ = 0, count_ = 0;
    Buffer values_, gradients_;  // gradients are allocated on first use
    std::vector<float> uploaded_;
    float gap_ = 0.0f;  // what upload() writes between the parameters
    mutable std::vector<float> staging_;
};

}  // namespace glassformer::gl
