#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/hidden_by_quiz.h"
#include "app/common/lens_grid.h"
#include "app/common/linked_cards.h"
#include "app/common/model_colours.h"
#include "app/common/token_names.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

// Pixels at 100 %.
constexpr float widest_stream = 94, widest_neurons = 116, lane_width = 4;
constexpr float least_model_row = 5, lens_share = 0.37f;  // share of a stream's row for what would be predicted there
constexpr float least_head = 3;                           // width of one head's tile: narrower ones are combined
constexpr float narrow_lane = 10;                         // no room for clickable tiles
constexpr float named_word = 30;                          // width that a word's name needs

/// The name at the foot of the lanes.
std::string lane_name(const Canvas& c, bool source) {
    if (source) return tr("source");
    const std::string name = c.trace.model().config.input == InputKind::values ? tr("numbers") : token_names(c.model());
    return c.difference && c.frame.state.compare ? filled(tr("{1} of B"), {name}) : name;
}

/// Draws the page of level "model" once.
class ModelPage {
public:
    explicit ModelPage(const Canvas& canvas)
        : c_(canvas), ui_(canvas.ui()), u_(canvas.layout.room.unit), stages_(story_stages(canvas.layout)) {}

    void draw();

private:
    float shown(int row) const { return c_.state.story.shown(stages_, row); }
    const CanvasRow& row(int index) const { return c_.layout.rows[index]; }
    int rows() const { return int_size(c_.layout.rows); }
    float front(bool source) const;
    /// The words with visible lanes: the first, and one past the last.
    std::pair<int, int> seen(const CanvasSide& side) const {
        return side.words_between(c_.place.under(c_.view.min).x, c_.place.under(c_.view.max).x);
    }
    Box tile_box(const CanvasRow& row, float lane, float widest, float share, float pitch, float from = 0.08f) const;
    bool chosen(const CanvasRow& row, int word) const { return !row.source && word == c_.token(); }

    void draw_cards() const;
    void draw_lanes(const CanvasSide& side) const;
    void draw_row(int index) const;
    void draw_tiles(int index) const;
    void draw_values(int index, int word, float lane) const;
    void draw_narrow(int index) const;
    void draw_mix(int index, int word, float lane) const;
    void draw_recurrent(const CanvasSide& side, const Box& tile, int word) const;
    void draw_norm(const CanvasRow& row, const Box& tile) const;
    void draw_guess(const CanvasRow& row, int word, float lane, float pitch) const;
    void draw_words(const CanvasSide& side) const;
    std::string_view tile_label(const CanvasRow& row, const char* name, int word) const;

    const Canvas& c_;
    const Ui& ui_;
    float u_;
    std::vector<StoryStage> stages_;
};

/// How far up a side is computed.
float ModelPage::front(bool source) const {
    float y = c_.layout.words_top;
    for (int i = 0; i < rows(); ++i) {
        if (row(i).source != source) continue;
        const float there = shown(i);
        if (there < 1) return there > 0 ? row(i).bottom + (row(i).top - row(i).bottom) * there : y;
        y = row(i).top;
    }
    return source ? y : c_.layout.said_bottom;
}

Box ModelPage::tile_box(const CanvasRow& row, float lane, float widest, float share, float pitch, float from) const {
    const float half = std::min(widest * u_, pitch * share) / 2, height = row.bottom - row.top;
    return c_.place.of({{lane - half, row.top + height * from}, {lane + half, row.bottom - height * 0.08f}});
}

std::string_view ModelPage::tile_label(const CanvasRow& row, const char* name, int word) const {
    const char* side = row.source ? "source " : "";
    if (row.block < 0) return ui_.items->format("whole/%s/%s%s %d", Frame::letter(c_.slot), side, name, word);
    return ui_.items->format("whole/%s/%s%s %d %d", Frame::letter(c_.slot), side, name, row.block, word);
}

void ModelPage::draw_cards() const {
    const Theme& t = c_.theme();
    for (const CanvasBlock& block : c_.layout.blocks) {
        const Box box = c_.place.of(block.box);
        if (!c_.sees(box)) continue;
        const bool chosen = block.source == c_.state.source && block.block == c_.block();
        draw::rounded_box(ui_, box, t.card, chosen ? t.control_border : t.card_border, 10);
    }
    for (const CanvasBlock& block : c_.layout.blocks)  // a name may be taller than its block
        if (c_.sees(c_.place.of(block.box))) label_block(c_, block);
}

