#include "app/panels/meaning/nearest_uses_view.h"

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/session/nearest_uses.h"
#include "app/ui/scroll_area.h"
#include "core/base/join.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float use_row_height = 20, cosine_width = 40, dot_room = 14;  // pixels at 100 %

/// Returns the uses for exactly this request; null until they are available.
const NearestUses* found_uses(const Frame& frame, const command::ShowNearestUses& asked) {
    const NearestUses* found = frame.snapshot.nearest_uses.get();
    return found && found->of == asked ? found : nullptr;
}

/// Says whether the model is trained on the sentence.
std::string_view seen_text(NearestUses::Seen seen) {
    switch (seen) {
        case NearestUses::Seen::sentence:
            return tr("This is a training sentence.");
        case NearestUses::Seen::known_template:
            return tr("Training sentences use this template with other words; this one is not among them.");
        case NearestUses::Seen::held_out_template:
            return tr("No training sentence uses this template.");
        case NearestUses::Seen::fresh:
            return tr("This sentence is not a training sentence.");
        default:
            return tr("This sentence is not among the training sentences that were looked through.");
    }
}

std::string compared_text(const NearestUses& found) {
    const std::string counts = filled(found.all_compared ? tr("{1} training uses (all) and {2} held-out ones compared")
                                                         : tr("{1} training uses and {2} held-out ones compared"),
                                      {grouped(found.training), grouped(found.held_out)});
    return counts;
}

/// Draws a sentence with the word in the middle, and as many words of both sides as fit; "…" replaces the others.
void draw_in_context(const Ui& ui, const Box& row, const NearestUses::Use& use, ImU32 ink) {
    const std::string& word = use.words[use.position];
    const float wide = draw::text_size(ui, word, FontRole::small_bold).x, gap = ui.px(4);
    const Box middle = row.between_x(row.middle_x() - wide / 2, row.middle_x() + wide / 2);
    std::string before;
    const float room = middle.min.x - gap - row.min.x;
    for (int p = use.position - 1; p >= 0; --p) {
        const std::string more = use.words[p] + (before.empty() ? "" : " ") + before;
        if (draw::text_size(ui, (p > 0 ? "… " : "") + more, FontRole::small).x > room) {
            before = before.empty() ? "…" : "… " + before;
            break;
        }
        before = more;
    }
    const std::string after = join(std::span(use.words).subspan(use.position + 1), " ");
    draw::text_in(ui, row.left_of(middle.min.x - gap), before, {FontRole::small, ink, draw::Align::right});
    draw::text_in(ui, middle, word, {FontRole::small_bold, ui.theme->text});
    draw::text_in(ui, row.right_of(middle.max.x + gap), after, {FontRole::small, ink});
}

std::string use_text(const Frame& frame, const NearestUses& found, const NearestUses::Use& use) {
    std::string text = use.text + "\n";
    if (use.sense >= 0 && use.sense < int_size(frame.snapshot.model->senses))
        text += filled(tr("Meaning: {1}. "), {tr(frame.snapshot.model->senses[use.sense].name)});
    text += use.held_out ? tr("Held out: not a training sentence. ") : tr("A training sentence. ");
    return text +
           filled(tr("{1} is the cosine of the two vectors of “{2}” after {3}, both without the mean of its uses at "
                     "the same position. A click shows the sentence."),
                  {with_decimals(use.cosine, 4), found.word,
                   found.of.layer == 0 ? std::string(tr("the embedding"))
                                       : filled(tr("block {1}"), {std::to_string(found.of.layer - 1)})});
}

void draw_use(const Frame& frame, const NearestUses& found, int i, const Box& row) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const NearestUses::Use& use = found.nearest[i];
    const Response mouse = link_area(ui, ui.items->format("uses/%d", i), row, use.cosine, use.text);
    if (mouse.hovered) draw::rounded_box(ui, row.inset(-ui.px(4), 0), t.hover, 0, 4);
    const ImU32 colour = use.sense < 0 ? t.residual : use.sense % 2 == 0 ? t.sense_a : t.sense_b;
    const ImVec2 dot{row.min.x + ui.px(5), row.middle_y()};
    if (use.held_out)
        ui.list()->AddCircle(dot, ui.px(4), colour, 0, ui.px(1.5f));
    else
        ui.list()->AddCircleFilled(dot, ui.px(4), colour);
    const float number = row.max.x - ui.px(cosine_width);
    draw_in_context(ui, row.between_x(row.min.x + ui.px(dot_room), number), use, t.text_muted);
    draw::text_in(ui, row.right_of(number), with_decimals(use.cosine, 2),
                  {FontRole::small_bold, 0, draw::Align::right});
    if (mouse.hovered) draw::tooltip(ui, row, use_text(frame, found, use));
    if (mouse.clicked) frame.send(command::Watch{frame.snapshot.text_slot(found.of.slot), use.text});
}

}  // namespace

void draw_nearest_uses(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    UsesLook& look = frame.own<UsesLook>();
    const int slot = frame.state.slot;
    const command::ShowNearestUses wanted{true, slot, frame.state.token[slot], frame.state.layer + 1};
    if (!(look.asked == wanted)) frame.send(look.asked = wanted);
    const NearestUses* found = found_uses(frame, wanted);
    const draw::TextStyle muted{FontRole::small, t.text_muted};
    if (!found || found->left > 0) {
        frame.state.more_to_compute = true;
        draw::label(
            ui, box.top(ui.px(use_row_height)),
            found ? filled(tr("{1} sentence left …", "{1} sentences left …", static_cast<std::int64_t>(found->left)),
                           {grouped(found->left)})
                  : std::string("…"),
            muted, {"uses/left", item_state(found ? found->left : -1)});
        return;
    }
    if (!found->why_not.empty())
        return void(
            draw::label_wrapped(ui, box.min, box.width(), tr_full_sentence(found->why_not), muted, {"uses/none"}));
    const std::string told = std::string(seen_text(found->seen)) + " " + compared_text(*found);
    const float above = draw::wrapped_height(ui, box.width(), told, FontRole::small) + ui.px(4);
    const float row = ui.px(use_row_height);
    const ScrollArea area(ui, "##uses", box, above + row * to_float(int_size(found->nearest)));
    Box content = area.content();
    draw::label_wrapped(ui, content.min, content.width(), told, muted,
                        {"uses/seen", item_state(static_cast<int>(found->seen)),
                         tr("● training sentence   ○ held out. The word stands in the middle of each line.")});
    content.cut_top(above);
    for (int i = 0; i < int_size(found->nearest); ++i) draw_use(frame, *found, i, content.cut_top(row));
}

void leave_nearest_uses(const Frame& frame) {
    UsesLook& look = frame.own<UsesLook>();
    if (look.asked.on) frame.send(look.asked = {});
}

}  // namespace glassformer::app
