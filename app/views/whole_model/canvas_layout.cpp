#include "app/views/whole_model/canvas_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/graph/hook_names.h"

namespace glassformer::app::views::whole_model {

namespace {

// Heights in pixels at 100 %.
constexpr float words_height = 38, said_row_height = 74, least_words = 28, least_said = 21, page_edge = 4;
constexpr float two_rows = 1.5f, least_two_rows = 37;   // height of words in two rows, relative to one; minimum
constexpr float each_of_two = 0.43f;                    // share of that height for each of the two rows
constexpr float usual_share = 0.14f, low_share = 0.2f;  // maximum share of the page for words, and for answers
constexpr float most_stretch = 1.3f, least_unfolded = 0.52f;
constexpr float label_width = 122, least_with_labels = 560, side_pad = 14, side_gap = 44;

/// Heights on a page, by kind of row and around a block.
struct Heights {
    float embedding, norm, attention, mix, add, mlp, recurrent, stream, block_pad, block_gap;

    float of(RowKind kind) const {
        switch (kind) {
            case RowKind::embedding:
                return embedding;
            case RowKind::attention:
                return attention;
            case RowKind::recurrent:
                return recurrent;
            case RowKind::mix:
                return mix;
            case RowKind::add:
                return add;
            case RowKind::mlp:
                return mlp;
            case RowKind::stream:
                return stream;
            case RowKind::pooler:
                return embedding;
            case RowKind::norm:
            case RowKind::other:
                break;
        }
        return norm;
    }
};
constexpr Heights unfolded{40, 24, 86, 28, 26, 48, 96, 46, 9, 13}, folded{28, 15, 104, 11, 11, 30, 96, 24, 6, 10};

/// True for the rows that take up spare height.
bool stretches(RowKind kind) { return kind == RowKind::attention || kind == RowKind::recurrent; }

/// The last node of a part with this role; −1 if there is none.
int node_of_role(const Graph& graph, const GraphPart& part, OpRole role) {
    int found = -1;
    for (const int node : part.nodes)
        if (graph.role(node) == role) found = node;
    return found;
}

/// Prefers a node with a name that people know to another one with the same memory.
int named_like(const Graph& graph, int pattern, const char* name) {
    const std::string& full = graph[pattern].name;
    const std::size_t cut = full.rfind("hook_pattern");
    if (cut == std::string::npos) return -1;
    return graph.find(full.substr(0, cut) + name).value_or(-1);
}

/// Turns the parts of the graph into rows.
class Rows {
public:
    Rows(const Graph& graph, const ModelMap& map) : graph_(graph), map_(map) {}

    std::vector<CanvasRow> read() {
        for (std::size_t i = 0; i < map_.elements.size(); ++i) add(i);
        return std::move(rows_);
    }

private:
    void push(RowKind kind, const MapElement& e, int node) {
        CanvasRow row;
        row.kind = kind, row.block = e.block, row.source = e.encoder, row.node = node, row.title = e.title;
        row.heads = e.heads;
        rows_.push_back(std::move(row));
    }
    bool is_last_of_block(std::size_t index) const {
        const MapElement& e = map_.elements[index];
        for (std::size_t i = index + 1; i < map_.elements.size(); ++i)
            if (map_.elements[i].block == e.block && map_.elements[i].encoder == e.encoder) return false;
        return e.block >= 0;
    }
    /// A norm in front of a branch belongs to that branch; one on the stream changes the stream itself.
    bool stands_on_stream(const MapElement& e, std::size_t index) const {
        return e.on_stream || !map_.has_stream || is_last_of_block(index);
    }
    void add(std::size_t index);
    void add_attention(const MapElement& e);
    void add_embedding(const MapElement& e);