void ModelPage::draw_lanes(const CanvasSide& side) const {
    const Theme& t = c_.theme();
    const float bottom = c_.layout.words_top + (c_.layout.words_bottom - c_.layout.words_top) * 0.2f,
                top = side.source ? c_.layout.top_of(true) : c_.layout.said_bottom;
    const float width =
        std::clamp(side.pitch() * c_.place.sx * 0.12f, 1.0f, lane_width * u_) * (c_.layout.has_stream ? 1 : 0.4f);
    const float there = std::max(front(side.source), top);
    const auto [first, end] = seen(side);
    for (int word = first; word < end; ++word) {
        const float x = side.lane(word);
        const bool chosen = !side.source && word == c_.token();
        const ImVec2 low = c_.place.at(x, std::max(bottom, c_.layout.word_row(side, word).min.y)),
                     high = c_.place.at(x, top), middle = c_.place.at(x, there);
        const ImU32 quiet = mix(t.background, t.residual, 0.12f), full = mix(t.background, t.residual, 0.32f);
        if (there > top) ui_.list()->AddLine(middle, high, quiet, width);
        ui_.list()->AddLine(low, middle, chosen ? t.selection : full, chosen ? width * 1.25f : width);
    }
}

/// Draws each head's result in a frame of its colour; crosses out what is switched off.
void ModelPage::draw_mix(int index, int word, float lane) const {
    const CanvasRow& r = row(index);
    const CanvasSide& side = c_.layout.side(r.source);
    const float width = mix_width(c_, side);
    const std::int64_t all = c_.trace.slices(r.node).width, each = all / std::max(1, r.heads);
    const AttentionTo to = r.cross ? AttentionTo::source : AttentionTo::itself;
    const bool cross = index > 0 && row(index - 1).cross;
    const char* side_name = r.source ? "source " : cross ? "cross " : "";
    if (r.heads > 1 && width * c_.place.sx < ui_.px(least_head) * to_float(r.heads)) {
        const Box box = c_.place.of({head_tile(r, lane, width, 0).min, head_tile(r, lane, width, r.heads - 1).max});
        const Tile tile{r.node,          word, 0, all, HeatColours::signed_values, 0, chosen(r, word) ? 1.6f : 1.0f,
                        shown(index) > 0};
        draw_tile(c_, tile, box,
                  ui_.items->format("whole/%s/%sz %d %d", Frame::letter(c_.slot), side_name, r.block, word));
        return;
    }
    for (int head = 0; head < r.heads; ++head) {
        const Box box = c_.place.of(head_tile(r, lane, width, head));
        if (!c_.sees(box)) continue;
        const ImU32 ink = head_colour(c_.theme(), head);
        const bool strong = chosen(r, word);
        Tile tile{r.node,
                  word,
                  each * head,
                  each,
                  HeatColours::signed_values,
                  with_alpha(ink, strong ? 1.0f : 0.55f),
                  strong ? 1.6f : 1.0f,
                  shown(index) > 0};
        const std::string_view label =
            ui_.items->format("whole/%s/%sz %d %d %d", Frame::letter(c_.slot), side_name, r.block, head, word);
        const Response response = draw_tile(c_, tile, box, label);
        if (head_is_off(c_, r, head)) draw_crossed_out(ui_, box);
        if (r.source) continue;
        if (response.right_clicked) {
            toggle_if_possible(c_.frame, what_if::HeadOff{r.block, head, cross ? AttentionTo::source : to});
            ImGui::GetIO().MouseClicked[ImGuiMouseButton_Right] = false;  // else it would also save the panel
        }
    }
}

