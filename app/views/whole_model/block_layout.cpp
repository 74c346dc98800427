#include "app/views/whole_model/block_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/language/tr.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::views::whole_model {

namespace {

// Pixels at 100 %.
constexpr float edge = 9, card_gap = 9, line_gap = 6, between = 30, between_patterns = 10, widest = 340,
                said_height = 82, word_column = 78, highest_row = 72, readable_row = 13, least_with_said = 7;
constexpr float least_share = 0.44f;  // of the height: with less for rows too low to read, texts are left out

/// The texts above the matrices: the less room there is, the fewer.
struct Texts {
    float title, caption;
    int caption_lines;
};
constexpr Texts all_texts[] = {{34, 38, 2}, {30, 21, 1}, {0, 21, 1}, {0, 5, 0}};

/// Reads the matrices of one block from its elements.
class Matrices {
public:
    Matrices(const Graph& graph, int block, bool source, const BlockRoom& room, BlockPage& page)
        : graph_(graph), block_(block), source_(source), room_(room), page_(page) {}

    void read();

private:
    std::int64_t width_of(int node) const { return graph_[node].shape.back(); }
    int rows_of(bool of_source) const { return of_source ? room_.source_words : room_.words; }
    void card(PartKind kind, const std::string& title, const char* below);
    void line();
    BlockMatrix& push(MatrixKind kind, const std::string& key, const std::string& title, const std::string& below,
                      int node);
    void stream(const std::string& key, const std::string& title, int node, bool added = false);
    void add_norm(const MapElement& e);
    void add_attention(const MapElement& e);
    void add_mlp(const MapElement& e);