    const Graph& graph_;
    const ModelMap& map_;
    std::vector<CanvasRow> rows_;
};

void Rows::add_attention(const MapElement& e) {
    if (e.pattern < 0) return push(RowKind::other, e, e.main);
    push(RowKind::attention, e, e.pattern);
    rows_.back().cross = node_place(graph_[e.pattern].name).cross();
    const int mix = named_like(graph_, e.pattern, "hook_z");
    if (mix >= 0) push(RowKind::mix, e, mix);
}

/// Words and positions, which are added up, share one row.
void Rows::add_embedding(const MapElement& e) {
    for (CanvasRow& row : rows_)
        if (row.kind == RowKind::embedding && row.source == e.encoder) {
            row.node = e.main, row.title = e.title;
            return;
        }
    push(RowKind::embedding, e, e.main);
}

void Rows::add(std::size_t index) {
    const MapElement& e = map_.elements[index];
    if (e.kind == PartKind::embed) return add_embedding(e);
    if (e.block < 0) {  // shows what the encoder hands over; the outputs are at the top of the page
        if (e.encoder) push(RowKind::stream, e, e.main);
        if (e.kind == PartKind::pooler) push(RowKind::pooler, e, e.main);
        return;
    }
    switch (e.kind) {
        case PartKind::layer_norm:
            if (stands_on_stream(e, index)) push(RowKind::norm, e, e.main);
            break;
        case PartKind::attention:
            add_attention(e);
            break;
        case PartKind::residual_add:
        case PartKind::sum:
            push(RowKind::add, e, e.main);
            break;
        case PartKind::mlp: {
            const int gate = node_of_role(graph_, e, OpRole::gate);
            push(RowKind::mlp, e, gate >= 0 ? gate : node_of_role(graph_, e, OpRole::activation));
            break;
        }
        case PartKind::recurrent: {
            const int states = node_of_role(graph_, e, OpRole::recurrent_state);
            push(RowKind::recurrent, e, states >= 0 ? states : e.main);
            break;
        }
        default:
            push(RowKind::other, e, e.main);
    }
    if (is_last_of_block(index)) push(RowKind::stream, e, e.main);
}

/// Stacks the rows of one side.
class Placing {
public:
    Placing(CanvasLayout& layout, bool source) : layout_(layout), source_(source) {}

