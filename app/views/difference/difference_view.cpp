#include <algorithm>

#include "app/common/block_pattern.h"
#include "app/common/colour_legend.h"
#include "app/common/provenance.h"
#include "app/language/tr.h"
#include "app/ui/child_window.h"
#include "app/views/difference/pattern_difference.h"
#include "app/views/view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::difference {

namespace {

constexpr float view_side = 12, list_least = 300, list_most = 460;  // pixels at 100 %

/// Says what is subtracted from what.
std::string subtraction(const Frame& frame, const PatternDifference& difference) {
    const auto& [head_a, head_b] = difference.asked().head;
    const auto& [cross_a, cross_b] = difference.asked().cross;
    if (frame.snapshot.comparing.of_sentences())
        return filled(tr("The pattern of B minus that of A, {1}{2}"),
                      {head_name(head_a, cross_a),
                       difference.same_words() ? "" : tr("; only words in both sentences can be compared")});
    const std::string what =
        filled(tr("B, {1}, minus A, {2}"), {provenance(frame, 1).side(), provenance(frame, 0).side()});
    if (frame.snapshot.comparing.what == Comparing::What::heads) return what;
    if (head_a == head_b && cross_a == cross_b)
        return filled(tr("{1}: the pattern of {2}"), {what, head_name(head_a, cross_a)});
    return filled(tr("{1}: {2}, and {3}"), {what, head_name(head_b, cross_b), head_name(head_a, cross_a)});
}

const PatternDifference& difference_of(const Frame& frame, const PatternDifference::Asked& asked) {
    std::shared_ptr<PatternDifference>& made = frame.state.own<DifferenceState>().of_cards;
    if (!made || !made->of(frame, asked)) made = std::make_shared<PatternDifference>(frame, asked);
    return *made;
}

void draw_reason(const Frame& frame, const Box& box) {
    const char* why = !frame.trace(0) ? tr("Sentence A cannot be read, so there is nothing to subtract.")
                      : !frame.trace(1)
                          ? tr("Sentence B cannot be read, so there is nothing to subtract from.")
                          : tr("One of the two has no attention in this block, so nothing can be subtracted.");
    frame.ui.items->add("difference/why not", box, std::nullopt, why);
    draw::text_wrapped(frame.ui, box.min, box.width(), why, {FontRole::small, frame.ui.theme->text_muted});
}

/// Draws the line above the maps; returns its bottom.
float draw_heading(const Frame& frame, const PatternDifference& difference, const Box& box) {
    const Ui& ui = frame.ui;
    const float legend = signed_legend_width(ui), line = ui.line(FontRole::small);
    const std::string text = subtraction(frame, difference);
    const float right = box.max.x - legend - ui.px(12);
    const float height = draw::label_wrapped(ui, box.min, right - box.min.x, text,
                                             {FontRole::small, ui.theme->text_muted}, {"difference/title"});
    draw_signed_legend(ui, {{box.max.x - legend, box.min.y}, {box.max.x, box.min.y + line}}, "difference/legend",
                       ui.items->format(tr("Full colour: %s."), with_decimals(difference.range()).c_str()));
    return box.min.y + height + ui.px(8);
}

bool lists_beside(const Ui& ui, float width) { return width >= 2 * ui.px(list_least); }

/// Maximum height of the maps that keeps the lists below visible.
float maps_height(const DifferencePicture& picture, const Box& box) {
    const Ui& ui = picture.ui();
    const std::size_t lines = std::max(picture.difference.columns().size(), picture.difference.largest().size()) + 1;
    const float lists = to_float(lines) * (ui.line(FontRole::small) + ui.px(3)) + ui.px(30);
    const float most = box.height() * 0.62f;
    return lists_beside(ui, box.width()) ? std::clamp(box.height() - lists, box.height() * 0.42f, most) : most;
}

/// Draws the lists, side by side if they fit; returns the bottom.
float draw_lists(const DifferencePicture& picture, const Box& box) {
    const Ui& ui = picture.ui();
    const float gap = ui.px(24);
    if (!lists_beside(ui, box.width())) {
        const float y = draw_difference_row(picture, box) + ui.px(12);
        return draw_largest_differences(picture, box.below(y));
    }
    const float width = std::min((box.width() - gap) / 2, ui.px(list_most));
    const float left = draw_difference_row(picture, box.left(width));
    const float x = box.min.x + width + gap;
    return std::max(left, draw_largest_differences(picture, box.between_x(x, x + width)));
}

/// Returns the bottom.
float draw_picture(const Frame& frame, const Box& box) {
    const PatternDifference::Asked asked = asked_now(frame);
    const std::optional<BlockPattern> a = asked_pattern(frame, asked, 0), b = asked_pattern(frame, asked, 1);
    if (!a || !b) {
        draw_reason(frame, box);
        return box.min.y + frame.ui.px(60);
    }
    const DifferencePicture picture{frame, difference_of(frame, asked), *a, *b};
    const float y = draw_heading(frame, picture.difference, box);
    const float maps = draw_difference_maps(picture, box.below(y), maps_height(picture, box.below(y)));
    return draw_lists(picture, box.below(maps + frame.ui.px(16)));
}

void draw_view(const Frame& frame, const Box& box, int) {
    const Ui& ui = frame.ui;
    const float side = ui.px(view_side);
    ChildWindow window(ui, "##difference", box, ChildWindow::Kind::scrolls);
    const ImVec2 at = window.start();
    const float bottom =
        draw_picture(frame, {{at.x + side, at.y + ui.px(2)}, {at.x + box.width() - side, at.y + box.height()}});
    window.reaches({at.x + 1, bottom + ui.px(2) + 1});
}

}  // namespace

extern constinit const View view{
    .name = N_("Difference"),
    .meaning = N_("What B attends to more than A, and what less."),
    .also = "compare B − A minus change",
    .draw = draw_view,
    .offered = [](const Frame& frame) { return frame.state.compare && has_attention(frame); },
    .spans_cards = true,
};

}  // namespace glassformer::app::views::difference
