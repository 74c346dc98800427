#include "app/views/whole_model/canvas_reading.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/hook_names.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float least_weight = 0.1f, strong_weight = 0.2f, full_share = 0.98f;
constexpr std::int64_t most_rows = 16, most_sampled = 4096;  // of a node, for its range
constexpr std::size_t most_tiles = 60'000;
constexpr std::int64_t words_at_once = 16, words_in_passing = 32;  // what has to be computed is faster this way

/// What a wish asks for.
enum What : std::int64_t { a_range, an_arc, a_tile, the_largest, a_word, a_change, a_part };

/// Index of the value with the largest size, which represents the others.
std::size_t largest_of(std::span<const float> values) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (std::abs(values[i]) > std::abs(values[best])) best = i;
    return best;
}

float found_range(const Trace& trace, int node) {
    const SliceAxis axis = trace.slices(node);
    std::vector<float> sizes;
    const std::int64_t step = std::max<std::int64_t>(1, axis.count / most_rows);
    const std::int64_t stride = std::max<std::int64_t>(1, axis.width * std::min(axis.count, most_rows) / most_sampled);
    for (std::int64_t row = 0; row < axis.count; row += step) {
        const SliceView part = trace.part(node, {row, 1});
        for (std::int64_t i = 0; i < axis.width; i += stride)
            if (const float size = std::abs(part.values()[i]); std::isfinite(size)) sizes.push_back(size);
    }
    if (sizes.empty()) return 1;
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(to_float(sizes.size() - 1) * full_share);
    std::ranges::nth_element(sizes, at);
    return *at > 0 ? *at : 1;
}

/// Adds every query's weights in one head that are worth an arc.
void add_arcs(std::vector<Arc>& arcs, int head, std::span<const float> weights, int queries, int keys) {
    for (int query = 0; query < queries; ++query) {
        const auto row = weights.subspan(static_cast<std::size_t>(query) * static_cast<std::size_t>(keys), keys);
        const auto most = static_cast<int>(std::ranges::max_element(row) - row.begin());
        for (int key = 0; key < keys; ++key) {
            const float weight = row[key];
            if (weight >= least_weight || key == most) arcs.push_back({head, query, key, weight});
        }
    }
}

PatternArcs found_arcs(const Trace& trace, int pattern) {
    const Shape shape = trace.shape(pattern);
    const int queries = static_cast<int>(shape[1]), keys = static_cast<int>(shape[2]);
    PatternArcs found;
    for (int head = 0; head < static_cast<int>(shape[0]); ++head)
        add_arcs(found.by_query, head, trace.part_uncached(pattern, {head, 1}).values(), queries, keys);
    std::ranges::stable_sort(found.by_query, {}, [](const Arc& arc) { return std::pair(arc.query, arc.weight); });
    std::size_t at = 0;
    for (int query = 0; query <= queries; ++query) {
        while (at < found.by_query.size() && found.by_query[at].query < query) ++at;
        found.begin.push_back(at);
    }
    std::ranges::copy_if(found.by_query, std::back_inserter(found.strong),
                         [](const Arc& arc) { return arc.weight >= strong_weight; });
    std::ranges::stable_sort(found.strong, {}, &Arc::weight);
    return found;
}

/// The cells of a row's values; `first` is the offset of the first value in its node.
TileCells tile_of(std::span<const float> values, std::int64_t first, int rows, int columns) {
    TileCells cells;
    cells.rows = rows, cells.columns = columns;
    const auto count = static_cast<std::int64_t>(values.size());
    const std::int64_t shown = std::min<std::int64_t>(std::int64_t{rows} * columns, count);
    cells.values.reserve(shown), cells.offset.reserve(shown);
    for (std::int64_t i = 0; i < shown; ++i) {
        const std::int64_t begin = i * count / shown, end = (i + 1) * count / shown;
        const auto some = values.subspan(begin, end - begin);
        const std::size_t best = largest_of(some);
        cells.values.push_back(some[best]);
        cells.offset.push_back(first + begin + static_cast<std::int64_t>(best));
    }
    return cells;
}

std::vector<float> largest_of_words(const Trace& trace, int node, bool from_right) {
    const SliceAxis axis = trace.slices(node);
    std::vector<float> values;
    for (std::int64_t word = 0; word < axis.count; word += words_in_passing) {
        const std::int64_t some = std::min(words_in_passing, axis.count - word);
        const SliceView part = trace.part_uncached(node, {word, some});
        for (std::int64_t i = 0; i < some; ++i) {
            const auto row = part.cells(part.first() + i * axis.width, axis.width);
            values.push_back(row[largest_of(row)]);
        }
    }
    if (from_right) std::ranges::reverse(values);
    return values;
}