/// Draws the arrow along which the state goes to the next word.
void ModelPage::draw_recurrent(const CanvasSide& side, const Box& tile, int word) const {
    if (word + 1 >= side.words) return;
    const Theme& t = c_.theme();
    const float y = tile.middle_y(), u = u_ * std::min(1.0f, c_.place.sy);
    // From the edge of this tile to that of the next one, in the reading direction.
    const float way = side.from_right ? -1.0f : 1.0f, gap = 4 * u * way, head = 4 * u * way;
    const float half = tile.width() / 2 * way;
    const float x0 = (side.from_right ? tile.min.x : tile.max.x) + gap,
                x1 = c_.place.at(side.lane(word + 1), 0).x - half - gap;
    if ((x1 - x0) * way < 4 * u) return;
    const ImU32 ink = word == c_.token() - 1 || word == c_.token() ? t.selection : t.residual;
    ui_.list()->AddLine({x0, y}, {x1, y}, ink, 2 * u);
    ui_.list()->AddTriangleFilled({x1, y}, {x1 - head, y - std::abs(head)}, {x1 - head, y + std::abs(head)}, ink);
}

void ModelPage::draw_norm(const CanvasRow& r, const Box& tile) const {
    const Theme& t = c_.theme();
    draw::rounded_box(ui_, tile, t.card, mix(t.card, t.residual, 0.6f), 999);
    const FontRole font = c_.font(FontRole::small);
    if (tile.width() >= ui_.px(28) && c_.room_for(font, r.bottom - r.top))
        draw::text_in(ui_, tile, r.kind == RowKind::norm ? tr("norm") : "·", {font, t.text_muted, draw::Align::centre});
}

/// Draws what the model would predict if this block were its last.
void ModelPage::draw_guess(const CanvasRow& r, int word, float lane, float pitch) const {
    if (r.source || r.block < 0 || c_.layout.dense || !c_.reading.lens().why_not().empty()) return;
    const float height = r.bottom - r.top, line = height * lens_share;
    const Box box = c_.place.of({{lane - pitch / 2, r.top - 4 * u_}, {lane + pitch / 2, r.top + line - 2 * u_}});
    if (!c_.room_for(c_.font(FontRole::small), line + 1 * u_) || box.width() < ui_.px(34) || !c_.sees(box)) return;
    const Theme& t = c_.theme();
    const LensWord* best = lens_word(c_, r.block, word, box, draw::Align::centre);
    if (!best) return;
    const bool strong = chosen(r, word);
    const std::string said(vocabulary_word(c_.frame, best->id));
    const FontRole font = c_.font(strong ? FontRole::small_bold : FontRole::small);
    std::string_view text = ui_.items->format("%s %.2f", said.c_str(), best->probability);
    // Either all words of a row have their probability, or none.
    if (box.width() < ui_.px(62) || draw::text_size(ui_, text, font).x > box.width() - ui_.px(4)) text = said;
    const float wide = std::min(draw::text_size(ui_, text, font).x + ui_.px(6), box.width());
    const float middle = box.middle_x();
    ui_.list()->AddRectFilled({middle - wide / 2, box.min.y}, {middle + wide / 2, box.max.y - ui_.px(1)}, t.card);
    draw::text_in(ui_, box.inset(ui_.px(2), 0), text,
                  {font, strong ? t.attention_text : t.text_muted, draw::Align::centre});
    if (draw::hovered(box))
        draw::tooltip(ui_,
                      ui_.items->format(tr("“%s” after block %d: %s %.1f %%\nLogit lens: the final norm and the "
                                           "unembedding applied to the residual stream, as if no further block came."),
                                        c_.word(false, word).c_str(), r.block, said.c_str(),
                                        100 * static_cast<double>(best->probability)));
}

/// Draws lanes that have no room for tiles: one picture with a single number per word.
void ModelPage::draw_narrow(int index) const {
    const CanvasRow& r = row(index);
    constexpr std::array signs{RowKind::add, RowKind::norm, RowKind::other, RowKind::pooler};
    if (std::ranges::find(signs, r.kind) != signs.end() || shown(index) <= 0) return;
    const CanvasSide& side = c_.layout.side(r.source);
    const std::shared_ptr<const std::vector<float>> values = c_.reading.largest(r.node, side.from_right);
    const std::optional<float> range = c_.reading.range(r.node);
    if (!values || !range) return;
    const float air = (r.bottom - r.top) * 0.12f;
    const Box box = c_.place.of({{side.left, r.top + air}, {side.right, r.bottom - air}});
    HeatMatrix matrix{1, side.words, *values, side.words, HeatColours::signed_values, *range, {}, {values, r.node, 0}};
    if (r.kind == RowKind::mlp) matrix.colours = HeatColours::neurons;
    draw_heat(ui_, matrix, box);
}

