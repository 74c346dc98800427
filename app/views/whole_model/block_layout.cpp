#include "app/views/whole_model/block_layout.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float edge = 9, card_gap = 9, card_title = 27, caption = 34, line_gap = 6, between = 30, widest = 196,
                said_height = 82, word_column = 78, highest_row = 26;

/// Reads the matrices of one block off its elements.
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
    const int at = static_cast<int>(page_.matrices.size());
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
    page_.cards.back().lines.back().end = static_cast<int>(page_.matrices.size());
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
    const bool cross = name.find(".cross_attn.") != std::string::npos;
    const std::string c = cross ? "cross " : "";
    const auto heads = [&](const char* hook, const char* key, const char* title, bool of_source) {
        const std::optional<int> node = graph_.find(prefix + hook);
        if (!node) return;
        const std::int64_t width = graph_[*node].shape.back();
        BlockMatrix& m = push(
            MatrixKind::heads, c + key, title,
            std::to_string(e.heads) + (e.heads == 1 ? tr(" head × ") : tr(" heads × ")) + std::to_string(width), *node);
        m.heads = e.heads, m.columns = static_cast<int>(width) * e.heads;
        m.of_source = of_source, m.rows = rows_of(of_source);
    };
    heads("hook_q", "q", tr("Q query"), source_);
    heads("hook_k", "k", tr("K key"), source_ || cross);
    heads("hook_v", "v", tr("V value"), source_ || cross);
    line();
    for (int head = 0; head < e.heads; ++head) {
        BlockMatrix& m = push(MatrixKind::pattern, c + "pattern " + std::to_string(head),
                              "head " + std::to_string(head), tr("who looks at whom"), e.pattern);
        m.head = head, m.keys_of_source = source_ || cross, m.columns = rows_of(source_ || cross);
    }
    heads("hook_z", "z", "z = Σ a·v", source_);
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
    const std::string kind = e.title.size() > 8 ? e.title.substr(e.title.rfind(' ') + 1) : "activation";
    push(MatrixKind::stream, "pre", "before " + kind, std::to_string(width_of(activation)) + " neurons",
         graph_[activation].inputs[0]);
    neurons("post", "after " + kind, tr("most are quiet"), activation);
    if (gate >= 0) neurons("gated", "gated", tr("times the second sum"), gate);
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
        // A norm in front of a branch stands in its card.
        const PartKind of =
            e.kind == PartKind::layer_norm && !e.on_stream && i + 1 < parts.size() ? parts[i + 1]->kind : e.kind;
        const bool opens = of == PartKind::attention || of == PartKind::mlp || of == PartKind::recurrent;
        const bool cross_follows = of == PartKind::attention && now == PartKind::attention &&
                                   (e.kind == PartKind::layer_norm || e.kind == of) &&
                                   !(e.kind == of && i > 0 && parts[i - 1]->kind == PartKind::layer_norm);
        if (page_.cards.empty() || (opens && of != now) || cross_follows) {
            const MapElement& named = e.kind == of ? e : *parts[i + 1];
            card(of, of == PartKind::attention && cross_follows ? "cross-attention" : named.title,
                 of == PartKind::attention ? (cross_follows ? tr("takes information from the source sentence")
                                                            : tr("moves information from word to word"))
                 : of == PartKind::mlp     ? tr("works on each word alone: row by row")
                                           : "");
            now = of;
        }
        if (std::exchange(first, false) && e.source >= 0) stream("x", tr("stream x"), e.source);
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
                stream(e.label.substr(e.label.rfind('/') + 1), "stream", e.main, true);
                break;
            case PartKind::recurrent:
                for (const int node : e.nodes)
                    if (graph_.role(node) == OpRole::recurrent_state) {
                        stream("pre", "W·x", graph_[node].inputs[0]);
                        stream("state", "state", node);
                    }
                break;
            default:
                stream(e.label.substr(e.label.rfind('/') + 1), e.title, e.main);
        }
    }
}

/// How much of a line's width a matrix gets: wide ones less than their share.
float share_of(const BlockMatrix& m, int heads_in_line) {
    if (m.kind == MatrixKind::pattern)
        return 16.0f * std::min(1.0f, 6.0f / static_cast<float>(std::max(1, heads_in_line)));
    return std::pow(static_cast<float>(m.columns), 0.7f);
}

