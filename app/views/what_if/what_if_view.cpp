#include <algorithm>

#include "app/common/hidden_by_quiz.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/view.h"
#include "app/views/what_if/what_if_pages.h"

namespace glassformer::app::views::what_if {

namespace {

// Pixels at 100 %.
constexpr float widest_list = 520, section_gap = 14, least_beside = 760;

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    ScrollPage page(ui, slot == 0 ? "##what if A" : "##what if B", box);
    Box inside = page.inside();
    if (switches_in_page(frame)) inside.min.y = draw_switches(frame, inside) + ui.px(section_gap);
    if (waits_for_guess(frame.state, slot))
        return page.reaches(
            draw_hidden_by_quiz(frame, slot, inside, ui.items->of_card(slot, "what if/hidden by quiz")));
    const bool beside = can_patch(frame) && inside.width() >= ui.px(least_beside);
    const float half = beside ? inside.min.x + (inside.width() - ui.px(2 * section_gap)) / 2 : inside.max.x;
    const float right = std::min(half, inside.min.x + ui.px(widest_list));
    float bottom = draw_what_if_effects(frame, inside.left_of(right), slot);
    if (can_patch(frame)) {
        const ImVec2 at = beside ? ImVec2{half + ui.px(2 * section_gap), inside.min.y}
                                 : ImVec2{inside.min.x, bottom + ui.px(section_gap)};
        bottom = std::max(bottom, draw_what_if_patches(frame, {at, inside.max}, slot));
    }
    page.reaches(bottom);
}

}  // namespace

extern constinit const View view{
    .name = N_("What if"),
    .meaning = N_("Switch parts of the model off and see what it predicts then."),
    .also = "ablate knock out switch off remove activation patching patch swap intervene",
    .draw = draw_view,
    .header = draw_what_if_switches,
    .caption_suffix = patches_of,
};

}  // namespace glassformer::app::views::what_if
