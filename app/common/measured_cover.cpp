#include "app/common/measured_cover.h"

#include "app/common/what_if_changes.h"
#include "app/language/tr.h"

namespace glassformer::app {

bool cover_unless_of_shown(const Frame& frame, const Box& box, const MeasuredOf& of) {
    if (frame.snapshot.of_shown(of)) return false;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    ui.list()->AddRectFilled(box.min, box.max, with_alpha(t.card, 0.85f));
    const std::string_view text =
        of.changes.empty() ? tr("of the unaltered model") : tr("of a model with other changes");
    const ImVec2 size = draw::text_size(ui, text, FontRole::small_bold);
    const ImVec2 middle{box.middle_x(), box.middle_y()};
    const ImVec2 half{std::min(size.x / 2 + ui.px(8), box.width() / 2), size.y / 2 + ui.px(4)};
    const Box at{{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}};
    draw::rounded_box(ui, at, t.card, t.card_border);
    draw::text_in(ui, at, text, {FontRole::small_bold, t.text_muted, draw::Align::centre});
    ui.items->add(of.changes.empty() ? "of the unaltered model" : "of other changes", at);
    return true;
}

std::string of_the_training(const Frame& frame, std::string figure) {
    return what_if_changes(frame).empty() ? std::move(figure) : filled(tr("{1} · unaltered"), {figure});
}

}  // namespace glassformer::app
