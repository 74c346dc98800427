#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/text_size.h"
#include "app/common/what_if_changes.h"
#include "app/common/what_if_paint.h"
#include "app/language/tr.h"
#include "app/ui/scroll_area.h"
#include "app/views/registry.h"
#include "app/views/what_if/what_if_pages.h"

namespace glassformer::app::views::what_if {

namespace {

// Pixels at 100 %.
constexpr float pad_x = 12, pad_y = 8, chip_height = 24, chip_gap = 5, switch_gap = 5, column_gap = 28;
constexpr float modes_width = 186, most_share = 0.46f;  // of the height; the sentences need the rest

/// A switch for the whole model.
struct ModelSwitch {
    const char* item;
    const char* name;
    const char* tooltip;
    WhatIf change;
};

const std::array<ModelSwitch, 5>& model_switches() {
    static const std::array<ModelSwitch, 5> switches = {{
        {"positions", N_("positions"), N_("Positions\nOff: the model gets no positions."),
         glassformer::what_if::PositionsOff{}},
        {"mask", N_("mask"), N_("The causal mask\nOff: every word can attend to later words too."),
         glassformer::what_if::MaskOff{}},
        {"scale", "÷ √d", N_("The scale\nOff: scores are not divided by √d_head, so softmax gets sharper."),
         glassformer::what_if::ScaleOff{}},
        {"norm", N_("norms"), N_("Normalization\nOff: nothing is normalized anywhere."),
         glassformer::what_if::NormOff{}},
        {"residual", N_("residual"),
         N_("The residual connections\nOff: a layer's output replaces the residual stream."),
         glassformer::what_if::ResidualOff{}},
    }};
    return switches;
}

/// Puts boxes one after another into lines. Without `drawing`, only measures the room that they need.
class Board {
public:
    Board(const Frame& frame, const Box& box, bool drawing)
        : frame_(frame), ui_(frame.ui), box_(box), at_(box.min), left_(box.min.x), drawing_(drawing) {}

    float bottom() const { return at_.y + ui_.px(chip_height); }
    float right() const { return right_; }
    void block(int block);
    void heads(int block, AttentionTo to);
    void model();
    void chosen_head();
    void next_row() { at_ = {box_.min.x, bottom() + ui_.px(switch_gap)}; }

private:
    Box place(float width);
    void heading(std::string_view text, float width);
    float heading_width() const;
    void put_switch(std::string_view item, std::string_view text, const WhatIf& change, std::string_view tooltip,
                    bool chosen = false);
    void draw_switch(const Box& box, std::string_view item, std::string_view text, const WhatIf& change,
                     std::string_view tooltip, bool chosen) const;
    void put_modes();
    void put_paint();
    void put_restore();

