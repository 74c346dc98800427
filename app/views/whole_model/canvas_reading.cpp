#include "app/views/whole_model/canvas_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glassformer::app {

namespace {

constexpr float least_weight = 0.1f, full_share = 0.98f;
constexpr std::int64_t most_rows = 16, most_sampled = 4096;  // of a node, for its range
constexpr std::int64_t made_later = 48;                      // what a number costs that the trace has not kept
constexpr std::size_t most_tiles = 60'000;
constexpr std::int64_t words_at_once = 32;

/// Which of some numbers stands for them.
std::size_t largest_of(std::span<const float> values) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (std::abs(values[i]) > std::abs(values[best])) best = i;
    return best;
}

bool is_of_source(const std::string& node) { return node.starts_with("encoder."); }

/// Every query's weights of one head that are worth a line.
void add_arcs(std::vector<Arc>& arcs, int head, std::span<const float> weights, int queries, int keys) {
    for (int query = 0; query < queries; ++query) {
        const auto row = weights.subspan(static_cast<std::size_t>(query) * static_cast<std::size_t>(keys),
                                         static_cast<std::size_t>(keys));
        const auto most = static_cast<int>(std::ranges::max_element(row) - row.begin());
        for (int key = 0; key < keys; ++key) {
            const float weight = row[static_cast<std::size_t>(key)];
            if (weight >= least_weight || key == most) arcs.push_back({head, query, key, weight});
        }
    }
}

}  // namespace

CanvasReading::CanvasReading(std::shared_ptr<const Trace> trace, ComparedTrace other)
    : trace_(trace),
      other_(other.trace),
      position_(std::move(other.position)),
      source_position_(std::move(other.source_position)),
      lens_(trace) {}

const CanvasLayout& CanvasReading::layout(const CanvasRoom& room) {
    if (layout_ && layout_->room.width == room.width && layout_->room.height == room.height &&
        layout_->room.unit == room.unit && layout_->room.words == room.words &&
        layout_->room.source_words == room.source_words)
        return *layout_;
    layout_ = std::make_unique<CanvasLayout>(lay_out_canvas(trace_.lock()->graph(), room));
    return *layout_;
}

float CanvasReading::range(int node) {
    if (const auto found = ranges_.find(node); found != ranges_.end()) return found->second;
    const std::shared_ptr<const Trace> trace = trace_.lock();
    const SliceAxis axis = trace->slices(node);
    std::vector<float> sizes;
    const std::int64_t step = std::max<std::int64_t>(1, axis.count / most_rows);
    const std::int64_t stride = std::max<std::int64_t>(1, axis.width * std::min(axis.count, most_rows) / most_sampled);
    for (std::int64_t row = 0; row < axis.count; row += step) {
        const TracePart part = trace->part(node, {row, 1});
        for (std::int64_t i = 0; i < axis.width; i += stride)
            if (const float size = std::abs(part.values()[static_cast<std::size_t>(i)]); std::isfinite(size))
                sizes.push_back(size);
    }
    left_ -= static_cast<std::int64_t>(sizes.size()) * (trace->kept(node) ? 1 : made_later);
    float range = 1;
    if (!sizes.empty()) {
        const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(static_cast<float>(sizes.size() - 1) * full_share);
        std::ranges::nth_element(sizes, at);
        if (*at > 0) range = *at;
    }
    return ranges_[node] = range;
}

const std::vector<Arc>* CanvasReading::arcs(int pattern) {
    ReadArcs& read = arcs_[pattern];
    const std::shared_ptr<const Trace> trace = trace_.lock();
    const Shape shape = trace->shape(pattern);
    const int heads = static_cast<int>(shape[0]), queries = static_cast<int>(shape[1]),
              keys = static_cast<int>(shape[2]);
    const std::int64_t width = trace->model().config.d_model, cells = std::int64_t{queries} * keys;
    while (read.heads < heads && left_ > 0) {
        const bool kept = trace->kept(pattern);
        const TracePart part =
            kept ? trace->part(pattern, {read.heads, 1}) : trace->part_once(pattern, {read.heads, 1});
        add_arcs(read.arcs, read.heads++, part.values(), queries, keys);
        left_ -= kept ? cells : cells * std::max<std::int64_t>(1, width / heads / 16);
    }
    if (read.heads < heads) return nullptr;
    // The thinner ones first: what is strong lies over what is faint.
    if (!read.sorted) std::ranges::stable_sort(read.arcs, {}, &Arc::weight);
    read.sorted = true;
    return &read.arcs;
}