void place_line(BlockPage& page, BlockLine& line, float left, float right, float top, float unit) {
    int patterns = 0;
    float shares = 0;
    for (int i = line.first; i < line.end; ++i)
        patterns += page.matrices[static_cast<std::size_t>(i)].kind == MatrixKind::pattern;
    for (int i = line.first; i < line.end; ++i)
        shares += share_of(page.matrices[static_cast<std::size_t>(i)], patterns);
    // Where the rows are those of another sentence, its words stand before them.
    bool of_source = line.first < line.end && page.matrices[static_cast<std::size_t>(line.first)].of_source;
    float gaps = between * unit * static_cast<float>(std::max(0, line.end - line.first - 1));
    for (int i = line.first; i < line.end; ++i) {
        const bool other = page.matrices[static_cast<std::size_t>(i)].of_source;
        if (std::exchange(of_source, other) != other) gaps += page.labels;
    }
    const float gap_scale = std::min(1.0f, (right - left) * 0.35f / std::max(gaps, 1.0f));
    const float scale =
        std::min((right - left - gaps * gap_scale) / std::max(shares, 1e-3f), widest * unit / std::pow(64.0f, 0.7f));
    float x = left;
    of_source = line.first < line.end && page.matrices[static_cast<std::size_t>(line.first)].of_source;
    for (int i = line.first; i < line.end; ++i) {
        BlockMatrix& m = page.matrices[static_cast<std::size_t>(i)];
        if (std::exchange(of_source, m.of_source) != m.of_source) x += page.labels * gap_scale;
        const float width = share_of(m, patterns) * scale;
        m.box = {{x, top}, {x + width, top + line.pitch * static_cast<float>(m.rows)}};
        x += width + between * unit * gap_scale;
    }
}

}  // namespace

BlockPage lay_out_block(const Graph& graph, int block, bool source, const BlockRoom& room) {
    BlockPage page;
    Matrices(graph, block, source, room, page).read();
    const float u = room.unit;
    page.labels = room.width >= 640 * u ? word_column * u : 20 * u;
    std::size_t lines = 0;
    float rows = 0;
    for (const BlockCard& card : page.cards)
        for (const BlockLine& line : card.lines) {
            ++lines;
            int most = 1;
            for (int i = line.first; i < line.end; ++i)
                most = std::max(most, page.matrices[static_cast<std::size_t>(i)].rows);
            rows += static_cast<float>(most);
        }
    const float said = room.says && room.height >= 560 * u ? said_height * u : 0;
    const float fixed = edge * 2 * u + said + (said > 0 ? card_gap * u : 0) +
                        static_cast<float>(page.cards.size()) * (card_title + line_gap) * u +
                        static_cast<float>(std::max<std::size_t>(page.cards.size(), 1) - 1) * card_gap * u +
                        static_cast<float>(lines) * (caption + line_gap) * u;
    const float squeeze = std::min(1.0f, room.height * 0.6f / fixed);
    const float pitch = std::min((room.height - fixed * squeeze) / std::max(rows, 1.0f), highest_row * u);
    float y = edge * u * squeeze;
    const float left = edge * u, right = room.width - edge * u;
    for (BlockCard& card : page.cards) {
        const float top = y;
        y += card_title * u * squeeze;
        for (BlockLine& line : card.lines) {
            line.pitch = pitch;
            int most = 1;
            for (int i = line.first; i < line.end; ++i)
                most = std::max(most, page.matrices[static_cast<std::size_t>(i)].rows);
            y += caption * u * squeeze;
            place_line(page, line, left + page.labels, right - 14 * u, y, u);
            y += pitch * static_cast<float>(most) + line_gap * u * squeeze;
        }
        y += line_gap * u * squeeze;
        card.box = {{left, top}, {right, y}};
        y += card_gap * u * squeeze;
    }
    if (said > 0) page.said = {{left, y}, {right, std::min(y + said, room.height - edge * u * 0.5f)}};
    return page;
}

}  // namespace glassformer::app
