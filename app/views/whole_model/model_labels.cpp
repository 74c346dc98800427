#include "app/views/whole_model/model_labels.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// A title and a line below it, in two places of the page, where there is room.
void label(const Canvas& c, float y0, float y1, float x0, float x1, std::string_view title, std::string_view below,
           ImU32 ink, bool bold) {
    const Ui& ui = c.ui();
    const Box box = c.place.of({{x0, y0}, {x1, y1}});
    if (!c.room_for(FontRole::small, y1 - y0) || box.width() < ui.px(60) || !c.sees(box)) return;
    const float line = ui.line(FontRole::small);
    const float lines =
        below.empty() ? 0 : std::ceil(draw::text_size(ui, below, FontRole::small).x / (box.width() * 0.9f));
    constexpr float wrapped = 1.25f;  // from line to line of wrapped text
    const bool both = lines > 0 && (1 + lines * wrapped) * line <= box.height();
    const float height = both ? (1 + lines * wrapped) * line : line,
                y = std::round((box.min.y + box.max.y - height) / 2);
    // Arcs that come from another side pass behind it.
    if (c.layout.sides.size() > 1 && ink == c.theme().attention_text)
        draw::rounded_box(ui, {box.min.x - ui.px(3), y - ui.px(2)}, {box.max.x, y + height + ui.px(2)},
                          with_alpha(c.theme().card, 0.88f), 0, 4);
    const draw::TextStyle style{bold ? FontRole::small_bold : FontRole::small, ink};
    if (draw::text_in(ui, {box.min.x, y}, {box.max.x, y + line}, title, style) && draw::hovered(box.min, box.max))
        draw::tooltip(ui, box.min, box.max, title);
    if (both)
        draw::text_wrapped(ui, {box.min.x, y + line}, box.width(), below, {FontRole::small, c.theme().text_muted});
}

/// A causal model: the triangle of what may be seen.
void draw_mask(const Canvas& c, const CanvasRow& row, float right) {
    const Ui& ui = c.ui();
    const float u = c.layout.room.unit;
    if (row.source || row.cross || !c.trace.model().config.causal()) return;
    const float size = 26 * u;
    const Box box = c.place.of({{right - size, row.bottom - size - 6 * u}, {right, row.bottom - 6 * u}});
    if (!c.active || row.bottom - row.top < 78 * u || !c.sees(box)) return;
    constexpr int words = 5;
    const float step = box.width() / words;
    for (int query = 0; query < words; ++query)
        for (int key = 0; key < words; ++key) {
            const ImVec2 at{box.min.x + step * static_cast<float>(key), box.min.y + step * static_cast<float>(query)};
            ui.list()->AddRectFilled(at, {at.x + step - 1, at.y + step - 1},
                                     key <= query ? c.theme().attention_middle : c.theme().track);
        }
    if (draw::hovered(box.min, box.max))
        draw::tooltip(ui, box.min, box.max,
                      tr("Causal mask\nThe triangle of what may be seen: each word (a row) reads itself and the words "
                         "before it, never those that come after."));
}

}  // namespace

void label_row(const Canvas& c, const CanvasRow& row) {
    const Ui& ui = c.ui();
    const float u = c.layout.room.unit;
    const CanvasSide& side = c.layout.side(row.source);
    if (side.left - side.labels < 60 * u) return;
    const Theme& t = c.theme();
    const float x0 = side.labels + (row.block >= 0 ? 12 * u : 0), x1 = side.left - 6 * u;
    const float out = row.kind == RowKind::attention ? 0 : 5 * u;
    const float y0 = row.top - out, y1 = row.bottom + out;
    switch (row.kind) {
        case RowKind::embedding:
            return label(c, y0, y1, x0, x1, "embedding", row.title.ends_with("+ position") ? tr("+ position") : "",
                         t.text_muted, true);
        case RowKind::attention:
            return label(c, y0, y1, x0, x1, row.cross ? "cross-attention" : "attention",
                         row.cross ? tr("reads the source") : tr("moves words’ information"), t.attention_text, true),
                   draw_mask(c, row, x1);
        case RowKind::mlp:
            return label(c, y0, y1, x0, x1, row.title, tr("works on each word alone"), t.mlp_text, true);
        case RowKind::recurrent:
            return label(c, y0, y1, x0, x1, row.title, tr("hands its state on"), t.residual_text, true);
        case RowKind::norm:
        case RowKind::other:
            return label(c, y0, y1, x0, x1, row.title, "", t.text_muted, false);
        case RowKind::stream: {
            if (row.block < 0) return label(c, y0, y1, x0, x1, "encoded", tr("what is read"), t.residual_text, true);
            return label(c, row.top, row.bottom, x0, x1,
                         ui.items->format(row.source ? tr("source block %d") : "block %d", row.block), "", t.text,
                         true);
        }
        case RowKind::mix:
        case RowKind::add:
            return;
    }
}

void label_lane(const Canvas& c, const Box& on_page, std::string_view title, ImU32 ink) {
    label(c, on_page.min.y, on_page.max.y, on_page.min.x, on_page.max.x, title, "", ink, true);
}

}  // namespace glassformer::app