void ModelPage::draw_tiles(int index) const {
    const CanvasRow& r = row(index);
    const CanvasSide& side = c_.layout.side(r.source);
    const Box band = c_.place.of({{side.left, r.top}, {side.right, r.bottom}});
    // Rows without room for more than a line are left out, except those of the stream.
    const bool stays = r.kind == RowKind::stream || r.kind == RowKind::embedding || r.kind == RowKind::pooler;
    if (!c_.sees(band) || (!stays && band.height() < ui_.px(least_model_row))) return;
    if (side.pitch() * c_.place.sx < narrow_lane * ui_.scale && !c_.difference) return draw_narrow(index);
    const auto [first, end] = seen(side);
    const float pitch = side.pitch();
    for (int word = first; word < (r.kind == RowKind::pooler ? std::min(end, 1) : end); ++word) {
        const float lane = side.lane(word);
        switch (r.kind) {
            case RowKind::mix:
                draw_mix(index, word, lane);
                break;
            case RowKind::add: {
                const float radius = std::min({8.5f * u_, pitch * 0.3f, (r.bottom - r.top) * 0.42f}) * c_.place.sx;
                draw_plus(ui_, c_.place.at(lane, r.middle()), std::min(radius, ui_.px(14)),
                          shown(index) > 0 ? c_.theme().residual : c_.theme().card_border);
                break;
            }
            case RowKind::norm:
            case RowKind::other:
                draw_norm(r, tile_box(r, lane, 52, 0.5f, pitch));
                break;
            default:
                draw_values(index, word, lane);
        }
    }
}

/// Draws a word's numbers in one tile.
void ModelPage::draw_values(int index, int word, float lane) const {
    const CanvasRow& r = row(index);
    const CanvasSide& side = c_.layout.side(r.source);
    const Theme& t = c_.theme();
    const bool strong = chosen(r, word), there = shown(index) > 0, pooler = r.kind == RowKind::pooler;
    const std::int64_t count = pooler ? c_.trace.shape(r.node).back() : c_.trace.slices(r.node).width;
    Tile tile{r.node, word, 0, count, HeatColours::signed_values, 0, strong ? 1.6f : 1.0f, there};
    tile.border = strong ? mix(t.card_border, t.selection, 0.9f) : t.card_border;
    const auto draw = [&](const char* name, float from, float widest = widest_stream, float share = 0.62f) {
        const Box box = tile_box(r, lane, widest, share, side.pitch(), from);
        return std::pair(box, draw_tile(c_, tile, box, tile_label(r, name, word)));
    };
    if (r.kind == RowKind::mlp) {
        if (!c_.difference) tile.colours = HeatColours::neurons;
        tile.border = mix(t.card, t.mlp, strong ? 0.9f : 0.35f);
        const auto [box, response] = draw("mlp", 0.08f, widest_neurons, 0.76f);
        if (response.right_clicked && !r.source) {
            toggle_change(c_.frame, what_if::MlpOff{r.block});
            ImGui::GetIO().MouseClicked[ImGuiMouseButton_Right] = false;  // else it would also save the panel
        }
        if (mlp_is_off(c_, r)) draw_crossed_out(ui_, box);
    } else if (r.kind == RowKind::recurrent) {
        tile.border_width = 1;
        const Box box = draw("state", 0.42f).first;
        if (there) draw_recurrent(side, box, word);
    } else if (r.kind == RowKind::stream) {
        if (shown(index) >= 1) draw_guess(r, word, lane, side.pitch());
        draw("stream", c_.layout.dense ? 0.08f : r.block >= 0 ? lens_share : 0.2f);
    } else {
        draw(pooler ? "pooler" : "embedding", 0.08f);
    }
}

void ModelPage::draw_row(int index) const {
    const CanvasRow& r = row(index);
    if (r.kind == RowKind::attention)
        draw_arcs(c_, r, shown(index));
    else
        draw_tiles(index);
    label_row(c_, r);
}