const TileCells* CanvasReading::tile(int node, int position, std::int64_t first, std::int64_t count, int rows,
                                     int columns, bool difference) {
    const TileKey key{node, position, rows, columns, first, difference};
    if (const auto found = tiles_.find(key); found != tiles_.end()) return &found->second;
    if (left_ <= 0) return nullptr;
    if (tiles_.size() > most_tiles) tiles_.clear();
    const std::shared_ptr<const Trace> trace = trace_.lock();
    const TracePart part = trace->part(node, {position, 1});
    const std::int64_t from = part.first() + first;
    std::vector<float> values(part.cells(from, count).begin(), part.cells(from, count).end());
    if (difference)
        for (std::size_t i = 0; i < values.size(); ++i) values[i] -= other({node, from + static_cast<std::int64_t>(i)});
    left_ -= trace->kept(node) ? count : count * made_later;
    TileCells& cells = tiles_[key];
    cells.rows = rows, cells.columns = columns;
    const std::int64_t shown = std::min<std::int64_t>(std::int64_t{rows} * columns, count);
    for (std::int64_t i = 0; i < shown; ++i) {
        const std::int64_t begin = i * count / shown, end = (i + 1) * count / shown;
        const std::span<const float> some =
            std::span(values).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        const std::size_t best = largest_of(some);
        cells.values.push_back(some[best]);
        cells.offset.push_back(from + begin + static_cast<std::int64_t>(best));
    }
    return &cells;
}

const std::vector<float>& CanvasReading::largest(int node, int first, int end) {
    const std::shared_ptr<const Trace> trace = trace_.lock();
    const SliceAxis axis = trace->slices(node);
    std::vector<float>& values = largest_[node];
    values.resize(static_cast<std::size_t>(axis.count), std::numeric_limits<float>::quiet_NaN());
    for (int word = first; word < end && left_ > 0; ++word) {
        if (!std::isnan(values[static_cast<std::size_t>(word)])) continue;
        // Some words at once: what the trace has not kept is made faster so.
        const std::int64_t some = std::min<std::int64_t>(words_at_once, axis.count - word);
        const TracePart part = trace->part_once(node, {word, some});
        for (std::int64_t i = 0; i < some; ++i) {
            const auto row = part.cells(part.first() + i * axis.width, axis.width);
            values[static_cast<std::size_t>(word + i)] = row[largest_of(row)];
        }
        left_ -= some * axis.width * (trace->kept(node) ? 1 : made_later);
    }
    return values;
}

const std::vector<LensWord>& CanvasReading::said(int position) {
    const auto found = said_.find(position);
    if (found != said_.end()) return found->second;
    const std::shared_ptr<const Trace> trace = trace_.lock();
    left_ -= trace->model().config.d_vocab;
    return said_[position] = likeliest_words(*trace, position, words_said);
}

const std::vector<Arc>& CanvasReading::changed_arcs(int pattern, int query) {
    const auto [found, fresh] = changed_.try_emplace({pattern, query});
    std::vector<Arc>& arcs = found->second;
    if (!fresh) return arcs;
    const std::shared_ptr<const Trace> trace = trace_.lock();
    const Shape shape = trace->shape(pattern);
    for (int head = 0; head < static_cast<int>(shape[0]); ++head)
        for (int key = 0; key < static_cast<int>(shape[2]); ++key) {
            const Cell cell{pattern, offset_of(shape, {head, query, key})};
            const float change = trace->at(cell) - other(cell);  // NaN where there is nothing to compare with
            if (std::abs(change) >= least_weight) arcs.push_back({head, query, key, change});
        }
    left_ -= shape[0] * shape[2];
    std::ranges::stable_sort(arcs, {}, [](const Arc& arc) { return std::abs(arc.weight); });
    return arcs;
}

int CanvasReading::place_there(bool source, int position) const {
    const std::vector<int>& places = source ? source_position_ : position_;
    if (places.empty()) return position;
    return position < static_cast<int>(places.size()) ? places[static_cast<std::size_t>(position)] : -1;
}

bool CanvasReading::other_has(int node, int position) const {
    const std::shared_ptr<const Trace> trace = trace_.lock(), other = other_.lock();
    if (!trace || !other) return false;
    const std::string& name = trace->graph()[node].name;
    const std::optional<int> there = other->graph().find(name);
    if (!there || other->slices(*there).width != trace->slices(node).width) return false;
    const int at = place_there(is_of_source(name), position);
    return at >= 0 && at < other->slices(*there).count;
}

float CanvasReading::other(const Cell& cell) const {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    const std::shared_ptr<const Trace> trace = trace_.lock(), other = other_.lock();
    if (!trace || !other) return none;
    const std::string& name = trace->graph()[cell.node].name;
    const std::optional<int> node = other->graph().find(name);
    if (!node) return none;
    const Shape here = trace->shape(cell.node), there = other->shape(*node);
    const bool pairs = name.ends_with("hook_pattern"), source = is_of_source(name);
    if (here.rank() != there.rank()) return none;
    std::int64_t rest = cell.offset, offset = 0, stride = 1;
    for (int axis = here.rank() - 1; axis >= 0; --axis) {
        std::int64_t at = rest % here[axis];
        rest /= here[axis];
        if (axis == (pairs ? 1 : 0)) at = place_there(source, static_cast<int>(at));
        if (pairs && axis == 2)
            at = place_there(source || name.find(".cross_attn.") != std::string::npos, static_cast<int>(at));
        if (at < 0 || at >= there[axis]) return none;
        offset += at * stride;
        stride *= there[axis];
    }
    return other->at({*node, offset});
}

}  // namespace glassformer::app