    const Graph& graph_;
    int block_;
    bool source_;
    const BlockRoom& room_;
    BlockPage& page_;
};

void Matrices::card(PartKind kind, const std::string& title, const char* below) {
    page_.cards.push_back({title, below, kind, {}, {}});
    line();
}

void Matrices::line() {
    const int at = int_size(page_.matrices);
    page_.cards.back().lines.push_back({at, at, 0});
}

BlockMatrix& Matrices::push(MatrixKind kind, const std::string& key, const std::string& title, const std::string& below,
                            int node) {
    BlockMatrix m;
    m.kind = kind, m.key = key, m.title = title, m.below = below, m.node = node;
    m.of_source = source_;
    m.rows = rows_of(source_);
    m.columns = static_cast<int>(width_of(node));
    page_.matrices.push_back(std::move(m));
    page_.cards.back().lines.back().end = int_size(page_.matrices);
    return page_.matrices.back();
}

void Matrices::stream(const std::string& key, const std::string& title, int node, bool added) {
    push(MatrixKind::stream, key, title, std::to_string(rows_of(source_)) + " × " + std::to_string(width_of(node)),
         node)
        .added = added;
}

void Matrices::add_norm(const MapElement& e) {
    const std::string key = e.label.substr(e.label.rfind('/') + 1);
    stream(key, e.title, e.main);
}

void Matrices::add_attention(const MapElement& e) {
    if (e.pattern < 0) return stream(e.label, e.title, e.main);
    const std::string& name = graph_[e.pattern].name;
    const std::string prefix = name.substr(0, name.rfind("hook_pattern"));
    const bool cross = node_place(name).cross();
    const std::string c = cross ? "cross " : "";
    const auto heads = [&](const std::string& key, const char* title, bool of_source) {
        // For keys and values that several queries share, shows the few that the model computes, not their copies.
        std::optional<int> node = graph_.find(prefix + key + "_groups");
        if (!node) node = graph_.find(prefix + "hook_" + key);
        if (!node) return;
        const Shape& shape = graph_[*node].shape;
        const auto width = static_cast<int>(shape.back()), count = static_cast<int>(shape.back(1));
        BlockMatrix& m =
            push(MatrixKind::heads, c + key, title,
                 filled(tr("{1} head × {2}", "{1} heads × {2}", count), {std::to_string(count), std::to_string(width)}),
                 *node);
        m.heads = count, m.shared_by = e.heads / count, m.columns = width * count;
        m.of_source = of_source, m.rows = rows_of(of_source);
    };
    heads("q", tr("Q query"), source_);
    heads("k", tr("K key"), source_ || cross);
    heads("v", tr("V value"), source_ || cross);
    line();
    for (int head = 0; head < e.heads; ++head) {
        BlockMatrix& m = push(MatrixKind::pattern, c + "pattern " + std::to_string(head),
                              filled(tr("head {1}"), {std::to_string(head)}), tr("attention pattern"), e.pattern);
        m.head = head, m.keys_of_source = source_ || cross, m.columns = rows_of(source_ || cross);
    }
    heads("z", "z = Σ a·v", source_);
    if (e.main != e.pattern && graph_.role(e.main) == OpRole::linear) stream(c + "out", "· W_O", e.main);
}

void Matrices::add_mlp(const MapElement& e) {
    int activation = -1, gate = -1;
    for (const int node : e.nodes) {
        if (graph_.role(node) == OpRole::activation) activation = node;
        if (graph_.role(node) == OpRole::gate) gate = node;
    }
    if (activation < 0) return stream(e.label, e.title, e.main);
    const auto neurons = [&](const char* key, const std::string& title, const char* below, int node) {
        push(MatrixKind::neurons, key, title, below, node);
    };
    const std::string kind = e.title.find("· ") != std::string::npos ? e.title.substr(e.title.find("· ") + 3)
                                                                     : std::string(tr("activation"));
    const std::int64_t width = width_of(activation);
    push(MatrixKind::stream, "pre", filled(tr("before {1}"), {kind}),
         filled(tr("{1} neuron", "{1} neurons", width), {std::to_string(width)}), graph_[activation].inputs[0]);
    neurons("post", filled(tr("after {1}"), {kind}), tr("most are near 0"), activation);
    if (gate >= 0) neurons("gated", tr("gated"), tr("times the linear part"), gate);
    if (e.main != activation && e.main != gate) stream("mlp_out", tr("· W_out"), e.main);
}

void Matrices::read() {
    const ModelMap map = make_model_map(graph_);
    bool first = true;
    PartKind now = PartKind::other;
    std::vector<const MapElement*> parts;
    for (const MapElement& e : map.elements)
        if (e.block == block_ && e.encoder == source_) parts.push_back(&e);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const MapElement& e = *parts[i];
        // A norm in front of a branch is in the card of that branch.
        const PartKind of =
            e.kind == PartKind::layer_norm && !e.on_stream && i + 1 < parts.size() ? parts[i + 1]->kind : e.kind;
        const bool opens = of == PartKind::attention || of == PartKind::mlp || of == PartKind::recurrent;
        const bool cross_follows = of == PartKind::attention && now == PartKind::attention &&
                                   (e.kind == PartKind::layer_norm || e.kind == of) &&
                                   !(e.kind == of && i > 0 && parts[i - 1]->kind == PartKind::layer_norm);
        if (page_.cards.empty() || (opens && of != now) || cross_follows) {
            const MapElement& named = e.kind == of ? e : *parts[i + 1];
            card(of, of == PartKind::attention && cross_follows ? std::string(tr("cross-attention")) : named.title,
                 of == PartKind::attention ? (cross_follows ? tr("moves information from the source sentence")
                                                            : tr("moves information between rows"))
                 : of == PartKind::mlp     ? tr("works on each row separately")
                                           : "");
            now = of;
        }
        if (std::exchange(first, false) && e.source >= 0) stream("x", tr("residual stream x"), e.source);
        switch (e.kind) {
            case PartKind::layer_norm:
                add_norm(e);
                break;
            case PartKind::attention:
                add_attention(e);
                break;
            case PartKind::mlp:
                add_mlp(e);
                break;
            case PartKind::residual_add:
            case PartKind::sum:
                stream(e.label.substr(e.label.rfind('/') + 1), tr("stream"), e.main, true);
                break;
            case PartKind::recurrent:
                for (const int node : e.nodes)
                    if (graph_.role(node) == OpRole::recurrent_state) {
                        stream("pre", "W·x", graph_[node].inputs[0]);
                        stream("state", tr("state"), node);
                    }
                break;
            default:
                stream(e.label.substr(e.label.rfind('/') + 1), e.title, e.main);
        }
    }
}

/// How much of a line's width a matrix gets: wide ones less than their share, the patterns a little more than half.
float share_of(const BlockMatrix& m, int patterns, float others) {
    if (m.kind != MatrixKind::pattern) return std::pow(to_float(m.columns), 0.7f);
    return others > 0 ? 1.2f * others / to_float(patterns) : 1;
}

float gap_after(const BlockMatrix& m, const BlockMatrix& next) {
    return m.kind == MatrixKind::pattern && next.kind == MatrixKind::pattern ? between_patterns : between;
}