std::vector<Arc> found_changes(const Trace& trace, const ComparedTrace& other, int pattern, int query) {
    const Shape shape = trace.shape(pattern);
    std::vector<Arc> arcs;
    for (int head = 0; head < static_cast<int>(shape[0]); ++head)
        for (int key = 0; key < static_cast<int>(shape[2]); ++key) {
            const Cell cell{pattern, offset_of(shape, {head, query, key})};
            const float change = trace.at(cell) - other.number(trace, cell);  // NaN: nothing to compare with
            if (std::abs(change) >= least_weight) arcs.push_back({head, query, key, change});
        }
    std::ranges::stable_sort(arcs, {}, [](const Arc& arc) { return std::abs(arc.weight); });
    return arcs;
}

}  // namespace

std::span<const Arc> PatternArcs::of(int query) const {
    const std::size_t at = query;
    if (query < 0 || at + 1 >= begin.size()) return {};
    return std::span(by_query).subspan(begin[at], begin[at + 1] - begin[at]);
}

int ComparedTrace::place(bool source, int word) const {
    const std::vector<int>& places = source ? source_position : position;
    if (places.empty()) return word;
    return word < int_size(places) ? places[word] : -1;
}

bool ComparedTrace::has(const Trace& here, int node, int word) const {
    const std::shared_ptr<const Trace> other = trace.lock();
    if (!other) return false;
    const std::string& name = here.graph()[node].name;
    const std::optional<int> there = other->graph().find(name);
    if (!there || other->slices(*there).width != here.slices(node).width) return false;
    const int at = place(node_place(name).encoder, word);
    return at >= 0 && at < other->slices(*there).count;
}

float ComparedTrace::number(const Trace& here, const Cell& cell) const {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    const std::shared_ptr<const Trace> other = trace.lock();
    if (!other) return none;
    const std::string& name = here.graph()[cell.node].name;
    const std::optional<int> node = other->graph().find(name);
    if (!node) return none;
    const Shape shape = here.shape(cell.node), there = other->shape(*node);
    const NodePlace of = node_place(name);
    if (shape.rank() != there.rank()) return none;
    std::int64_t rest = cell.offset, offset = 0, stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        std::int64_t at = rest % shape[axis];
        rest /= shape[axis];
        if (axis == (of.is_pattern() ? 1 : 0)) at = place(of.encoder, static_cast<int>(at));
        if (of.is_pattern() && axis == 2) at = place(of.keys_of_source(), static_cast<int>(at));
        if (at < 0 || at >= there[axis]) return none;
        offset += at * stride;
        stride *= there[axis];
    }
    return other->at({*node, offset});
}

CanvasReading::CanvasReading(std::shared_ptr<const Trace> trace, ComparedTrace other,
                             std::shared_ptr<TraceReader> reader)
    : trace_(trace),
      other_(std::make_shared<const ComparedTrace>(std::move(other))),
      reader_(std::move(reader)),
      lens_(trace) {}

CanvasReading::~CanvasReading() { reader_->forget(this); }

bool CanvasReading::of(const std::shared_ptr<const Trace>& trace, const ComparedTrace& other) const {
    return trace_.lock() == trace && other_->trace.lock() == other.trace.lock() && other_->position == other.position &&
           other_->source_position == other.source_position;
}

void CanvasReading::begin_frame() {
    left_ = most_a_frame;
    for (const TraceReader::Keep& keep : reader_->take(this)) keep(*this);
    std::erase_if(parts_, [](const auto& held) { return !held.second.asked; });
    for (auto& held : parts_) held.second.asked = false;
}

bool CanvasReading::end_frame() {
    const bool missing = !wishes_.empty();
    reader_->want(this, trace_, std::exchange(wishes_, {}));
    return missing;
}

void CanvasReading::read(const WishKey& key, int node, std::int64_t numbers, TraceReader::Read make) {
    const std::shared_ptr<const Trace> trace = trace_.lock();
    if (numbers <= left_ && trace->kept(node)) {
        left_ -= numbers;
        make (*trace)(*this);
    } else if (wishes_.size() < most_wishes) {
        wishes_.push_back({key, std::move(make)});
    }
}

const CanvasLayout& CanvasReading::layout(const CanvasRoom& room) {
    if (layout_ && layout_->room == room) return *layout_;
    layout_ = std::make_unique<CanvasLayout>(lay_out_canvas(trace_.lock()->graph(), room));
    return *layout_;
}

template <class Map, class Make>
const typename Map::mapped_type* CanvasReading::known(Map CanvasReading::*held, const typename Map::key_type& key,
                                                      const WishKey& wish, int node, std::int64_t numbers, Make make) {
    Map& all = this->*held;
    if (const auto found = all.find(key); found != all.end()) return &found->second;
    read(wish, node, numbers, [held, key, make](const Trace& trace) -> TraceReader::Keep {
        return [held, key, made = make(trace)](CanvasReading& r) { (r.*held)[key] = made; };
    });
    const auto found = all.find(key);
    return found == all.end() ? nullptr : &found->second;
}