    float needed() const;
    const Heights& heights() const { return layout_.dense ? folded : unfolded; }
    int stretching() const;
    /// The height below the first row that reads the source sentence.
    float below_cross() const;
    /// Stacks the rows upwards from the words, each scaled by `factor`. Rows that stretch get `more` in addition, and
    /// the first of them also `first`.
    void place(float factor, float more, float first = 0);

private:
    CanvasLayout& layout_;
    bool source_;
};

float Placing::needed() const {
    float height = 0;
    int block = -1;
    for (const CanvasRow& row : layout_.rows) {
        if (row.source != source_) continue;
        if (row.block >= 0 && row.block != block) height += 2 * heights().block_pad + heights().block_gap;
        block = row.block;
        height += heights().of(row.kind);
    }
    return height;
}

int Placing::stretching() const {
    return static_cast<int>(std::ranges::count_if(
        layout_.rows, [this](const CanvasRow& row) { return row.source == source_ && stretches(row.kind); }));
}

float Placing::below_cross() const {
    float height = 0;
    int block = -1;
    for (const CanvasRow& row : layout_.rows) {
        if (row.source != source_) continue;
        if (row.block >= 0 && row.block != block) height += heights().block_pad + heights().block_gap;
        block = row.block;
        if (row.cross) return height;
        height += heights().of(row.kind);
    }
    return height;
}

void Placing::place(float factor, float more, float first) {
    const CanvasSide& side = layout_.side(source_);
    float y = layout_.words_top;
    int block = -1;
    const auto leave = [&] {
        if (block < 0) return;
        y -= heights().block_pad * factor;
        layout_.blocks.back().box.min.y = y;
    };
    for (std::size_t i = 0; i < layout_.rows.size(); ++i) {
        CanvasRow& row = layout_.rows[i];
        if (row.source != source_) continue;
        if (row.block != block) {
            leave();
            if (row.block >= 0) {
                y -= heights().block_gap * factor;
                const float left = side.labels, right = side.right + (layout_.room.unit * side_pad) / 2;
                layout_.blocks.push_back({row.block, source_, {{left, y}, {right, y}}, static_cast<int>(i), 0});
                y -= heights().block_pad * factor;
            }
            block = row.block;
        }
        row.bottom = y;
        y -= heights().of(row.kind) * factor + (stretches(row.kind) ? more + std::exchange(first, 0.0f) : 0);
        row.top = y;
        if (block >= 0) layout_.blocks.back().end_row = static_cast<int>(i) + 1;
    }
    leave();
}

/// The sentences share the width in proportion to their words.
void place_sides(CanvasLayout& layout) {
    const CanvasRoom& room = layout.room;
    const float u = room.unit, pad = side_pad * u;
    const bool both = room.source_words > 0;
    const float labels = room.width >= least_with_labels * u * (both ? 1.7f : 1) ? label_width * u : 0;
    const float all = room.width - 2 * pad;
    if (!both) {
        layout.sides.push_back({false, room.words, pad + labels, room.width - pad, pad, room.from_right});
        return;
    }
    const float share = to_float(room.source_words) / to_float(room.source_words + room.words);
    const float middle = pad + all * std::clamp(share, 0.3f, 0.7f), half = side_gap * u / 2;
    layout.sides.push_back({true, room.source_words, pad + labels, middle - half, pad, room.source_from_right});
    layout.sides.push_back(
        {false, room.words, middle + half + labels, room.width - pad, middle + half, room.from_right});
}

/// Splits words into two rows if one row would cut them and two would not; else some may be left out.
void choose_word_rows(CanvasLayout& layout) {
    for (CanvasSide& side : layout.sides) {
        const float widest = side.source ? layout.room.widest_source_word : layout.room.widest_word;
        side.in_two_rows = widest > side.pitch() && widest <= 2 * side.pitch();
    }
}

/// Words and answers stay readable however many rows share the rest. `needed`: height of the rows at 100 %.
void share_height(CanvasLayout& layout, float needed) {
    const float u = layout.room.unit, height = layout.room.height, edge = std::min(page_edge * u, height * 0.02f);
    const auto end_height = [&](float wanted, float least) {
        const float most = std::max(height * usual_share, std::min(least * u, height * low_share));
        return std::min(std::max(wanted * layout.scale, least * u), most);
    };
    const float rows = std::ranges::any_of(layout.sides, &CanvasSide::in_two_rows) ? two_rows : 1;
    layout.scale = std::min(height / (needed + words_height + said_row_height), most_stretch * u);
    float words = end_height(words_height * rows, least_words * rows);
    if (rows > 1 && words < least_two_rows * u) {
        for (CanvasSide& side : layout.sides) side.every_other = std::exchange(side.in_two_rows, false);
        words = end_height(words_height, least_words);
    }
    const float said = end_height(said_row_height, least_said);
    layout.scale = std::min((height - words - said - 2 * edge) / needed, most_stretch * u);
    layout.words_bottom = height - edge;
    layout.words_top = layout.words_bottom - words;
    layout.said_top = edge;
    layout.said_bottom = edge + said;
}

/// Shares the height among rows of full height, or folded ones if that is too much; `needed` returns their height.
template <class Needed>
float fold_and_share(CanvasLayout& layout, const Needed& needed) {
    layout.dense = false;
    share_height(layout, needed());
    if (layout.scale < least_unfolded * layout.room.unit) {
        layout.dense = true;
        share_height(layout, needed());
    }
    return std::max(0.0f, layout.words_top - layout.said_bottom - needed() * layout.scale);
}

void place_sentence(CanvasLayout& layout) {
    Placing main(layout, false);
    const float left = fold_and_share(layout, [&] { return main.needed(); });
    main.place(layout.scale, main.stretching() > 0 ? left / to_float(main.stretching()) : 0);
}

/// Puts the source sentence's encoder below where the other side begins to read it: what is read goes upwards.
void place_translation(CanvasLayout& layout) {
    Placing main(layout, false), source(layout, true);
    const auto apart = [&] { return std::max(0.0f, source.needed() - main.below_cross()); };
    const float left = fold_and_share(layout, [&] { return main.needed() + apart(); });
    const float more = main.stretching() > 0 ? left / to_float(main.stretching()) : 0;
    main.place(layout.scale, more, apart() * layout.scale);
    source.place(layout.scale, source.stretching() > 0 ? more / to_float(source.stretching()) : 0);
}

}  // namespace

int CanvasSide::word_at(float x) const {
    const int last = std::max(0, words - 1);
    const int place = std::clamp(static_cast<int>(std::floor((x - left) / std::max(pitch(), 1e-6f))), 0, last);
    return from_right ? last - place : place;
}

std::pair<int, int> CanvasSide::words_between(float x0, float x1) const {
    const auto [first, last] = std::minmax({word_at(x0), word_at(x1)});
    return {first, std::min(words, last + 1)};
}

const CanvasBlock* CanvasLayout::find(int block, bool source) const {
    const auto found =
        std::ranges::find_if(blocks, [&](const CanvasBlock& b) { return b.block == block && b.source == source; });
    return found == blocks.end() ? nullptr : &*found;
}

Box CanvasLayout::word_row(const CanvasSide& side, int word) const {
    const float height = words_bottom - words_top;
    if (!side.in_two_rows) return {{0, words_top + height * 0.22f}, {0, words_bottom}};
    const float row = height * each_of_two, top = words_bottom - 2 * row, y = top + row * to_float(word % 2);
    return {{0, y}, {0, y + row - room.unit}};
}

float CanvasLayout::top_of(bool source) const {
    float top = words_top;
    for (const CanvasRow& row : rows)
        if (row.source == source) top = std::min(top, row.top);
    return top;
}

CanvasLayout lay_out_canvas(const Graph& graph, const CanvasRoom& room) {
    CanvasLayout layout;
    layout.room = room;
    const ModelMap map = make_model_map(graph);
    layout.has_stream = map.has_stream;
    layout.rows = Rows(graph, map).read();
    place_sides(layout);
    choose_word_rows(layout);
    if (room.source_words > 0)
        place_translation(layout);
    else
        place_sentence(layout);
    return layout;
}

}  // namespace glassformer::app::views::whole_model