void place_line(BlockPage& page, BlockLine& line, float left, float right, float top, float unit) {
    if (line.first == line.end) return;
    const auto matrix = [&](int i) -> BlockMatrix& { return page.matrices[i]; };
    int patterns = 0;
    float others = 0, shares = 0, gaps = 0;
    for (int i = line.first; i < line.end; ++i) {
        if (matrix(i).kind == MatrixKind::pattern)
            ++patterns;
        else
            others += share_of(matrix(i), 0, 0);
    }
    for (int i = line.first; i < line.end; ++i) shares += share_of(matrix(i), patterns, others);
    // If the rows are those of another sentence, its words precede them.
    const auto words_before = [&](int i) {
        return i > line.first && matrix(i).of_source != matrix(i - 1).of_source ? page.labels : 0.0f;
    };
    for (int i = line.first + 1; i < line.end; ++i)
        gaps += gap_after(matrix(i - 1), matrix(i)) * unit + words_before(i);
    const float gap_scale = std::min(1.0f, (right - left) * 0.35f / std::max(gaps, 1.0f));
    const float scale =
        std::min((right - left - gaps * gap_scale) / std::max(shares, 1e-3f), widest * unit / std::pow(64.0f, 0.7f));
    float x = left;
    for (int i = line.first; i < line.end; ++i) {
        BlockMatrix& m = matrix(i);
        if (i > line.first) x += (gap_after(matrix(i - 1), m) * unit + words_before(i)) * gap_scale;
        const float width = share_of(m, patterns, others) * scale;
        m.box = {{x, top}, {x + width, top + line.pitch * to_float(m.rows)}};
        x += width;
    }
}

int rows_of_line(const BlockPage& page, const BlockLine& line) {
    int most = 1;
    for (int i = line.first; i < line.end; ++i) most = std::max(most, page.matrices[i].rows);
    return most;
}

/// Heights of a page's texts, and the distance between rows.
struct BlockRows {
    Texts texts{};
    float said = 0, squeeze = 1, pitch = 1;
};

BlockRows share_height(const BlockPage& page, const BlockRoom& room) {
    const float u = room.unit;
    float lines = 0, rows = 0;
    const auto cards = to_float(page.cards.size());
    for (const BlockCard& card : page.cards)
        for (const BlockLine& line : card.lines) ++lines, rows += to_float(rows_of_line(page, line));
    rows = std::max(rows, 1.0f);
    const auto pitch_with = [&](const Texts& texts, bool says, float& fixed) {
        fixed = (edge * 2 + cards * (texts.title + line_gap) + std::max(cards - 1, 0.0f) * card_gap +
                 lines * (texts.caption + line_gap) + (says ? said_height + card_gap : 0)) *
                u;
        return (room.height - fixed) / rows;
    };
    BlockRows best;
    float fixed = 0;
    for (const Texts& texts : all_texts) {
        best.texts = texts;
        best.pitch = pitch_with(texts, false, fixed);
        if (best.pitch >= readable_row * u || best.pitch * rows >= least_share * room.height) break;
    }
    if (float with = 0; room.says && pitch_with(best.texts, true, with) >= least_with_said * u)
        best.pitch = pitch_with(best.texts, true, fixed), best.said = said_height * u;
    best.squeeze = std::min(1.0f, room.height * 0.6f / fixed);
    best.pitch = std::min((room.height - fixed * best.squeeze) / rows, highest_row * u);
    return best;
}

}  // namespace

BlockPage lay_out_block(const Graph& graph, int block, bool source, const BlockRoom& room) {
    BlockPage page;
    Matrices(graph, block, source, room, page).read();
    const float u = room.unit;
    page.labels = room.width >= 640 * u ? word_column * u : 20 * u;
    const BlockRows rows = share_height(page, room);
    const float s = rows.squeeze * u, said = rows.said * rows.squeeze;
    page.title = rows.texts.title * s, page.caption = rows.texts.caption * s;
    page.caption_lines = rows.texts.caption_lines;
    float y = edge * s;
    const float left = edge * u, right = room.width - edge * u;
    for (BlockCard& card : page.cards) {
        const float top = y;
        y += page.title;
        for (BlockLine& line : card.lines) {
            line.pitch = rows.pitch;
            y += page.caption;
            place_line(page, line, left + page.labels, right - 14 * u, y, u);
            y += rows.pitch * to_float(rows_of_line(page, line)) + line_gap * s;
        }
        y += line_gap * s;
        card.box = {{left, top}, {right, y}};
        y += card_gap * s;
    }
    if (said > 0) page.said = {{left, y}, {right, std::min(y + said, room.height - edge * u * 0.5f)}};
    return page;
}

}  // namespace glassformer::app::views::whole_model
