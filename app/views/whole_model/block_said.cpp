#include "app/views/whole_model/block_said.h"

#include <algorithm>

#include "app/common/lens_grid.h"
#include "app/common/predict_first.h"
#include "app/language/tr.h"

namespace glassformer::app::views::whole_model {

void draw_block_said(const Canvas& c, const Box& on_page) {
    const Ui& ui = c.ui();
    if (on_page.height() < 40 * c.unit) return;
    const Theme& t = c.theme();
    const Box box = c.place.of(on_page);
    if (!c.sees(box)) return;
    draw::rounded_box(ui, box, t.card, t.card_border, 10);
    const FontRole plain = c.font(FontRole::small), bold = c.font(FontRole::small_bold),
                   head = c.font(FontRole::body_bold);
    if (!c.room_for(head, 22 * c.unit)) return;
    const float pad = ui.px(12), line = ui.line(plain), top = box.min.y + ui.px(5) + ui.line(head) + ui.px(6);
    draw::text_in(ui, {{box.min.x + pad, box.min.y + ui.px(5)}, {box.max.x - pad, top}},
                  tr("what the stream would say here (logit lens)"), {head, t.text});
    const int words = c.layout.side(false).words, layer = c.frame.state.layer + 1;
    const float left = box.min.x + pad, step = (box.width() - 2 * pad) / static_cast<float>(std::max(1, words));
    // Half of a card is for the word that is said; all of it where a word would be cut.
    const float in = ui.px(6), within = step - ui.px(6) - 2 * in, bar = ui.px(3) + ui.px(14);
    float widest = within / 2;
    for (int word = 0; word < words; ++word)
        if (const LensWord* best = c.hides_said(word) ? nullptr : c.reading.lens().best(layer, word))
            widest = std::max(widest, draw::text_size(ui, vocabulary_word(c.frame, best->id), plain).x + ui.px(2));
    const bool bars = widest + bar <= within;
    for (int word = 0; word < words; ++word) {
        const float x = left + step * static_cast<float>(word);
        const Box card{{x, top}, {x + step - ui.px(6), std::min(box.max.y - ui.px(8), top + 2 * line + ui.px(10))}};
        if (card.height() < 2 * line || card.width() < ui.px(36)) continue;
        const bool chosen = word == c.token();
        draw::rounded_box(ui, card, chosen ? t.selection_tint : t.background, chosen ? t.selection : 0, 6, 2);
        const float y = card.middle_y();
        draw::text_in(ui, {{card.min.x + in, y - line}, {card.max.x - in, y}}, c.word(false, word), {bold, t.text});
        const std::string_view item = ui.items->format("whole/%s/lens %d %d", Frame::letter(c.slot), layer - 1, word);
        const Box below{{card.min.x + in, y}, {card.max.x - in, y + line}};
        if (c.hides_said(word)) {
            draw_waiting(ui, item, below, draw::Align::left);
            continue;
        }
        const LensWord* best = c.reading.lens().best(layer, word);
        if (!best) {
            c.frame.state.more_to_compute = true;
            continue;
        }
        const std::string said(vocabulary_word(c.frame, best->id));
        const float text_end = bars ? below.min.x + widest : below.max.x;
        draw::text_in(ui, below.left_of(text_end), said, {plain, t.text_muted});
        if (bars)
            draw::bar(ui, {{text_end + ui.px(3), y + line * 0.3f}, {below.max.x, y + line * 0.7f}}, best->probability,
                      chosen ? t.accent : mix(t.card, t.accent, 0.5f), t.track);
        ui.items->add(item, below, static_cast<double>(best->probability), said);
        if (draw::hovered(card))
            draw::tooltip(ui, ui.items->format(tr("“%s” after block %d: %s %.1f %%"), c.word(false, word).c_str(),
                                               layer - 1, said.c_str(), 100 * static_cast<double>(best->probability)));
    }
}

}  // namespace glassformer::app::views::whole_model