    const Frame& frame_;
    const Ui& ui_;
    Box box_;
    ImVec2 at_;
    float left_, right_ = 0;  // where lines begin; how far the widest line reaches
    bool drawing_;
};

Box Board::place(float width) {
    if (at_.x > left_ && at_.x + width > box_.max.x) at_ = {left_, bottom() + ui_.px(switch_gap)};
    const Box found{at_, {at_.x + width, at_.y + ui_.px(chip_height)}};
    at_.x += width + ui_.px(chip_gap);
    right_ = std::max(right_, found.max.x);
    return found;
}

/// Draws the heading left of a row; later lines begin after it.
void Board::heading(std::string_view text, float width) {
    left_ = box_.min.x;
    const Box at = place(width);
    left_ = at_.x;
    if (drawing_) draw::text_in(ui_, at, text, {FontRole::small_bold, ui_.theme->text_muted});
}

/// The width of the widest of "block 0", "block 1", …
float Board::heading_width() const {
    const std::string widest = filled(tr("block {1}"), {std::to_string(frame_.snapshot.model->config.n_layers - 1)});
    return std::ceil(draw::text_size(ui_, widest, FontRole::small_bold).x) + ui_.px(5);
}

void Board::put_switch(std::string_view item, std::string_view text, const WhatIf& change, std::string_view tooltip,
                       bool chosen) {
    const float width = std::ceil(draw::text_size(ui_, text, FontRole::small_bold).x) + 2 * ui_.px(9);
    const Box box = place(width);
    if (drawing_) draw_switch(box, item, text, change, tooltip, chosen);
}

/// On: a button like any other. Off: sunken, grey and crossed out. Impossible: faint, and its tooltip says why.
void Board::draw_switch(const Box& box, std::string_view item, std::string_view text, const WhatIf& change,
                        std::string_view tooltip, bool chosen) const {
    const Theme& t = *ui_.theme;
    const bool off = is_changed(frame_, change);
    const std::string refusal = why_not(frame_, change);
    const bool possible = refusal.empty();
    const Response r = link_area(ui_, item, box, item_state(off), text, possible);
    const ImU32 fill = off || !possible ? t.control : r.hovered ? t.hover : t.card;
    const ImU32 ink = !possible ? t.text_faint : off ? t.text_muted : t.text;
    draw::rounded_box(ui_, box, fill, possible ? t.control_border : 0, 6);
    const FontRole font = chosen ? FontRole::small_bold : FontRole::small;
    draw::text_in(ui_, box, text, {font, ink, draw::Align::centre});
    if (off) {
        const float half = draw::text_size(ui_, text, font).x / 2 + ui_.px(3);
        const float x = box.middle_x(), y = std::round(box.middle_y());
        ui_.list()->AddLine({x - half, y}, {x + half, y}, t.text_muted, std::max(1.0f, ui_.px(1.5f)));
    }
    if (chosen) draw::selection_frame(ui_, box, 6);
    if (possible && ui_.focus->offer(item)) draw::rounded_box(ui_, box.inset(-ui_.px(3)), 0, t.focus, 9, 2);
    if (r.clicked) toggle_change(frame_, change);
    if (!possible && draw::hovered(box)) draw::tooltip(ui_, box, refusal);
    if (r.hovered) draw::tip(ui_, box, tooltip);
}

void Board::block(int block) {
    heading(ui_.items->format(tr("block %d"), block), heading_width());
    put_switch(ui_.items->format("what if/attention %d", block), tr("attention"),
               glassformer::what_if::AttentionOff{block},
               tr("All heads of this block\nOff: its attention writes nothing."));
    put_switch(ui_.items->format("what if/mlp %d", block), tr("MLP"), glassformer::what_if::MlpOff{block},
               tr("The MLP of this block\nOff: it writes nothing."));
    if (frame_.snapshot.model->config.recurrent()) return;
    heads(block, AttentionTo::itself);
    if (!frame_.snapshot.model->translates()) return;
    next_row();
    heading(tr("source"), heading_width());
    put_switch(ui_.items->format("what if/cross attention %d", block), tr("cross-attention"),
               glassformer::what_if::AttentionOff{block, AttentionTo::source},
               tr("All cross-attention heads of this block\nOff: they write nothing."));
    heads(block, AttentionTo::source);
}

/// Puts the switches of a block's heads into its line.
void Board::heads(int block, AttentionTo to) {
    const bool cross = to == AttentionTo::source;
    for (int head = 0; head < frame_.snapshot.model->config.n_heads; ++head)
        put_switch(ui_.items->format(cross ? "what if/cross head %d %d" : "what if/head %d %d", block, head),
                   ui_.items->format("h%d", head), glassformer::what_if::HeadOff{block, head, to},
                   cross ? tr("A cross-attention head\nOff: it writes nothing. X switches the chosen head.")
                         : tr("A head\nOff: it writes nothing. X switches the chosen head."),
                   block == frame_.state.layer && head == frame_.state.head && cross == frame_.state.cross_attention);
}

void Board::model() {
    heading(tr("model"), heading_width());
    for (const ModelSwitch& s : model_switches())
        put_switch(ui_.items->format("what if/%s", s.item), tr(s.name), s.change, tr(s.tooltip));
}

/// Puts the choice of how the chosen head distributes its attention.
void Board::put_modes() {
    static constexpr std::array<std::string_view, 3> names = {N_("learned"), N_("uniform"), N_("hard")};
    const Box box = place(ui_.px(modes_width));
    if (!drawing_) return;
    const ViewState& s = frame_.state;
    int mode = static_cast<int>(head_mode(frame_, s.layer, s.head, chosen_attention(s)));
    if (segmented(ui_, "what if/chosen head", box, names, mode))
        set_head_mode(frame_, s.layer, s.head, chosen_attention(s), static_cast<HeadMode>(mode));
    if (draw::hovered(box))
        draw::tip(ui_, box,
                  tr("How the chosen head divides its attention\nlearned: as trained. uniform: equal weights for all "
                     "unmasked words. hard: all of it on the word with the largest score."));
}

/// Puts the paint button: painting happens on the pattern.
void Board::put_paint() {
    const ButtonStyle style{
        .selected = frame_.state.own<RowPainting>().on,
        .font = FontRole::small,
        .tooltip = tr(
            "Paint a row of the pattern\nShows the pattern: click a cell to give it all the weight of its row, or drag "
            "up or down for more or less. By keyboard: ← → choose a key, ↑ ↓ change its weight, Enter applies.")};
    const Box box = place(chip_width(ui_, tr("paint a row"), style));
    if (drawing_ && button(ui_, "what if/paint", box, tr("paint a row"), style)) start_painting(frame_);
}

void Board::put_restore() {
    if (what_if_changes(frame_).empty()) return;
    const ButtonStyle style{.gold = true, .font = FontRole::small, .tooltip = tr("Undo all changes\nShortcut: R")};
    const Box box = place(chip_width(ui_, tr("restore"), style));
    if (drawing_ && button(ui_, "what if/restore", box, tr("restore"), style)) restore_model(frame_);
}

void Board::chosen_head() {
    const ViewState& s = frame_.state;
    if (!frame_.snapshot.model->config.recurrent()) {
        const std::string_view name = ui_.items->format(
            s.cross_attention ? tr("block %d · head %d · source") : tr("block %d · head %d"), s.layer, s.head);
        heading(name, std::ceil(draw::text_size(ui_, name, FontRole::small_bold).x) + ui_.px(5));
        put_modes();
        put_paint();
    }
    put_restore();
}

/// Draws the blocks on the left and the switches of the whole model on the right, if both fit; else one below the
/// other. Returns the bottom.
float run(const Frame& frame, const Box& box, float right_column, bool drawing) {
    Board blocks(frame, right_column > 0 ? box.left_of(right_column) : box, drawing);
    const int layers = frame.snapshot.model->config.n_layers;
    for (int layer = 0; layer < layers; ++layer) {
        if (layer > 0) blocks.next_row();
        blocks.block(layer);
    }
    if (right_column <= 0) blocks.next_row();
    Board others(frame, box.right_of(right_column), drawing);
    Board& rest = right_column > 0 ? others : blocks;
    rest.model();
    rest.next_row();
    rest.chosen_head();
    return std::max(blocks.bottom(), rest.bottom());
}

/// Where a second column begins; 0 if there is room for only one.
float second_column(const Frame& frame, const Box& box) {
    constexpr float endless = 1e6f;
    Board blocks(frame, box.left_of(endless), false), others(frame, box.left_of(endless), false);
    blocks.block(0);
    others.model();
    others.next_row();
    others.chosen_head();
    const float needed = others.right() - box.min.x, x = blocks.right() + frame.ui.px(column_gap);
    return x + needed <= box.max.x ? x : 0;
}

}  // namespace

bool switches_in_page(const Frame& frame) {
    constexpr float low = 440;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    return largest_wide_scale(window) < frame.ui.scale && window.y < frame.ui.px(low);
}

float draw_switches(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float column = second_column(frame, box);
    const float bottom = run(frame, box, column, true);
    ui.items->add("what if", box.above(bottom), item_state(what_if_changes(frame).size()));
    return bottom;
}

float draw_what_if_switches(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    if (switches_in_page(frame)) return box.min.y - ui.px(8);  // as if nothing were here, not even a gap below it
    const Box room{{box.min.x + ui.px(pad_x), box.min.y + ui.px(pad_y)}, {box.max.x - ui.px(pad_x), box.max.y}};
    const float column = second_column(frame, room);
    const float wanted = run(frame, room, column, false) - room.min.y;
    const float height = std::min(wanted, std::floor(box.height() * most_share));
    const float bottom = room.min.y + height + ui.px(pad_y);
    draw::card(ui, box.above(bottom));
    ui.items->add("what if", box.above(bottom), item_state(what_if_changes(frame).size()));
    const ScrollArea area(ui, "##what if", room.top(height), wanted);
    run(frame, area.content(), column, true);
    return bottom;
}

}  // namespace glassformer::app::views::what_if
