#include "core/backend/gl/parameters.h"

#include <algorithm>
#include <cstring>

namespace glassformer::gl {

namespace {

constexpr std::int64_t alignment = 16;

}  // namespace

Parameters::Parameters(const Graph& graph) : place_of_(graph.nodes().size()), count_(graph.parameter_count()) {
    for (const int id : graph.parameters()) {
        const NodeInfo& info = graph[id];
        place_of_[id] = places_.size();
        places_.push_back({id, info.offset, cells_, info.shape.elements()});
        cells_ += (info.shape.elements() + alignment - 1) / alignment * alignment;
    }
    values_ = Buffer(cells_);
    staging_.resize(cells_);
}

Span Parameters::span(const Buffer& buffer, int node) const {
    const Place& place = places_[place_of_[node]];
    return {buffer.id(), place.padded, place.cells};
}

const Buffer& Parameters::gradients() {
    if (!gradients_.id()) gradients_ = Buffer(cells_);
    return gradients_;
}

void Parameters::upload(std::span<const float> flat) {
    const std::size_t bytes = flat.size() * sizeof(float);
    if (uploaded_.size() == flat.size() && std::memcmp(uploaded_.data(), flat.data(), bytes) == 0) return;
    uploaded_.assign(flat.begin(), flat.end());
    scatter(flat, values_);
}

void Parameters::scatter(std::span<const float> flat, Buffer& buffer) const {
    std::ranges::fill(staging_, gap_);
    for (const Place& p : places_) std::copy_n(flat.data() + p.flat, p.cells, staging_.data() + p.padded);
    buffer.write(0, staging_.data(), cells_);
}

void Parameters::gather(const Buffer& buffer, std::span<float> flat) const {
    buffer.read(0, staging_.data(), cells_);
    for (const Place& p : places_) std::copy_n(staging_.data() + p.padded, p.cells, flat.data() + p.flat);
}

void Parameters::download(std::span<float> flat) const { gather(values_, flat); }
void Parameters::download_gradients(std::span<float> flat) const { gather(gradients_, flat); }

void Parameters::fill_gaps(float value) {
    gap_ = value;
    const std::vector<float> filling(alignment, value);
    for (const Place& p : places_) {
        const std::int64_t end = p.padded + p.cells, next = (end + alignment - 1) / alignment * alignment;
        values_.write(end, filling.data(), next - end);
        if (gradients_.id()) gradients_.write(end, filling.data(), next - end);
    }
}

bool Parameters::gaps_hold(float value) const {
    for (const Buffer* buffer : {&values_, &gradients_}) {
        if (!buffer->id()) continue;
        buffer->read(0, staging_.data(), cells_);
        for (const Place& p : places_) {
            const std::int64_t end = p.padded + p.cells, next = (end + alignment - 1) / alignment * alignment;
            for (std::int64_t i = end; i < next; ++i)
                if (staging_[i] != value) return false;
        }
    }
    return true;
}

}  // namespace glassformer::gl