void ModelPage::draw_words(const CanvasSide& side) const {
    const Theme& t = c_.theme();
    const CanvasLayout& l = c_.layout;
    if (side.left - side.labels >= 60 * u_) {
        const Box foot = words_label(c_, side);
        const std::string name = lane_name(c_, side.source);
        label_lane(c_, foot, name, t.text_muted);
        const Box seen = c_.place.of(foot);
        if (!side.source) ui_.items->add(ui_.items->format("whole/%s/lanes", Frame::letter(c_.slot)), seen, {}, name);
    }
    // If the lanes are narrow, only every second word, or fewer, is named, and always the chosen one.
    const int every = side.in_two_rows ? 1 : std::max(named_every(c_, side, named_word), side.every_other ? 2 : 1),
              token = c_.token(), source_word = c_.state.source ? c_.state.source_word : -1;
    const float room = side.pitch() * c_.place.sx * to_float(every) * (side.in_two_rows ? 2 : 1);
    FontRole bold = c_.font(side.in_two_rows ? FontRole::small_bold : FontRole::body_bold);
    const auto [first, end] = seen(side);
    for (int word = first; word < end; ++word)  // all become smaller before one is cut
        if (word % every == 0 && draw::text_size(ui_, c_.word(side.source, word), bold).x > room - ui_.px(6))
            bold = FontRole::small_bold;
    for (int word = first; word < end; ++word) {
        const bool chosen = word == (side.source ? source_word : token);
        if (!is_named(word, every, side.source ? source_word : token)) continue;
        const std::string text = c_.word(side.source, word);
        FontRole font = bold;
        if (!chosen) font = static_cast<FontRole>(static_cast<int>(font) - 1);
        const float wanted = std::min(draw::text_size(ui_, text, font).x / 2 + ui_.px(8), room / 2 - ui_.px(1));
        const Box around = around_lane(c_, side, word, wanted / c_.place.sx), row = l.word_row(side, word);
        const Box lane = c_.place.of(row.between_x(around.min.x, around.max.x));
        if (!c_.room_for(FontRole::small, row.height()) || room < ui_.px(13) || !c_.sees(lane)) continue;
        const float middle = std::clamp(lane.middle_x(), c_.view.min.x, c_.view.max.x);
        const float half = std::min(wanted, std::max(ui_.px(8), c_.view.max.x - middle - ui_.px(2)));
        const float high = std::min(lane.height(), ui_.line(font) + ui_.px(9)) / 2, y = lane.middle_y();
        const Box box{{middle - half, y - high}, {middle + half, y + high}};
        const std::string_view item =
            ui_.items->format("whole/%s/%sword %d", Frame::letter(c_.slot), side.source ? "source " : "", word);
        const Response r = c_.active ? click_area(ui_, item, box, item_state(chosen ? 1 : 0), text) : Response{};
        draw::rounded_box(ui_, box,
                          chosen      ? t.selection_tint
                          : r.hovered ? t.hover
                                      : t.attention_tint,
                          chosen ? t.selection : 0, 7, 2);
        const bool cut = draw::text_in(ui_, box.inset(ui_.px(2), 0), text, {font, t.text, draw::Align::centre});
        if (cut && r.hovered) draw::tooltip(ui_, box, text);
        has_keyboard(c_, item, box);
        if (r.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (side.source && r.clicked) c_.state.source_word = word;
        if (side.source) continue;
        if (r.hovered) point_at_word(c_.frame, c_.slot, word);
        if (r.clicked) choose_token(c_.frame.state, c_.frame.snapshot, c_.slot, word);
    }
}

void ModelPage::draw() {
    draw_cards();
    for (const CanvasSide& side : c_.layout.sides) draw_lanes(side);
    // Arcs first: tiles and signs are drawn over them.
    for (int i = 0; i < rows(); ++i)
        if (row(i).kind == RowKind::attention) draw_row(i);
    for (int i = 0; i < rows(); ++i)
        if (row(i).kind != RowKind::attention) draw_row(i);
    for (const CanvasSide& side : c_.layout.sides) draw_words(side);
    if (!c_.state.story.open) draw_alignment(c_);
    draw_said(c_, c_.state.story.said(stages_));
}

}  // namespace

void draw_model_page(const Canvas& canvas) { ModelPage(canvas).draw(); }

}  // namespace glassformer::app::views::whole_model