std::optional<float> CanvasReading::range(int node) {
    const float* range = known(&CanvasReading::ranges_, node, {a_range, node}, node, most_sampled,
                               [node](const Trace& trace) { return found_range(trace, node); });
    return range ? std::optional(*range) : std::nullopt;
}

const PatternArcs* CanvasReading::arcs(int pattern) {
    return known(&CanvasReading::arcs_, pattern, {an_arc, pattern}, pattern, trace_.lock()->shape(pattern).elements(),
                 [pattern](const Trace& trace) { return found_arcs(trace, pattern); });
}

TraceReader::Read CanvasReading::make_tiles(const TileKey& key, std::int64_t count, Slices words) const {
    return [key, count, words, other = other_](const Trace& trace) -> TraceReader::Keep {
        const SliceAxis axis = trace.slices(key.node);
        const std::int64_t width = axis.width, begin = words.first * width + key.first;
        const SliceView part = trace.part(key.node, axis.around(begin, (words.count - 1) * width + count));
        std::vector<TileCells> made;
        for (std::int64_t i = 0; i < words.count; ++i) {
            const std::int64_t from = begin + i * width;
            const auto cells = part.cells(from, count);
            std::vector<float> values(cells.begin(), cells.end());
            for (std::size_t at = 0; key.difference && at < values.size(); ++at)
                values[at] -= other->number(trace, {key.node, from + static_cast<std::int64_t>(at)});
            made.push_back(tile_of(values, from, key.rows, key.columns));
        }
        return [key, words, made = std::move(made)](CanvasReading& r) {
            if (r.tiles_.size() > most_tiles) r.tiles_.clear();
            for (std::int64_t i = 0; i < words.count; ++i) {
                TileKey at = key;
                at.position = static_cast<int>(words.first + i);
                r.tiles_[at] = made[i];
            }
        };
    };
}

const TileCells* CanvasReading::tile(int node, int position, std::int64_t first, std::int64_t count, int rows,
                                     int columns, bool difference) {
    const TileKey key{node, position, first, difference, rows, columns};
    if (const auto found = tiles_.find(key); found != tiles_.end()) return &found->second;
    const std::shared_ptr<const Trace> trace = trace_.lock();
    Slices words{position, 1};
    if (!trace->kept(node) && count <= trace->slices(node).width) {
        words.first = position / words_at_once * words_at_once;
        words.count = std::min(words_at_once, trace->slices(node).count - words.first);
    }
    read({a_tile, node, words.first, first, rows, columns, difference}, node, count, make_tiles(key, count, words));
    // Until these are read, uses those of another grid.
    const auto found =
        tiles_.contains(key) ? tiles_.find(key) : tiles_.lower_bound({node, position, first, difference, 0, 0});
    const bool same = found != tiles_.end() && found->first.node == node && found->first.position == position &&
                      found->first.first == first && found->first.difference == difference;
    return same ? &found->second : nullptr;
}

std::shared_ptr<const std::vector<float>> CanvasReading::largest(int node, bool from_right) {
    const SliceAxis axis = trace_.lock()->slices(node);
    const auto* values =
        known(&CanvasReading::largest_, node, {the_largest, node}, node, axis.count * axis.width,
              [node, from_right](const Trace& trace) {
                  return std::make_shared<const std::vector<float>>(largest_of_words(trace, node, from_right));
              });
    return values ? *values : nullptr;
}

const std::vector<LensWord>* CanvasReading::said(int position) {
    const TransformerGraph& model = trace_.lock()->model();
    return known(&CanvasReading::said_, position, {a_word, position}, model.logits, model.config.d_vocab,
                 [position](const Trace& trace) { return likeliest_words(trace, position, words_said); });
}

const std::vector<Arc>* CanvasReading::changed_arcs(int pattern, int query) {
    const Shape shape = trace_.lock()->shape(pattern);
    return known(
        &CanvasReading::changed_, {pattern, query}, {a_change, pattern, query}, pattern, 2 * shape[0] * shape[2],
        [pattern, query, other = other_](const Trace& trace) { return found_changes(trace, *other, pattern, query); });
}

std::optional<SliceView> CanvasReading::part(int node, Slices slices) {
    const std::shared_ptr<const Trace> trace = trace_.lock();
    if (trace->kept(node)) return trace->part(node, slices);
    const std::array<std::int64_t, 3> key{node, slices.first, slices.count};
    if (const auto found = parts_.find(key); found != parts_.end()) {
        found->second.asked = true;
        return found->second.part;
    }
    read({a_part, node, slices.first, slices.count}, node, 0, [key](const Trace& trace_there) -> TraceReader::Keep {
        return [key, part = trace_there.part(static_cast<int>(key[0]), {key[1], key[2]})](CanvasReading& r) {
            r.parts_[key] = {part};
        };
    });
    return std::nullopt;
}

}  // namespace glassformer::app::views::whole_model
