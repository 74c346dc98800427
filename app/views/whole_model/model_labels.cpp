#include <algorithm>
#include <cmath>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

/// Draws a title and a line below it, between two points of the page, if there is room.
void label(const Canvas& c, float y0, float y1, float x0, float x1, std::string_view title, std::string_view below,
           ImU32 ink, bool bold) {
    const Ui& ui = c.ui();
    const Box box = c.place.of({{x0, y0}, {x1, y1}});
    const FontRole plain = c.font(FontRole::small), heavy = c.font(FontRole::small_bold);
    if (!c.room_for(plain, y1 - y0) || box.width() < ui.px(60) || !c.sees(box)) return;
    const float line = ui.line(plain);
    const float lines = below.empty() ? 0 : std::ceil(draw::text_size(ui, below, plain).x / (box.width() * 0.9f));
    constexpr float wrapped = 1.25f;  // line spacing of wrapped text
    const bool both = lines > 0 && (1 + lines * wrapped) * line <= box.height();
    const float height = both ? (1 + lines * wrapped) * line : line,
                y = std::round((box.min.y + box.max.y - height) / 2);
    const draw::TextStyle style{bold ? heavy : plain, ink};
    draw::text_told(ui, box.between_y(y, y + line), title, style);
    if (both) draw::text_wrapped(ui, {box.min.x, y + line}, box.width(), below, {plain, c.theme().text_muted});
}

/// Draws the triangle that a causal model may see.
void draw_mask(const Canvas& c, const CanvasRow& row, float left) {
    const Ui& ui = c.ui();
    const float u = c.layout.room.unit;
    if (row.source || row.cross || !c.trace.model().config.causal()) return;
    const float size = 26 * u;
    const Box box = c.place.of({{left, row.bottom - size - 2 * u}, {left + size, row.bottom - 2 * u}});
    if (!c.active || row.bottom - row.top < 112 * u || !c.sees(box)) return;
    constexpr int words = 5;
    const float step = box.width() / words;
    for (int query = 0; query < words; ++query)
        for (int key = 0; key < words; ++key) {
            const ImVec2 at{box.min.x + step * to_float(key), box.min.y + step * to_float(query)};
            ui.list()->AddRectFilled(at, {at.x + step - 1, at.y + step - 1},
                                     key <= query ? c.theme().attention_middle : c.theme().track);
        }
    if (draw::hovered(box))
        draw::tooltip(ui, box,
                      filled(tr("Causal mask\nThe triangle of what may be seen: each {1} (a row) attends to itself and "
                                "the {2} before it, never to later ones."),
                             {token_name(c.model()), token_names(c.model())}));
}

/// The width of a name of usual length, including the space around it.
float usual_width(const Canvas& c, const CanvasSide& side) {
    constexpr int most_measured = 48;
    const int every = std::max(1, side.words / most_measured);
    float sum = 0;
    int measured = 0;
    for (int word = 0; word < side.words; word += every, ++measured)
        sum += draw::text_size(c.ui(), c.word(side.source, word), FontRole::small_bold).x;
    return sum / to_float(std::max(measured, 1)) + c.ui().px(14);
}

/// True if a block has no room for two lines, and so none for a name of each row.
bool is_low(const Canvas& c, const CanvasBlock& block) {
    return block.box.height() * c.place.sy < 2.5f * c.ui().line(c.font(FontRole::small));
}

/// How far above its row the name of attention to the source begins: the arcs from the source pass below it.
constexpr float above_cross = 34;  // pixels at 100 %

/// True if above those arcs there is no room for two names, that of the row and that of the block.
bool is_one_name(const Canvas& c, const CanvasBlock& block, const CanvasRow& cross) {
    return (cross.top - above_cross * c.layout.room.unit - block.box.min.y) * c.place.sy <
           c.ui().line(c.font(FontRole::small));
}

/// True if there are other blocks: then a block's number says more than what its attention reads.
bool has_others(const Canvas& c, const CanvasBlock& block) {
    return std::ranges::count(c.layout.blocks, block.source, &CanvasBlock::source) > 1;
}

}  // namespace

int named_every(const Canvas& c, const CanvasSide& side, float least) {
    const float pitch = side.pitch() * c.place.sx, pixels = c.ui().px(least);
    return pitch >= pixels ? 1 : static_cast<int>(std::ceil(std::max(pixels, usual_width(c, side)) / pitch));
}

bool names_row(const Canvas& c, int row, float page_height, int chosen) {
    const float line = c.ui().line(FontRole::small) * 0.7f, height = page_height * c.place.sy;
    const int every = std::max(1, static_cast<int>(std::ceil(line / std::max(height, 0.01f))));
    return row == chosen || (row % every == 0 && (chosen < 0 || std::abs(row - chosen) >= every));
}

bool is_named(int word, int every, int chosen) {
    if (word == chosen || every <= 1) return true;
    return word % every == 0 && (chosen < 0 || 2 * std::abs(word - chosen) >= 3 * every);
}

Box around_lane(const Canvas& c, const CanvasSide& side, int word, float reach) {
    const float in = std::max(0.0f, side.lane(word) + reach - (c.layout.room.width - 2 * c.layout.room.unit));
    return {{side.lane(word) - reach - in, 0}, {side.lane(word) + reach - in, 0}};
}

void label_block(const Canvas& c, const CanvasBlock& block) {
    const CanvasSide& side = c.layout.side(block.source);
    const float u = c.layout.room.unit;
    if (!c.layout.dense || side.left - side.labels < 60 * u) return;
    const std::string_view name =
        c.ui().items->format(block.source ? tr("source block %d") : tr("block %d"), block.block);
    // If a block is lower than its name, only every second block, or fewer, is named.
    const float line = c.ui().line(c.font(FontRole::small)) / c.place.sy, height = block.box.height();
    if (!c.room_for(FontRole::small, height)) {
        if (block.block % static_cast<int>(std::ceil(1.1f * line / height)) != 0) return;
        const float middle = block.box.middle_y();
        return label(c, middle - line / 2, middle + line / 2, side.labels + 12 * u, side.left - 6 * u, name, "",
                     c.theme().text, true);
    }
    float bottom = block.box.max.y;
    for (int i = block.first_row; i < block.end_row && !is_low(c, block); ++i) {
        const CanvasRow& row = c.layout.rows[i];
        if (row.kind != RowKind::attention || row.source != block.source) continue;
        const bool one = row.cross && is_one_name(c, block, row);
        if (one && !has_others(c, block)) return;
        bottom = std::min(bottom, row.top - (row.cross && !one ? above_cross * u : 0));
    }
    label(c, block.box.min.y, bottom, side.labels + 12 * u, side.left - 6 * u, name, "", c.theme().text, true);
}

Box words_label(const Canvas& c, const CanvasSide& side) {
    const CanvasLayout& l = c.layout;
    return {{side.labels, l.words_top + (l.words_bottom - l.words_top) * 0.2f},
            {side.left - 6 * l.room.unit, l.words_bottom}};
}

void label_row(const Canvas& c, const CanvasRow& row) {
    const Ui& ui = c.ui();
    const float u = c.layout.room.unit;
    const CanvasSide& side = c.layout.side(row.source);
    if (side.left - side.labels < 60 * u) return;
    const Theme& t = c.theme();
    const float x0 = side.labels + (row.block >= 0 ? 12 * u : 0), x1 = side.left - 6 * u;
    const float out = row.kind == RowKind::attention ? 0 : row.kind == RowKind::mlp ? 9 * u : 5 * u;
    float y0 = row.top - out, y1 = row.bottom + out;
    const CanvasBlock* block = c.layout.dense ? c.layout.find(row.block, row.source) : nullptr;
    if (block && (row.kind != RowKind::attention || is_low(c, *block))) return;
    switch (row.kind) {
        case RowKind::embedding: {
            if (c.layout.dense) y0 += out, y1 += out;  // clear of the block above
            const Box words = words_label(c, side);
            if (!c.room_for(c.font(FontRole::small), words.middle_y() - (y0 + y1) / 2)) return;  // that name is below
            return label(c, y0, y1, x0, x1, tr("embedding"),
                         row.title.ends_with(tr(" + position")) ? tr("+ position") : "", t.text_muted, true);
        }
        case RowKind::attention:
            // The arcs from the source sentence pass below its name.
            if (row.cross && block && is_one_name(c, *block, row) && has_others(c, *block)) return;
            if (row.cross)
                return label(c, std::max(y0 - above_cross * u, block ? block->box.min.y : 0), y0 + (y1 - y0) * 0.2f, x0,
                             x1, tr("cross-attention"), tr("attends to source"), t.attention_text, true);
            label(c, y0, y1, x0, x1, tr("attention"),
                  filled(tr("moves information between {1}"), {token_names(c.model())}), t.attention_text, true);
            return draw_mask(c, row, x0);
        case RowKind::mlp:
            return label(c, y0, y1, x0, x1, row.title, filled(tr("works on each {1} alone"), {token_name(c.model())}),
                         t.mlp_text, true);
        case RowKind::recurrent:
            return label(c, y0, y1, x0, x1, row.title, tr("passes its state on"), t.residual_text, true);
        case RowKind::norm:
        case RowKind::other:
            return label(c, y0, y1, x0, x1, row.title, "", t.text_muted, false);
        case RowKind::stream: {
            if (row.block < 0)
                return label(c, y0, y1, x0, x1, tr("encoded"), tr("for the decoder"), t.residual_text, true);
            return label(c, row.top, row.bottom, x0, x1,
                         ui.items->format(row.source ? tr("source block %d") : tr("block %d"), row.block), "", t.text,
                         true);
        }
        case RowKind::pooler:
            if (!c.room_for(c.font(FontRole::small), 1.5f * (row.bottom - row.top))) return;
            return label(c, y0, y1, x0, x1, row.title, tr("of the whole text"), t.residual_text, true);
        case RowKind::mix:
        case RowKind::add:
            return;
    }
}

void label_lane(const Canvas& c, const Box& on_page, std::string_view title, ImU32 ink) {
    label(c, on_page.min.y, on_page.max.y, on_page.min.x, on_page.max.x, title, "", ink, true);
}

}  // namespace glassformer::app::views::whole_model
